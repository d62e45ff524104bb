/** `stichtag status`: every dataset that a store holds, and how fresh it is. */
import { type FreshnessState, freshnessOf } from '../catalogue/freshness.ts'
import { runAfter } from '../schedule/next-run.ts'
import type { Store } from '../store/layout.ts'
import type { Manifest } from '../store/manifest.ts'
import { currentSnapshot, datasetsOf, readState } from '../store/snapshots.ts'
import type { Outcome, Reason, State } from '../store/state.ts'
import { readingStores, type StoreFlags } from './stores.ts'
import { table, terminal } from './terminal.ts'

export interface StatusEntry {
  readonly dataset: string
  readonly state: FreshnessState | 'missing'
  readonly version: string | null
  readonly asOf: string | null
  readonly nextRun: string | null
  readonly lastRun: { readonly outcome: Outcome; readonly at: string; readonly reason?: Reason } | null
}

const entryOf = (store: Store, dataset: string, now: Date): StatusEntry => {
  const state = readState(store, dataset)
  const manifest = currentSnapshot(store, dataset)
  const lastRun =
    state.lastRun === null
      ? null
      : {
          outcome: state.lastRun.outcome,
          at: state.lastRun.at,
          ...(state.lastRun.reason === undefined ? {} : { reason: state.lastRun.reason }),
        }
  const failing = lastRun?.outcome === 'failed' || lastRun?.outcome === 'refused'
  return {
    dataset,
    state: manifest === null ? (failing ? 'failing' : 'missing') : freshness(manifest, state, now),
    version: manifest?.version ?? null,
    asOf: manifest?.asOf ?? null,
    nextRun: state.nextRun,
    lastRun,
  }
}

const freshness = (manifest: Manifest, state: State, now: Date): FreshnessState => {
  const afterNext = state.nextRun === null ? null : runAfter(manifest.schedule, new Date(state.nextRun))
  return freshnessOf({ manifest, state, now, ...(afterNext === null ? {} : { runAfterNext: afterNext }) })
}

/** Age in the largest unit that says something. */
const age = (instant: string, now: Date): string => {
  const hours = (now.getTime() - Date.parse(instant)) / 3_600_000
  if (hours < 1) return `${Math.max(0, Math.round(hours * 60))} min`
  return hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} days`
}

export const status = async (flags: StoreFlags & { readonly json?: boolean }): Promise<number> => {
  const now = new Date()
  const entries = new Map<string, StatusEntry>()
  // Strongest last: where both stores hold a dataset, project wins.
  for (const store of readingStores(flags)) {
    for (const dataset of datasetsOf(store)) entries.set(dataset, entryOf(store, dataset, now))
  }
  const rows = [...entries.values()].sort((left, right) => left.dataset.localeCompare(right.dataset))
  if (flags.json === true) terminal.json(rows)
  else if (rows.length === 0) terminal.note('no dataset was ingested yet; begin with: stichtag ingest <dataset>')
  else {
    const shown = rows.map((row) => [
      row.dataset,
      row.state,
      row.version ?? '–',
      row.asOf === null ? '–' : `${row.asOf.slice(0, 10)} (${age(row.asOf, now)})`,
      row.nextRun ?? '–',
      row.lastRun === null ? '–' : `${row.lastRun.outcome} ${row.lastRun.at}`,
    ])
    terminal.print(table(['dataset', 'state', 'version', 'as of', 'next run', 'last run'], shown))
    for (const row of rows) {
      if (row.lastRun?.reason !== undefined)
        terminal.note(`${row.dataset}: ${row.lastRun.reason.code}: ${row.lastRun.reason.message}`)
    }
  }
  return 0
}
