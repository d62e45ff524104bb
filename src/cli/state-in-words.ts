/** Why a dataset's state is what it is, in words for people. Pure. */
import type { FreshnessState } from '../catalogue/freshness.ts'
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
  const reason = state.lastRun?.reason
  const times = state.failures !== undefined && state.failures > 1 ? `, ${state.failures} times in a row` : ''
  const what = state.lastRun?.outcome === 'refused' ? 'the last delivery was refused' : `the last run failed${times}`
  return `${what}${reason === undefined ? '' : `: ${reason.code}: ${reason.message}`}${nextTry(state)}`
}

/** The reason for the state that `status` shows. */
export const stateInWords = (
  { state: freshness }: { readonly state: FreshnessState | 'missing' },
  manifest: Pick<Manifest, 'validUntil' | 'frozen'> | null,
  state: State,
  now: Date,
): string => {
  switch (freshness) {
    case 'missing':
      return state.lastRun === null ? 'it was never run' : 'no snapshot is current; see stichtag doctor'
    case 'failing':
      return failing(state)
    case 'expired':
      return `the data were valid until ${manifest?.validUntil ?? 'some day that is over'}`
    case 'frozen':
      return manifest?.frozen ?? 'its source is known not to change any more'
    case 'stale':
      return `two runs are overdue, the first since ${state.nextRun ?? 'long ago'}; is stichtag schedule running?`
    case 'due':
      return `its run is due since ${state.nextRun ?? 'now'}`
    case 'current':
      return state.confirmedAt === null
        ? 'no run has confirmed it yet'
        : `confirmed ${age(state.confirmedAt, now)} ago as what the publisher has`
  }
}
