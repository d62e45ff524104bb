/** Runs of the tiny pipeline on a store of the test's own. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { pino } from 'pino'
import type { RunOptions } from '../../src/ingest/plan.ts'
import { type RunContext, type RunResult, runPipeline } from '../../src/ingest/run.ts'
import type { Pipeline } from '../../src/pipeline/discover.ts'
import type { PipelineDefinition } from '../../src/pipeline/types.ts'
import { datasetFolder, pointerPath, quarantineFolder, type Store } from '../../src/store/layout.ts'
import type { Manifest } from '../../src/store/manifest.ts'
import { currentSnapshot } from '../../src/store/snapshots.ts'
import { type Place, places } from '../pipeline/places.ts'
import { scratchFolder, scratchStore } from '../store/scratch-store.ts'

/** What a test says of a run beside its delivery. */
export interface Given {
  readonly definition?: PipelineDefinition
  readonly fingerprint?: string
  /** Folder of the pipeline, whose `data/` holds the samples. */
  readonly folder?: string
  readonly options?: RunOptions
  readonly now?: () => Date
  readonly nextRun?: RunContext['nextRun']
  readonly freeBytes?: (folder: string) => number
  readonly signal?: AbortSignal
  readonly onProgress?: RunContext['onProgress']
}

export const pipelineOf = ({ definition = places, fingerprint = 'f1', folder = '/nowhere' }: Given): Pipeline => ({
  definition,
  fingerprint,
  folder,
})

export const nextRun = new Date('2030-01-01T04:00:00Z')

/** Runs the pipeline, on the files at `from` if any. */
export const ingest = (store: Store, from: string | undefined, given: Given = {}): Promise<RunResult> =>
  runPipeline(pipelineOf(given), {
    store,
    options: { ...(from === undefined ? {} : { from }), ...given.options },
    schedule: { cron: '0 4 * * *', timeZone: 'UTC' },
    nextRun: given.nextRun ?? (() => nextRun),
    ...(given.freeBytes === undefined ? {} : { freeBytes: given.freeBytes }),
    now: given.now ?? (() => new Date()),
    signal: given.signal ?? new AbortController().signal,
    log: pino({ level: 'silent' }),
    onProgress: given.onProgress ?? (() => undefined),
  })

export const linesOf = (records: readonly Place[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** A delivery of these records, or of this text or these bytes, as a file; returns its path. */
export const delivery = (content: readonly Place[] | string | Uint8Array, name = 'places.jsonl'): string => {
  const path = join(scratchFolder(), name)
  writeFileSync(path, typeof content === 'string' || content instanceof Uint8Array ? content : linesOf(content))
  return path
}

export const place = (id: string, name: string | null = id.toUpperCase(), further: Partial<Place> = {}): Place => ({
  id,
  name,
  ...further,
})

/** So many places, named by number. */
export const manyPlaces = (count: number): Place[] => Array.from({ length: count }, (_, index) => place(`p${index}`))

/** A store with these deliveries published, one after the other; gives their versions. */
export const storeOf = async (
  ...deliveries: readonly (() => string)[]
): Promise<{ readonly store: Store; readonly versions: readonly string[] }> => {
  const store = scratchStore()
  const versions: string[] = []
  for (const each of deliveries) versions.push((await ingest(store, each())).version ?? '')
  return { store, versions }
}

/** What a query finds in the current snapshot, through the pointer, as anybody reads it. */
export const query = (store: Store, sql: string, database = 'places.db'): unknown[] => {
  const connection = new Database(pointerPath(store, database), { readonly: true, fileMustExist: true })
  try {
    return connection.prepare(sql).raw().all()
  } finally {
    connection.close()
  }
}

export const current = (store: Store, dataset = 'places'): Manifest => {
  const manifest = currentSnapshot(store, dataset, `${dataset}.db`)
  if (manifest === null) throw new Error('no current snapshot')
  return manifest
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** Names in the dataset's folder but for its lock and state: versions, and whatever else is left. */
export const keptIn = (store: Store): string[] =>
  namesIn(datasetFolder(store, 'places')).filter((name) => name !== 'lock' && name !== 'state.json')

export const quarantined = (store: Store): string[] => namesIn(quarantineFolder(store, 'places'))
