/**
 * Whole CSV records to their fields. csv-parse reads them, many at a time, since each call of it costs as much as ten
 * records do. Records without a quote are cut at their delimiters by the engine, which gives the same fields; a test
 * holds both ways to that.
 *
 * Measured with `readCsv` (2 busy cores, Node 24), in brackets the splitter of our own that csv-parse replaced: 57 MB
 * without quotes 84 MB/s (88), 73 MB with quotes in every tenth record 60 MB/s (87), 62 MB with a quote around every value
 * 35 MB/s (182).
 */
import { CsvError, type Options, parse } from 'csv-parse/sync'
import { withStrayQuotesDoubled } from './csv-stray-quotes.ts'

/** The fields of a record, or what is wrong with it. */
export type SplitRecord = { readonly fields: readonly string[] } | { readonly problem: string }

export interface RecordSyntax {
  readonly delimiter: string
  readonly quotes: 'strict' | 'lenient' | 'none'
  readonly trim: boolean
}

export const quote = '"'

/** Whether a quote is still open at the end of a text, so that the record goes on in the next line. */
export const isOpen = (text: string, syntax: RecordSyntax): boolean => {
  if (isPlain(text, syntax)) return false
  return syntax.quotes === 'lenient' ? withStrayQuotesDoubled(text, syntax) === undefined : hasOddQuotes(text)
}

/**
 * Splits records, each of them whole: none may leave a quote open. Lazily, for a reader that meets a bad record may want
 * to put the following ones together anew.
 */
export function* splitRecords(texts: readonly string[], syntax: RecordSyntax): Generator<SplitRecord, void, undefined> {
  const quoted = splitQuoted(
    texts.filter((text) => !isPlain(text, syntax)),
    syntax,
  )
  for (const text of texts) yield isPlain(text, syntax) ? splitPlain(text, syntax) : (quoted.next().value ?? unreadable)
}

/** Whether no character of a record has a meaning but its delimiters. */
export const isPlain = (text: string, { quotes }: RecordSyntax): boolean => quotes === 'none' || !text.includes(quote)

/** The fields of a record that is plain. */
export const splitPlain = (text: string, { delimiter, trim }: RecordSyntax): SplitRecord => {
  const fields = text.split(delimiter)
  return { fields: trim ? fields.map((field) => field.trim()) : fields }
}

const hasOddQuotes = (text: string): boolean => {
  let odd = false
  for (let found = text.indexOf(quote); found !== -1; found = text.indexOf(quote, found + 1)) odd = !odd
  return odd
}

/** Reads all; a record that cannot be read is told by itself, and reading goes on after it. */
function* splitQuoted(texts: readonly string[], syntax: RecordSyntax): Generator<SplitRecord, void, undefined> {
  let size = texts.length
  for (let done = 0; done < texts.length; ) {
    const part = texts.slice(done, done + size)
    const { records, error } = parsed(part, syntax)
    for (const fields of records) yield { fields }
    done += records.length
    // One bad record is rarely alone, and each ends a call: few at a time until all goes well again.
    size = error === undefined ? size * 2 : 1
    const refused = part[records.length]
    if (error === undefined || refused === undefined) continue
    done++
    yield mended(refused, error, syntax)
  }
}

/** In a lenient dialect, the fields of a record that csv-parse refused, once its stray quotes are doubled. */
const mended = (text: string, error: CsvError, syntax: RecordSyntax): SplitRecord => {
  const doubled = syntax.quotes === 'lenient' ? withStrayQuotesDoubled(text, syntax) : undefined
  const [fields] = doubled === undefined ? [] : parsed([doubled], syntax).records
  return fields === undefined ? { problem: problemOf(error) } : { fields }
}

interface Parsed {
  readonly records: readonly (readonly string[])[]
  /** What is wrong with the record after the last one read. */
  readonly error?: CsvError
}

/** What csv-parse reads of records, up to the first one that it refuses. */
const parsed = (texts: readonly string[], { delimiter, trim }: RecordSyntax): Parsed => {
  const text = `${texts.join('\n')}\n`
  const options = { delimiter, trim, record_delimiter: '\n', relax_column_count: true, max_record_size: 0 }
  try {
    return { records: parse(text, options) }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { records: readUpTo(error, text, options), error }
  }
}

/** The records before the one that is refused: csv-parse loses them with it, so they are taken one by one. */
const readUpTo = (refusal: CsvError, text: string, options: Options): readonly (readonly string[])[] => {
  const records: string[][] = []
  try {
    parse(text, { ...options, on_record: (record) => void records.push(record) })
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== refusal.code) throw error
  }
  return records
}

const unreadable: SplitRecord = { problem: 'cannot be read as a record' }

/** In our words: csv-parse counts lines within what it was given, which would mislead. */
const problemOf = (error: CsvError): string => {
  switch (error.code) {
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'text after a closing quote'
    case 'INVALID_OPENING_QUOTE':
      return `a quote inside an unquoted field (${Number(error.column) + 1})`
    default:
      return error.message
  }
}
