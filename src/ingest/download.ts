/**
 * Download: one file of a source, whole and with its hash.
 *
 *  1. A local file is hashed where it lies. Everything else is fetched by HTTP:
 *  2. conditionally    with the validators of the delivery that current was built from; 304 ends here
 *  3. into a part      `<name>.part`, the hash computed on the way; what a broken connection left, also in an earlier
 *                      run, is continued by Range and If-Range
 *  4. checked          length, not empty, no HTML page, the checksums that the publisher says
 *  5. renamed          `<name>.part` → `<name>`
 *
 * A failure in 2 or 3 leaves the part, and the next run goes on from there, unless it is one that nothing could go on
 * from: then, and after a failure in 4, it is removed. The earlier download of this name is replaced in 5 and never before.
 */
import { join } from 'node:path'
import { StichtagError } from '../errors.ts'
import type { Log } from '../log.ts'
import { type DownloadLimits, limitsWith } from './download-limits.ts'
import { checkLocalFile, hashLocalFile } from './download-local.ts'
import { DownloadPart } from './download-part.ts'
import { realWaiting, retryTeller, type Waiting, withRetries } from './download-retry.ts'
import { attemptTransfer } from './download-transfer.ts'
import { HttpSource } from './http-source.ts'
import { localPathOf } from './location.ts'

/** What a server said of a delivery, to ask it with next time. */
export interface HttpValidators {
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

export interface DownloadRequest {
  /** `http:`, `https:` or `file:` URL, or the path of a local file. */
  readonly url: string
  /** Folder for downloads of the dataset; made where it is missing. */
  readonly folder: string
  /** Name of the file in it. */
  readonly name: string
  /** Validators of the delivery that current was built from. */
  readonly validators?: HttpValidators | undefined
  /** Size in bytes, where an index of the publisher's says it. */
  readonly expectedBytes?: number | undefined
  /** Checksums in lower-case hexadecimal digits, where an index of the publisher's says them. */
  readonly expectedSha1?: string | undefined
  readonly expectedSha256?: string | undefined
  /** More than this is not what was asked for. */
  readonly maxBytes?: number | undefined
  /** Whether a page may come; of data it is a sign that something is wrong. */
  readonly mayBeHtml?: boolean | undefined
  /** Milliseconds until an unreachable source is given up, over all attempts: `limits.unreachableMs` by another name. */
  readonly connectTimeoutMs?: number | undefined
  readonly limits?: Partial<DownloadLimits> | undefined
}

export interface DownloadProgress {
  /** Bytes of the file that are there. */
  readonly bytes: number
  readonly total?: number
}

export interface DownloadOptions {
  readonly signal: AbortSignal
  readonly log?: Log | undefined
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined
  /**
   * Asked before a body is received and again at every MiB, with the bytes that are there and those of all of it, where
   * the server says them; what it throws ends the download.
   */
  readonly checkReceived?: ((received: number, total: number | undefined) => void) | undefined
  /** Clock, dice and sleep: tests bring their own. */
  readonly waiting?: Waiting | undefined
}

export interface DownloadedFile {
  readonly kind: 'file'
  readonly path: string
  readonly bytes: number
  readonly sha256: string
  readonly etag?: string
  readonly lastModified?: string
  /** ISO 8601. */
  readonly retrievedAt: string
  /** As requested, not where a redirect led. */
  readonly url: string
  /** Whether bytes from before a break are part of it. */
  readonly resumed: boolean
}

export type DownloadResult = { readonly kind: 'not-modified' } | DownloadedFile

/**
 * Fetches a file, or finds that it has not changed.
 *
 * @throws SOURCE_UNREACHABLE, SOURCE_FAILED, SOURCE_RETIRED (404, 410), NOT_WHAT_IT_SAYS (HTML, empty, too big, checksum), DATA_CORRUPT
 *   (length), STORE_UNWRITABLE, FILE_NOT_FOUND (local), CANCELLED, USAGE (a scheme that is not read)
 */
export const download = async (request: DownloadRequest, options: DownloadOptions): Promise<DownloadResult> => {
  try {
    options.signal.throwIfAborted()
    const path = localPathOf(request.url)
    return path === undefined ? await fetchFile(request, options) : await localFile(path, request, options)
  } catch (error) {
    if (!options.signal.aborted) throw error
    throw new StichtagError('CANCELLED', `downloading ${request.name} was cancelled`, { cause: error })
  }
}

const localFile = async (path: string, request: DownloadRequest, options: DownloadOptions): Promise<DownloadedFile> => {
  const { bytes, sha256 } = await hashLocalFile(path, options)
  await checkLocalFile(path, { ...request, bytes, sha256 })
  const retrievedAt = new Date().toISOString()
  return { kind: 'file', path, bytes, sha256, retrievedAt, url: request.url, resumed: false }
}

const fetchFile = async (request: DownloadRequest, options: DownloadOptions): Promise<DownloadResult> => {
  const limits = limitsWith({
    ...request.limits,
    ...(request.connectTimeoutMs === undefined ? {} : { unreachableMs: request.connectTimeoutMs }),
  })
  const source = new HttpSource(limits)
  try {
    const part = await DownloadPart.open(request, options.signal)
    try {
      const outcome = await withRetries(() => attemptTransfer(source, part, request, options), limits, {
        signal: options.signal,
        waiting: options.waiting ?? realWaiting,
        onRetry: retryTeller(request.url, options.log),
      })
      if (outcome.kind === 'not-modified') return outcome
      const path = join(request.folder, request.name)
      const finished = await part.finish(path, request)
      return { kind: 'file', path, ...finished, retrievedAt: new Date().toISOString(), url: request.url }
    } finally {
      await part.close()
    }
  } finally {
    await source.close()
  }
}
