/** What a file is by its first bytes, whatever its name says. Pure. */
import { extname } from 'node:path'

export type Compression = 'gzip' | 'bzip2' | 'xz' | 'zstd' | 'brotli' | 'none'

/** Bytes from the start of a file that suffice to recognise everything here. */
export const headBytes = 1024

const startsWith = (head: Buffer, magic: string): boolean =>
  head.subarray(0, magic.length).equals(Buffer.from(magic, 'latin1'))

/** Whether bytes start like a bzip2 stream, as far as they go (at least one byte). */
export const startsBzip2 = (head: Uint8Array): boolean =>
  head.length > 0 &&
  head.subarray(0, 3).every((byte, index) => byte === 'BZh'.charCodeAt(index)) &&
  (head[3] === undefined || (head[3] >= 0x31 && head[3] <= 0x39))

/** Whether bytes start a zstd frame: one with data, or one to skip. */
export const startsZstd = (head: Buffer): boolean =>
  startsWith(head, '\x28\xb5\x2f\xfd') || (head.length >= 4 && (head.readUInt32LE(0) & 0xfffffff0) >>> 0 === 0x184d2a50)

/** Whether bytes start a zip archive, be it an empty one. */
export const startsZip = (head: Buffer): boolean => startsWith(head, 'PK\x03\x04') || startsWith(head, 'PK\x05\x06')

/** The compression of a file. Brotli has no magic bytes and is known by the ending `.br` alone. */
export const compressionOf = (head: Buffer, name: string): Compression => {
  if (startsWith(head, '\x1f\x8b')) return 'gzip'
  if (head.length >= 4 && startsBzip2(head)) return 'bzip2'
  if (startsWith(head, '\xfd7zXZ\0')) return 'xz'
  if (startsZstd(head)) return 'zstd'
  return extname(name).toLowerCase() === '.br' ? 'brotli' : 'none'
}

const foreign: readonly (readonly [magic: string, at: number, kind: string])[] = [
  ['PK\x03\x04', 0, 'a zip archive'],
  ['PK\x05\x06', 0, 'an empty zip archive'],
  ['7z\xbc\xaf\x27\x1c', 0, 'a 7-Zip archive'],
  ['ustar', 257, 'a tar archive'],
  ['%PDF-', 0, 'a PDF document'],
  ['SQLite format 3\0', 0, 'an SQLite database'],
]

/** What bytes are that no reader of records takes, in words; undefined where nothing speaks against them. */
export const foreignKind = (head: Buffer): string | undefined =>
  looksLikeHtml(head) ? 'an HTML page' : foreign.find(([magic, at]) => startsWith(head.subarray(at), magic))?.[2]

const prologue = /^(?:\s+|<\?xml[^>]*\?>|<!--[\s\S]*?-->)/

/**
 * Whether a file starts like an HTML page, as servers send with status 200 in place of data. Comments and an XML
 * declaration may come first; NUL bytes are passed over, so that UTF-16 is recognised as well.
 */
export const looksLikeHtml = (head: Buffer): boolean => {
  let text = head
    .subarray(0, headBytes)
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
  while (prologue.test(text)) text = text.replace(prologue, '')
  return /^<(?:!doctype\s+html|html|head|body|script)\b/i.test(text)
}
