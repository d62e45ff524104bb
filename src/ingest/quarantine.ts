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
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { StichtagError } from '../errors.ts'
import { makeFolder, storeError, syncFile, syncFolder } from '../store/durable.ts'
import {
  buildingFolder,
  changesFile,
  dataFile,
  datasetFolder,
  manifestFile,
  quarantineFolder,
  type Store,
} from '../store/layout.ts'
import { type Manifest, manifestSchema } from '../store/manifest.ts'
import { intactManifest, versionsOf } from '../store/snapshots.ts'
import { isVersion, nextVersion, type Version } from '../store/version.ts'
import { compareWithBase } from './compare-with-base.ts'
import { faultOfFile } from './found-current.ts'
import { removeFolder } from './remove-folder.ts'
import { hashFile, sealFolder } from './seal.ts'

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
    makeFolder(parent)
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

/**
 * The manifest of a snapshot in quarantine, or null where none of this version is.
 *
 * @throws SNAPSHOT_INVALID where it cannot be read
 */
export const quarantinedManifest = (store: Store, dataset: string, version: string): Manifest | null => {
  const folder = join(quarantineFolder(store, dataset), version)
  if (!isVersion(version) || !existsSync(folder)) return null
  const read = manifestSchema.safeParse(jsonAt(manifestFile(folder)))
  if (read.success) return read.data
  throw unreleasable(dataset, version, folder, 'its manifest cannot be read')
}

const unreleasable = (dataset: string, version: string, folder: string, why: string): StichtagError =>
  new StichtagError(
    'SNAPSHOT_INVALID',
    `${dataset}: ${version} in quarantine is damaged, and cannot be released: ${why}. Remove ${folder}, and have the ` +
      `delivery built again: stichtag ingest ${dataset} --force, with --accept and the guard that refused it`,
    { data: { dataset, version } },
  )

/** What a file holds as JSON; undefined where it is missing or none. */
const jsonAt = (path: string): unknown => {
  if (!existsSync(path)) return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Versions in quarantine. They are kept too: a new version is later than each, as one of them may be released. */
export const quarantinedVersions = (store: Store, dataset: string): Version[] => {
  const parent = quarantineFolder(store, dataset)
  return existsSync(parent) ? readdirSync(parent).filter(isVersion).sort() : []
}

/** What is known of a delivery that was refused: in quarantine, or, where a rollback rejected it, among the kept ones. */
export const refusedManifest = (
  store: Store,
  dataset: string,
  version: string,
): { readonly manifest: Manifest | null; readonly isQuarantined: boolean } => {
  const quarantined = quarantinedVersions(store, dataset).find((each) => each === version)
  if (quarantined !== undefined) {
    const read = manifestSchema.safeParse(jsonAt(manifestFile(join(quarantineFolder(store, dataset), quarantined))))
    return { manifest: read.success ? read.data : null, isQuarantined: true }
  }
  const kept = versionsOf(store, dataset).find((each) => each === version)
  return { manifest: kept === undefined ? null : intactManifest(store, dataset, kept), isQuarantined: false }
}

const isOfContent = (store: Store, dataset: string, version: Version, contentDigest: string): boolean => {
  const manifest = jsonAt(manifestFile(join(quarantineFolder(store, dataset), version)))
  return typeof manifest === 'object' && manifest !== null && 'contentDigest' in manifest
    ? manifest.contentDigest === contentDigest
    : false
}

/** The version under which a delivery of this content lies in quarantine already, or null: one per delivery. */
export const quarantinedVersion = (store: Store, dataset: string, contentDigest: string): string | null =>
  quarantinedVersions(store, dataset).find((version) => isOfContent(store, dataset, version, contentDigest)) ?? null

/** Removes what lies in quarantine of a content that is current now, by whatever way it became so; returns the paths. */
export const leaveQuarantine = (
  store: Store,
  dataset: string,
  contentDigest: string,
  except: string | null = null,
): string[] =>
  quarantinedVersions(store, dataset)
    .filter((version) => version !== except && isOfContent(store, dataset, version, contentDigest))
    .map((version) => {
      const folder = join(quarantineFolder(store, dataset), version)
      removeFolder(folder)
      return folder
    })

/**
 * A sealed work area with the files of a snapshot in quarantine, its changes made anew where current is another than
 * it was built on. Where a newer version is kept by now it becomes a later one, with a data.db that says so: the order
 * of versions is the order in which they were first current. Quarantine is not touched.
 */
export const buildFromQuarantine = async (
  store: Store,
  refused: Manifest,
  run: string,
  base: Manifest | null,
  now: Date,
  signal: AbortSignal,
): Promise<{ readonly folder: string; readonly manifest: Manifest }> => {
  const { dataset } = refused
  const from = join(quarantineFolder(store, dataset), refused.version)
  const folder = buildingFolder(store, dataset, run)
  try {
    const fault = await faultOfFile(from, refused, true, signal)
    if (fault !== null) throw unreleasable(dataset, refused.version, from, fault)
    makeFolder(folder)
    const named = await underOrderlyVersion(store, refused, from, folder, now, signal)
    const isSameBase = refused.base === (base?.version ?? null)
    if (isSameBase) linkOrCopy(changesFile(from), changesFile(folder))
    const manifest = isSameBase ? named : await compareWithBase(store, base, named, folder, signal)
    sealFolder(folder, manifest)
    return { folder, manifest }
  } catch (error) {
    throw storeError(error, folder)
  }
}

/** Puts the data.db into the work area, under its own version or, where that would be out of order, under a later one. */
const underOrderlyVersion = async (
  store: Store,
  refused: Manifest,
  from: string,
  folder: string,
  now: Date,
  signal: AbortSignal,
): Promise<Manifest> => {
  const kept = versionsOf(store, refused.dataset)
  if (kept.every((version) => version < refused.version)) {
    linkOrCopy(dataFile(from), dataFile(folder))
    return refused
  }
  const quarantined = quarantinedVersions(store, refused.dataset)
  const version = nextVersion(now, refused.contentDigest, [...kept, ...quarantined])
  copyFileSync(dataFile(from), dataFile(folder), constants.COPYFILE_FICLONE)
  chmodSync(dataFile(folder), 0o644)
  renameInMeta(dataFile(folder), version)
  return { ...refused, version, file: await hashFile(dataFile(folder), signal) }
}

/** What a data.db says of its own version. */
const renameInMeta = (path: string, version: Version): void => {
  const database = new Database(path, { fileMustExist: true })
  try {
    database.pragma('journal_mode = OFF')
    database.prepare("UPDATE meta SET value = ? WHERE key = 'version'").run(version)
  } finally {
    database.close()
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
