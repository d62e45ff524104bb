/**
 * Cuts an array of JSON values into the texts of its elements, as bytes come, and keeps what stands beside the array. It
 * knows just enough of JSON for that (strings, brackets, commas): each element, and all the rest at the end, is then for
 * JSON.parse to judge.
 *
 * Own code: stream-json, which is well kept, says that it is not meant for files of strangers, knows no line numbers and
 * gives up at the first element that is wrong.
 */
import { StichtagError } from '../errors.ts'
import { ContainerPath } from './json-containers.ts'

/** The text of one element, untrimmed, and the line it starts on. */
export interface JsonElement {
  readonly line: number
  readonly bytes: Buffer
}

export interface SplitterOptions {
  readonly source: string
  /** Keys that lead to the array. */
  readonly keys: readonly string[]
  readonly maxElementBytes: number
  /** Hears where the array starts, with what came before it, made whole: all that is open is closed. */
  readonly onStart: (document: string) => void
}

/** Bytes kept of what stands beside the array. */
const maxBesideBytes = 16 * 1024 * 1024

/** Brackets open at a time. An element that is too deep is one bad record, but nobody counts brackets without end. */
const maxOpen = 1_000_000

const byteOf = (character: string): number => character.charCodeAt(0)
const lineFeed = byteOf('\n')
const quote = byteOf('"')
const backslash = byteOf('\\')
const comma = byteOf(',')
const colon = byteOf(':')
const openObject = byteOf('{')
const closeObject = byteOf('}')
const openArray = byteOf('[')
const closeArray = byteOf(']')

export class JsonSplitter {
  readonly #options: SplitterOptions
  readonly #path: ContainerPath
  #line = 1
  #inString = false
  #escaped = false
  /** Depth of the array's own elements, while it is open. */
  #elementDepth: number | undefined
  #elements: JsonElement[] = []
  /** Line on which the element being read starts; undefined before its first character. */
  #elementLine: number | undefined
  #elementParts: Buffer[] = []
  #elementBytes = 0
  #elementsSeen = 0
  #arraysSeen = 0
  readonly #beside: Buffer[] = []
  #besideBytes = 0

  constructor(options: SplitterOptions) {
    this.#options = options
    this.#path = new ContainerPath(options.keys)
  }

  /** The elements that end in this chunk. */
  push(chunk: Buffer): readonly JsonElement[] {
    this.#elements = []
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      if (this.#inString) {
        at = this.#passString(chunk, at)
        continue
      }
      const byte = chunk[at] ?? 0
      switch (byte) {
        case lineFeed:
          this.#line++
          continue
        case quote:
          this.#inString = true
          break
        case openObject:
        case openArray:
          this.#path.open(byte === openArray)
          if (this.#path.depth > maxOpen) throw this.#invalid(`more than ${maxOpen} brackets open within each other`)
          if (this.#elementDepth === undefined && byte === openArray && this.#path.isAtTarget()) {
            this.#addBeside(chunk.subarray(from, at + 1))
            from = at + 1
            this.#startArray()
            continue
          }
          break
        case closeObject:
        case closeArray:
          if (this.#path.depth === this.#elementDepth && byte === closeArray) {
            this.#endElement(chunk.subarray(from, at), true)
            from = at
            this.#elementDepth = undefined
          }
          if (!this.#path.close(byte === closeArray)) throw this.#invalid('its brackets do not match')
          break
        case comma:
          if (this.#path.depth !== this.#elementDepth) break
          this.#endElement(chunk.subarray(from, at), false)
          from = at + 1
          continue
        default:
          if (byte <= 0x20) continue
      }
      if (this.#elementDepth !== undefined) this.#elementLine ??= this.#line
      else this.#path.see(byte === colon)
    }
    const rest = chunk.subarray(from)
    if (this.#elementDepth === undefined) this.#addBeside(rest)
    else this.#addPart(rest)
    return this.#elements
  }

  /** What stands beside the array, which is left empty. @throws DATA_CORRUPT where the document is not at its end */
  end(): string {
    if (this.#inString || this.#path.depth > 0) {
      throw this.#error('DATA_CORRUPT', `ends before its JSON does, in line ${this.#line}`)
    }
    if (this.#arraysSeen === 0) throw this.#error('NOT_WHAT_IT_SAYS', 'has no array of records where one should be')
    return Buffer.concat(this.#beside).toString('utf8')
  }

  /** Goes through a text to its closing quote, or to the end of the chunk; returns where it came to. */
  #passString(chunk: Buffer, start: number): number {
    let at = start
    for (; at < chunk.length; at++) {
      const byte = chunk[at]
      if (this.#escaped) this.#escaped = false
      else if (byte === backslash) this.#escaped = true
      else if (byte === quote) {
        this.#inString = false
        break
      } else if (byte === lineFeed) {
        throw this.#invalid('a line break inside a text: a quote is missing, or one too many')
      }
    }
    if (this.#elementDepth === undefined) this.#path.addToText(chunk.subarray(start, at + 1))
    return at
  }

  #startArray(): void {
    this.#elementDepth = this.#path.depth
    this.#arraysSeen++
    if (this.#arraysSeen > 1) throw this.#invalid('the array of records is there twice')
    this.#options.onStart(Buffer.concat(this.#beside).toString('utf8') + this.#path.closing())
  }

  #endElement(last: Buffer, isLast: boolean): void {
    this.#addPart(last)
    // An empty array has no element; otherwise nothing between commas is one, and no good one.
    if (!isLast || this.#elementsSeen > 0 || this.#elementLine !== undefined) {
      this.#elements.push({ line: this.#elementLine ?? this.#line, bytes: Buffer.concat(this.#elementParts) })
      this.#elementsSeen++
    }
    this.#elementLine = undefined
    this.#elementParts = []
    this.#elementBytes = 0
  }

  #addPart(part: Buffer): void {
    this.#elementParts.push(part)
    this.#elementBytes += part.length
    const { maxElementBytes } = this.#options
    if (this.#elementBytes <= maxElementBytes) return
    const line = this.#elementLine ?? this.#line
    throw this.#error('RECORD_INVALID', `the record in line ${line} is longer than ${maxElementBytes} bytes`)
  }

  #addBeside(part: Buffer): void {
    this.#beside.push(part)
    this.#besideBytes += part.length
    if (this.#besideBytes > maxBesideBytes) throw this.#invalid(`more than ${maxBesideBytes} bytes beside the records`)
  }

  #invalid(what: string): StichtagError {
    return this.#error('RECORD_INVALID', `line ${this.#line}: ${what}`)
  }

  #error(code: 'DATA_CORRUPT' | 'NOT_WHAT_IT_SAYS' | 'RECORD_INVALID', what: string): StichtagError {
    const { source } = this.#options
    return new StichtagError(code, `${source}: ${what}`, { data: { source, line: this.#line } })
  }
}
