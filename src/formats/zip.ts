/**
 * Zip archives, zip64 included, read through their central directory: what it lists is there, what it does not list was
 * never meant. Members are streamed one at a time; nothing is written anywhere but an archive within the archive, to the
 * work file of the caller.
 *
 * Names may be anything, and are only ever compared: those that leave the archive's folder are passed over and told.
 */
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Entry, ZipFile } from 'yauzl'
import { StichtagError } from '../errors.ts'
import { type ArchiveDefinition, folderInUse, isWanted, listed } from './archive-members.ts'
import { refusingForeign } from './foreign.ts'
import type { Bytes } from './types.ts'
import { defaultLimits, type UnpackLimits } from './unpack-limit.ts'
import { openDirectory, type ZipEntry } from './zip-directory.ts'
import { refuseUnreadable, unpack } from './zip-member.ts'

export interface ArchiveOptions extends ArchiveDefinition {
  /** Name of the archive, for messages. */
  readonly source: string
  /** Where an archive within the archive is unpacked to; removed when the archive is closed. */
  readonly workFile?: string | undefined
  readonly limits?: UnpackLimits | undefined
  readonly signal?: AbortSignal | undefined
  readonly onWarning?: ((warning: string) => void) | undefined
}

export interface ArchiveMember {
  /** Its path within the folder in use. */
  readonly name: string
  /** Its path within the archive. */
  readonly path: string
  /** Unpacked size in bytes, as declared. */
  readonly size: number
  /** Its unpacked bytes. @throws DATA_CORRUPT, NOT_WHAT_IT_SAYS (empty, HTML, another archive), CANCELLED */
  open(): Bytes
}

export interface Archive {
  /** The wanted files in the folder in use, at least one, in the order of the archive. */
  readonly members: readonly ArchiveMember[]
  /** Paths of the files that are not wanted, or lie in other folders. */
  readonly others: readonly string[]
  /** Closes the archive, once no member is being read any more, and removes the work file. */
  close(): Promise<void>
}

/**
 * Opens the archive at `path`.
 *
 * @throws FILE_NOT_FOUND, DATA_CORRUPT (cut or damaged), NOT_WHAT_IT_SAYS (no zip archive; no member, or none wanted;
 *   several folders; a wanted member that is encrypted, packed otherwise, or unpacks to more than the limits allow)
 */
export const openArchive = async (path: string, options: ArchiveOptions): Promise<Archive> => {
  const { source, onWarning } = options
  const { file, entries } = await openDirectory(path, { source, onWarning })
  try {
    const wanted = entries.filter((entry) => isWanted(entry.path, options))
    const inner = innerArchive(wanted.length > 0 ? wanted : entries)
    if (inner !== undefined) return await openInner(path, file, inner, options)
    const members = membersOf(path, file, wanted, entries, options)
    const taken = new Set(members.map(({ path }) => path))
    const others = entries.map((entry) => entry.path).filter((each) => !taken.has(each))
    return { members, others, close: () => closed(file) }
  } catch (error) {
    await closed(file)
    throw error
  }
}

/** Paths of the wanted files of the archive at `path`, as its directory lists them. Errors as of `openDirectory`. */
export const wantedPaths = async (
  path: string,
  { source, ...archive }: ArchiveDefinition & { readonly source: string },
): Promise<readonly string[]> => {
  const { file, entries } = await openDirectory(path, { source })
  await closed(file)
  return entries.map((entry) => entry.path).filter((each) => isWanted(each, archive))
}

const membersOf = (
  archive: string,
  file: ZipFile,
  wanted: readonly ZipEntry[],
  entries: readonly ZipEntry[],
  { source, folder: declared, member, every, limits = defaultLimits, signal }: ArchiveOptions,
): ArchiveMember[] => {
  if (entries.length === 0) throw refused(source, 'the archive has no usable member')
  if (wanted.length === 0) {
    const what = member ?? every?.join(' or ')
    throw refused(source, `no member of the archive is ${what} (it has: ${listed(entries)})`)
  }
  const folder = folderInUse(wanted, source, declared)
  const inside = wanted.filter((each) => each.path.startsWith(folder))
  const seen = new Set<string>()
  const twice = inside.find(({ path }) => seen.size === seen.add(path).size)
  if (twice !== undefined) throw refused(source, `${twice.path} is in the archive twice`)
  return inside.map(({ path, entry }) => {
    const name = `${source}#${path}`
    refuseUnreadable(entry, name, limits)
    return {
      name: path.slice(folder.length),
      path,
      size: entry.uncompressedSize,
      open: () => refusingForeign(unpackUntil(signal, file, entry, name, archive), name),
    }
  })
}

/** The one archive in an archive that holds nothing else. */
const innerArchive = (entries: readonly ZipEntry[]): ZipEntry | undefined => {
  const [only, ...others] = entries
  return others.length === 0 && only !== undefined && /\.zip$/i.test(only.path) ? only : undefined
}

const openInner = async (
  archive: string,
  file: ZipFile,
  { path, entry }: ZipEntry,
  options: ArchiveOptions,
): Promise<Archive> => {
  const { source, workFile, limits = defaultLimits, signal } = options
  const name = `${source}#${path}`
  if (workFile === undefined) throw refused(source, `holds an archive in the archive, ${path}, which is not read here`)
  refuseUnreadable(entry, name, limits)
  const remove = (): Promise<void> => rm(workFile, { force: true })
  try {
    await pipeline(unpackUntil(signal, file, entry, name, archive), createWriteStream(workFile))
    const inner = await openArchive(workFile, { ...options, source: name, workFile: undefined })
    await closed(file)
    return { ...inner, close: () => inner.close().then(remove) }
  } catch (error) {
    await remove()
    throw error
  }
}

async function* unpackUntil(
  signal: AbortSignal | undefined,
  file: ZipFile,
  entry: Entry,
  name: string,
  archive: string,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of unpack(file, entry, name, archive)) {
    if (signal?.aborted) throw new StichtagError('CANCELLED', `reading ${name} was cancelled`)
    yield chunk
  }
}

const closed = (file: ZipFile): Promise<void> =>
  new Promise((resolve, reject) => {
    if (!file.isOpen) return resolve()
    file.once('close', resolve)
    file.once('error', reject)
    file.close()
  })

const refused = (source: string, what: string): StichtagError =>
  new StichtagError('NOT_WHAT_IT_SAYS', `${source}: ${what}`, { data: { file: source } })
