/** `stichtag status`: every dataset that a store holds, and how fresh it is. */
import { type FreshnessState, freshnessOf } from '../catalogue/freshness.ts'
import { asStichtagError, StichtagError } from '../errors.ts'
import { examineDisk } from '../ingest/doctor-disk.ts'
import { findPipelines } from '../pipeline/discover.ts'
import { runAfter } from '../schedule/next-run.ts'
import { type AsOfKind, asOfKind } from '../store/as-of.ts'
import type { Store } from '../store/layout.ts'
import type { Manifest } from '../store/manifest.ts'
import { currentSnapshot, datasetsOf, readState } from '../store/snapshots.ts'
import type { Outcome, Reason, State } from '../store/state.ts'
import { age, stateInWords, wayOutOfFailing } from './state-in-words.ts'
import { readingStores, type StoreFlags } from './stores.ts'
import { table, terminal } from './terminal.ts'

export interface StatusEntry {
  readonly dataset: string
  readonly state: FreshnessState | 'missing'
  readonly version: string | null
  readonly asOf: string | null
  readonly nextRun: string | null
  readonly lastRun: { readonly outcome: Outcome; readonly at: string; readonly reason?: Reason } | null
  /** What `asOf` is, where it is not the publisher's own date. */
  readonly asOfIs?: AsOfKind
  /** There where current is an invented sample. */
  readonly sample?: true
  /** Versions that a rollback holds back, where there are any. */
  readonly held?: readonly string[]
}

/** An entry, and why its state is what it is, in words for people. */
interface Judged {
  readonly entry: StatusEntry
  readonly why: string
}

/** A dataset whose state.json is damaged says so, and stands in nobody's way. */
const judge = (store: Store, dataset: string, now: Date): Judged => {
  try {
    const state = readState(store, dataset)
    const entry = entryOf(store, dataset, state, now)
    return {
      entry,
      why: `${stateInWords(entry, currentSnapshot(store, dataset), state, now)}${wayOutOfFailing(state)}`,
    }
  } catch (error) {
    const { code, message } = asStichtagError(error)
    if (code !== 'STATE_INVALID') throw error
    const manifest = currentSnapshot(store, dataset)
    const { version, asOf } = manifest ?? { version: null, asOf: null }
    return { entry: { dataset, state: 'failing', version, asOf, nextRun: null, lastRun: null }, why: message }
  }
}

const entryOf = (store: Store, dataset: string, state: State, now: Date): StatusEntry => {
  const manifest = currentSnapshot(store, dataset)
  const lastRun =
    state.lastRun === null
      ? null
      : {
          outcome: state.lastRun.outcome,
          at: state.lastRun.at,
          ...(state.lastRun.reason === undefined ? {} : { reason: state.lastRun.reason }),
        }
  const asOfIs = manifest === null ? undefined : asOfKind(manifest)
  const failing = lastRun?.outcome === 'failed' || lastRun?.outcome === 'refused'
  return {
    dataset,
    state: manifest === null ? (failing ? 'failing' : 'missing') : freshness(manifest, state, now),
    version: manifest?.version ?? null,
    asOf: manifest?.asOf ?? null,
    nextRun: state.nextRun,
    lastRun,
    ...(asOfIs === undefined ? {} : { asOfIs }),
    ...(manifest?.sample === true ? { sample: true } : {}),
    ...(state.held.length === 0 ? {} : { held: state.held.map(({ version }) => version) }),
  }
}

/** Said of a date that is not the publisher's: of when the data are is not known. */
const asOfWords = ({ asOfIs }: StatusEntry): string =>
  asOfIs === undefined ? '' : asOfIs === 'file-time' ? ", a file's time" : ', fetched'

const freshness = (manifest: Manifest, state: State, now: Date): FreshnessState => {
  const afterNext = state.nextRun === null ? null : runAfter(manifest.schedule, new Date(state.nextRun))
  return freshnessOf({ manifest, state, now, ...(afterNext === null ? {} : { runAfterNext: afterNext }) })
}

/** The datasets that are held, or those that are named: one that only has a pipeline is `missing` until it was run. */
const judgeAll = (datasets: readonly string[], flags: StoreFlags, now: Date): ReadonlyMap<string, Judged> => {
  // Strongest last: where both stores hold a dataset, project wins.
  const stores = readingStores(flags)
  const holders = new Map(stores.flatMap((store) => datasetsOf(store).map((dataset) => [dataset, store] as const)))
  const [weakest] = stores
  for (const dataset of datasets) {
    if (holders.has(dataset)) continue
    const pipelines = findPipelines()
    if (weakest === undefined || !pipelines.has(dataset)) {
      const known = [...new Set([...holders.keys(), ...pipelines.keys()])].sort()
      const message = `there is no snapshot and no pipeline of ${dataset}. There are: ${known.join(', ')}.`
      throw new StichtagError('UNKNOWN_DATASET', message, { data: { dataset, known } })
    }
    holders.set(dataset, weakest)
  }
  const wanted = [...holders].filter(([dataset]) => datasets.length === 0 || datasets.includes(dataset))
  return new Map(wanted.map(([dataset, store]) => [dataset, judge(store, dataset, now)]))
}

export const status = async (
  datasets: readonly string[],
  flags: StoreFlags & { readonly json?: boolean },
): Promise<number> => {
  const now = new Date()
  const judged = judgeAll(datasets, flags, now)
  const sorted = [...judged.values()].sort((left, right) => left.entry.dataset.localeCompare(right.entry.dataset))
  const rows = sorted.map(({ entry }) => entry)
  // The JSON is DESIGN §4.3's, to the field; what else there is to say, people are told.
  if (flags.json === true) terminal.json(rows.map(({ sample: _, held: __, asOfIs: ___, ...row }) => row))
  else if (rows.length === 0) terminal.note('no dataset was ingested yet; begin with: stichtag ingest <dataset>')
  else {
    const shown = rows.map((row) => [
      row.dataset,
      row.sample === true ? `${row.state}, sample` : row.state,
      row.version ?? '–',
      row.asOf === null ? '–' : `${row.asOf.slice(0, 10)} (${age(row.asOf, now)}${asOfWords(row)})`,
      row.nextRun ?? '–',
      row.lastRun === null ? '–' : `${row.lastRun.outcome} ${row.lastRun.at}`,
    ])
    terminal.print(table(['dataset', 'state', 'version', 'as of', 'next run', 'last run'], shown))
    for (const { entry, why } of sorted) terminal.note(`${entry.dataset}: ${entry.state}: ${why}`)
    // A run that fails of a full disk may not have been able to say so in its state.
    for (const { path, message, advice } of readingStores(flags).flatMap((store) => examineDisk(store)))
      terminal.note(`${path}: ${message}. ${advice}`)
  }
  return 0
}
