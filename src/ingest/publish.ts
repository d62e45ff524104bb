/**
 * Publish: the sealed folder gets its final name, and then the pointer moves. A crash before the pointer moved leaves
 * the old snapshot current and a complete, unpointed version that the next run finds superfluous or that prune removes;
 * a crash before the rename leaves a work area that the next run sweeps (DESIGN §4.2).
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { storeError, syncFile, syncFolder } from '../store/durable.ts'
import { datasetFolder, manifestFile, quarantineFolder, type Store, snapshotFolder } from '../store/layout.ts'
import { type Manifest, manifestSchema } from '../store/manifest.ts'
import { movePointer } from '../store/pointer.ts'
import { isVersion, type Version } from '../store/version.ts'

/** What publishing sits behind, so that snapshots may one day travel between machines (DESIGN §5). */
export interface Publisher {
  /** Gives the sealed work area its final name. */
  keep(building: string, manifest: Manifest): void
  /** Makes a kept version current. This is the signal. */
  point(manifest: Manifest): void
}

/** Publishing into a folder tree on this machine. */
export const storePublisher = (store: Store): Publisher => ({
  keep: (building, manifest) => {
    const folder = snapshotFolder(store, manifest.dataset, manifest.version as Version)
    try {
      chmodSync(building, 0o555)
      renameSync(building, folder)
      syncFolder(datasetFolder(store, manifest.dataset))
    } catch (error) {
      throw storeError(error, folder)
    }
  },
  point: (manifest) => movePointer(store, manifest.dataset, manifest, manifest.version as Version),
})

/** Why a snapshot was refused, with its figures: reason.json in its quarantine folder. */
export interface RefusalReason {
  readonly code: string
  readonly message: string
  readonly findings: readonly unknown[]
  readonly at: string
}

/** Moves a refused snapshot into quarantine, with the reason beside it. */
export const quarantine = (store: Store, building: string, manifest: Manifest, reason: RefusalReason): string => {
  const parent = quarantineFolder(store, manifest.dataset)
  const folder = join(parent, manifest.version)
  const path = join(building, 'reason.json')
  try {
    mkdirSync(parent, { recursive: true })
    writeFileSync(path, `${JSON.stringify(reason, null, 2)}\n`, { mode: 0o444 })
    syncFile(path)
    renameSync(building, folder)
    chmodSync(folder, 0o555)
    syncFolder(parent)
  } catch (error) {
    throw storeError(error, folder)
  }
  return folder
}

/** The version under which a delivery of this content lies in quarantine already, or null: one per delivery. */
export const quarantinedVersion = (store: Store, dataset: string, contentDigest: string): string | null => {
  const parent = quarantineFolder(store, dataset)
  const versions = existsSync(parent) ? readdirSync(parent).filter(isVersion) : []
  return (
    versions.find((version) => {
      const manifest = manifestSchema.parse(JSON.parse(readFileSync(manifestFile(join(parent, version)), 'utf8')))
      return manifest.contentDigest === contentDigest
    }) ?? null
  )
}
