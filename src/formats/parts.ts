/**
 * A file's bytes cut into parts that end where records end, so that several readers can share one file. Each of them
 * gets the head (what comes before the first record) and its parts, which together are a file of the same format.
 *
 * Where a quoted value of CSV holds line ends, only the number of quotes before a line end says whether a record ends
 * there. That is exact as long as the file is as RFC 4180 has it, so whoever reads a part of a file that is not must
 * give up: the file is then for one reader, see `brokeQuotes`.
 */
import { type FullDialect, fullDialect } from './csv-dialect.ts'
import type { FormatDefinition } from './definition.ts'
import { toUtf8 } from './encoding.ts'
import { withLineFeeds } from './line-ends.ts'
import { type Bytes, maxRawLength, type ReadRecord } from './types.ts'

/** Bytes of whole records, in UTF-8. */
export interface Part {
  readonly bytes: Buffer<ArrayBuffer>
  /** Number of the line that it begins with, from 1. */
  readonly line: number
}

/** Bytes of a part, at least: enough that handing it on costs next to nothing. With a megabyte, threads took 60 MB more. */
const partBytes = 256 * 1024

const lineFeed = 0x0a
const carriageReturn = 0x0d
const quoteByte = 0x22

/** Whether files of a format can be cut at all. */
export const canBeCut = (format: FormatDefinition): boolean => format.type === 'jsonl' || format.type === 'csv'

/**
 * The format in which the parts of a file are read. They are in UTF-8, whatever the file was in; and a stray quote, where
 * it is allowed, must show.
 */
export const formatOfParts = (format: FormatDefinition): FormatDefinition =>
  format.type === 'csv'
    ? { ...format, encoding: 'utf-8', quotes: format.quotes === 'none' ? 'none' : 'strict' }
    : format

/** A file that is for one reader: no end of a record is found for too long. */
export class CannotBeCut extends Error {}

/** Bytes in which the head must end, and a record: past that, whoever reads the file alone knows what is wrong with it. */
const mostHeadBytes = 1024 * 1024
const mostRecordBytes = 16 * 1024 * 1024

/**
 * Whether a record that cannot be read may come of a part that does not begin where a record does, or of a quote that
 * only the file's own format allows. Its text is cut, and the quote may be in what is not there.
 */
export const brokeQuotes = (record: ReadRecord, format: FormatDefinition): boolean =>
  format.type === 'csv' &&
  format.quotes !== 'none' &&
  'problem' in record &&
  (record.raw.length >= maxRawLength || record.raw.includes('"'))

/**
 * The parts of a file. The first one is its head, which is empty where the format has none. None shares its memory.
 *
 * @throws CannotBeCut, and as `toUtf8` does
 */
export async function* partsOf(
  bytes: Bytes,
  format: FormatDefinition,
  { source, size = partBytes }: { readonly source: string; readonly size?: number },
): AsyncGenerator<Part, void, undefined> {
  const dialect = format.type === 'csv' ? fullDialect(format) : undefined
  const utf8 = dialect === undefined ? bytes : withLineFeeds(toUtf8(bytes, dialect.encoding, source))
  const cutter = new Cutter(size, dialect !== undefined && dialect.quotes !== 'none')
  let waiting = Buffer.alloc(0)
  let hasHead = false
  for await (const chunk of utf8) {
    if (hasHead) {
      yield* cutter.add(chunk)
      continue
    }
    waiting = Buffer.concat([waiting, chunk])
    const end = dialect === undefined ? 0 : endOfHead(waiting, dialect)
    if (end === undefined) {
      if (waiting.length > mostHeadBytes) throw new CannotBeCut('the header does not end')
      continue
    }
    hasHead = true
    yield { bytes: Buffer.from(waiting.subarray(0, end)), line: 1 }
    cutter.line += linesIn(waiting.subarray(0, end))
    yield* cutter.add(waiting.subarray(end))
  }
  if (hasHead) yield* cutter.end()
  else yield { bytes: waiting, line: 1 }
}

/** Where the lines before the header and the header end; undefined where more must be read to say. */
const endOfHead = (bytes: Buffer, { preambleLines, columns, quotes }: FullDialect): number | undefined => {
  let end = 0
  for (let line = 0; line < preambleLines; line++) {
    const found = bytes.indexOf(lineFeed, end)
    if (found === -1) return undefined
    end = found + 1
  }
  if (columns !== undefined) return end
  let isOpen = false
  let isBlank = true
  for (let at = end; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quoteByte && quotes !== 'none') isOpen = !isOpen
    if (byte === lineFeed && !isOpen && !isBlank) return at + 1
    if (byte !== lineFeed && byte !== carriageReturn) isBlank = false
  }
  return undefined
}

const linesIn = (bytes: Buffer): number => {
  let lines = 0
  for (let found = bytes.indexOf(lineFeed); found !== -1; found = bytes.indexOf(lineFeed, found + 1)) lines++
  return lines
}

/** Collects bytes until there are enough for a part, and knows where the last whole record ends. */
class Cutter {
  /** Number of the line that the next part begins with. */
  line = 1
  readonly #size: number
  readonly #hasQuotes: boolean
  #pieces: Buffer[] = []
  #length = 0
  #isOpen = false
  #lines = 0
  /** Bytes up to the end of the last whole record, and the lines in them. */
  #whole = { bytes: 0, lines: 0 }

  constructor(size: number, hasQuotes: boolean) {
    this.#size = size
    this.#hasQuotes = hasQuotes
  }

  *add(chunk: Buffer): Generator<Part, void, undefined> {
    if (this.#hasQuotes) this.#noteEndsOutsideQuotes(chunk)
    else this.#noteEnds(chunk)
    this.#pieces.push(chunk)
    this.#length += chunk.length
    if (this.#length >= this.#size && this.#whole.bytes > 0) yield this.#cut(this.#whole)
    else if (this.#length > mostRecordBytes) throw new CannotBeCut(`no record ends after line ${this.line}`)
  }

  #noteEnds(chunk: Buffer): void {
    const last = chunk.lastIndexOf(lineFeed)
    this.#lines += linesIn(chunk)
    if (last !== -1) this.#whole = { bytes: this.#length + last + 1, lines: this.#lines }
  }

  #noteEndsOutsideQuotes(chunk: Buffer): void {
    let isOpen = this.#isOpen
    let lines = this.#lines
    let end = -1
    let linesAtEnd = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]
      if (byte === lineFeed) {
        lines++
        if (!isOpen) {
          end = at + 1
          linesAtEnd = lines
        }
      } else if (byte === quoteByte) isOpen = !isOpen
    }
    if (end !== -1) this.#whole = { bytes: this.#length + end, lines: linesAtEnd }
    this.#isOpen = isOpen
    this.#lines = lines
  }

  /** The part that is left, if any. */
  *end(): Generator<Part, void, undefined> {
    if (this.#length > 0) yield this.#cut({ bytes: this.#length, lines: this.#lines })
  }

  #cut({ bytes, lines }: { readonly bytes: number; readonly lines: number }): Part {
    const all = Buffer.allocUnsafeSlow(this.#length)
    let at = 0
    for (const piece of this.#pieces) at += piece.copy(all, at)
    const part = { bytes: all.subarray(0, bytes), line: this.line }
    this.#pieces = bytes === all.length ? [] : [Buffer.from(all.subarray(bytes))]
    this.#length -= bytes
    this.#lines -= lines
    this.#whole = { bytes: 0, lines: 0 }
    this.line += lines
    return part
  }
}
