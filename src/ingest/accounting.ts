/** What became of every record of a source: read = mapped + rejected. */
import type { Statement } from 'better-sqlite3'

/** Rejected records kept with their text in `_rejected`; all of them are counted. */
export const maxKeptRejects = 10_000
const maxRawLength = 1000

export class Accounting {
  read = 0
  mapped = 0
  rejected = 0
  /** Of the rejected ones, those whose main row had a broken key and a table that says what becomes of it. */
  rejectedByKey = 0
  readonly unknownFields = new Map<string, number>()
  /** First reasons for rejection, for messages. */
  readonly examples: string[] = []
  readonly #file: string
  readonly #insert: Statement
  #kept = 0

  constructor(file: string, insert: Statement) {
    this.#file = file
    this.#insert = insert
  }

  reject(line: number, reason: string, raw: string | null): void {
    this.rejected += 1
    if (this.examples.length < 3) this.examples.push(`${this.#file} line ${line}: ${reason}`)
    this.keep(line, reason, raw)
  }

  /** Keeps what was left out of a record in `_rejected`; the record itself is counted elsewhere. */
  keep(line: number, reason: string, raw: string | null): void {
    if (this.#kept >= maxKeptRejects) return
    this.#kept += 1
    this.#insert.run(this.#file, line, reason, raw === null ? null : raw.slice(0, maxRawLength))
  }

  unknown(field: string): void {
    this.unknownFields.set(field, (this.unknownFields.get(field) ?? 0) + 1)
  }
}
