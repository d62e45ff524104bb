/** Reading what a store holds: datasets, kept versions, their manifests, and which one is current. */
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { sep } from 'node:path'
import { ZodError } from 'zod'
import { StichtagError } from '../errors.ts'
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
  // A system's own files and folders (.DS_Store, .snapshot) are no datasets.
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort()
}

/** Kept versions of a dataset, oldest first. A version counts once its folder has its final name. */
export const versionsOf = (store: Store, dataset: string): Version[] =>
  entries(datasetFolder(store, dataset)).filter(isVersion)

/** The manifest of a kept version. Throws UNKNOWN_VERSION, listing those that are kept. */
export const readManifest = (store: Store, dataset: string, version: Version): Manifest => {
  const path = manifestFile(snapshotFolder(store, dataset, version))
  if (!existsSync(path)) {
    const kept = versionsOf(store, dataset)
    throw new StichtagError(
      'UNKNOWN_VERSION',
      `${dataset} has no snapshot ${version}. Kept: ${kept.length === 0 ? 'none' : kept.join(', ')}.`,
      { data: { dataset, version, kept } },
    )
  }
  return manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
}

/** A version given by a person, checked to be kept. */
export const keptVersion = (store: Store, dataset: string, text: string): Version => {
  const kept = versionsOf(store, dataset)
  const found = kept.find((version) => version === text)
  if (found === undefined) {
    throw new StichtagError(
      'UNKNOWN_VERSION',
      `${dataset} has no snapshot ${text}. Kept: ${kept.length === 0 ? 'none' : kept.join(', ')}.`,
      { data: { dataset, version: text, kept } },
    )
  }
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
    if (error instanceof SyntaxError || error instanceof ZodError || error instanceof StichtagError) return null
    throw error
  }
}

/** File name of the dataset's pointer, as its newest intact manifest says; undefined where there is none. */
export const databaseOf = (store: Store, dataset: string): string | undefined => {
  for (const version of versionsOf(store, dataset).reverse()) {
    const manifest = intactManifest(store, dataset, version)
    if (manifest !== null) return manifest.database
  }
  return undefined
}

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

const whyUnreadable = (error: unknown): string => {
  if (error instanceof ZodError)
    return error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
  if (error instanceof SyntaxError) return 'it is not JSON'
  return error instanceof Error ? error.message : String(error)
}

/** Replaces state.json by rename. Only under the dataset's lock. */
export const writeState = (store: Store, state: State): void =>
  writeFileDurably(statePath(store, state.dataset), `${JSON.stringify(state, null, 2)}\n`)
