/**
 * Where everything of a store lies (DESIGN §4.1). Paths only: nothing here touches a disk.
 *
 *     <root>/data/openregister.db                 the pointer: relative symlink to the current snapshot's data.db
 *     <root>/data/<alias>.db                      relative symlink to the pointer
 *     <root>/data/snapshots/<dataset>/lock        the dataset's lock
 *                                     state.json  last outcome, validators, history
 *                                     <version>/data.db, manifest.json, changes.db
 *                                     .building-<run>/
 *     <root>/data/quarantine/<dataset>/<version>/ as a snapshot, plus reason.json
 *     <root>/data/downloads/<dataset>/            raw files
 *     <root>/data/runs.db                         ledger
 */
import { join } from 'node:path'
import type { Version } from './version.ts'

/** Which root a store lies under. */
export type Origin = 'global' | 'project'

/** A store: its root folder and where it comes from. */
export interface Store {
  readonly root: string
  readonly origin: Origin
}

/** Prefix of work areas; leftovers of dead runs are swept by it. */
export const buildingPrefix = '.building-'

export const dataFolder = (store: Store): string => join(store.root, 'data')
export const pointerPath = (store: Store, database: string): string => join(dataFolder(store), database)
export const snapshotsFolder = (store: Store): string => join(dataFolder(store), 'snapshots')
export const datasetFolder = (store: Store, dataset: string): string => join(snapshotsFolder(store), dataset)
export const lockPath = (store: Store, dataset: string): string => join(datasetFolder(store, dataset), 'lock')
export const statePath = (store: Store, dataset: string): string => join(datasetFolder(store, dataset), 'state.json')
export const buildingFolder = (store: Store, dataset: string, run: string): string =>
  join(datasetFolder(store, dataset), `${buildingPrefix}${run}`)
export const snapshotFolder = (store: Store, dataset: string, version: Version): string =>
  join(datasetFolder(store, dataset), version)
export const quarantineFolder = (store: Store, dataset: string): string =>
  join(dataFolder(store), 'quarantine', dataset)
export const downloadsFolder = (store: Store, dataset: string): string => join(dataFolder(store), 'downloads', dataset)
export const ledgerPath = (store: Store): string => join(dataFolder(store), 'runs.db')

/** Files inside a snapshot's folder. */
export const dataFile = (folder: string): string => join(folder, 'data.db')
export const manifestFile = (folder: string): string => join(folder, 'manifest.json')
export const changesFile = (folder: string): string => join(folder, 'changes.db')

/** What a pointer says: the data.db of a version, relative to the folder the pointer lies in. */
export const pointerTarget = (dataset: string, version: Version): string =>
  join('snapshots', dataset, version, 'data.db')
