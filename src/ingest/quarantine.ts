/**
 * Quarantine: where refused snapshots are kept with the reason, until somebody releases them. Each lies there whole:
 * one that is released is built anew in a work area out of links to its files, and leaves quarantine only after the
 * pointer has moved.
 */
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { storeError, syncFile, syncFolder } from '../store/durable.ts'
import {
  buildingFolder,
  changesFile,
  dataFile,
  datasetFolder,
  manifestFile,
  quarantineFolder,
  type Store,
  snapshotFolder,
} from '../store/layout.ts'
import { type Manifest, manifestSchema } from '../store/manifest.ts'
import { isVersion, type Version } from '../store/version.ts'
import { compareSnapshots, sideOf, writeNoChanges } from './compare.ts'
import { sealFolder } from './seal.ts'

/** Why a snapshot was refused, with its figures: reason.json in its quarantine folder. */
export interface RefusalReason {
  readonly code: string
  readonly message: string
  readonly findings: readonly unknown[]
  readonly at: string
}

const reasonFile = (folder: string): string => join(folder, 'reason.json')

/** Moves a refused snapshot into quarantine, with the reason beside it. */
export const quarantine = (store: Store, building: string, manifest: Manifest, reason: RefusalReason): string => {
  const parent = quarantineFolder(store, manifest.dataset)
  const folder = join(parent, manifest.version)
  const path = reasonFile(building)
  try {
    mkdirSync(parent, { recursive: true })
    writeFileSync(path, `${JSON.stringify(reason, null, 2)}\n`)
    chmodSync(path, 0o444)
    syncFile(path)
    // Renamed while it is writable: a folder that is not cannot move to another parent.
    renameSync(building, folder)
    chmodSync(folder, 0o555)
    syncFolder(folder)
    syncFolder(parent)
    syncFolder(datasetFolder(store, manifest.dataset))
  } catch (error) {
    throw storeError(error, folder)
  }
  return folder
}

/** The manifest of a snapshot in quarantine, or null where none of this version is. */
export const quarantinedManifest = (store: Store, dataset: string, version: string): Manifest | null => {
  const path = manifestFile(join(quarantineFolder(store, dataset), version))
  return isVersion(version) && existsSync(path) ? manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : null
}

/** Versions in quarantine. They are kept too: a new version is later than each, as one of them may be released. */
export const quarantinedVersions = (store: Store, dataset: string): Version[] => {
  const parent = quarantineFolder(store, dataset)
  return existsSync(parent) ? readdirSync(parent).filter(isVersion).sort() : []
}

/** The version under which a delivery of this content lies in quarantine already, or null: one per delivery. */
export const quarantinedVersion = (store: Store, dataset: string, contentDigest: string): string | null =>
  quarantinedVersions(store, dataset).find(
    (version) => quarantinedManifest(store, dataset, version)?.contentDigest === contentDigest,
  ) ?? null

/**
 * A sealed work area with the files of a snapshot in quarantine, its changes made anew where current is another than
 * it was built on. Quarantine is not touched.
 */
export const buildFromQuarantine = (
  store: Store,
  refused: Manifest,
  run: string,
  current: Manifest | null,
): { readonly folder: string; readonly manifest: Manifest } => {
  const from = join(quarantineFolder(store, refused.dataset), refused.version)
  const folder = buildingFolder(store, refused.dataset, run)
  const base = current?.version ?? null
  try {
    mkdirSync(folder, { recursive: true })
    linkOrCopy(dataFile(from), dataFile(folder))
    if (refused.base === base) linkOrCopy(changesFile(from), changesFile(folder))
    const changes =
      refused.base === base ? refused.changes : changesAgainst(store, current, refused, dataFile(from), folder)
    const manifest: Manifest = { ...refused, base, changes }
    sealFolder(folder, manifest)
    return { folder, manifest }
  } catch (error) {
    throw storeError(error, folder)
  }
}

/** A second name for a file; where the file system has none to give, a copy. */
const linkOrCopy = (from: string, to: string): void => {
  try {
    linkSync(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ['EPERM', 'ENOTSUP', 'EMLINK'].includes(String(error.code)))) {
      throw error
    }
    copyFileSync(from, to, constants.COPYFILE_FICLONE)
  }
}

const changesAgainst = (
  store: Store,
  base: Manifest | null,
  refused: Manifest,
  data: string,
  folder: string,
): Manifest['changes'] => {
  if (base === null) {
    writeNoChanges(changesFile(folder))
    return {}
  }
  // A manifest in a store carries a version of the store's own making.
  const basePath = dataFile(snapshotFolder(store, base.dataset, base.version as Version))
  return compareSnapshots(sideOf(base, basePath), sideOf(refused, data), changesFile(folder))
}
