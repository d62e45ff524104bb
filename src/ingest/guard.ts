/**
 * Guards: what must hold before a snapshot may become current. Pure: figures in, findings out. Absolute guards compare
 * with what the pipeline says and only warn where the delivery is not the publisher's own; relative ones compare with
 * the current snapshot and always hold (DESIGN §4.3). A person may accept any of them by name, once.
 */
import type { GuardDefinition } from '../pipeline/types.ts'
import { datedAhead, datedEarlier } from './guard-dates.ts'
import { brokenKeys, incomparable, noRows, shrunk, tooFewRows, tooLittleFilled, tooManyRejected } from './guard-rows.ts'

/** Names by which guards are told apart, and accepted. */
export const guardNames = [
  'no-rows',
  'min-rows',
  'max-shrink',
  'max-rejected',
  'min-filled',
  'keys',
  'date-earlier',
  'date-ahead',
] as const
export type GuardName = (typeof guardNames)[number]

/** What a building snapshot holds, and what current holds. */
export interface GuardFigures {
  readonly rows: Readonly<Record<string, number>>
  /** Rows of the current snapshot; null for the first one. */
  readonly currentRows: Readonly<Record<string, number>> | null
  /** Why nobody can tell what the current snapshot holds, where that is so. */
  readonly unknownCurrent?: string | null
  readonly read: number
  readonly rejected: number
  /** Rows with a value, by table and column, of those that the pipeline wants filled. */
  readonly filled: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Rows left out because their key was empty or there already, by table. */
  readonly brokenKeys: Readonly<Record<string, number>>
  readonly publisherDate: string | null
  /** The current snapshot's; null where it has none, and where the dates are not to be compared. */
  readonly currentDate: string | null
  readonly now: Date
}

export interface GuardFinding {
  readonly guard: GuardName
  readonly message: string
  readonly figures: Readonly<Record<string, number | string>>
}

export interface GuardVerdict {
  readonly refusals: readonly GuardFinding[]
  readonly warnings: readonly GuardFinding[]
}

export interface GuardOptions {
  /** What becomes of findings about the publisher's own deliveries. */
  readonly absolute: 'refuse' | 'warn'
  /** Guards that a person overrides by name. */
  readonly accept: readonly GuardName[]
}

/** Judges a building snapshot. */
export const checkGuards = (guards: GuardDefinition, figures: GuardFigures, options: GuardOptions): GuardVerdict => {
  const dates = [...datedEarlier(figures), ...datedAhead(figures)]
  const keys = brokenKeys(figures)
  const refusesKeys = ({ figures: { table } }: GuardFinding): boolean => guards.keys?.[String(table)] === 'refuse'
  const always = [
    ...noRows(figures),
    ...tooManyRejected(guards.maxRejected ?? 0, figures),
    ...shrunk(guards.maxShrink, figures),
    ...incomparable(figures),
    ...keys.filter(refusesKeys),
  ]
  const absolute = [
    ...tooFewRows(guards.minRows ?? {}, figures),
    ...tooLittleFilled(guards.minFilled ?? {}, figures),
    ...(guards.dates === 'warn' ? [] : dates),
  ]
  const refusing = [...always, ...(options.absolute === 'refuse' ? absolute : [])]
  const warning = [
    ...(options.absolute === 'warn' ? absolute : []),
    ...keys.filter((finding) => !refusesKeys(finding)),
    ...(guards.dates === 'warn' ? dates : []),
  ]
  const isAccepted = ({ guard }: GuardFinding): boolean => options.accept.includes(guard)
  return {
    refusals: refusing.filter((finding) => !isAccepted(finding)),
    warnings: [...warning, ...refusing.filter(isAccepted)],
  }
}
