/** What both transports of the gateway can be told. */
import { StichtagError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Observer } from './observer.ts'
import type { Limit } from './shares.ts'

export type Era = 'legacy' | 'modern'

export interface GatewayOptions {
  readonly log: Log
  /** Who may keep an answer: `private` where a token is required (DESIGN §4.7). `public` unless said. */
  readonly cacheScope?: 'public' | 'private'
  /** Entries per page of a list; 100 unless said. */
  readonly pageSize?: number
  /** URIs that one session, stream or stdio connection may subscribe to; 50,000 unless said. */
  readonly maxSubscriptions?: number
  /** How many URIs all of a gateway's sessions and streams may subscribe to together; unlimited unless said. */
  readonly allSubscriptions?: Limit
  /** Hears of each request that was answered, and of each notification that was sent. */
  readonly observer?: Observer
  /** Whether lines of the log about requests may say what was asked for: URIs, search words, SQL. They do not unless said. */
  readonly logArguments?: boolean
}

export const defaultPageSize = 100
export const defaultMaxSubscriptions = 50_000

/** What a host gets that subscribes to more: words to act on, -32602 in either era. */
export const tooManySubscriptions = (most: number): StichtagError =>
  new StichtagError(
    'USAGE',
    `At most ${most} subscriptions are kept for one session or stream. Give some up first, or open another stream.`,
  )
