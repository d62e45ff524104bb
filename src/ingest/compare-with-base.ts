/**
 * A snapshot's manifest with its changes against its base. A base whose pages turn out to be damaged while they are read
 * must not keep a healthy snapshot from being published: then what changed is not known, and the manifest says so.
 */
import { rmSync } from 'node:fs'
import { isDamage } from '../store/durable.ts'
import { changesFile, dataFile, type Store, snapshotFolder } from '../store/layout.ts'
import type { Manifest } from '../store/manifest.ts'
import type { Version } from '../store/version.ts'
import { compareSnapshots, sideOf, writeNoChanges } from './compare.ts'
import { faultOfData } from './found-current.ts'

/** What a snapshot is compared with, and what to warn of. */
export interface Base {
  readonly base: Manifest | null
  readonly warnings: readonly string[]
}

/** Current, unless it is an invented sample and the new one is real: how the two differ says nothing of anything. */
export const baseFor = (current: Manifest | null, isSample: boolean): Base =>
  current === null || !current.sample || isSample
    ? { base: current, warnings: [] }
    : { base: null, warnings: [`compared with nothing: ${current.version}, current until then, is an invented sample`] }

/** Writes the changes.db of the snapshot at `folder`, whose data.db is closed; returns its manifest, whole. */
export const compareWithBase = async (
  store: Store,
  base: Manifest | null,
  draft: Omit<Manifest, 'changes'>,
  folder: string,
  signal: AbortSignal,
): Promise<Manifest> => {
  const target = changesFile(folder)
  if (base === null) {
    writeNoChanges(target)
    return { ...draft, base: null, changes: {} }
  }
  // A manifest in a store carries a version of the store's own making.
  const basePath = dataFile(snapshotFolder(store, base.dataset, base.version as Version))
  try {
    const changes = compareSnapshots(sideOf(base, basePath), sideOf(draft, dataFile(folder)), target)
    return { ...draft, base: base.version, changes }
  } catch (error) {
    if (!isDamage(error)) throw error
    const fault = await faultOfData(store, base, true, signal)
    if (fault === null) throw error
    rmSync(target, { force: true })
    writeNoChanges(target)
    return { ...draft, base: null, changes: {}, warnings: [...draft.warnings, unknownChanges(base.version, fault)] }
  }
}

/** A manifest's warning that a snapshot has no changes since another one, as that cannot be read. */
export const unknownChanges = (since: string, fault: string): string =>
  `what changed since ${since} is not known: ${fault}`
