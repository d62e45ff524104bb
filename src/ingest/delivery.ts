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

/** A file that is there to be read. */
export interface DeliveredFile {
  readonly name: string
  readonly url: string
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
}

const compressionEndings = /\.(bz2|gz|zst|br|xz)$/

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
  const delivered: DeliveredFile[] = []
  let unmodified = 0
  for (const file of files) {
    const url = isRemote(file.location) ? file.location : localPath(file.location, file.name)
    if (delivered.some(({ path }) => path === url)) throw oneForSeveral(url, files)
    const result = await download(
      {
        url,
        folder: options.folder,
        name: file.name,
        ...(file.validators === undefined ? {} : { validators: file.validators }),
        ...(options.connectTimeoutMs === undefined ? {} : { connectTimeoutMs: options.connectTimeoutMs }),
      },
      {
        signal: options.signal,
        log: options.log,
        onProgress: ({ bytes, total }) => options.onProgress(file.name, bytes, total),
      },
    )
    if (result.kind === 'not-modified') unmodified += 1
    else delivered.push({ ...result, name: file.name, url: file.url })
  }
  if (unmodified === files.length) return { kind: 'not-modified' }
  if (unmodified > 0)
    return obtainDelivery(
      files.map(({ validators: _, ...file }) => file),
      options,
    )
  return { kind: 'files', files: delivered }
}
