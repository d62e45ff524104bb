/**
 * The content digest (DESIGN §1): the sum, mod 2^256, of a SHA-256 of (table name, stored row) over all rows. Same rows, same
 * digest, whatever the order; a row that is there twice counts twice (XOR would cancel it). Being a sum, it is taken
 * while loading, and the digest of all tables is the sum of theirs.
 */
import { hash } from 'node:crypto'
import type { StoredRow } from './stored-row.ts'

const lanes = 8
const laneSize = 2 ** 32
/** A lane holds whole numbers exactly up to 2^53: 2^21 additions of 2^32. Carrying at half of that is safe. */
const carryAfter = 2 ** 20

/** The sum of the rows of one table, or of several tables' sums. */
export class ContentDigest {
  readonly #sum = new Float64Array(lanes)
  #pending = 0

  /** Adds a row: its table's name and its values in the order of the table's columns, surrogates left out. */
  addRow(row: StoredRow): void {
    // As a string: a buffer for each of millions of hashes costs more than hashing.
    this.#add(hash('sha256', row.withTable(), 'binary'))
  }

  /** Adds another digest's sum. */
  add(other: ContentDigest): void {
    this.addHex(other.hex())
  }

  /** Adds a sum as {@link hex} gives it. */
  addHex(hex: string): void {
    this.#add(Buffer.from(hex, 'hex').toString('latin1'))
  }

  /** 64 hex digits. */
  hex(): string {
    this.#carry()
    const bytes = Buffer.alloc(lanes * 4)
    for (let lane = 0; lane < lanes; lane += 1) bytes.writeUInt32BE(this.#sum[lane] ?? 0, (lanes - 1 - lane) * 4)
    return bytes.toString('hex')
  }

  /** Adds 32 bytes, each of them a character. */
  #add(bytes: string): void {
    for (let lane = 0, at = bytes.length - 4; lane < lanes; lane += 1, at -= 4) {
      const high = (bytes.charCodeAt(at) << 8) | bytes.charCodeAt(at + 1)
      const low = (bytes.charCodeAt(at + 2) << 8) | bytes.charCodeAt(at + 3)
      this.#sum[lane] = (this.#sum[lane] ?? 0) + high * 0x10000 + low
    }
    this.#pending += 1
    if (this.#pending === carryAfter) this.#carry()
  }

  #carry(): void {
    let carried = 0
    for (let lane = 0; lane < lanes; lane += 1) {
      const value = (this.#sum[lane] ?? 0) + carried
      carried = Math.floor(value / laneSize)
      this.#sum[lane] = value % laneSize
    }
    this.#pending = 0
  }
}
