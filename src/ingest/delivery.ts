/**
 * Delivery: the files of one run, on the local disk, whole and with their hashes. From a URL they are downloaded; a
 * local file, or a folder that holds them under their usual names, is used where it lies.
 */
import { existsSync, statSync } from 'node:fs'
import { StichtagError } from '../errors.ts'
import type { Log } from '../log.ts'
import { download } from './download.ts'
import type { CheckReceived } from './download-bounds.ts'
import { hashLocalFolder } from './download-local.ts'
import { fileAt, isRemote, localPathOf, oneForSeveral, usualNames } from './location.ts'
import type { PlannedFile, SaidOfRecords } from './plan.ts'
import { keepRaw, rawFile } from './raw-files.ts'
import { shownUrl } from './shown-url.ts'

/** A file that is there to be read. */
export interface DeliveredFile {
  readonly name: string
  /** As it is recorded: declared, or the mirror's. */
  readonly url: string
  /** Where the declared URL led a pipeline that looks up its file, as it may be shown. */
  readonly resolvedUrl?: string
  readonly path: string
  readonly bytes: number
  readonly sha256: string
  readonly etag?: string
  readonly lastModified?: string
  readonly retrievedAt: string
  /** When a file of this machine was last written; not of one that was kept of an earlier delivery. */
  readonly modifiedAt?: string
  readonly said?: SaidOfRecords
}

/** What the source gave, and the names of the optional files that it has not. */
export type Delivery =
  | { readonly kind: 'not-modified' }
  | { readonly kind: 'files'; readonly files: readonly DeliveredFile[]; readonly absent: readonly string[] }

export interface DeliveryOptions {
  /** Folder for downloads. */
  readonly folder: string
  readonly signal: AbortSignal
  readonly log: Log
  readonly onProgress: (file: string, bytes: number, total: number | undefined) => void
  /** Milliseconds until an unreachable URL is given up. */
  readonly connectTimeoutMs?: number
  /** Asked before a body is received and while it is; throws where it is too much. */
  readonly checkReceived?: CheckReceived
}

/** Obtains every file. `not-modified` only where the source said so of all that it has. */
export const obtainDelivery = async (files: readonly PlannedFile[], options: DeliveryOptions): Promise<Delivery> => {
  const delivered = new Map<PlannedFile, DeliveredFile | null>()
  const absent: string[] = []
  let isOneMissed = false
  refuseLacking(files)
  for (const file of files) {
    try {
      const location = locationOf(file)
      if ([...delivered.values()].some((earlier) => earlier?.path === location))
        throw oneForSeveral(
          location,
          files.map((each) => each.name),
        )
      delivered.set(file, await obtainFile(file, options))
    } catch (error) {
      if (!mayBeAbsent(file, error)) throw error
      if (file.byHand === undefined)
        options.log.info({ file: file.name }, `left out, as it may be: ${whyAbsent(error, files)}`)
      else options.log.warn({ file: file.name }, `not given: ${file.byHand} will not be there`)
      absent.push(file.name)
      // It was there last time: what is current holds records of it.
      isOneMissed ||= file.knownSha256 !== undefined
    }
  }
  if (!isOneMissed && [...delivered.values()].every((file) => file === null)) return { kind: 'not-modified' }
  const whole: DeliveredFile[] = []
  for (const [file, obtained] of delivered) {
    whole.push(obtained ?? (await keptFile(file, options)) ?? (await obtainAnew(file, options)))
  }
  return { kind: 'files', files: whole, absent }
}

/** Names every file at once that a folder lacks, so that nobody has to come back for each. @throws FILE_NOT_FOUND */
const refuseLacking = (files: readonly PlannedFile[]): void => {
  const lacking = files.flatMap((file) => {
    try {
      locationOf(file)
      return []
    } catch (error) {
      // Whatever else is wrong is judged when it is the file's turn.
      const isLacking = error instanceof StichtagError && error.code === 'FILE_NOT_FOUND' && 'tried' in error.data
      return isLacking ? [{ file, error }] : []
    }
  })
  // A folder that holds some of what a person may leave out is a part of the whole; one that holds none, a mistake.
  const isPart = lacking.length < files.length
  const [first, ...others] = lacking.filter(
    ({ file }) => file.optional !== true && (file.byHand === undefined || !isPart),
  )
  if (first === undefined) return
  if (others.length === 0) throw first.error
  const names = [first, ...others].map(({ file: { name, members } }) =>
    [...usualNames(name), ...(members ?? [])].join(' or '),
  )
  const message = `${first.file.location} lacks ${names.length} files: ${names.join('; ')}`
  throw new StichtagError('FILE_NOT_FOUND', message, {
    data: { lacking: [first, ...others].map(({ file }) => file.name) },
  })
}

/** Why a file is not there; where one was given for all, nobody did anything wrong. */
const whyAbsent = (error: StichtagError, [first]: readonly PlannedFile[]): string =>
  error.code === 'USAGE' ? `one file was given, which was taken for ${first?.name ?? 'the first'}` : error.message

/** Whether the source has no such file, and is there otherwise; one file given for several is that of the first. */
const mayBeAbsent = ({ optional, byHand }: PlannedFile, error: unknown): error is StichtagError => {
  if (!(error instanceof StichtagError)) return false
  const liesNowhere = error.code === 'FILE_NOT_FOUND' && 'tried' in error.data
  if (optional !== true) return liesNowhere && byHand !== undefined
  return liesNowhere || error.code === 'SOURCE_RETIRED' || error.code === 'USAGE'
}

/** The URL of a file, or the path of a regular file of this machine. */
const locationOf = ({ location, name, members }: PlannedFile): string => {
  const path = localPathOf(location)
  return path === undefined ? location : fileAt(path, name, members)
}

/** One file; null where the source has no other than the one that is known. */
const obtainFile = async (file: PlannedFile, options: DeliveryOptions): Promise<DeliveredFile | null> => {
  const { expected, knownSha256 } = file
  // The publisher's index says that it is the same file: nothing need be asked.
  if (expected?.sha256 !== undefined && expected.sha256 === knownSha256) return null
  const url = locationOf(file)
  if (file.members !== undefined && !isRemote(url) && statSync(url).isDirectory()) {
    const folder = await hashLocalFolder(url, file.members, options)
    const modifiedAt = modifiedOf(folder.modifiedMs)
    return {
      ...folder,
      ...modifiedAt,
      path: url,
      name: file.name,
      url: file.url,
      retrievedAt: new Date().toISOString(),
    }
  }
  const result = await download(
    {
      url,
      folder: options.folder,
      name: file.name,
      ...(file.validators === undefined ? {} : { validators: file.validators }),
      ...(options.connectTimeoutMs === undefined ? {} : { connectTimeoutMs: options.connectTimeoutMs }),
      ...(expected?.bytes === undefined ? {} : { expectedBytes: expected.bytes }),
      ...(expected?.sha1 === undefined ? {} : { expectedSha1: expected.sha1 }),
      ...(expected?.sha256 === undefined ? {} : { expectedSha256: expected.sha256 }),
    },
    {
      signal: options.signal,
      log: options.log,
      onProgress: ({ bytes, total }) => options.onProgress(file.name, bytes, total),
      checkReceived: (received, total) => options.checkReceived?.(file, received, total),
    },
  )
  if (result.kind === 'not-modified') return null
  const path = isRemote(url) ? keepRaw(options.folder, file.name, result.sha256) : result.path
  return {
    ...result,
    path,
    name: file.name,
    url: file.url,
    ...(isRemote(url) ? {} : modifiedOf(statSync(path).mtimeMs)),
    ...(file.resolves === true ? { resolvedUrl: shownUrl(file.location) } : {}),
    ...(file.said === undefined ? {} : { said: file.said }),
  }
}

const obtainAnew = async (
  { validators: _, knownSha256: __, ...file }: PlannedFile,
  options: DeliveryOptions,
): Promise<DeliveredFile> => {
  const anew = await obtainFile(file, options)
  if (anew !== null) return anew
  throw new StichtagError('SOURCE_FAILED', `${file.name}: ${shownUrl(file.location)} answered "not modified" unasked`)
}

/** The file that the source still has, where it was kept and is whole; null where it was not. */
const keptFile = async (file: PlannedFile, options: DeliveryOptions): Promise<DeliveredFile | null> => {
  const { knownSha256, validators } = file
  if (knownSha256 === undefined) return null
  const path = rawFile(options.folder, file.name, knownSha256)
  if (!existsSync(path)) return null
  const { validators: _, expected: __, ...kept } = file
  const found = await obtainFile({ ...kept, location: path }, options)
  if (found?.sha256 !== knownSha256) return null
  const { modifiedAt: ___, ...delivered } = found
  return { ...delivered, ...validators }
}

/** Archives that are made to be the same whoever makes them date their files 1970 or 1980. */
const earliestBelievedMs = Date.parse('1990-01-01')

/** When a file was written, where that can be believed: it is neither to come, nor from before there were such files. */
const modifiedOf = (modifiedMs: number): { readonly modifiedAt?: string } =>
  modifiedMs >= earliestBelievedMs && modifiedMs <= Date.now() ? { modifiedAt: new Date(modifiedMs).toISOString() } : {}
