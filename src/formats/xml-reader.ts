/**
 * Text of an XML file to its records, part by part: what saxes says of it, measured and refused where it is no data.
 */
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { type ErrorCode, StichtagError } from '../errors.ts'
import type { ReadOptions, ReadRecord } from './types.ts'
import { BareAmpersands } from './xml-ampersands.ts'
import { recordTest, type XmlFormat } from './xml-format.ts'
import { maxDepth, XmlTree } from './xml-tree.ts'

const defaultMaxRecordLength = 64_000_000

export class XmlReader {
  readonly #format: XmlFormat
  readonly #options: ReadOptions
  readonly #parser = new SaxesParser()
  readonly #tree: XmlTree
  #rootName: string | undefined
  readonly #ampersands = new BareAmpersands()
  /** Characters written, and how many of them had been parsed at the last event. */
  #written = 0
  #lastEvent = 0
  /** Characters parsed when what is being kept, or has to end before anything else, began. */
  #keptFrom = 0
  #wasKeeping = true
  #isAtEnd = false

  constructor(format: XmlFormat, options: ReadOptions) {
    this.#format = format
    this.#options = options
    this.#tree = new XmlTree(recordTest(format.records), (root) => options.onPreamble?.({ type: 'xml', root }))
    let line = 1
    // No more than these six: with a seventh, V8 keeps the parser's fields in a hash table, and it is four times slower.
    this.#parser.on('opentagstart', () => {
      // A line break right after the name has been counted already.
      line = this.#parser.line - (this.#parser.columnIndex === 0 ? 1 : 0)
    })
    this.#parser.on('opentag', (tag) => this.#open(tag, line))
    this.#parser.on('closetag', () => {
      this.#tree.close()
      this.#measure()
    })
    this.#parser.on('text', (text) => this.#text(text))
    this.#parser.on('cdata', (text) => this.#text(text))
    this.#parser.on('doctype', (doctype) => this.#refuseDtd(doctype))
  }

  /** The records that end in this part of the text. */
  read(text: string): readonly ReadRecord[] {
    this.#ampersands.look(text, this.#parser.line)
    this.#written += text.length
    this.#parse(() => this.#parser.write(text))
    this.#refuseTooLong(this.#written)
    return this.#tree.take()
  }

  /** Checks that the document is at its end, and tells what was not read. */
  end(): void {
    this.#isAtEnd = true
    this.#parse(() => this.#parser.close())
    const { records, root } = this.#format
    if (!this.#tree.hasRecords && root === undefined) {
      const wanted = [records].flat().join(' or ')
      throw this.#error('NOT_WHAT_IT_SAYS', `has no element ${wanted} (its root is ${this.#rootName})`)
    }
    const unread = [...this.#tree.unread].map(([path, count]) => `/${this.#rootName}${path} (${count})`)
    if (unread.length > 0) this.#options.onWarning?.(`elements that are no records were not read: ${unread.join(', ')}`)
  }

  #parse(part: () => unknown): void {
    try {
      part()
    } catch (error) {
      throw error instanceof Error && positioned.test(error.message) ? this.#malformed(error.message) : error
    }
  }

  #open({ name, attributes }: SaxesTagPlain, line: number): void {
    const local = localName(name)
    if (this.#rootName === undefined) this.#checkRoot(local)
    if (this.#tree.depth >= maxDepth && !this.#tree.isInRecord)
      throw this.#error('RECORD_INVALID', `line ${line}: more than ${maxDepth} elements deep`)
    this.#tree.open(local, own(attributes), line)
    this.#measure()
  }

  #checkRoot(name: string): void {
    const { root } = this.#format
    this.#rootName = name
    if (name.toLowerCase() === 'html')
      throw this.#error('NOT_WHAT_IT_SAYS', 'HTML received instead of data (its root is html)')
    if (root === undefined || name === root) return
    throw this.#error('NOT_WHAT_IT_SAYS', `its root is ${name}, but should be ${root}`)
  }

  #text(text: string): void {
    this.#tree.text(text)
    this.#measure()
  }

  /** What is kept grows from where it began; all else must only not go on for ever without an event. */
  #measure(): void {
    const { isKeeping } = this.#tree
    this.#lastEvent = this.#parser.position
    if (!isKeeping || !this.#wasKeeping) this.#keptFrom = this.#lastEvent
    else this.#refuseTooLong(this.#lastEvent)
    this.#wasKeeping = isKeeping
  }

  #refuseTooLong(position: number): void {
    const { maxRecordLength = defaultMaxRecordLength } = this.#format
    if (position - this.#keptFrom <= maxRecordLength) return
    this.#refuseAmpersand()
    const what = `something that ends in line ${this.#parser.line} or later is longer than ${maxRecordLength} characters`
    throw this.#error('RECORD_INVALID', what)
  }

  /** Where no event came after a bare `&`, that is what is wrong, whatever else seems to be. */
  #refuseAmpersand(): void {
    const line = this.#ampersands.lineAfter(this.#lastEvent)
    if (line !== undefined) throw this.#error('RECORD_INVALID', `line ${line}: not well-formed XML: a bare &`, line)
  }

  #refuseDtd(doctype: string): void {
    if (!withoutQuoted(doctype).includes('[')) return
    const what = `line ${this.#parser.line}: has a DTD of its own: entity declarations are not allowed`
    throw this.#error('NOT_WHAT_IT_SAYS', what)
  }

  #malformed(message: string): StichtagError {
    const what = message.replace(positioned, '').replace(/\.$/, '')
    const { line } = this.#parser
    if (this.#rootName === undefined)
      return this.#error(
        'NOT_WHAT_IT_SAYS',
        `is no XML (line ${line}: ${what}), which is what is read here: give the publisher's XML file`,
      )
    this.#refuseAmpersand()
    if (this.#isAtEnd) return this.#error('DATA_CORRUPT', `ends before its XML does, in line ${line} (${what})`)
    return this.#error('RECORD_INVALID', `line ${line}: not well-formed XML: ${what}`)
  }

  #error(code: ErrorCode, what: string, line: number = this.#parser.line): StichtagError {
    const { source } = this.#options
    return new StichtagError(code, `${source}: ${what}`, { data: { source, line } })
  }
}

/** How messages of saxes begin: its words on what it was given, and no defect of it or of ours. */
const positioned = /^\d+:\d+: /

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const none: Readonly<Record<string, string>> = Object.freeze({})

/** Attributes but for those that name namespaces. Most elements have none at all. */
const own = (attributes: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const names = Object.keys(attributes)
  if (names.length === 0) return none
  return Object.fromEntries(
    Object.entries(attributes).filter(([name]) => name !== 'xmlns' && !name.startsWith('xmlns:')),
  )
}

const withoutQuoted = (text: string): string => text.replace(/"[^"]*"|'[^']*'/g, '')
