/**
 * Rows as SQLite stores them (https://www.sqlite.org/fileformat2.html#record_format): a header that says of each value what
 * it is and how long, and the values one after the other. It is what a content digest is taken of, and what threads write.
 */
import type { ColumnType } from '../pipeline/types.ts'

/** Serial types of the format. */
const nothing = 0
const eightBytes = 6
const float = 7
const zero = 8
const one = 9
const blob = 12
const text = 13

/** Sizes of whole numbers that are smaller than eight bytes, with their serial types and what is too big for them. */
const sizes = [
  { bytes: 1, type: 1, most: 2 ** 7 },
  { bytes: 2, type: 2, most: 2 ** 15 },
  { bytes: 3, type: 3, most: 2 ** 23 },
  { bytes: 4, type: 4, most: 2 ** 31 },
  { bytes: 6, type: 5, most: 2 ** 47 },
] as const

const mostOneByte = 0x7f
/** Bytes of a varint that says how long a value or a header is. */
const longestVarint = 5
/** Characters up to which copying a text by hand is faster than asking for it. */
const shortText = 64
const mostBytesOfCharacter = 3

/** Writes a whole number below 2^53 as a varint, and returns where it ends. */
export const putVarint = (bytes: Buffer, at: number, value: number): number => {
  if (value <= mostOneByte) {
    bytes[at] = value
    return at + 1
  }
  const end = at + varintLength(value)
  let rest = value
  for (let place = end - 1; place >= at; place -= 1) {
    bytes[place] = (rest % 128) | (place === end - 1 ? 0 : 0x80)
    rest = Math.floor(rest / 128)
  }
  return end
}

/** Bytes of a whole number below 2^53 as a varint. */
export const varintLength = (value: number): number => {
  let length = 1
  for (let rest = value; rest > mostOneByte; rest = Math.floor(rest / 128)) length += 1
  return length
}

/** One row of a table; the same one is written over and over, for millions of them pass through here. */
export class StoredRow {
  /** Holds the table's name, and the row from `start` to `end`, among other things. */
  bytes: Buffer
  start = 0
  end = 0
  readonly #name: Buffer
  readonly #types: Buffer
  readonly #isInteger: readonly boolean[]
  /** Where values begin: the name and the longest header fit before it. */
  readonly #valuesAt: number
  #typesLength = 0

  constructor(table: string, columns: readonly ColumnType[]) {
    const name = Buffer.from(table)
    this.#name = Buffer.concat([Buffer.alloc(varintLength(name.length)), name])
    putVarint(this.#name, 0, name.length)
    this.#isInteger = columns.map((type) => type === 'INTEGER')
    this.#types = Buffer.alloc(columns.length * longestVarint)
    this.#valuesAt = this.#name.length + longestVarint + this.#types.length
    this.bytes = Buffer.alloc(this.#valuesAt + 64 * 1024)
  }

  get length(): number {
    return this.end - this.start
  }

  /** Takes the values of a row: what SQLite would read, whole numbers as numbers or bigints. */
  write(values: readonly unknown[]): void {
    this.#typesLength = 0
    this.end = this.#valuesAt
    for (let column = 0; column < values.length; column += 1) this.#put(values[column], column)
    this.#putHeader()
  }

  /** The row with the name of its table before it, until the next one is written. */
  withTable(): Uint8Array {
    return this.bytes.subarray(this.start - this.#name.length, this.end)
  }

  /** Copies the row to a place that has room for it. */
  copy(target: Buffer, at: number): void {
    this.bytes.copy(target, at, this.start, this.end)
  }

  #put(value: unknown, column: number): void {
    if (value === null) this.#type(nothing)
    else if (typeof value === 'string') this.#text(value)
    else if (typeof value === 'number') this.#number(value, column)
    else if (typeof value === 'bigint') this.#bigInteger(value)
    else if (value instanceof Uint8Array) this.#blob(value)
    else throw new Error(`SQLite stores no ${typeof value}`)
  }

  /** Puts header and name right before the values. */
  #putHeader(): void {
    const { bytes } = this
    const types = this.#typesLength
    const length = types + 1 <= mostOneByte ? types + 1 : types + varintLength(types + 2)
    this.start = this.#valuesAt - length
    copyShort(this.#types, types, bytes, putVarint(bytes, this.start, length))
    copyShort(this.#name, this.#name.length, bytes, this.start - this.#name.length)
  }

  #type(type: number): void {
    this.#typesLength = putVarint(this.#types, this.#typesLength, type)
  }

  #room(bytes: number): void {
    if (this.end + bytes <= this.bytes.length) return
    const bigger = Buffer.alloc((this.end + bytes) * 2)
    this.bytes.copy(bigger, 0, 0, this.end)
    this.bytes = bigger
  }

  #text(value: string): void {
    const { length } = value
    this.#room(length * mostBytesOfCharacter)
    const { bytes, end } = this
    let at = 0
    if (length < shortText) {
      for (; at < length; at += 1) {
        const code = value.charCodeAt(at)
        if (code > mostOneByte) break
        bytes[end + at] = code
      }
    }
    const written = at === length ? length : bytes.write(value, end, 'utf8')
    this.end = end + written
    this.#type(text + 2 * written)
  }

  #blob(value: Uint8Array): void {
    this.#room(value.length)
    this.bytes.set(value, this.end)
    this.end += value.length
    this.#type(blob + 2 * value.length)
  }

  #number(value: number, column: number): void {
    if (this.#isInteger[column] === true && Number.isSafeInteger(value)) this.#integer(value)
    else {
      this.#room(8)
      // SQLite has no minus zero.
      this.end = this.bytes.writeDoubleBE(value === 0 ? 0 : value, this.end)
      this.#type(float)
    }
  }

  #integer(value: number): void {
    if (value === 0) this.#type(zero)
    else if (value === 1) this.#type(one)
    else this.#sized(value)
  }

  #sized(value: number): void {
    const size = sizes.find(({ most }) => value >= -most && value < most)
    if (size === undefined) this.#eightBytes(BigInt(value))
    else {
      this.#room(8)
      this.end = this.bytes.writeIntBE(value, this.end, size.bytes)
      this.#type(size.type)
    }
  }

  #bigInteger(value: bigint): void {
    const number = Number(value)
    if (Number.isSafeInteger(number)) this.#integer(number)
    else this.#eightBytes(value)
  }

  #eightBytes(value: bigint): void {
    this.#room(8)
    this.end = this.bytes.writeBigInt64BE(value, this.end)
    this.#type(eightBytes)
  }
}

/** Copies a few bytes, for which a call would take longer. */
const copyShort = (source: Buffer, length: number, target: Buffer, at: number): void => {
  for (let index = 0; index < length; index += 1) target[at + index] = source[index] ?? 0
}
