/**
 * Why the absence of a name from a list that was searched may mean less than it seems: the list is not whole, old, given by
 * hand, or nobody knows of when it is. Said in `problems` of each answer, by codes. Pure but for the clock it is given.
 */
import { asOfKind } from '../../store/as-of.ts'
import type { Manifest } from '../../store/manifest.ts'
import type { State } from '../../store/state.ts'
import { byHandNote } from '../answer-origin.ts'
import type { DatasetState } from '../context.ts'
import { dayMs } from '../freshness.ts'
import type { ServedDatabase, ServedDataset } from '../served.ts'
import type { ListProblem } from './chosen-lists.ts'

/** Lists change every few days: one that nobody has compared with the publisher's for longer is old. */
const mostDaysUnasked = 7
/** One that its publisher itself has not dated anew for so long may be an old file served again. */
const mostDaysUndated = 90

/** What a list that was searched lacks, each with a code. */
export const listDoubts = (
  dataset: ServedDataset,
  { version, terms }: ServedDatabase,
  state: DatasetState,
  now: Date,
): readonly ListProblem[] => {
  const said = (code: string, message: string): ListProblem => ({ dataset: dataset.id, code, message })
  const stated = stateDoubts(state, version, dataset).map(([code, message]) => said(code, message))
  const { snapshot } = dataset
  if (snapshot === undefined || terms.sample) return stated
  const { manifest } = snapshot
  return [
    ...stated,
    ...(terms.partial === undefined ? [] : [said('INCOMPLETE', terms.partial)]),
    ...(manifest.guardWarnings ?? [])
      // What is short of rows has been said.
      .filter(({ guard }) => guard !== 'min-rows')
      .map(({ guard, message }) => said('GUARD_WARNING', `It was taken against its guard ${guard}: ${message}.`)),
    ...movedDoubts(manifest, snapshot.state).map(([code, message]) => said(code, message)),
    ...(terms.byHand === true
      ? [
          said(
            'BY_HAND',
            `${byHandNote} ${fromWords(manifest)} \`stichtag ingest ${dataset.id}\` fetches the publisher's.`,
          ),
        ]
      : []),
    ...(asOfKind(manifest) === 'file-time'
      ? [
          said(
            'DATE_UNKNOWN',
            'Its asOf is when a file was last written, which a copy makes new: how old the list is, nobody knows.',
          ),
        ]
      : []),
    ...oldDoubts(manifest, snapshot.state, now).map((message) => said('OLD', message)),
  ]
}

/** A person may let a refused delivery through, or put an older version back: nobody asked the publisher about it. */
const movedDoubts = (
  { version }: Pick<Manifest, 'version'>,
  { history, confirmedAt }: Pick<State, 'history' | 'confirmedAt'>,
): readonly (readonly [string, string])[] => {
  const move = history.at(-1)
  if (confirmedAt !== null || move?.version !== version) return []
  const day = move.at.slice(0, 10)
  if (move.by === 'release') return [['RELEASED', `A guard refused it; a person released it on ${day}.`]]
  return move.by === 'rollback' ? [['ROLLED_BACK', `A person put this older version back on ${day}.`]] : []
}

const fromWords = ({ sources }: Pick<Manifest, 'sources'>): string =>
  `It is from ${[...new Set(sources.map(({ url }) => url))].join(', ')}.`

const stateDoubts = (
  state: DatasetState,
  version: string,
  { snapshot }: ServedDataset,
): readonly (readonly [string, string])[] => {
  switch (state) {
    case 'failing':
      return [
        [
          'FAILING',
          snapshot?.state.lastRun?.byHand === true
            ? `What was last given by hand failed or was refused; version ${version} was searched.`
            : `Its last run failed or was refused; version ${version} was searched.`,
        ],
      ]
    case 'stale':
    case 'expired':
      return [[state.toUpperCase(), `It is ${state}: version ${version} was searched, and a newer one may be due.`]]
    case 'frozen':
      return [['FROZEN', `Its source does not change any more: version ${version} was searched.`]]
    default:
      return []
  }
}

const oldDoubts = (
  { asOf, publisherDate, frozen }: Pick<Manifest, 'asOf' | 'publisherDate' | 'frozen'>,
  { confirmedAt }: Pick<State, 'confirmedAt'>,
  now: Date,
): readonly string[] => {
  const daysSince = (instant: string): number => Math.floor((now.getTime() - Date.parse(instant)) / dayMs)
  const asked = daysSince(confirmedAt ?? asOf)
  if (asked > mostDaysUnasked) {
    const since = confirmedAt === null ? 'since' : `since ${confirmedAt.slice(0, 10)}`
    return [
      `It is as of ${asOf.slice(0, 10)}, ${daysSince(asOf)} days ago, and nobody has asked the publisher ${since}.`,
    ]
  }
  if (frozen !== undefined || publisherDate === undefined || daysSince(publisherDate) <= mostDaysUndated) return []
  return [
    `Its publisher dates it ${publisherDate.slice(0, 10)}, ${daysSince(publisherDate)} days ago: newer entries may be missing.`,
  ]
}
