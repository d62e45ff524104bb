/** The webhook: a URL that is told by POST what a run did. The URL is a secret: only its host is ever named. */
import { StichtagError } from '../errors.ts'
import { limitsWith } from './download-limits.ts'
import { type Attempt, realWaiting, type Waiting, withRetries } from './download-retry.ts'
import { connectionFault, dropBody, HttpSource } from './http-source.ts'
import type { RunResult } from './run.ts'

/** Three tries within half a minute or so: whoever waits for a run must not wait long for its telling. */
const limits = limitsWith({
  connectMs: 5000,
  firstByteMs: 10_000,
  stallMs: 10_000,
  unreachableMs: 30_000,
  attempts: 3,
  backoffMs: 1000,
  retryAfterMs: 5000,
})

export interface WebhookOptions {
  readonly signal: AbortSignal
  readonly waiting?: Waiting
}

const hostOf = (url: string): string => {
  try {
    return new URL(url).host
  } catch (error) {
    throw new StichtagError('USAGE', 'STICHTAG_WEBHOOK is no URL', { cause: error })
  }
}

/** Posts the result as JSON. @throws SOURCE_FAILED, SOURCE_UNREACHABLE, USAGE: none of them names more than the host */
export const postWebhook = async (url: string, result: RunResult, options: WebhookOptions): Promise<void> => {
  const host = hostOf(url)
  const source = new HttpSource(limits)
  const attempt = async (): Promise<Attempt> => {
    try {
      const response = await source.post(url, JSON.stringify(result), options.signal)
      dropBody(response)
      const { statusCode } = response
      if (statusCode >= 200 && statusCode < 300) return { kind: 'complete' }
      const error = new StichtagError('SOURCE_FAILED', `the webhook at ${host} answered ${statusCode}`)
      if (statusCode < 500 && statusCode !== 408 && statusCode !== 429) throw error
      return { kind: 'again', error, reached: true, bytes: 0 }
    } catch (thrown) {
      options.signal.throwIfAborted()
      if (thrown instanceof StichtagError) throw thrown
      const { kind } = connectionFault(thrown)
      const error = new StichtagError('SOURCE_UNREACHABLE', `the webhook at ${host} cannot be reached`)
      if (kind === 'final') throw error
      return { kind: 'again', error, reached: kind === 'broken', bytes: 0 }
    }
  }
  try {
    await withRetries(attempt, limits, {
      signal: options.signal,
      waiting: options.waiting ?? realWaiting,
      onRetry: () => undefined,
    })
  } finally {
    await source.close()
  }
}
