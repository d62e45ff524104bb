/**
 * Inputs: what is read record by record. Mostly a delivered file is one of them. An archive whose every member is wanted,
 * or a folder that holds such members unpacked, is as many as it has members.
 */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StichtagError } from '../errors.ts'
import { type ArchiveDefinition, fits, isJunk, isWanted } from './archive-members.ts'
import type { FormatDefinition } from './definition.ts'
import { openFile } from './open.ts'
import { isArchive, type ReadFileOptions, readBytes, readRecords, recordsIn } from './read.ts'
import type { Bytes, ReadOptions, RecordBatches } from './types.ts'
import { openArchive } from './zip.ts'

/** A file of records. */
export interface Input {
  /** Name for messages and accounts: the source's, or `feed.zip#stops.txt`. */
  readonly name: string
  /** Name of the member, where the source is several. */
  readonly member?: string
  readonly format: FormatDefinition
  /** Its records from the beginning, each time it is called. Errors as of `readRecords`. */
  records(options: Omit<ReadOptions, 'source'>): RecordBatches
  /** The bytes that they are read from. */
  bytes(options: Omit<ReadOptions, 'source'>): Bytes
}

export interface Inputs {
  /** In the order of their names, where there are several. */
  readonly inputs: readonly Input[]
  /** What is there beside them and not read, with the reason. */
  readonly passedOver: readonly string[]
  close(): Promise<void>
}

/** The inputs of the delivered file, or folder, at `path`. Errors as of `openArchive`, and NOT_WHAT_IT_SAYS where it is too many. */
export const openInputs = async (
  path: string,
  format: FormatDefinition,
  options: Omit<ReadFileOptions, 'onPreamble'>,
): Promise<Inputs> => {
  const { source, archive } = options
  if (archive?.every === undefined) {
    const records: Input['records'] = (more) => readRecords(path, format, { ...options, ...more })
    const bytes: Input['bytes'] = (more) => readBytes(path, { ...options, ...more })
    return { inputs: [{ name: source, format, records, bytes }], passedOver: [], close: async () => undefined }
  }
  if ((await stat(path)).isDirectory()) return unpacked(path, format, archive, source)
  if (!(await isArchive(path, source))) {
    throw new StichtagError('NOT_WHAT_IT_SAYS', `${source}: is no zip archive`, { data: { file: source } })
  }
  const opened = await openArchive(path, { ...options, ...archive, source })
  try {
    const several = severalOf(source, format, archive, opened.members, (member) => ({
      isEmpty: member.size === 0,
      bytes: () => member.open(),
    }))
    return { ...several, passedOver: [...notWanted(opened.others), ...several.passedOver], close: opened.close }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Members that are read, at most: each becomes a table or more. The reference of timetables has some thirty files. */
export const mostInputs = 500

/** Most paths that are told. */
const mostTold = 20

const notWanted = (paths: readonly string[]): string[] => {
  if (paths.length === 0) return []
  const more = paths.length > mostTold ? `, and ${paths.length - mostTold} more` : ''
  return [`files that are not read: ${paths.slice(0, mostTold).join(', ')}${more}`]
}

interface MemberReader {
  readonly isEmpty: boolean
  bytes(options: ReadOptions): Bytes
}

const severalOf = <Member extends { readonly name: string }>(
  source: string,
  format: FormatDefinition,
  { formats = {} }: ArchiveDefinition,
  members: readonly Member[],
  readerOf: (member: Member) => MemberReader,
): Pick<Inputs, 'inputs' | 'passedOver'> => {
  const inputs: Input[] = []
  const passedOver: string[] = []
  const below: string[] = []
  for (const member of members.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
    const name = `${source}#${member.name}`
    const reader = readerOf(member)
    const own = Object.entries(formats).find(([pattern]) => fits(member.name, pattern))?.[1] ?? format
    if (member.name.includes('/')) below.push(member.name)
    else if (reader.isEmpty) passedOver.push(`${member.name} is empty`)
    else {
      inputs.push({
        name,
        member: member.name,
        format: own,
        records: (options) => recordsIn(reader.bytes({ ...options, source: name }), own, { ...options, source: name }),
        bytes: (options) => reader.bytes({ ...options, source: name }),
      })
    }
  }
  if (inputs.length > mostInputs) {
    const what = `${inputs.length} files of it would be read, and at most ${mostInputs} can be`
    throw new StichtagError('NOT_WHAT_IT_SAYS', `${source}: ${what}`, { data: { file: source } })
  }
  return { inputs, passedOver: [...notWanted(below), ...passedOver] }
}

/** The endings under which a file may lie packed in a folder; what it is packed with is seen from its first bytes. */
const plainName = (path: string): string => path.replace(/\.(?:gz|bz2|zst|xz)$/, '')

/** Files that an archive would hold, as people have them after unpacking it. */
const unpacked = async (
  folder: string,
  format: FormatDefinition,
  archive: ArchiveDefinition,
  source: string,
): Promise<Inputs> => {
  const files = await unpackedFiles(folder)
  // Whoever unpacks a file may keep it packed as well: it is one file, and read as it lies there plain.
  const chosen = new Map(
    files.toSorted((left, right) => right.length - left.length).map((each) => [plainName(each), each]),
  )
  const all = files.map((own) => ({ path: plainName(own), own, file: join(folder, own) }))
  const wanted = all.filter(({ path, own }) => isWanted(path, archive) && chosen.get(path) === own)
  if (wanted.length === 0) {
    const what = `${folder} holds no file like ${archive.every?.join(' or ')}`
    throw new StichtagError('FILE_NOT_FOUND', `${source}: ${what}`, { data: { file: source } })
  }
  const members = wanted.map(({ path, file }) => ({ name: path, file }))
  const sizes = new Map(await Promise.all(members.map(async ({ file }) => [file, (await stat(file)).size] as const)))
  const several = severalOf(source, format, archive, members, ({ file }) => ({
    isEmpty: sizes.get(file) === 0,
    bytes: (options) => openFile(file, { ...options, name: options.source }),
  }))
  const taken = new Set(wanted)
  const others = all.filter((each) => !taken.has(each)).map(({ own }) => own)
  return { ...several, passedOver: [...notWanted(others), ...several.passedOver], close: async () => undefined }
}

/** The files of an unpacked archive in a stable order: those in the folder itself, none that an operating system adds. */
export const unpackedFiles = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries
    .filter((entry) => (entry.isFile() || entry.isSymbolicLink()) && !entry.name.startsWith('.') && !isJunk(entry.name))
    .map((entry) => entry.name)
    .sort()
}

/** The files that the members wanted of an archive are, in a folder that holds it unpacked. */
export const unpackedMembers = async (folder: string, archive: ArchiveDefinition): Promise<readonly string[]> =>
  (await unpackedFiles(folder)).filter((path) => isWanted(plainName(path), archive))
