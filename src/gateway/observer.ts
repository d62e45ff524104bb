/** Who hears what the gateway does: the seam between answering and counting. */
import type { ServerEvent } from '@modelcontextprotocol/server'
import type { ErrorCode } from '../errors.ts'
import type { Era } from './options.ts'

/** What became of a request. `error` is one of the protocol that has no code of ours, such as an unknown tool. */
export type RequestOutcome = 'ok' | 'cancelled' | 'error' | ErrorCode

/** A request that was answered. */
export interface Answered {
  readonly method: string
  readonly era: Era
  readonly outcome: RequestOutcome
  readonly seconds: number
}

export type NotificationKind = ServerEvent['kind']

export interface Observer {
  answered(request: Answered): void
  /** A host was sent a notification. */
  notified(kind: NotificationKind): void
}
