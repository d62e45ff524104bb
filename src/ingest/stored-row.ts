/**
 * Rows as SQLite stores them (https://www.sqlite.org/fileformat2.html#record_format): a header that says of each value what
 * it is and how long, and the values one after the other.
 */
import type { ColumnType } from '../pipeline/types.ts'
import type { Values } from './rows.ts'

/** Serial types of the format. */
const nothing = 0
const float = 7
const zero = 8
const one = 9
const blob = 12
const text = 13

const eightBytes = 6

/** Sizes of whole numbers that are smaller than eight bytes, with their serial types and what is too big for them. */
const sizes = [
  { bytes: 1, type: 1, most: 2 ** 7 },
  { bytes: 2, type: 2, most: 2 ** 15 },
  { bytes: 3, type: 3, most: 2 ** 23 },
  { bytes: 4, type: 4, most: 2 ** 31 },
  { bytes: 6, type: 5, most: 2 ** 47 },
] as const

const mostOneByte = 0x7f
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

/** One row; the same one is written over and over, for millions of them pass through here. */
export class StoredRow {
  /** The header without its own length, and the values; see the lengths for how much of either counts. */
  readonly types: Buffer
  values: Buffer = Buffer.alloc(64 * 1024)
  typesLength = 0
  valuesLength = 0
  readonly #isReal: readonly boolean[]

  constructor(columns: readonly ColumnType[]) {
    this.#isReal = columns.map((type) => type === 'REAL')
    // No value of a row is longer than a varint of five bytes can say.
    this.types = Buffer.alloc(columns.length * 5)
  }

  /** Bytes of the header, its own length included. */
  get headerLength(): number {
    const length = this.typesLength + 1
    return length <= mostOneByte ? length : this.typesLength + varintLength(length + 1)
  }

  /** Bytes of the whole row. */
  get length(): number {
    return this.headerLength + this.valuesLength
  }

  /** Takes the values of a row, as {@link Values} has them. */
  write(values: Values): void {
    this.typesLength = 0
    this.valuesLength = 0
    for (let column = 0; column < values.length; column += 1) {
      const value = values[column]
      if (value === null || value === undefined) this.#type(nothing)
      else if (typeof value === 'string') this.#text(value)
      else if (typeof value === 'bigint') this.#bigInteger(value)
      else if (typeof value !== 'number') this.#blob(value)
      else if (this.#isReal[column] === true) this.#float(value)
      else this.#integer(value)
    }
  }

  /** Copies the row to a place that has room for it. */
  copy(target: Buffer, at: number): void {
    const start = putVarint(target, at, this.headerLength)
    copyBytes(this.types, this.typesLength, target, start)
    copyBytes(this.values, this.valuesLength, target, start + this.typesLength)
  }

  #type(type: number): void {
    this.typesLength = putVarint(this.types, this.typesLength, type)
  }

  #room(bytes: number): void {
    if (this.valuesLength + bytes <= this.values.length) return
    const bigger = Buffer.alloc((this.valuesLength + bytes) * 2)
    this.values.copy(bigger, 0, 0, this.valuesLength)
    this.values = bigger
  }

  #text(value: string): void {
    const { length } = value
    this.#room(length * mostBytesOfCharacter)
    const { values } = this
    const start = this.valuesLength
    let at = 0
    if (length < shortText) {
      for (; at < length; at += 1) {
        const code = value.charCodeAt(at)
        if (code > mostOneByte) break
        values[start + at] = code
      }
    }
    const bytes = at === length ? length : values.write(value, start, 'utf8')
    this.valuesLength = start + bytes
    this.#type(text + 2 * bytes)
  }

  #blob(value: Uint8Array): void {
    this.#room(value.length)
    this.values.set(value, this.valuesLength)
    this.valuesLength += value.length
    this.#type(blob + 2 * value.length)
  }

  #float(value: number): void {
    this.#room(8)
    this.valuesLength = this.values.writeDoubleBE(value, this.valuesLength)
    this.#type(float)
  }

  #integer(value: number): void {
    // SQLite has no minus zero among whole numbers either.
    if (value === 0) this.#type(zero)
    else if (value === 1) this.#type(one)
    else this.#sized(value)
  }

  #sized(value: number): void {
    this.#room(8)
    const size = sizes.find(({ most }) => value >= -most && value < most)
    if (size === undefined) this.#bigInteger(BigInt(value))
    else {
      this.valuesLength = this.values.writeIntBE(value, this.valuesLength, size.bytes)
      this.#type(size.type)
    }
  }

  #bigInteger(value: bigint): void {
    this.#room(8)
    this.valuesLength = this.values.writeBigInt64BE(value, this.valuesLength)
    this.#type(eightBytes)
  }
}

/** Below this, a copy byte by byte is faster than a call. */
const shortCopy = 96

const copyBytes = (source: Buffer, length: number, target: Buffer, at: number): void => {
  if (length > shortCopy) source.copy(target, at, 0, length)
  else for (let index = 0; index < length; index += 1) target[at + index] = source[index] ?? 0
}
