/**
 * The elements of an XML file, as they open and close: records are built whole, and so is everything before the first
 * one; what comes later and is no record is counted, never dropped in silence.
 */
import type { ReadRecord, XmlElement } from './types.ts'

/** An element that is being built. */
interface Growing {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  text: string
  children: XmlElement[]
}

/** An element outside of records, while it is open. */
interface Container extends Growing {
  holdsRecord: boolean
  /** Elements in it that were not read, by path from here. */
  unread: Map<string, number> | undefined
}

/** Elements within each other, at most. */
export const maxDepth = 1000

/** Paths of unread elements that are told apart. */
const maxUnread = 50

/** Most elements have no children: one list for all of them, which is never added to. */
const childless: XmlElement[] = []

export class XmlTree {
  readonly #isRecord: (path: readonly string[]) => boolean
  readonly #onStart: (root: XmlElement) => void
  /** What is open outside of records, with its names, and what is open within one. */
  readonly #containers: Container[] = []
  readonly #names: string[] = []
  readonly #inRecord: Growing[] = []
  #recordLine = 0
  /** Elements that are open in a record and too deep to be kept. */
  #tooDeep = 0
  #isTooDeep = false
  #started = false
  #records: ReadRecord[] = []
  /** Whether any record was found. */
  hasRecords = false
  /** Elements after the first record that were not read: path and number. Known at the end. */
  unread: ReadonlyMap<string, number> = new Map()

  /** `onStart` hears of the root with all that comes before the first record, when that begins or the root ends. */
  constructor(isRecord: (path: readonly string[]) => boolean, onStart: (root: XmlElement) => void) {
    this.#isRecord = isRecord
    this.#onStart = onStart
  }

  get depth(): number {
    return this.#containers.length + this.#inRecord.length
  }

  /** Whether a record is being read. */
  get isInRecord(): boolean {
    return this.#inRecord.length > 0
  }

  /** Whether what opens now is kept, and so takes memory. */
  get isKeeping(): boolean {
    return this.#inRecord.length > 0 || !this.#started
  }

  open(name: string, attributes: Readonly<Record<string, string>>, line: number): void {
    if (this.#inRecord.length === 0) {
      this.#names.push(name)
      if (!this.#isRecord(this.#names)) {
        const container = { name, attributes, text: '', children: childless, holdsRecord: false, unread: undefined }
        this.#containers.push(container)
        return
      }
      this.#start(this.#containers.reduceRight<XmlElement | undefined>(withChild, undefined))
      for (const container of this.#containers) container.holdsRecord = true
      this.hasRecords = true
      this.#recordLine = line
    }
    if (this.depth >= maxDepth) {
      this.#tooDeep++
      this.#isTooDeep = true
    } else this.#inRecord.push({ name, attributes, text: '', children: childless })
  }

  text(text: string): void {
    if (this.#tooDeep > 0) return
    const element = this.#inRecord.at(-1) ?? this.#containers.at(-1)
    if (element === undefined) return
    if (element.text !== '') {
      // Of what is not kept, only whether there is anything.
      if (this.isKeeping) element.text += text
    } else if (!isBlank(text)) element.text = this.isKeeping ? text : '…'
  }

  close(): void {
    if (this.#tooDeep > 0) {
      this.#tooDeep--
      return
    }
    const element = this.#inRecord.pop()
    if (element === undefined) this.#closeContainer()
    else {
      element.text = element.text.trim()
      const parent = this.#inRecord.at(-1)
      if (parent !== undefined) addChild(parent, element)
      else {
        this.#names.pop()
        this.#records.push(this.#recordOf(element))
        this.#isTooDeep = false
      }
    }
  }

  #recordOf(element: XmlElement): ReadRecord {
    const line = this.#recordLine
    if (!this.#isTooDeep) return { line, record: element }
    return { line, problem: `elements more than ${maxDepth} deep within each other`, raw: `<${element.name}>` }
  }

  /** The records that were closed since the last call. */
  take(): readonly ReadRecord[] {
    const records = this.#records
    this.#records = []
    return records
  }

  #closeContainer(): void {
    this.#names.pop()
    const container = this.#containers.pop()
    if (container === undefined) return
    const parent = this.#containers.at(-1)
    if (parent === undefined) {
      this.#start(whole(container))
      this.unread = container.unread ?? new Map()
    } else if (this.isKeeping) addChild(parent, whole(container))
    else noteUnread(parent, container)
  }

  #start(root: XmlElement | undefined): void {
    if (!this.#started && root !== undefined) this.#onStart(root)
    this.#started = true
  }
}

/** Nearly all text between elements is the file's own layout. */
const isBlank = (text: string): boolean => text.charCodeAt(0) <= 0x20 && text.trim() === ''

const addChild = (parent: Growing, child: XmlElement): void => {
  if (parent.children === childless) parent.children = [child]
  else parent.children.push(child)
}

const whole = ({ name, attributes, text, children }: Growing): XmlElement => ({
  name,
  attributes,
  text: text.trim(),
  children,
})

/** An open element with the one that is open in it, each with what it holds so far. */
const withChild = (child: XmlElement | undefined, container: Container): XmlElement => {
  const soFar = whole(container)
  return { ...soFar, children: child === undefined ? [...soFar.children] : [...soFar.children, child] }
}

/** Notes an element that was not read; of one that holds records, what is in it that was not. */
const noteUnread = (parent: Container, container: Container): void => {
  for (const [path, count] of unreadIn(container)) {
    parent.unread ??= new Map()
    const full = `/${container.name}${path}`
    const known = parent.unread.get(full)
    if (known !== undefined || parent.unread.size < maxUnread) parent.unread.set(full, (known ?? 0) + count)
  }
}

const unreadIn = ({ text, attributes, holdsRecord, unread }: Container): Iterable<readonly [string, number]> => {
  if (holdsRecord) return unread ?? []
  const isEmpty = text.trim() === '' && Object.keys(attributes).length === 0 && unread === undefined
  return isEmpty ? [] : [['', 1]]
}
