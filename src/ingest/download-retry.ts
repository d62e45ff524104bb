/** When a transfer that failed is tried again, and when it is given up. */
import { setTimeout } from 'node:timers/promises'
import type { StichtagError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { DownloadLimits } from './download-limits.ts'
import { shownUrl } from './shown-url.ts'

/** How one attempt ended. What no further attempt can mend is thrown instead. */
export type Attempt =
  | { readonly kind: 'complete' }
  | { readonly kind: 'not-modified' }
  | {
      readonly kind: 'again'
      /** What is thrown where this was the last attempt. */
      readonly error: StichtagError
      /** Whether the source answered at all. */
      readonly reached: boolean
      /** Bytes of the file that are there, and of all of it, where that is known. */
      readonly bytes: number
      readonly total?: number | undefined
      /** The wait that the server asked for. */
      readonly retryAfterMs?: number | undefined
    }

/** Clock, dice and sleep. */
export interface Waiting {
  /** Milliseconds of a clock that only runs forward. */
  now(): number
  /** 0 to below 1. */
  random(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export const realWaiting: Waiting = {
  now: () => performance.now(),
  random: Math.random,
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
}

/**
 * Growth of the file, in bytes, after which earlier failures do not count: a bad line still gets a big file, and one
 * that breaks at every few percent a small one. A hundred times the attempts are the most there can be of the latter.
 */
const progressBytes = (total: number | undefined): number => Math.min(1024 * 1024, (total ?? Infinity) / 100)

export interface RetryOptions {
  readonly signal: AbortSignal
  readonly waiting: Waiting
  /** Told of each failure after which there is another attempt, with the milliseconds after which all is given up where nothing answers. */
  readonly onRetry: (error: StichtagError, waitMs: number, givenUpInMs: number | undefined) => void
}

/** Says the first failure, and each that is another one, with how long it goes on; the rest are for those who look for them. */
export const retryTeller = (url: string, log: Log | undefined): RetryOptions['onRetry'] => {
  let told: string | undefined
  return (error, waitMs, givenUpInMs) => {
    const level = told === error.message ? 'debug' : 'warn'
    told = error.message
    const seconds = (ms: number): number => Math.ceil(ms / 1000)
    const until = givenUpInMs === undefined ? '' : `, and giving up after ${seconds(givenUpInMs)} s at most`
    log?.[level](
      { url: shownUrl(url), code: error.code, waitMs },
      `${error.message}; trying again in ${seconds(waitMs)} s${until}`,
    )
  }
}

/** Makes attempts until one is done. @throws the last one's error when the limits are used up */
export const withRetries = async (
  attempt: () => Promise<Attempt>,
  limits: DownloadLimits,
  { signal, waiting, onRetry }: RetryOptions,
): Promise<Exclude<Attempt, { kind: 'again' }>> => {
  let failures = 0
  let farthest = 0
  let unreachableSince = waiting.now()
  for (;;) {
    const outcome = await attempt()
    if (outcome.kind !== 'again') return outcome
    failures = outcome.bytes > farthest + progressBytes(outcome.total) ? 1 : failures + 1
    farthest = Math.max(farthest, outcome.bytes)
    if (outcome.reached) unreachableSince = waiting.now()
    const asked = outcome.retryAfterMs ?? 0
    const waitMs = Math.max(asked, backoffMs(failures, limits, waiting.random()))
    // The next attempt's own time counts, so that the limit is kept and not overrun by one attempt.
    const unreachableMs = waiting.now() - unreachableSince + waitMs + limits.connectMs
    if (
      failures >= limits.attempts ||
      asked > limits.retryAfterMs ||
      (!outcome.reached && unreachableMs > limits.unreachableMs)
    ) {
      throw outcome.error
    }
    onRetry(outcome.error, waitMs, outcome.reached ? undefined : givenUpInMs(failures, waitMs, unreachableMs, limits))
    await waiting.sleep(waitMs, signal)
  }
}

/** How long attempts go on at most while nothing answers: by their number, and by the time that is left. */
const givenUpInMs = (failures: number, waitMs: number, unreachableMs: number, limits: DownloadLimits): number => {
  const left = limits.attempts - failures
  const waits = Array.from({ length: left - 1 }, (_, index) => backoffMs(failures + 1 + index, limits, 1))
  const byNumber = waits.reduce((sum, each) => sum + each, waitMs) + left * limits.connectMs
  return Math.min(byNumber, limits.unreachableMs - unreachableMs + waitMs + limits.connectMs)
}

/** The wait after the n-th failure in a row: doubled each time, and between half and all of that by `random`. */
export const backoffMs = (failures: number, limits: DownloadLimits, random: number): number =>
  Math.min(limits.backoffMs * 2 ** (failures - 1), limits.backoffMaxMs) * (0.5 + random / 2)

/** The wait that a Retry-After header asks for: seconds, or a date. Undefined where it says neither. */
export const retryAfterMs = (header: string | undefined, now: Date): number | undefined => {
  if (header === undefined) return undefined
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime())
}
