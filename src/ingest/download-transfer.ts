/** One attempt to transfer a file: asks, judges the answer by its status, and receives the body into the part. */
import { StichtagError } from '../errors.ts'
import { inWords } from './disk-space.ts'
import type { DownloadOptions, DownloadRequest, HttpValidators } from './download.ts'
import type { DownloadPart } from './download-part.ts'
import { type Attempt, retryAfterMs } from './download-retry.ts'
import { connectionFault, dropBody, type HttpResponse, type HttpSource, headerOf, takeBody } from './http-source.ts'
import { shownUrl } from './shown-url.ts'

/** Statuses that may be gone at the next attempt, beside all from 500. */
const passing = new Set([408, 425, 429])

/** Content encodings that opening a file recognises by its first bytes; any other would go unnoticed. */
const readableEncodings = new Set(['', 'identity', 'gzip', 'x-gzip', 'zstd'])

/** @throws SOURCE_RETIRED, SOURCE_FAILED, SOURCE_UNREACHABLE, DATA_CORRUPT, STORE_UNWRITABLE: what stays as it is */
export const attemptTransfer = async (
  source: HttpSource,
  part: DownloadPart,
  request: DownloadRequest,
  options: DownloadOptions,
): Promise<Attempt> => {
  const condition = conditionOf(request.validators)
  let response: HttpResponse
  try {
    response = await source.get(request.url, { ...condition, ...part.rangeHeaders() }, options.signal)
  } catch (error) {
    options.signal.throwIfAborted()
    return connectionFailed(error, part.bytes, request)
  }
  if (response.statusCode === 200) return receiveWhole(response, part, request, options)
  if (response.statusCode === 206) return receiveRest(response, part, request, options)
  dropBody(response)
  if (response.statusCode === 304 && Object.keys(condition).length > 0) return { kind: 'not-modified' }
  if (response.statusCode === 416) return startAgain(part, request, 'has no more of the file than is there already')
  return statusFailed(response, part.bytes, request)
}

/** An ETag says more than a date, and a server that gets both has to use the ETag (RFC 9110 §13.1.3). */
const conditionOf = (validators: HttpValidators | undefined): Readonly<Record<string, string>> => {
  if (validators?.etag !== undefined) return { 'if-none-match': validators.etag }
  return validators?.lastModified === undefined ? {} : { 'if-modified-since': validators.lastModified }
}

/** The disk is asked again after so many bytes: less than any reserve. */
const bytesBetweenChecks = 1024 * 1024

const receiveWhole = async (
  response: HttpResponse,
  part: DownloadPart,
  request: DownloadRequest,
  options: DownloadOptions,
): Promise<Attempt> => {
  const etag = headerOf(response, 'etag')
  if (etag !== undefined && etag === request.validators?.etag) {
    // The server does not answer conditions, but says that this is what we have.
    dropBody(response)
    return { kind: 'not-modified' }
  }
  const encoding = headerOf(response, 'content-encoding')?.toLowerCase() ?? ''
  if (!readableEncodings.has(encoding)) {
    dropBody(response)
    throw failure('SOURCE_FAILED', request, `sends content encoding ${encoding} unasked`)
  }
  const total = lengthOf(headerOf(response, 'content-length'))
  if (total !== undefined && request.expectedBytes !== undefined && total !== request.expectedBytes) {
    dropBody(response)
    throw failure(
      'DATA_CORRUPT',
      request,
      `has ${total} bytes, but the publisher's index says ${request.expectedBytes}`,
    )
  }
  askForRoom(response, 0, total, options)
  const body = takeBody(response)
  const lastModified = headerOf(response, 'last-modified')
  await part.begin({
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified }),
    ...(total === undefined ? {} : { total }),
  })
  return receive(body, part, total, request, options)
}

const receiveRest = async (
  response: HttpResponse,
  part: DownloadPart,
  request: DownloadRequest,
  options: DownloadOptions,
): Promise<Attempt> => {
  const [, start, size] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headerOf(response, 'content-range') ?? '') ?? []
  const total = lengthOf(size)
  const etag = headerOf(response, 'etag')
  const fits =
    part.bytes > 0 &&
    lengthOf(start) === part.restFrom &&
    (total === undefined || part.total === undefined || total === part.total) &&
    (etag === undefined || part.etag === undefined || etag === part.etag)
  if (!fits) {
    dropBody(response)
    return startAgain(part, request, 'answered with another part of the file than asked for')
  }
  askForRoom(response, part.bytes, total ?? part.total, options)
  const known = part.bytes - part.restFrom
  part.resume()
  return receive(withoutFirst(known, takeBody(response)), part, total ?? part.total, request, options)
}

async function* withoutFirst(count: number, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let left = count
  for await (const chunk of body) {
    const rest = chunk.subarray(left)
    left -= chunk.length - rest.length
    if (rest.length > 0) yield rest
  }
}

const askForRoom = (
  response: HttpResponse,
  received: number,
  total: number | undefined,
  { checkReceived }: DownloadOptions,
): void => {
  try {
    checkReceived?.(received, total)
  } catch (error) {
    dropBody(response)
    throw error
  }
}

const receive = async (
  body: AsyncIterable<Buffer>,
  part: DownloadPart,
  total: number | undefined,
  request: DownloadRequest,
  options: DownloadOptions,
): Promise<Attempt> => {
  let asked = part.bytes
  try {
    for await (const chunk of body) {
      await part.write(chunk)
      if (part.bytes - asked >= bytesBetweenChecks) {
        asked = part.bytes
        options.checkReceived?.(part.bytes, total)
      }
      if (request.maxBytes !== undefined && part.bytes > request.maxBytes) {
        throw failure(
          'NOT_WHAT_IT_SAYS',
          request,
          `sent more than the ${request.maxBytes} bytes that were expected at most`,
        )
      }
      options.onProgress?.({ bytes: part.bytes, ...(total === undefined ? {} : { total }) })
    }
  } catch (error) {
    options.signal.throwIfAborted()
    if (error instanceof StichtagError) throw await givenUp(error, part)
    return { ...brokenOff(error, connectionFault(error).words, part.bytes, request), total }
  }
  if (total === undefined || part.bytes === total) return { kind: 'complete' }
  const what = `sent ${part.bytes} bytes of ${total}`
  if (part.bytes > total) return startAgain(part, request, what)
  return { kind: 'again', error: failure('SOURCE_FAILED', request, what), reached: true, bytes: part.bytes, total }
}

/** The error that ends a transfer for good, with what became of what had come. */
const givenUp = async (error: StichtagError, part: DownloadPart): Promise<StichtagError> => {
  const { bytes } = part
  const isDiskFull = /^(?:ENOSPC|EDQUOT)$/.test(String(error.data.system))
  const kept = await part.giveUp({ isWanted: error.code === 'STORE_UNWRITABLE', isDiskFull })
  const data = { ...error.data, file: part.name, received: bytes }
  const received = isDiskFull ? ` ${part.name}: ${inWords(bytes)} had come.` : ''
  return new StichtagError(error.code, `${error.message.replace(/\.?$/, '.')}${received} ${kept}`, {
    data,
    cause: error,
  })
}

/** What is asked for, as messages need it. */
type Asked = Pick<DownloadRequest, 'name' | 'url'>

/** What becomes of an attempt of which the connection failed. @throws SOURCE_UNREACHABLE where it always would */
export const connectionFailed = (error: unknown, bytes: number, request: Asked): Attempt => {
  const { kind, words } = connectionFault(error)
  switch (kind) {
    case 'unreachable': {
      const what = failure('SOURCE_UNREACHABLE', request, `cannot be reached (${words})`, error)
      return { kind: 'again', error: what, reached: false, bytes }
    }
    case 'broken':
      return brokenOff(error, words, bytes, request)
    case 'final':
      throw failure('SOURCE_UNREACHABLE', request, `cannot be fetched (${words})`, error)
  }
}

const brokenOff = (
  error: unknown,
  words: string,
  bytes: number,
  request: Asked,
): Extract<Attempt, { kind: 'again' }> => {
  const what = bytes > 0 ? `broke off after ${bytes} bytes (${words})` : `broke off (${words})`
  return { kind: 'again', error: failure('SOURCE_FAILED', request, what, error), reached: true, bytes }
}

/** What becomes of an attempt that was answered by an error. @throws SOURCE_RETIRED, SOURCE_FAILED where it stays one */
export const statusFailed = (response: HttpResponse, bytes: number, request: Asked): Attempt => {
  const { statusCode } = response
  const retired = statusCode === 404 || statusCode === 410
  const what = retired ? `answered ${statusCode}: the source seems to be retired or moved` : `answered ${statusCode}`
  const error = failure(retired ? 'SOURCE_RETIRED' : 'SOURCE_FAILED', request, what, undefined, { status: statusCode })
  if (statusCode < 500 && !passing.has(statusCode)) throw error
  const asked = retryAfterMs(headerOf(response, 'retry-after'), new Date())
  return { kind: 'again', error, reached: true, bytes, retryAfterMs: asked }
}

/** Drops what is there; the next attempt asks for the whole file. */
const startAgain = async (part: DownloadPart, request: DownloadRequest, what: string): Promise<Attempt> => {
  await part.reset()
  return { kind: 'again', error: failure('SOURCE_FAILED', request, what), reached: true, bytes: 0 }
}

const lengthOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined

const failure = (
  code: 'NOT_WHAT_IT_SAYS' | 'SOURCE_UNREACHABLE' | 'SOURCE_FAILED' | 'SOURCE_RETIRED' | 'DATA_CORRUPT',
  { name, url }: Asked,
  what: string,
  cause?: unknown,
  data: Readonly<Record<string, unknown>> = {},
): StichtagError =>
  new StichtagError(code, `${name}: ${shownUrl(url)} ${what}`, {
    data: { file: name, url: shownUrl(url), ...data },
    cause,
  })
