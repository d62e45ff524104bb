/**
 * How fresh a dataset is: its state (DESIGN §4.3) and how long an answer may be kept (§4.7). Pure: instants in, words
 * out. Cron arithmetic is the schedule room's; here only its results are compared.
 */
import type { Manifest } from '../store/manifest.ts'
import type { State } from '../store/state.ts'

/** First that applies, in this order. */
export const freshnessStates = ['failing', 'expired', 'frozen', 'stale', 'due', 'current'] as const
export type FreshnessState = (typeof freshnessStates)[number]

/** What freshness is told from. */
export interface FreshnessFacts {
  /** Manifest of the current snapshot. */
  readonly manifest: Pick<Manifest, 'validUntil' | 'frozen'>
  readonly state: Pick<State, 'lastRun' | 'nextRun'>
  readonly now: Date
  /**
   * The scheduled run after `state.nextRun`, from whoever can read cron. Where it is not given, the time between the
   * last run and the next is taken for the distance between runs.
   */
  readonly runAfterNext?: Date
}

/** Longest `ttlMs` of current content. */
export const dayMs = 24 * 60 * 60 * 1000
/** `ttlMs` of versioned content, which never changes. */
export const yearMs = 365 * dayMs
/** `ttlMs` of what says that something is not there yet: it may come at any moment. */
export const absentTtlMs = 60 * 1000
/** `ttlMs` of current content that nothing schedules: somebody may replace it at any time. */
export const unscheduledTtlMs = 60 * 60 * 1000

/** The state of a dataset that has a current snapshot. */
export const freshnessOf = (facts: FreshnessFacts): FreshnessState => {
  const { manifest, state, now } = facts
  const outcome = state.lastRun?.outcome
  if (outcome === 'failed' || outcome === 'refused') return 'failing'
  if (isOver(manifest, now)) return 'expired'
  if (manifest.frozen !== undefined) return 'frozen'
  const secondRun = secondMissedRun(facts)
  if (secondRun !== undefined && now.getTime() >= secondRun) return 'stale'
  return isPast(state.nextRun, now) ? 'due' : 'current'
}

/** Whether the time for which data hold has ended. */
export const isOver = ({ validUntil }: { readonly validUntil?: string | undefined }, now: Date): boolean =>
  validUntil !== undefined && now.getTime() > endOf(validUntil)

/** Milliseconds until the next scheduled run: never negative, at most a day. */
export const ttlUntilNextRun = (nextRun: string | null | undefined, now: Date): number => {
  if (nextRun === null || nextRun === undefined) return unscheduledTtlMs
  return Math.min(dayMs, Math.max(0, Date.parse(nextRun) - now.getTime()))
}

const isPast = (instant: string | null, now: Date): boolean => instant !== null && Date.parse(instant) <= now.getTime()

/** A bare date is valid to its end. */
const endOf = (validUntil: string): number =>
  /^\d{4}-\d{2}-\d{2}$/.test(validUntil) ? Date.parse(validUntil) + dayMs - 1 : Date.parse(validUntil)

const secondMissedRun = ({ state, runAfterNext }: FreshnessFacts): number | undefined => {
  if (runAfterNext !== undefined) return runAfterNext.getTime()
  if (state.nextRun === null || state.lastRun === null) return undefined
  const next = Date.parse(state.nextRun)
  return next + Math.max(0, next - Date.parse(state.lastRun.at))
}
