/**
 * Lines to CSV records: joins lines while a quote is open, and splits what is whole.
 *
 * A stray quote would swallow the lines after it, silently where another stray quote closes it. So a quote that stays
 * open for too long, or whose record comes out wrong, is taken back: the line that opened it is a problem, and the lines
 * after it are read as if it had not been there.
 */
import type { FullDialect } from './csv-dialect.ts'
import { type SplitRecord, splitRecord } from './csv-record.ts'
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

/** The end-of-file character of DOS, which some publishers still put after the last line. */
const endOfFile = '\x1a'

export class RecordAssembler {
  readonly #dialect: FullDialect
  readonly #emit: (record: AssembledRecord) => void
  #open: Line[] = []
  /** Number of columns, once it is known. */
  columns: number | undefined

  /** `emit` is called for each record, in order. */
  constructor(dialect: FullDialect, emit: (record: AssembledRecord) => void) {
    this.#dialect = dialect
    this.#emit = emit
  }

  add(line: Line): void {
    if (this.#open.length === 0) this.#start(line)
    else this.#continue(line)
  }

  /** Emits what is left at the end of the file. */
  end(): void {
    while (this.#open.length > 0) this.#takeBack('is not closed before the end of the file')
  }

  #start(line: Line): void {
    const text = withoutReturns(line.text)
    if (text === '' || text === endOfFile) return
    const split = splitRecord(text, this.#dialect)
    if (split === 'open') this.#open = [line]
    else this.#emitRecord(line.number, text, split, line.notUtf8)
  }

  #continue(line: Line): void {
    this.#open.push(line)
    const text = line.text.includes('"') ? withoutReturns(this.#open.map((each) => each.text).join('\n')) : undefined
    const split = text === undefined ? 'open' : splitRecord(text, this.#dialect)
    if (split === 'open') {
      const { maxRecordLines } = this.#dialect
      if (this.#open.length >= maxRecordLines) this.#takeBack(`is not closed within ${maxRecordLines} lines`)
    } else if ('problem' in split) {
      this.#takeBack(`leads to ${split.problem} in line ${line.number}`)
    } else if (this.columns !== undefined && split.fields.length !== this.columns) {
      this.#takeBack(`makes a record of ${split.fields.length} fields down to line ${line.number}`)
    } else {
      const [first] = this.#open
      const notUtf8 = this.#open.some((each) => each.notUtf8)
      this.#open = []
      this.#emitRecord(first?.number ?? line.number, text ?? line.text, split, notUtf8)
    }
  }

  #takeBack(why: string): void {
    const [first, ...rest] = this.#open
    this.#open = []
    if (first === undefined) return
    this.#emit({ line: first.number, problem: `a quote opened here ${why}`, raw: rawOf(first.text) })
    for (const line of rest) this.add(line)
  }

  #emitRecord(line: number, text: string, split: Exclude<SplitRecord, 'open'>, notUtf8: boolean): void {
    if (notUtf8) this.#emit({ line, problem: 'not valid UTF-8', raw: rawOf(text) })
    else if ('problem' in split) this.#emit({ line, problem: split.problem, raw: rawOf(text) })
    else this.#emit({ line, fields: split.fields, raw: text })
  }
}

export const rawOf = (text: string): string => text.slice(0, maxRawLength)

const withoutReturns = (text: string): string => {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 0x0d) end--
  return end === text.length ? text : text.slice(0, end)
}
