/**
 * The b-tree of a table, from rows in order: full leaves first, and above them as many levels as they need
 * (https://www.sqlite.org/fileformat2.html#b_tree_pages).
 */
import { putVarint, type StoredRow, varintLength } from './stored-row.ts'

/** Bytes of a page: the biggest there is, so that hardly a row has to be continued on further pages. */
export const pageSize = 65_536

const leafKind = 0x0d
const interiorKind = 0x05
const leafHeader = 8
const interiorHeader = 12
/** Bytes of a row that stay on its leaf, at most; and at least where it is continued. */
const mostLocal = pageSize - 35
const leastLocal = Math.floor(((pageSize - 12) * 32) / 255) - 23
/** Bytes of a row on a page that continues it, beside the number of the next one. */
const continuedBytes = pageSize - 4

/** The pages of a file. */
export interface Pages {
  /** How many there are, the first one included. */
  readonly count: number
  append(page: Buffer): void
}

/** A page of a level, with the last rowid under it. */
interface Child {
  readonly page: number
  readonly last: number
}

export class RowTree {
  readonly #pages: Pages
  readonly #leaf = Buffer.alloc(pageSize)
  readonly #leaves: Child[] = []
  #rowid = 0
  #cells = 0
  /** Where the cells of the leaf begin: they are filled from its end. */
  #start = pageSize

  constructor(pages: Pages) {
    this.#pages = pages
  }

  /** Adds a row after all others. */
  add(row: StoredRow): void {
    const { length } = row
    const local = localBytes(length)
    const rowid = this.#rowid + 1
    const bytes = varintLength(length) + varintLength(rowid) + local + (local < length ? 4 : 0)
    if (this.#start - bytes < leafHeader + 2 * (this.#cells + 1)) this.#endLeaf()
    this.#rowid = rowid
    this.#start -= bytes
    this.#leaf.writeUInt16BE(this.#start, leafHeader + 2 * this.#cells)
    this.#cells += 1
    const at = putVarint(this.#leaf, putVarint(this.#leaf, this.#start, length), rowid)
    if (local === length) row.copy(this.#leaf, at)
    else this.#addContinued(row, at, local)
  }

  /** Writes what is left. @returns the root's page */
  finish(): number {
    if (this.#cells > 0 || this.#leaves.length === 0) this.#endLeaf()
    return rootOver(this.#leaves, this.#pages)
  }

  #endLeaf(): void {
    writeHeader(this.#leaf, leafKind, this.#cells, this.#start)
    this.#pages.append(this.#leaf)
    this.#leaves.push({ page: this.#pages.count, last: this.#rowid })
    this.#cells = 0
    this.#start = pageSize
  }

  #addContinued(row: StoredRow, at: number, local: number): void {
    const all = Buffer.alloc(row.length)
    row.copy(all, 0)
    all.copy(this.#leaf, at, 0, local)
    this.#leaf.writeUInt32BE(this.#pages.count + 1, at + local)
    const page = Buffer.alloc(pageSize)
    for (let done = local; done < all.length; done += continuedBytes) {
      const isLast = done + continuedBytes >= all.length
      page.writeUInt32BE(isLast ? 0 : this.#pages.count + 2, 0)
      all.copy(page, 4, done)
      this.#pages.append(page)
    }
  }
}

/** Makes the first page of the file, after what stands before it there, the root over a tree. */
export const putFirstRoot = (page: Buffer, offset: number, child: number): void => {
  // Of the first page alone, a root may have no cell and nothing but its last child.
  page[offset] = interiorKind
  page.writeUInt32BE(child, offset + 8)
}

const localBytes = (length: number): number => {
  if (length <= mostLocal) return length
  const local = leastLocal + ((length - leastLocal) % continuedBytes)
  return local <= mostLocal ? local : leastLocal
}

/** Builds levels over pages until one page holds them all. */
const rootOver = (children: readonly Child[], pages: Pages): number => {
  let level = children
  while (level.length > 1) level = [...levelOver(level, pages)]
  const [root] = level
  if (root === undefined) throw new Error('a tree has a leaf at least')
  return root.page
}

function* levelOver(children: readonly Child[], pages: Pages): Generator<Child> {
  const page = Buffer.alloc(pageSize)
  let cells = 0
  let start = pageSize
  for (const [index, { page: child, last }] of children.entries()) {
    const bytes = 4 + varintLength(last)
    const isFull = start - bytes < interiorHeader + 2 * (cells + 1)
    // The last child of a page has no cell; neither a page nor the level may end without one.
    if (isFull || index === children.length - 1) {
      writeHeader(page, interiorKind, cells, start)
      page.writeUInt32BE(child, 8)
      pages.append(page)
      yield { page: pages.count, last }
      cells = 0
      start = pageSize
      continue
    }
    start -= bytes
    page.writeUInt16BE(start, interiorHeader + 2 * cells)
    cells += 1
    page.writeUInt32BE(child, start)
    putVarint(page, start + 4, last)
  }
}

/** Where cells begin at the very end of a page, 0 stands for it. */
const writeHeader = (page: Buffer, kind: number, cells: number, start: number): void => {
  page[0] = kind
  page.writeUInt16BE(0, 1)
  page.writeUInt16BE(cells, 3)
  page.writeUInt16BE(start % pageSize, 5)
  page[7] = 0
}
