/**
 * Delivery: the files of one run, on the local disk, whole and with their hashes. From a URL they are downloaded; a
 * local file, or a folder that holds them under their usual names, is used where it lies.
 */
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StichtagError } from '../errors.ts'
import type { Log } from '../log.ts'
import { download } from './download.ts'
import type { PlannedFile } from './plan.ts'
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
}

/** What the source gave. */
export type Delivery =
  | { readonly kind: 'not-modified' }
  | { readonly kind: 'files'; readonly files: readonly DeliveredFile[] }

export interface DeliveryOptions {
  /** Folder for downloads. */
  readonly folder: string
  readonly signal: AbortSignal
  readonly log: Log
  readonly onProgress: (file: string, bytes: number, total: number | undefined) => void
  /** Milliseconds until an unreachable URL is given up. */
  readonly connectTimeoutMs?: number
  /** Asked before a body is received, with its size or undefined; throws where there is no room for it. */
  readonly onBody?: (file: string, bytes: number | undefined) => void
}

/** An archive's ending goes where one of a format is before it: `x.csv.zip` is `x.csv`, a `feed.zip` stays one. */
const compressionEndings = /\.(bz2|gz|zst|br|xz)$|(?<=[^.]\.[a-z]+)\.zip$/

/** Names under which a file may lie in a folder: as declared, plain, or as `.gz`. */
export const usualNames = (name: string): string[] => {
  const plain = name.replace(compressionEndings, '')
  return [...new Set([name, plain, `${plain}.gz`, `${name}.gz`])]
}

const isRemote = (location: string): boolean => /^https?:/.test(location)

/** The local path that a location names, looking into a folder for the file's usual names. */
const localPath = (location: string, name: string): string => {
  const path = location.startsWith('file:') ? fileURLToPath(location) : resolve(location)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) {
    throw new StichtagError('FILE_NOT_FOUND', `${path} does not exist`, { data: { path } })
  }
  if (!found.isDirectory()) return path
  const tried = usualNames(name).map((each) => join(path, each))
  const present = tried.find((each) => existsSync(each))
  if (present === undefined) {
    throw new StichtagError('FILE_NOT_FOUND', `${path} holds none of ${usualNames(name).join(', ')}`, {
      data: { path, tried },
    })
  }
  return present
}

const oneForSeveral = (path: string, files: readonly PlannedFile[]): StichtagError =>
  new StichtagError(
    'USAGE',
    `${path} cannot be all of ${files.map(({ name }) => name).join(', ')}: give a folder that holds them`,
    { data: { path } },
  )

/** Obtains every file. `not-modified` only where the source said so of all of them. */
export const obtainDelivery = async (files: readonly PlannedFile[], options: DeliveryOptions): Promise<Delivery> => {
  const delivered: (DeliveredFile | null)[] = []
  for (const file of files) {
    const location = locationOf(file)
    if (delivered.some((earlier) => earlier?.path === location)) throw oneForSeveral(location, files)
    delivered.push(await obtainFile(file, options))
  }
  if (delivered.every((file) => file === null)) return { kind: 'not-modified' }
  const whole: DeliveredFile[] = []
  for (const [index, file] of files.entries()) {
    whole.push(delivered[index] ?? (await keptFile(file, options)) ?? (await obtainAnew(file, options)))
  }
  return { kind: 'files', files: whole }
}

const locationOf = ({ location, name }: PlannedFile): string =>
  isRemote(location) ? location : localPath(location, name)

/** One file; null where the source has no other than the one that is known. */
const obtainFile = async (file: PlannedFile, options: DeliveryOptions): Promise<DeliveredFile | null> => {
  const { expected, knownSha256 } = file
  // The publisher's index says that it is the same file: nothing need be asked.
  if (expected?.sha256 !== undefined && expected.sha256 === knownSha256) return null
  const url = locationOf(file)
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
      onBody: (bytes) => options.onBody?.(file.name, bytes),
    },
  )
  if (result.kind === 'not-modified') return null
  const path = isRemote(url) ? keepRaw(options.folder, file.name, result.sha256) : result.path
  return {
    ...result,
    path,
    name: file.name,
    url: file.url,
    ...(file.resolves === true ? { resolvedUrl: shownUrl(file.location) } : {}),
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
  return found?.sha256 === knownSha256 ? { ...found, ...validators } : null
}
