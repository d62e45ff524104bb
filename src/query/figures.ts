/** How busy the reader processes are, for those who operate a gateway. */
import type { Lane } from './types.ts'

/** Why a process ended that was on a request: it ran too long, nobody waited any more, it took too much memory, or else. */
export const readerEnds = ['timeout', 'cancelled', 'memory', 'died'] as const
export type ReaderEndReason = (typeof readerEnds)[number]

export interface ReaderFigures {
  /** Processes by what they do now. */
  readonly processes: { readonly busy: number; readonly idle: number; readonly starting: number }
  /** Requests that wait for a process now. */
  readonly waiting: Readonly<Record<Lane, number>>
  /** Processes that ended with a request, since the pool was made. */
  readonly ended: Readonly<Record<ReaderEndReason, number>>
}
