/**
 * Attempts by hand: `--from` and `--sample`. What a person gives says nothing of the publisher's source, so a success
 * confirms nothing with the publisher, a failure has nothing tried again sooner, and a mistyped name is no run of the
 * dataset at all. Pure.
 */
import type { ErrorCode } from '../errors.ts'
import type { Outcome, Reason, State } from '../store/state.ts'
import { isRemote } from './location.ts'
import type { RunOptions } from './plan.ts'

/** Whether a person gave the delivery, instead of the source that the schedule asks. */
export const isByHand = ({ from, sample }: Pick<RunOptions, 'from' | 'sample'>): boolean =>
  from !== undefined || sample === true

/** Reasons for which nothing of what was given was read: a mistyped name, a file of another kind, a sample over real data. */
const unread: readonly ErrorCode[] = ['USAGE', 'FILE_NOT_FOUND', 'NOT_WHAT_IT_SAYS', 'SAMPLE_OVER_REAL']

/**
 * Whether an attempt by hand came to nothing before anything was read: the ledger has it, state.json does not. What a URL
 * gives is another matter: somebody's server was asked, and answered.
 */
export const isUnreadAttempt = (options: RunOptions, reason: Reason | undefined): boolean =>
  isByHand(options) && !isRemote(options.from ?? '') && unread.some((code) => code === reason?.code)

/** When current was confirmed last as what the publisher has, after a run: only one that asked can confirm it. */
export const confirmedAfter = (
  { confirmedAt }: Pick<State, 'confirmedAt'>,
  outcome: Outcome,
  { options, override, at }: { readonly options: RunOptions; readonly override: string | undefined; readonly at: Date },
): string | null => {
  const isAsked = !isByHand(options) && (override === undefined || isRemote(override))
  if (outcome === 'published') return isAsked ? at.toISOString() : null
  return outcome === 'unchanged' && isAsked ? at.toISOString() : confirmedAt
}

/** What a guard's refusal leaves a person to do, beside looking at the file. */
export const wayOut = (dataset: string, version: string, guards: readonly string[], options: RunOptions): string => {
  const accepts = [...new Set(guards)].map((guard) =>
    guard === 'max-shrink' ? '--accept-shrink' : `--accept ${guard}`,
  )
  return (
    'Look whether it is the right file, and whole. If it is right all the same, give it again with ' +
    `${accepts.join(' ')}, or: stichtag release ${dataset} ${version}${isByHand(options) ? `. If it is not, ${clearing(dataset)}` : ''}`
  )
}

/** How a dataset that failed of what a person gave gets out of that state. */
export const clearing = (dataset: string): string =>
  `any run that succeeds clears this state: stichtag ingest ${dataset} asks the publisher's own source`
