/**
 * Raw files: what the publisher delivered, each under its own digest, so that a delivery never takes the place of the
 * one that current was built from:
 *
 *     downloads/<dataset>/<first 16 digits of its sha256>/<name>
 *                         <name>.part, <name>.part.json         a download that was broken off
 *                         lookups/                              answers to what a pipeline looks up, see lookup.ts
 *
 * A file is kept for as long as a kept or quarantined version was built from it, or the next run may need it.
 */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder, storeError, syncFolder } from '../store/durable.ts'
import { downloadsFolder, type Store } from '../store/layout.ts'
import { refuseLinks } from '../store/no-links.ts'
import { intactManifest, versionsOf } from '../store/snapshots.ts'
import type { State } from '../store/state.ts'
import { removeDeadParts } from './left-parts.ts'
import { quarantinedManifest, quarantinedVersions } from './quarantine.ts'

const shortDigest = (sha256: string): string => sha256.slice(0, 16)
const isRawFolder = (entry: string): boolean => /^[0-9a-f]{16}$/.test(entry)

/** Folder of answers to lookups, beside the raw files. */
export const lookupsFolder = (downloads: string): string => join(downloads, 'lookups')

/** Folders in which broken-off downloads of a dataset leave their parts. */
export const partFolders = (store: Store, dataset: string): readonly string[] => {
  const downloads = downloadsFolder(store, dataset)
  return [downloads, lookupsFolder(downloads)]
}

/** Where a file of this digest is kept. */
export const rawFile = (downloads: string, name: string, sha256: string): string =>
  join(downloads, shortDigest(sha256), name)

/** Gives a downloaded file its place; returns where it lies now. */
export const keepRaw = (downloads: string, name: string, sha256: string): string => {
  const path = rawFile(downloads, name, sha256)
  try {
    makeFolder(dirname(path))
    refuseLinks(downloads, dirname(path))
    renameSync(join(downloads, name), path)
    syncFolder(dirname(path))
    syncFolder(downloads)
  } catch (error) {
    throw storeError(error, path)
  }
  return path
}

/** Digests of the files that something may still be built from. */
const neededDigests = (store: Store, dataset: string, state: State): ReadonlySet<string> => {
  const manifests = [
    ...versionsOf(store, dataset).map((version) => intactManifest(store, dataset, version)),
    ...quarantinedVersions(store, dataset).map((version) => quarantinedManifest(store, dataset, version)),
  ]
  const digests = [
    ...manifests.flatMap((manifest) => manifest?.sources ?? []),
    ...Object.values(state.validators),
    ...Object.values(state.refused?.validators ?? {}),
  ].map(({ sha256 }) => shortDigest(sha256))
  return new Set(digests)
}

/**
 * Removes raw files that nothing needs any more, and parts that no run goes on from; returns their paths. The caller holds
 * the dataset's lock.
 */
export const pruneRaw = (store: Store, dataset: string, state: State, now: Date): string[] => {
  const downloads = downloadsFolder(store, dataset)
  if (!existsSync(downloads)) return []
  refuseLinks(downloads)
  const parts = removeDeadParts(partFolders(store, dataset), now)
  const needed = neededDigests(store, dataset, state)
  const expendable = readdirSync(downloads, { withFileTypes: true })
    // Whole files outside of such a folder are of a run that died before it could give them their place.
    .filter((entry) =>
      entry.isDirectory() ? isRawFolder(entry.name) && !needed.has(entry.name) : !/\.part(?:\.json)?$/.test(entry.name),
    )
    .map((entry) => join(downloads, entry.name))
  for (const path of expendable) rmSync(path, { recursive: true, force: true })
  return [...parts, ...expendable]
}
