/** Why a dataset's state is what it is, and what current is where it is not simply the publisher's, in words for people. Pure. */
import type { FreshnessState } from '../catalogue/freshness.ts'
import { clearing } from '../ingest/by-hand.ts'
import type { Manifest } from '../store/manifest.ts'
import type { State } from '../store/state.ts'

/** Age in the largest unit that says something. */
export const age = (instant: string, now: Date): string => {
  const hours = (now.getTime() - Date.parse(instant)) / 3_600_000
  if (hours < 1) return `${Math.max(0, Math.round(hours * 60))} min`
  return hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} days`
}

const nextTry = (state: State): string => (state.nextRun === null ? '' : `; next try ${state.nextRun}`)

const failing = (state: State): string => {
  const { lastRun } = state
  const times = state.failures !== undefined && state.failures > 1 ? `, ${state.failures} times in a row` : ''
  const what = {
    refused: lastRun?.byHand === true ? 'what was given by hand was refused' : 'the last delivery was refused',
    failed:
      lastRun?.byHand === true ? 'the last run, of what was given by hand, failed' : `the last run failed${times}`,
  }[lastRun?.outcome === 'refused' ? 'refused' : 'failed']
  const reason = lastRun?.reason
  return `${what}${reason === undefined ? '' : `: ${reason.code}: ${reason.message}`}${nextTry(state)}`
}

/** How a dataset gets out of `failing`, where a person gave what failed; a guard's refusal says it itself. */
export const wayOutOfFailing = ({ dataset, lastRun }: State): string =>
  lastRun?.byHand === true && lastRun.outcome === 'failed' ? `; ${clearing(dataset)}` : ''

/** What of a manifest is put into words. */
export type DescribedSnapshot = Pick<Manifest, 'dataset' | 'version' | 'validUntil' | 'frozen' | 'sample'> & {
  readonly sources: readonly Pick<Manifest['sources'][number], 'url'>[]
}

/** The reason for the state that `status` shows. */
export const stateInWords = (
  { state: freshness }: { readonly state: FreshnessState | 'missing' },
  manifest: DescribedSnapshot | null,
  state: State,
  now: Date,
): string => {
  const remarks = [...(manifest === null ? [] : originRemarks(manifest, state)), ...heldRemarks(state)]
  return [...reasonOf(freshness, manifest, state, now, remarks.length > 0), ...remarks].join('; ')
}

/** Why, in one sentence; none where a current dataset is only what the remarks say. */
const reasonOf = (
  freshness: FreshnessState | 'missing',
  manifest: DescribedSnapshot | null,
  state: State,
  now: Date,
  isRemarked: boolean,
): readonly string[] => {
  switch (freshness) {
    case 'missing':
      return [state.lastRun === null ? 'it was never run' : 'no snapshot is current; see stichtag doctor']
    case 'failing':
      return [failing(state)]
    case 'expired':
      return [`the data were valid until ${manifest?.validUntil ?? 'some day that is over'}`]
    case 'frozen':
      return [manifest?.frozen?.replace(/\.$/, '') ?? 'its source is known not to change any more']
    case 'stale':
      return [`two runs are overdue, the first since ${state.nextRun ?? 'long ago'}; is stichtag schedule running?`]
    case 'due':
      return [`its run is due since ${state.nextRun ?? 'now'}`]
    case 'current':
      if (manifest?.sample !== true && state.confirmedAt !== null) {
        return [`confirmed ${age(state.confirmedAt, now)} ago as what the publisher has`]
      }
      return isRemarked ? [] : ['no run has confirmed it yet']
  }
}

/** What current is, where nobody has confirmed it with the publisher. */
const originRemarks = (manifest: DescribedSnapshot, state: State): readonly string[] => {
  const { dataset, version, sample, sources } = manifest
  if (sample) return [`an invented sample, nothing in it is real; for the real data: stichtag ingest ${dataset}`]
  if (state.confirmedAt !== null) return []
  const move = state.history.at(-1)
  const day = move?.at.slice(0, 10)
  if (move?.version === version && move.by === 'rollback')
    return [`put back by a rollback on ${day}, which asked nobody`]
  if (move?.version === version && move.by === 'release') {
    return [`released by hand on ${day}, not confirmed with the publisher`]
  }
  const names = [...new Set(sources.map(({ url }) => url.replace(/^file:/, '')))]
  const isLocal = sources.some(({ url }) => url.startsWith('file:'))
  return names.length === 0
    ? []
    : [`from ${isLocal ? 'a file' : 'a URL'} given by hand (${names.join(', ')}), not confirmed with the publisher`]
}

const heldRemarks = ({ dataset, held }: State): readonly string[] =>
  held.map(
    ({ version, since }) =>
      `a newer delivery, ${version}, is held since a rollback on ${since.slice(0, 10)}, until the publisher brings out ` +
      `another one, or: stichtag release ${dataset} ${version}`,
  )
