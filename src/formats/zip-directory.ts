/** The central directory of a zip archive: its usable files, by names that are safe to show. */
import { isUtf8 } from 'node:buffer'
import { type Entry, getFileNameLowLevel, openPromise, validateFileName, type ZipFile } from 'yauzl'
import { StichtagError } from '../errors.ts'
import { isJunk } from './archive-members.ts'
import { headOf } from './file-head.ts'
import { looksLikeHtml, startsZip } from './magic.ts'

/** A file in an archive: its path, decoded, and what the directory says of it. */
export interface ZipEntry {
  readonly path: string
  readonly entry: Entry
}

export interface DirectoryOptions {
  /** Name of the archive, for messages. */
  readonly source: string
  readonly onWarning?: ((warning: string) => void) | undefined
}

/** Entries of an archive, at most: the directory is held in memory. */
const maxEntries = 100_000

/** Bit of an entry's flags that says that its name is UTF-8. */
const utf8Flag = 0x800

/**
 * Opens an archive and lists its usable files, in its own order: no folders, no files that an operating system adds, and
 * none whose path leaves the archive's folder.
 *
 * @throws FILE_NOT_FOUND, NOT_WHAT_IT_SAYS (no zip archive), DATA_CORRUPT
 */
export const openDirectory = async (
  path: string,
  { source, onWarning }: DirectoryOptions,
): Promise<{ readonly file: ZipFile; readonly entries: readonly ZipEntry[] }> => {
  const head = await headOf(path, source)
  let file: ZipFile | undefined
  try {
    // Names are decoded here: yauzl would refuse the whole archive for one that it does not like.
    file = await openPromise(path, { decodeStrings: false, autoClose: false })
    if (file.entryCount > maxEntries) throw new Error(`${file.entryCount} members, more than ${maxEntries}`)
    const entries: ZipEntry[] = []
    const left: string[] = []
    for await (const entry of file.eachEntry()) {
      const name = nameOf(entry)
      if (validateFileName(name) !== null) left.push(name)
      else if (!isJunk(name)) entries.push({ path: name, entry })
    }
    if (left.length > 0)
      onWarning?.(`members whose path leaves the archive were ignored: ${left.slice(0, 20).join(', ')}`)
    return { file, entries }
  } catch (error) {
    file?.close()
    throw unreadable(error, head, source)
  }
}

/** In code page 437 unless the entry says UTF-8, or its bytes do: many programs forget to say so. */
const nameOf = ({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string => {
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | utf8Flag : generalPurposeBitFlag
  return getFileNameLowLevel(flags, fileNameRaw, extraFields, false)
}

const unreadable = (error: unknown, head: Buffer, source: string): unknown => {
  if (!(error instanceof Error) || 'syscall' in error) return error
  const options = { data: { file: source }, cause: error }
  if (looksLikeHtml(head)) {
    return new StichtagError('NOT_WHAT_IT_SAYS', `${source}: HTML received instead of a zip archive`, options)
  }
  if (!startsZip(head)) {
    return new StichtagError('NOT_WHAT_IT_SAYS', `${source}: is not a zip archive`, options)
  }
  const cut = error.message.includes('End of central directory record signature not found')
  const what = cut
    ? 'truncated zip archive: its end, which lists its members, is not there'
    : `damaged zip archive: ${error.message}`
  return new StichtagError('DATA_CORRUPT', `${source}: ${what}`, options)
}
