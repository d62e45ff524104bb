/** What became of every record of a source: read = mapped + rejected. */
import { maxExamples } from './input-account.ts'

/** Rejected records kept with their text in `_rejected`; all of them are counted. */
export const maxKeptRejects = 10_000
/** Characters kept of one. */
export const maxRawLength = 1000
/** Different remarks on one file; a mapping that puts values into them would make as many as there are records. */
const maxRemarks = 100
/** Names of unknown fields told apart: objects keyed by a value of the record's would have one for each record. */
const maxUnknownFields = 500
const furtherFields = '(further fields)'

/** Where rejected records are kept. */
export interface RejectedRecords {
  keepRejected(file: string, line: number, reason: string, raw: string | null): void
}

export class Accounting {
  read = 0
  mapped = 0
  rejected = 0
  /** Of the rejected ones, those whose main row had a broken key and a table that says what becomes of it. */
  rejectedByKey = 0
  readonly unknownFields = new Map<string, number>()
  /** What the mapping remarked, with how often, and the line where first. */
  readonly remarks = new Map<string, { count: number; readonly line: number }>()
  /** First reasons for rejection, for messages. */
  readonly examples: string[] = []
  readonly #file: string
  readonly #rejected: RejectedRecords
  #kept = 0

  constructor(file: string, rejected: RejectedRecords) {
    this.#file = file
    this.#rejected = rejected
  }

  reject(line: number, reason: string, raw: string | null): void {
    this.rejected += 1
    if (this.examples.length < maxExamples) this.examples.push(`${this.#file} line ${line}: ${reason}`)
    this.keep(line, reason, raw)
  }

  /** Keeps what was left out of a record in `_rejected`; the record itself is counted elsewhere. */
  keep(line: number, reason: string, raw: string | null): void {
    if (this.#kept >= maxKeptRejects) return
    this.#kept += 1
    this.#rejected.keepRejected(this.#file, line, reason, raw === null ? null : raw.slice(0, maxRawLength))
  }

  unknown(field: string): void {
    const isToldApart = this.unknownFields.has(field) || this.unknownFields.size < maxUnknownFields
    const name = isToldApart ? field : furtherFields
    this.unknownFields.set(name, (this.unknownFields.get(name) ?? 0) + 1)
  }

  remark(line: number, what: string): void {
    const known = this.remarks.get(what)
    if (known !== undefined) known.count += 1
    else if (this.remarks.size < maxRemarks) this.remarks.set(what, { count: 1, line })
  }
}
