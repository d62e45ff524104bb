/**
 * Lines to CSV records: joins lines while a quote is open, and has what is whole split into fields, many at a time.
 *
 * A stray quote would swallow the lines after it, silently where another stray quote closes it. So a quote that stays
 * open for too long, or whose record comes out wrong, is taken back: the line that opened it is a problem, and all lines
 * after it are grouped anew as if it had not been there.
 */
import type { FullDialect } from './csv-dialect.ts'
import { isOpen, quote, type SplitRecord, splitRecords, splitSimple } from './csv-split.ts'
import { maxRawLength } from './types.ts'

export interface Line {
  readonly number: number
  /** Without its line feed, with carriage returns. */
  readonly text: string
  readonly notUtf8: boolean
}

/** A record's fields, or a problem, with the line it starts on. The raw text of a problem is bounded. */
export type AssembledRecord =
  | { readonly line: number; readonly fields: readonly string[]; readonly raw: string }
  | { readonly line: number; readonly problem: string; readonly raw: string }

/** Lines that make a record, as far as their quotes say; or the line of a quote that was taken back. */
interface Group {
  readonly first: Line
  readonly further: readonly Line[]
  readonly text: string
  readonly takenBack?: string
}

/** The end-of-file character of DOS, which some publishers still put after the last line. */
const endOfFile = '\x1a'

/** Records split at once, and after a quote was taken back, when all that follows may be grouped anew again. */
const mostAtOnce = 500
const fewAtOnce = 16

/** Characters of lines that wait to be split, after which they are, however few they are. */
const mostWaiting = 8_000_000

export class RecordAssembler {
  readonly #dialect: FullDialect
  readonly #emit: (record: AssembledRecord) => void
  /** Lines of a record whose quote is open. */
  #open: Line[] = []
  #groups: Group[] = []
  #atOnce = mostAtOnce
  #waiting = 0
  /** Fields of the last record that was one line. */
  #usual: number | undefined
  /** Number of columns, once it is known. */
  columns: number | undefined

  /** `emit` is called for each record, in order. */
  constructor(dialect: FullDialect, emit: (record: AssembledRecord) => void) {
    this.#dialect = dialect
    this.#emit = emit
  }

  add(line: Line): void {
    this.#group(line)
    this.#waiting += line.text.length
    if (this.#groups.length >= this.#atOnce || this.#waiting > mostWaiting) this.flush()
  }

  /** Emits all records that are whole. */
  flush(): void {
    this.#waiting = 0
    while (this.#groups.length > 0) this.#split(this.#groups.splice(0, this.#atOnce))
  }

  /** Emits what is left at the end of the file. */
  end(): void {
    this.flush()
    while (this.#open.length > 0) {
      this.#takeBackOpen('is not closed before the end of the file')
      this.flush()
    }
  }

  #group(line: Line): void {
    if (this.#open.length === 0) {
      const text = withoutReturns(line.text)
      if (text === '' || text === endOfFile) return
      // Where nothing waits for its turn, as in nearly every big file, a record is through at once.
      const simple = this.#groups.length === 0 ? splitSimple(text, this.#dialect) : undefined
      if (simple !== undefined) this.#emitRecord({ first: line, further: [], text }, simple)
      else if (isOpen(text, this.#dialect)) this.#open = [line]
      else this.#groups.push({ first: line, further: [], text })
      return
    }
    this.#open.push(line)
    const text = line.text.includes(quote) ? this.#openText() : undefined
    const [first, ...further] = this.#open
    if (first !== undefined && text !== undefined && !isOpen(text, this.#dialect)) {
      this.#groups.push({ first, further, text })
      this.#open = []
    } else if (this.#open.length >= this.#dialect.maxRecordLines) {
      this.#takeBackOpen(`is not closed within ${this.#dialect.maxRecordLines} lines`)
    }
  }

  #openText(): string {
    return withoutReturns(this.#open.map((line) => line.text).join('\n'))
  }

  #takeBackOpen(why: string): void {
    const [first, ...further] = this.#open
    this.#open = []
    if (first === undefined) return
    this.#groups.push({ first, further: [], text: first.text, takenBack: why })
    for (const line of further) this.#group(line)
  }

  /** Splits and emits groups, up to one that must be taken back. */
  #split(groups: readonly Group[]): void {
    const splits = splitRecords(
      groups.map((group) => (group.takenBack === undefined ? group.text : '')),
      this.#dialect,
    )
    for (const [index, group] of groups.entries()) {
      const { value: split } = splits.next()
      if (split === undefined) return
      const why = group.takenBack ?? this.#suspicion(group, split)
      if (why === undefined) {
        this.#emitRecord(group, split)
        continue
      }
      const { number, text } = group.first
      this.#emit({ line: number, problem: `a quote opened here ${why}`, raw: rawOf(text) })
      if (group.takenBack !== undefined) continue
      this.#groupAnew([...group.further, ...groups.slice(index + 1).flatMap(linesOf)])
      return
    }
    this.#atOnce = Math.min(this.#atOnce * 2, mostAtOnce)
  }

  /** Groups lines once more, and all that came after them. */
  #groupAnew(lines: readonly Line[]): void {
    const later = [...lines, ...this.#groups.flatMap(linesOf), ...this.#open]
    this.#groups = []
    this.#open = []
    this.#atOnce = fewAtOnce
    for (const line of later) this.#group(line)
  }

  /** Why a record of many lines looks as if a stray quote had made it; undefined where nothing speaks against it. */
  #suspicion({ first, further }: Group, split: SplitRecord): string | undefined {
    const last = further.at(-1)
    if (last === undefined) return undefined
    if ('problem' in split) return `leads to ${split.problem} in a record down to line ${last.number}`
    const { columns } = this
    if (columns === undefined) return undefined
    const { length } = split.fields
    const mayBeShort = length < columns && this.#dialect.shortRecords === 'pad'
    if (length !== columns && !(mayBeShort && this.#arePieces([first, ...further]))) {
      return `makes a record of ${length} fields down to line ${last.number}`
    }
    return this.#looksLikeRecords(further.slice(0, -1)) ? `swallows records down to line ${last.number}` : undefined
  }

  /** Whether the lines look like no records: none has all columns, and few are as short as the record before them. */
  #arePieces(lines: readonly Line[]): boolean {
    const widths = lines.map(({ text }) => text.split(this.#dialect.delimiter).length)
    const asUsual = widths.filter((width) => width === this.#usual).length
    return widths.every((width) => width < (this.columns ?? 0)) && asUsual <= widths.length / 2
  }

  /** Whether lines inside a value are as many fields each as there are columns: text of many lines hardly ever is. */
  #looksLikeRecords(inner: readonly Line[]): boolean {
    const { columns } = this
    if (columns === undefined || columns < 3 || inner.length < 3) return false
    return inner.every(({ text }) => text.split(this.#dialect.delimiter).length === columns)
  }

  #emitRecord(group: Group, split: SplitRecord): void {
    const line = group.first.number
    const notUtf8 = group.first.notUtf8 || group.further.some((each) => each.notUtf8)
    if (notUtf8) this.#emit({ line, problem: 'not valid UTF-8', raw: rawOf(group.text) })
    else if ('problem' in split) this.#emit({ line, problem: split.problem, raw: rawOf(group.text) })
    else {
      if (group.further.length === 0) this.#usual = split.fields.length
      this.#emit({ line, fields: split.fields, raw: group.text })
    }
  }
}

export const rawOf = (text: string): string => text.slice(0, maxRawLength)

const linesOf = ({ first, further }: Group): readonly Line[] => [first, ...further]

const withoutReturns = (text: string): string => {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 0x0d) end--
  return end === text.length ? text : text.slice(0, end)
}
