/** The digest by which two readings of a record are told apart. */
import { createHash, type Hash, hash } from 'node:crypto'
import type { WholeRecord } from './types.ts'

const digits = 32
/** Characters that are hashed at once: each call costs more than a short row. */
const pieceLength = 65_536

/**
 * First 32 hex digits of the SHA-256 of the JSON text of `{record, related}`. Readers compute it beside the data, the
 * gateway over what it shows: both by this function, so that they agree.
 */
export const digestOf = ({ record, related }: WholeRecord): string =>
  hash('sha256', JSON.stringify({ record, related })).slice(0, digits)

/** The same digest, row by row, of a record that is too big to be held whole. */
export class RecordDigest {
  /** Made for what is long: of a short record the digest is taken in one call, in half the time. */
  #hash: Hash | undefined
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
    const last = this.#pending + end
    const whole = this.#hash === undefined ? hash('sha256', last) : this.#hash.update(last).digest('hex')
    return whole.slice(0, digits)
  }

  #add(text: string): void {
    this.#pending += text
    if (this.#pending.length < pieceLength) return
    this.#hash ??= createHash('sha256')
    this.#hash.update(this.#pending)
    this.#pending = ''
  }
}
