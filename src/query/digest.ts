/** The digest by which two readings of a record are told apart. */
import { createHash } from 'node:crypto'
import type { WholeRecord } from './types.ts'

const digits = 32
/** Characters that are hashed at once: each call costs more than a short row. */
const pieceLength = 65_536

/**
 * First 32 hex digits of the SHA-256 of the JSON text of `{record, related}`. Readers compute it beside the data, the
 * gateway over what it shows: both by this function, so that they agree.
 */
export const digestOf = ({ record, related }: WholeRecord): string =>
  createHash('sha256').update(JSON.stringify({ record, related })).digest('hex').slice(0, digits)

/** The same digest, row by row, of a record that is too big to be held whole. */
export class RecordDigest {
  readonly #hash = createHash('sha256')
  #pending: string
  #before = ''

  /** @param record JSON text of the record's own row */
  constructor(record: string) {
    this.#pending = `{"record":${record},"related":{`
  }

  /** Begins the rows of a relation. */
  relation(name: string): void {
    this.#add(`${this.#before === '' ? '' : '],'}${JSON.stringify(name)}:[`)
    this.#before = '['
  }

  /** @param row JSON text of a row of the relation that was begun last */
  row(row: string): void {
    this.#add(this.#before === ',' ? `,${row}` : row)
    this.#before = ','
  }

  hex(): string {
    const end = this.#before === '' ? '}}' : ']}}'
    return this.#hash
      .update(this.#pending + end)
      .digest('hex')
      .slice(0, digits)
  }

  #add(text: string): void {
    this.#pending += text
    if (this.#pending.length < pieceLength) return
    this.#hash.update(this.#pending)
    this.#pending = ''
  }
}
