/** Bytes to lines of UTF-8 text, fast: 5 million lines of 800 bytes pass through here. */
import { isUtf8 } from 'node:buffer'
import { StichtagError } from '../errors.ts'
import type { Bytes, ReadOptions } from './types.ts'

export interface LineBatch {
  /** Number of the first line, from 1. */
  readonly first: number
  /** The lines without their ends (LF, CRLF, CRCRLF; LF alone where carriage returns are kept). */
  readonly texts: readonly string[]
  /** Numbers of lines that are not UTF-8; their text has U+FFFD where bytes are wrong. */
  readonly notUtf8: ReadonlySet<number>
}

export interface LineOptions {
  readonly source: string
  /** Longest line in bytes; 64 MiB unless said. */
  readonly maxLineBytes?: number | undefined
  /** Leaves carriage returns at the ends of lines, for formats in which a line may end inside a value. */
  readonly keepCarriageReturns?: boolean | undefined
  /** See `ReadOptions.lineOf`. */
  readonly lineOf?: ReadOptions['lineOf']
}

type Settings = Required<{ [Key in keyof Omit<LineOptions, 'lineOf'>]: NonNullable<LineOptions[Key]> }>

const lineFeed = 0x0a
const carriageReturn = 0x0d
const defaultMaxLineBytes = 64 * 1024 * 1024

/**
 * The lines of `bytes`, a batch per chunk that ends any. A byte order mark before the first line is dropped; a last line
 * without an end counts.
 *
 * @throws RECORD_INVALID for a line that is too long, NOT_WHAT_IT_SAYS for UTF-16
 */
export async function* readLines(
  bytes: Bytes,
  { source, maxLineBytes = defaultMaxLineBytes, keepCarriageReturns = false, lineOf }: LineOptions,
): AsyncGenerator<LineBatch, void, undefined> {
  const settings = { source, maxLineBytes, keepCarriageReturns }
  let first = 1
  let unfinished: Buffer[] = []
  let unfinishedBytes = 0
  for await (const chunk of bytes) {
    first = lineOf?.(chunk) ?? first
    const batch = new Splitter(first, settings)
    let rest = chunk
    const firstEnd = unfinishedBytes > 0 ? chunk.indexOf(lineFeed) : -1
    if (firstEnd !== -1) {
      // The line that began in earlier chunks is joined alone: joining it with the whole chunk would copy everything.
      batch.add(Buffer.concat([...unfinished, chunk.subarray(0, firstEnd)]))
      unfinished = []
      unfinishedBytes = 0
      rest = chunk.subarray(firstEnd + 1)
    }
    const lastEnd = rest.lastIndexOf(lineFeed)
    if (lastEnd !== -1) batch.add(rest.subarray(0, lastEnd))
    first += batch.texts.length
    const tail = rest.subarray(lastEnd + 1)
    if (tail.length > 0) {
      unfinished.push(tail)
      unfinishedBytes += tail.length
      if (unfinishedBytes > maxLineBytes) throw tooLong(source, first, maxLineBytes)
    }
    if (batch.texts.length > 0) yield batch
  }
  if (unfinishedBytes === 0) return
  const batch = new Splitter(first, settings)
  batch.add(Buffer.concat(unfinished))
  yield batch
}

/** Splits bytes into the lines of one batch. */
class Splitter implements LineBatch {
  readonly texts: string[] = []
  readonly notUtf8 = new Set<number>()
  readonly first: number
  readonly #settings: Settings

  constructor(first: number, settings: Settings) {
    this.first = first
    this.#settings = settings
  }

  /** Adds whole lines, the last one without its end. */
  add(part: Buffer): void {
    // Checked at once, since no character contains a line feed; only where this fails, line by line.
    const valid = isUtf8(part)
    let start = 0
    for (;;) {
      const found = part.indexOf(lineFeed, start)
      this.#addLine(part, start, found === -1 ? part.length : found, valid)
      if (found === -1) return
      start = found + 1
    }
  }

  #addLine(part: Buffer, from: number, to: number, valid: boolean): void {
    const { source, maxLineBytes, keepCarriageReturns } = this.#settings
    const line = this.first + this.texts.length
    const start = line === 1 ? from + byteOrderMarkLength(part, source) : from
    let end = to
    while (!keepCarriageReturns && end > start && part[end - 1] === carriageReturn) end--
    if (end - start > maxLineBytes) throw tooLong(source, line, maxLineBytes)
    if (!valid && !isUtf8(part.subarray(start, end))) this.notUtf8.add(line)
    this.texts.push(part.toString('utf8', start, end))
  }
}

const tooLong = (source: string, line: number, maxLineBytes: number): StichtagError =>
  new StichtagError('RECORD_INVALID', `${source}: line ${line} is longer than ${maxLineBytes} bytes`, {
    data: { source, line },
  })

const byteOrderMarkLength = ([one, two, three]: Buffer, source: string): number => {
  if ((one === 0xff && two === 0xfe) || (one === 0xfe && two === 0xff)) {
    throw new StichtagError('NOT_WHAT_IT_SAYS', `${source}: is UTF-16, not UTF-8`, { data: { source } })
  }
  return one === 0xef && two === 0xbb && three === 0xbf ? 3 : 0
}
