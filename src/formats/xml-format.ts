/** How an XML source is written, as its pipeline declares it. */
import type { Encoding } from './encoding.ts'

export interface XmlFormat {
  readonly type: 'xml'
  /**
   * The elements that are records: by name, wherever they are (`INDIVIDUAL`), or by path from the root
   * (`/sdnList/sdnEntry`). Names are without their namespace's prefix.
   */
  readonly records: string | readonly string[]
  /** Name of the root: a file with another one is refused. Without it, a file without any record is. */
  readonly root?: string
  /** Unless said, what the file declares, and UTF-8 where it declares nothing. */
  readonly encoding?: Encoding
  /** Characters of one record, 64 million unless said. */
  readonly maxRecordLength?: number
}

/** Whether a text names elements that can be records. */
export const isElementPath = (path: string): boolean => /^(?:[^/\s<>&]+|(?:\/[^/\s<>&]+)+)$/.test(path)

/** A function that tells whether the element at this path of names, root first, is a record. */
export const recordTest = (records: string | readonly string[]): ((path: readonly string[]) => boolean) => {
  const wanted = typeof records === 'string' ? [records] : records
  const names = new Set(wanted.filter((each) => !each.startsWith('/')))
  const paths = new Set(wanted.filter((each) => each.startsWith('/')))
  const ends = new Set([...paths].map((path) => path.slice(path.lastIndexOf('/') + 1)))
  return (path) => {
    const name = path.at(-1) ?? ''
    return names.has(name) || (ends.has(name) && paths.has(`/${path.join('/')}`))
  }
}
