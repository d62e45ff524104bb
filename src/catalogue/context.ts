/** What every part of one catalogue shares: the datasets of one state of the stores, the readers, and the clock. */
import { StichtagError } from '../errors.ts'
import type { ReaderPool } from '../query/types.ts'
import type { Candidate } from '../schema/databases.ts'
import type { Manifest } from '../store/manifest.ts'
import { readManifest } from '../store/snapshots.ts'
import type { Version } from '../store/version.ts'
import { absentTtlMs, type FreshnessState, freshnessOf, ttlUntilNextRun, unscheduledTtlMs } from './freshness.ts'
import type { Prepared } from './prepared.ts'
import type { Problem, ServedDataset, ServedSnapshot } from './served.ts'
import type { Reading, ToolAnswer } from './types.ts'

/** The run after an instant, by a cron expression; from whoever can read cron. */
export type RunAfter = (schedule: Manifest['schedule'], instant: Date) => Date | null

export interface CatalogueContext {
  readonly datasets: ReadonlyMap<string, ServedDataset>
  readonly problems: readonly Problem[]
  readonly pool: ReaderPool
  readonly now: () => Date
  /** Readings of records, and answers of queries, that were given before. */
  readonly preparedReadings: Prepared<Reading>
  readonly preparedAnswers: Prepared<ToolAnswer>
  readonly runAfter?: RunAfter
  /** The manifest of a kept version, read once. Throws UNKNOWN_VERSION or SNAPSHOT_INVALID. */
  readonly manifest: (snapshot: ServedSnapshot, version: Version) => Manifest
}

/**
 * Reads manifests of kept versions when they are first asked for: a sealed one never changes. Those of versions that are
 * no longer kept are let go of: a gateway that runs for a year sees thousands come and go.
 */
export const manifestShelf = (): CatalogueContext['manifest'] => {
  const shelves = new Map<string, Map<Version, Manifest>>()
  return ({ store, manifest: { dataset }, versions }, version) => {
    const place = `${store.root}\n${dataset}`
    const shelf = shelves.get(place) ?? new Map<Version, Manifest>()
    shelves.set(place, shelf)
    const known = shelf.get(version)
    if (known !== undefined) return known
    const manifest = readManifest(store, dataset, version)
    for (const each of shelf.keys()) if (!versions.includes(each)) shelf.delete(each)
    shelf.set(version, manifest)
    return manifest
  }
}

/** A dataset by its id. Throws UNKNOWN_DATASET, listing those there are. */
export const datasetNamed = (context: CatalogueContext, id: string): ServedDataset => {
  const dataset = context.datasets.get(id.toLowerCase())
  if (dataset !== undefined) return dataset
  const known = [...context.datasets.keys()]
  throw new StichtagError(
    'UNKNOWN_DATASET',
    `There is no dataset ${JSON.stringify(id)}. There are: ${known.length === 0 ? 'none' : known.join(', ')}.`,
    { data: { dataset: id, known } },
  )
}

/** Why a dataset has nothing to read from just now. */
export const absenceOf = (dataset: ServedDataset): StichtagError => {
  const [problem] = dataset.problems
  if (problem !== undefined) return new StichtagError(problem.code, problem.message)
  return databaseMissing(dataset.id, dataset.tried)
}

export const databaseMissing = (dataset: string, tried: readonly Candidate[]): StichtagError =>
  new StichtagError(
    'DATABASE_MISSING',
    `The database of ${dataset} is not there. Tried: ${tried.map(({ shown }) => shown).join(', ')}. It is served as soon as it appears; ` +
      `\`stichtag ingest ${dataset}\` builds it where a pipeline of that name exists.`,
    { data: { dataset, tried: tried.map(({ path }) => path) } },
  )

/**
 * That a query's database is not there, where the schema may name the wrong one: with the names that snapshots have. Of
 * the datasets of this catalogue alone, so that nobody learns of others.
 */
export const queryDatabaseMissing = (
  context: CatalogueContext,
  { id, snapshot }: ServedDataset,
  file: string,
  tried: readonly Candidate[],
): StichtagError => {
  const own = snapshot?.manifest.database
  if (own === undefined) {
    const { message, data } = databaseMissing(id, tried)
    const known = [...context.datasets.values()].flatMap((each) => each.snapshot?.manifest.database ?? []).sort()
    const there = known.length === 0 ? '' : ` There are: ${known.join(', ')}.`
    return new StichtagError('DATABASE_MISSING', `${message}${there}`, { data: { ...data, known } })
  }
  return new StichtagError(
    'DATABASE_MISSING',
    `The schema of ${id} names the database ${file}, which is not there. Tried: ${tried.map(({ shown }) => shown).join(', ')}. ` +
      `${id} has been ingested as ${own}: say \`database: '${own}'\` in the schema if that is meant.`,
    { data: { dataset: id, tried: tried.map(({ path }) => path), known: [own] } },
  )
}

/** States of DESIGN §4.3, and those of a dataset that has nothing to read from. */
export type DatasetState = FreshnessState | 'missing' | 'broken'

export const stateOf = (dataset: ServedDataset, context: CatalogueContext): DatasetState => {
  if (dataset.databases.length === 0) return dataset.problems.length === 0 ? 'missing' : 'broken'
  if (dataset.snapshot === undefined) return 'current'
  const { manifest, state } = dataset.snapshot
  const next = state.nextRun === null ? undefined : new Date(state.nextRun)
  const runAfterNext = next === undefined ? null : (context.runAfter?.(manifest.schedule, next) ?? null)
  return freshnessOf({ manifest, state, now: context.now(), ...(runAfterNext === null ? {} : { runAfterNext }) })
}

/** How long what is current in a dataset may be kept (DESIGN §4.7). */
export const ttlOf = (dataset: ServedDataset, context: CatalogueContext): number => {
  if (dataset.databases.length === 0) return absentTtlMs
  if (dataset.snapshot === undefined) return unscheduledTtlMs
  return ttlUntilNextRun(dataset.snapshot.state.nextRun, context.now())
}
