/**
 * CSV as it is found: declared dialects, any encoding, and every record either read or named with its line.
 *
 * Lines first, records second, fields last. This gives each record the line it starts on, and lets reading go on after a
 * stray quote.
 */
import { StichtagError } from '../errors.ts'
import { type AssembledRecord, RecordAssembler, rawOf } from './csv-assembler.ts'
import { type CsvDialect, type FullDialect, fullDialect } from './csv-dialect.ts'
import { headerOf } from './csv-header.ts'
import { toUtf8 } from './encoding.ts'
import { withLineFeeds } from './line-ends.ts'
import { type LineBatch, readLines } from './lines.ts'
import { type Bytes, batchSize, type ReadOptions, type ReadRecord } from './types.ts'

/**
 * The records of a CSV file, in batches: objects of column name → text, or null for nothing. Columns of the same name
 * and without one are given distinct names, see `distinctNames`.
 *
 * @throws NOT_WHAT_IT_SAYS where there is no header, RECORD_INVALID for a header that lacks a required column, a line
 *   that is too long, or text that is not in the declared encoding, CANCELLED
 */
export async function* readCsv(
  bytes: Bytes,
  dialect: CsvDialect,
  options: ReadOptions,
): AsyncGenerator<readonly ReadRecord[], void, undefined> {
  const reader = new CsvReader(fullDialect(dialect), options)
  const { source, signal, lineOf } = options
  const utf8 = withLineFeeds(toUtf8(bytes, reader.dialect.encoding, source))
  const lines = readLines(utf8, { source, maxLineBytes: dialect.maxLineBytes, keepCarriageReturns: true, lineOf })
  for await (const batch of lines) {
    if (signal?.aborted) throw new StichtagError('CANCELLED', `reading ${source} was cancelled`)
    yield* reader.read(batch)
  }
  yield* reader.end()
}

/** Lines to records: keeps the header, and counts what was repaired. */
class CsvReader {
  readonly dialect: FullDialect
  readonly #options: ReadOptions
  readonly #assembler: RecordAssembler
  readonly #nulls: ReadonlySet<string>
  readonly #preamble: string[] = []
  /** For each column its name in the records, or undefined; undefined itself until the header is read. */
  #names: readonly (string | undefined)[] | undefined
  #batch: ReadRecord[] = []
  readonly #padded = new Repairs()
  readonly #nulled = new Repairs()

  constructor(dialect: FullDialect, options: ReadOptions) {
    this.dialect = dialect
    this.#options = options
    this.#assembler = new RecordAssembler(dialect, (assembled) => this.#take(assembled))
    this.#nulls = new Set(dialect.nulls)
  }

  /** Reads lines; gives the batches that are full. */
  *read({ first, texts, notUtf8 }: LineBatch): Generator<readonly ReadRecord[], void, undefined> {
    let number = first
    for (const text of texts) {
      if (number > this.dialect.preambleLines) {
        const clean = text.includes('\0') ? this.#withoutNuls(number, text) : text
        this.#assembler.add({ number, text: clean, notUtf8: notUtf8.has(number) })
        yield* this.#full()
      } else this.#preamble.push(text.replace(/\r+$/, ''))
      number++
    }
  }

  /** Gives what is left, and says what was repaired. */
  *end(): Generator<readonly ReadRecord[], void, undefined> {
    this.#assembler.end()
    if (this.#names === undefined && this.dialect.columns === undefined) throw this.#refusal('there is no header line')
    const { onWarning } = this.#options
    if (this.#padded.count > 0) onWarning?.(`${this.#padded} had fewer fields than there are columns`)
    if (this.#nulled.count > 0) onWarning?.(`NUL characters were removed from ${this.#nulled}`)
    yield* this.#full()
    if (this.#batch.length > 0) yield this.#batch
  }

  *#full(): Generator<readonly ReadRecord[], void, undefined> {
    while (this.#batch.length >= batchSize) yield this.#batch.splice(0, batchSize)
  }

  #take(assembled: AssembledRecord): void {
    if (this.#names === undefined) {
      this.#refuseMarkup('problem' in assembled ? assembled.raw : (assembled.fields[0] ?? ''))
      if ('problem' in assembled) throw this.#refusal(`line ${assembled.line} is no header: ${assembled.problem}`)
      this.#names = this.#namesFrom(this.dialect.columns ?? assembled.fields)
      this.#assembler.columns = this.#names.length
      if (this.dialect.columns === undefined || this.#isHeader(assembled.fields)) return
    }
    this.#batch.push('problem' in assembled ? assembled : this.#record(assembled, this.#names))
  }

  #namesFrom(header: readonly string[]): readonly (string | undefined)[] {
    const { onWarning, onPreamble, source } = this.#options
    const { columns, names, warnings } = headerOf(header, this.dialect, source)
    for (const warning of warnings) onWarning?.(warning)
    onPreamble?.({ type: 'csv', lines: this.#preamble, columns })
    return names
  }

  /** Whether the first record of a file that has no header is one after all: somebody added it. */
  #isHeader(fields: readonly string[]): boolean {
    const { columns } = this.dialect
    return columns?.every((name, index) => fields[index]?.trim().toLowerCase() === name.toLowerCase()) ?? false
  }

  #record(
    { line, fields, raw }: Extract<AssembledRecord, { fields: readonly string[] }>,
    names: readonly (string | undefined)[],
  ): ReadRecord {
    const surplus = fields.length > names.length && fields.slice(names.length).some((field) => field !== '')
    if (surplus || (fields.length < names.length && this.dialect.shortRecords === 'reject')) {
      return { line, problem: `${fields.length} fields, but there are ${names.length} columns`, raw: rawOf(raw) }
    }
    if (fields.length < names.length) this.#padded.add(line)
    const record: Record<string, string | null> = {}
    let index = 0
    for (const name of names) {
      const value = this.#value(fields[index++])
      // By assignment this name would set the prototype.
      if (name === '__proto__') Object.defineProperty(record, name, { value, enumerable: true })
      else if (name !== undefined) record[name] = value
    }
    return { line, record }
  }

  #value(field: string | undefined): string | null {
    if (field === undefined || field === '') return null
    return this.#nulls.size > 0 && this.#nulls.has(field.trim()) ? null : field
  }

  #withoutNuls(line: number, text: string): string {
    this.#nulled.add(line)
    return text.replaceAll('\0', '')
  }

  /** No column is called so: what begins like that is in another format, and its records would be nonsense. */
  #refuseMarkup(begin: string): void {
    const found = /^\s*(?:(<\?xml\b|<[A-Za-z!])|([{[]\s*["{[]))/.exec(begin)
    if (found === null) return
    const [format, how] = found[1] === undefined ? ['JSON', "'json' or 'jsonl'"] : ['XML or HTML', "'xml'"]
    throw this.#refusal(
      `${format} received where CSV is declared: give the publisher's CSV file (only the pipeline's author can ` +
        `change what is read, by type: ${how})`,
    )
  }

  #refusal(what: string): StichtagError {
    const { source } = this.#options
    return new StichtagError('NOT_WHAT_IT_SAYS', `${source}: ${what}`, { data: { source } })
  }
}

/** How often something was repaired, and where first. */
class Repairs {
  count = 0
  #lines: number[] = []

  add(line: number): void {
    this.count++
    if (this.#lines.length < 5) this.#lines.push(line)
  }

  toString(): string {
    const more = this.count > this.#lines.length ? ', …' : ''
    return `${this.count} records (line ${this.#lines.join(', ')}${more})`
  }
}
