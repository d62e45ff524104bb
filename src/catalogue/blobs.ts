/**
 * BLOB columns as contents of their own (DESIGN §4.4): in the record stands where to find them, the bytes follow as
 * `blob` with the type they are recognised as.
 */
import type { Value, WholeRecord } from '../query/types.ts'
import { spellKey } from './key-spelling.ts'
import type { Content } from './types.ts'

/** What stands in a record in place of a BLOB. */
export interface BlobMention {
  readonly blob: string
  readonly mimeType: string
  readonly bytes: number
}

type Shown = string | number | null | BlobMention
export type ShownRow = Readonly<Record<string, Shown>>

const signatures: readonly (readonly [mimeType: string, hexStart: string])[] = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '47494638'],
  ['application/pdf', '255044462d'],
  ['application/zip', '504b0304'],
  ['application/gzip', '1f8b'],
]

/** The type of bytes that start as files of that type do, else `application/octet-stream`. */
export const mimeTypeOf = (bytes: Uint8Array): string => {
  const start = Buffer.from(bytes.subarray(0, 8)).toString('hex')
  return signatures.find(([, hexStart]) => start.startsWith(hexStart))?.[0] ?? 'application/octet-stream'
}

const hasNoBlob = (row: WholeRecord['record']): row is Readonly<Record<string, string | number | null>> =>
  Object.values(row).every((value) => typeof value !== 'object' || value === null)

/** Takes the BLOBs of rows out into `contents`, whose URIs are `uri` and a fragment that says which. */
export const withoutBlobs = (
  uri: string,
): { show: (row: WholeRecord['record'], place?: string) => ShownRow; contents: Content[] } => {
  const contents: Content[] = []
  const shown = (column: string, value: Value, place: string): Shown => {
    if (typeof value !== 'object' || value === null) return value
    const bytes = Buffer.from(value.base64, 'base64')
    const content = { uri: `${uri}#${place}${spellKey(column)}`, mimeType: mimeTypeOf(bytes), blob: value.base64 }
    contents.push(content)
    return { blob: content.uri, mimeType: content.mimeType, bytes: bytes.length }
  }
  return {
    contents,
    show: (row, place = '') =>
      hasNoBlob(row)
        ? row
        : Object.fromEntries(Object.entries(row).map(([column, value]) => [column, shown(column, value, place)])),
  }
}
