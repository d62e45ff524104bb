/** From a delivered file to its records: opens it, or the one member of it, and reads that in the declared format. */
import { StichtagError } from '../errors.ts'
import { type ArchiveDefinition, listed } from './archive-members.ts'
import { readCsv } from './csv.ts'
import type { FormatDefinition } from './definition.ts'
import { readEither } from './either.ts'
import { headOf } from './file-head.ts'
import { readJson } from './json.ts'
import { readJsonl } from './jsonl.ts'
import { startsZip } from './magic.ts'
import { openFile } from './open.ts'
import type { Bytes, ReadOptions, ReadRecord, RecordBatches } from './types.ts'
import { readXml } from './xml.ts'
import { openArchive } from './zip.ts'

export interface ReadFileOptions extends ReadOptions {
  /** Says that the file is an archive, and which member of it is read. */
  readonly archive?: ArchiveDefinition | undefined
  /** Where an archive within the archive may be unpacked to; removed afterwards. */
  readonly workFile?: string | undefined
}

/**
 * The records of the file at `path`. A source that comes in an archive may also lie there unpacked, as people have it.
 * Errors as of `openFile`, `openArchive` and of the format's reader.
 */
export async function* readRecords(
  path: string,
  format: FormatDefinition,
  options: ReadFileOptions,
): AsyncGenerator<readonly ReadRecord[], void, undefined> {
  if (options.archive !== undefined && (await isArchive(path, options.source)))
    yield* memberRecords(path, format, options)
  else yield* recordsIn(openFile(path, { ...options, name: options.source }), format, options)
}

/** The bytes that those records are read from. Errors as of `openFile` and `openArchive`. */
export async function* readBytes(path: string, options: ReadFileOptions): AsyncGenerator<Buffer, void, undefined> {
  if (options.archive !== undefined && (await isArchive(path, options.source))) {
    const { member, close } = await openMember(path, options)
    try {
      yield* member.open()
    } finally {
      await close()
    }
  } else yield* openFile(path, { ...options, name: options.source })
}

async function* memberRecords(
  path: string,
  format: FormatDefinition,
  options: ReadFileOptions,
): AsyncGenerator<readonly ReadRecord[], void, undefined> {
  const { member, close } = await openMember(path, options)
  try {
    yield* recordsIn(member.open(), format, { ...options, source: `${options.source}#${member.path}` })
  } finally {
    await close()
  }
}

/** The one member of an archive. */
const openMember = async (path: string, options: ReadFileOptions) => {
  const { source, workFile, signal, onWarning } = options
  const { members, close } = await openArchive(path, { ...options.archive, source, workFile, signal, onWarning })
  const [member, ...others] = members
  if (member !== undefined && others.length === 0) return { member, close }
  await close()
  const what = `several members of the archive could be meant: ${listed(members)}`
  throw new StichtagError('NOT_WHAT_IT_SAYS', `${source}: ${what}`, { data: { file: source } })
}

/** By its first bytes, and by its name, so that something else in place of an archive is called what it is. */
export const isArchive = async (path: string, source: string): Promise<boolean> =>
  /\.zip$/i.test(path) || startsZip(await headOf(path, source))

/** The records of bytes in a format. */
export const recordsIn = (bytes: Bytes, format: FormatDefinition, options: ReadOptions): RecordBatches => {
  switch (format.type) {
    case 'jsonl':
      return readJsonl(bytes, options)
    case 'json':
      return readJson(bytes, format, options)
    case 'csv':
      return readCsv(bytes, format, options)
    case 'xml':
      return readXml(bytes, format, options)
    case 'either':
      return readEither(bytes, format, options, recordsIn)
  }
}
