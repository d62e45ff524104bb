/**
 * Publish: state.json says which version is about to be published, the sealed folder gets its final name, and then the
 * pointer moves. A crash before the pointer moved leaves the old snapshot current and a complete, unpointed version; one
 * before the rename leaves a work area. The next run sweeps both (DESIGN §4.2).
 */
import { chmodSync, renameSync } from 'node:fs'
import { storeError, syncFolder } from '../store/durable.ts'
import { datasetFolder, type Store, snapshotFolder, snapshotsFolder } from '../store/layout.ts'
import type { Manifest } from '../store/manifest.ts'
import { movePointer } from '../store/pointer.ts'
import { writeState } from '../store/snapshots.ts'
import type { State } from '../store/state.ts'
import type { Version } from '../store/version.ts'

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
      syncFolder(snapshotsFolder(store))
    } catch (error) {
      throw storeError(error, folder)
    }
  },
  point: (manifest) => movePointer(store, manifest.dataset, manifest, manifest.version as Version),
})

/** Publishes a sealed work area: the intent is noted, so that a run which dies in between leaves nothing unexplained. */
export const publishBuilding = (store: Store, building: string, manifest: Manifest, state: State): void => {
  writeState(store, { ...state, publishing: manifest.version })
  const publisher = storePublisher(store)
  publisher.keep(building, manifest)
  publisher.point(manifest)
}
