/**
 * Lookups: the small requests by which a pipeline finds out where its file is today: an index, a page, a redirect. They
 * are made like downloads, resumed and tried again within the same limits, and conditionally: an answer is kept with its
 * validators, and read again where the source has no other.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { StichtagError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Lookup } from '../pipeline/types.ts'
import { writeFileDurably } from '../store/durable.ts'
import { download } from './download.ts'
import { limitsWith } from './download-limits.ts'
import { type Attempt, realWaiting, retryTeller, type Waiting, withRetries } from './download-retry.ts'
import { connectionFailed, statusFailed } from './download-transfer.ts'
import { dropBody, HttpSource, headerOf } from './http-source.ts'
import { shownUrl } from './shown-url.ts'

/** An index or a page is small; more than this is something else. */
const maxBytes = 32 * 1024 * 1024

export interface LookupOptions {
  /** Folder that answers are kept in. */
  readonly folder: string
  readonly signal: AbortSignal
  readonly log: Log
  /** Clock, dice and sleep: tests bring their own. */
  readonly waiting?: Waiting | undefined
}

const validatorsSchema = z.object({ etag: z.string().optional(), lastModified: z.string().optional() })

const keptValidators = (path: string, answer: string): z.infer<typeof validatorsSchema> | undefined => {
  if (!existsSync(path) || !existsSync(answer)) return undefined
  const parsed = validatorsSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')))
  return parsed.success ? parsed.data : undefined
}

const textAt = async (url: string, { folder, signal, log, waiting }: LookupOptions): Promise<string> => {
  const name = createHash('sha256').update(url).digest('hex').slice(0, 16)
  const path = join(folder, name)
  const validators = keptValidators(`${path}.json`, path)
  const result = await download(
    { url, folder, name, maxBytes, mayBeHtml: true, ...(validators === undefined ? {} : { validators }) },
    { signal, log, waiting },
  )
  if (result.kind === 'file') {
    const { etag, lastModified } = result
    writeFileDurably(`${path}.json`, JSON.stringify({ etag, lastModified }))
  }
  return readFileSync(result.kind === 'file' ? result.path : path, 'utf8')
}

/** Asks like a download does, as often; an answer to HEAD has no body, so there is none to be spared by a condition. */
const headAt = async (url: string, { signal, log, waiting }: LookupOptions): ReturnType<Lookup['head']> => {
  const limits = limitsWith({ firstByteMs: 60_000 })
  const source = new HttpSource(limits)
  const asked = { name: 'lookup', url }
  let found: Awaited<ReturnType<Lookup['head']>> | undefined
  const attempt = async (): Promise<Attempt> => {
    try {
      const { response, url: end } = await source.head(url, signal)
      dropBody(response)
      if (response.statusCode >= 400) return statusFailed(response, 0, asked)
      found = { url: end, header: (name) => headerOf(response, name.toLowerCase()) }
      return { kind: 'complete' }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof StichtagError) throw error
      return connectionFailed(error, 0, asked)
    }
  }
  try {
    await withRetries(attempt, limits, {
      signal,
      waiting: waiting ?? realWaiting,
      onRetry: retryTeller(url, log),
    })
  } finally {
    await source.close()
  }
  if (found === undefined) throw new StichtagError('INTERNAL', `${shownUrl(url)}: an answer was lost`)
  return found
}

/** What a pipeline may ask the network while it looks up where its file is. */
export const lookupWith = (options: LookupOptions): Lookup => ({
  text: (url) => textAt(url, options),
  json: async (url) => {
    const text = await textAt(url, options)
    try {
      return JSON.parse(text)
    } catch (error) {
      const message = `${shownUrl(url)} is not JSON`
      throw new StichtagError('NOT_WHAT_IT_SAYS', message, { data: { url: shownUrl(url) }, cause: error })
    }
  },
  head: (url) => headAt(url, options),
})
