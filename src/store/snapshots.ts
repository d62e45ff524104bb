/** Reading what a store holds: datasets, kept versions, their manifests, and which one is current. */
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { sep } from 'node:path'
import { ZodError } from 'zod'
import { StichtagError } from '../errors.ts'
import { isDatasetId } from './dataset-id.ts'
import { writeFileDurably } from './durable.ts'
import {
  datasetFolder,
  manifestFile,
  pointerPath,
  pointerTarget,
  type Store,
  snapshotFolder,
  snapshotsFolder,
  statePath,
} from './layout.ts'
import { type Manifest, manifestSchema } from './manifest.ts'
import { emptyState, type State, stateSchema } from './state.ts'
import { isVersion, type Version } from './version.ts'

const entries = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).sort() : [])

/** Ids of the datasets that have a folder in the store. */
export const datasetsOf = (store: Store): string[] => {
  const folder = snapshotsFolder(store)
  if (!existsSync(folder)) return []
  // A system's own files and folders (.DS_Store, .snapshot) and people's copies are no datasets.
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isDatasetId(entry.name))
    .map((entry) => entry.name)
    .sort()
}

/**
 * Checks that a store has this dataset: by its listing, so that no name which a person gives leads anywhere else, and none
 * becomes a dataset by being asked for.
 *
 * @throws UNKNOWN_DATASET, listing those that it has
 */
export const checkDataset = (store: Store, dataset: string): void => {
  const known = datasetsOf(store)
  if (known.includes(dataset)) return
  const advice = isDatasetId(dataset) ? ` To make one: stichtag ingest ${dataset}` : ''
  throw new StichtagError(
    'UNKNOWN_DATASET',
    `no snapshot of ${JSON.stringify(dataset).slice(1, -1)} in ${store.root}. There are: ${known.join(', ') || 'none yet'}.${advice}`,
    { data: { dataset, root: store.root, known } },
  )
}

/** Kept versions of a dataset, oldest first. A version counts once its folder has its final name. */
export const versionsOf = (store: Store, dataset: string): Version[] =>
  entries(datasetFolder(store, dataset)).filter(isVersion)

const unknownVersion = (store: Store, dataset: string, version: string): StichtagError => {
  const kept = versionsOf(store, dataset)
  return new StichtagError(
    'UNKNOWN_VERSION',
    `${dataset} has no snapshot ${version}. Kept: ${kept.length === 0 ? 'none' : kept.join(', ')}.`,
    { data: { dataset, version, kept } },
  )
}

/**
 * The manifest of a kept version. Its words name no path: hosts read them too.
 *
 * @throws UNKNOWN_VERSION, listing those that are kept; SNAPSHOT_INVALID where it is missing, damaged, or another
 *   snapshot's
 */
export const readManifest = (store: Store, dataset: string, version: Version): Manifest => {
  const folder = snapshotFolder(store, dataset, version)
  if (!existsSync(folder)) throw unknownVersion(store, dataset, version)
  const invalid = (why: string, cause?: unknown): StichtagError =>
    new StichtagError('SNAPSHOT_INVALID', `${dataset}: manifest of ${version} cannot be read: ${why}.`, {
      data: { dataset, version },
      cause,
    })
  let manifest: Manifest
  try {
    manifest = manifestSchema.parse(JSON.parse(readFileSync(manifestFile(folder), 'utf8')))
  } catch (error) {
    throw invalid(whyUnreadable(error), error)
  }
  if (manifest.dataset === dataset && manifest.version === version) return manifest
  throw invalid(`it is that of ${manifest.dataset} ${manifest.version}`)
}

/** A version given by a person, checked to be kept. */
export const keptVersion = (store: Store, dataset: string, text: string): Version => {
  const found = versionsOf(store, dataset).find((version) => version === text)
  if (found === undefined) throw unknownVersion(store, dataset, text)
  return found
}

/** The version a pointer names, or null where there is no pointer of ours. */
export const currentVersion = (store: Store, dataset: string, database: string): Version | null => {
  const path = pointerPath(store, database)
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return null
  const target = readlinkSync(path)
  const version = target.split(sep).at(-2) ?? ''
  return isVersion(version) && target === pointerTarget(dataset, version) ? version : null
}

/** The manifest of a version, or null where it is missing or damaged: then others still tell what they are. */
export const intactManifest = (store: Store, dataset: string, version: Version): Manifest | null => {
  try {
    return readManifest(store, dataset, version)
  } catch (error) {
    if (error instanceof StichtagError) return null
    throw error
  }
}

/** The newest kept version whose manifest is intact: what is known of a dataset that has no current snapshot. */
export const newestIntact = (store: Store, dataset: string): Manifest | null => {
  for (const version of versionsOf(store, dataset).reverse()) {
    const manifest = intactManifest(store, dataset, version)
    if (manifest !== null) return manifest
  }
  return null
}

/** File name of the dataset's pointer, as its newest intact manifest says; undefined where there is none. */
export const databaseOf = (store: Store, dataset: string): string | undefined => newestIntact(store, dataset)?.database

/** The manifest of the dataset's current snapshot, or null: where there is no pointer, and where it is damaged. */
export const currentSnapshot = (
  store: Store,
  dataset: string,
  database: string | undefined = databaseOf(store, dataset),
): Manifest | null => {
  if (database === undefined) return null
  const version = currentVersion(store, dataset, database)
  return version === null ? null : intactManifest(store, dataset, version)
}

/** What is read of a store; null where the system lets nobody read it: for those who tell that something is wrong with it. */
export const readable = <T>(read: () => T): T | null => {
  try {
    return read()
  } catch (error) {
    // Whatever the system says of a path; a defect is none of these.
    if (error instanceof Error && 'syscall' in error) return null
    throw error
  }
}

/** state.json of a dataset; an empty one where it has never been run. @throws STATE_INVALID, naming the file */
export const readState = (store: Store, dataset: string): State => {
  const path = statePath(store, dataset)
  if (!existsSync(path)) return emptyState(dataset)
  try {
    return stateSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new StichtagError(
      'STATE_INVALID',
      `${dataset}: ${path} cannot be read: ${whyUnreadable(error)}. Move it away: the next run begins a new one.`,
      { data: { dataset, path }, cause: error },
    )
  }
}

/** Why a file is not what it should be, without the machine's paths. */
const whyUnreadable = (error: unknown): string => {
  if (error instanceof ZodError)
    return error.issues
      .slice(0, 3)
      .map((issue) => `${issue.path.join('.')}: ${issue.message}`)
      .join('; ')
  if (error instanceof SyntaxError) return 'it is not JSON'
  if (!(error instanceof Error && 'code' in error)) throw error
  return error.code === 'ENOENT' ? 'it is missing' : String(error.code)
}

/** Replaces state.json by rename. Only under the dataset's lock. */
export const writeState = (store: Store, state: State): void =>
  writeFileDurably(statePath(store, state.dataset), `${JSON.stringify(state, null, 2)}\n`)
