/**
 * Files as a zip archive whose members are stored as they are: the same files always give the same bytes, whatever
 * version of a compressor there is, and what changed in a version can be read in its difference.
 */
import { crc32 } from 'node:zlib'

/** 1980-01-01, the first day that an archive can tell. */
const dosDate = 0x0021
const utf8Flag = 0x800

const numbers = (...fields: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer =>
  Buffer.concat(
    fields.map(([bytes, value]) => {
      const buffer = Buffer.alloc(bytes)
      buffer.writeUIntLE(value, 0, bytes)
      return buffer
    }),
  )

/** The bytes of an archive of these files, in their order. */
export const zipOf = (files: Readonly<Record<string, string>>): Buffer => {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const path = Buffer.from(name)
    const bytes = Buffer.from(text)
    const about = numbers(
      [2, 20],
      [2, utf8Flag],
      [2, 0],
      [2, 0],
      [2, dosDate],
      [4, crc32(bytes)],
      [4, bytes.length],
      [4, bytes.length],
      [2, path.length],
      [2, 0],
    )
    const local = Buffer.concat([numbers([4, 0x04034b50]), about, path, bytes])
    directory.push(
      Buffer.concat([
        numbers([4, 0x02014b50], [2, 20]),
        about,
        numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]),
        path,
      ]),
    )
    locals.push(local)
    offset += local.length
  }
  const entries = Buffer.concat(directory)
  const count = directory.length
  const end = numbers([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, entries.length], [4, offset], [2, 0])
  return Buffer.concat([...locals, entries, end])
}
