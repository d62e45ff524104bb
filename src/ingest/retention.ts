/**
 * Retention: which snapshots are kept (DESIGN §4.2). Current, its base, pins, the newest few, and nothing younger than
 * an hour goes: somebody may be reading it, or about to roll back to it.
 */
import { join } from 'node:path'
import { quarantineFolder, type Store, snapshotFolder } from '../store/layout.ts'
import { withLock } from '../store/lock.ts'
import { checkDataset, currentSnapshot, readState, versionsOf } from '../store/snapshots.ts'
import { instantOf, type Version } from '../store/version.ts'
import { quarantinedVersions } from './quarantine.ts'
import { pruneRaw } from './raw-files.ts'
import { removeFolder } from './remove-folder.ts'
import { sweepDataset } from './sweep.ts'

/** Versions kept beside current, its base and pins, unless the pipeline says otherwise. */
export const defaultKeep = 5
const youngMs = 60 * 60 * 1000
const dayMs = 24 * youngMs
/** Days for which a refused snapshot lies in quarantine, and longer while its delivery is still what the source has. */
export const quarantineDays = 90

export interface RetentionFacts {
  /** Kept versions, oldest first. */
  readonly versions: readonly Version[]
  readonly current: string | null
  readonly base: string | null
  readonly pins: readonly string[]
  readonly keep: number
  readonly now: Date
}

/** The versions that may go, oldest first. Pure. */
export const expendable = ({ versions, current, base, pins, keep, now }: RetentionFacts): Version[] => {
  // Without a current snapshot something is wrong; nothing is removed until somebody has looked.
  if (current === null) return []
  const kept = new Set<string>([current, ...(base === null ? [] : [base]), ...pins, ...versions.slice(-keep)])
  return versions.filter((version) => !kept.has(version) && now.getTime() - instantOf(version).getTime() >= youngMs)
}

/** Versions in quarantine that are too old for anybody to release them still, oldest first. Pure. */
export const expendableRefusals = (versions: readonly Version[], stillRefused: string | null, now: Date): Version[] =>
  versions.filter(
    (version) => version !== stillRefused && now.getTime() - instantOf(version).getTime() >= quarantineDays * dayMs,
  )

/** What was removed: versions, versions in quarantine, raw files and leftovers by their paths. */
export interface Pruned {
  readonly versions: readonly Version[]
  readonly quarantined: readonly Version[]
  readonly raw: readonly string[]
  /** Paths of what commands that died had left. */
  readonly leftovers: readonly string[]
}

/** Removes what retention does not keep. The caller holds the dataset's lock. */
export const pruneLocked = (store: Store, dataset: string, keep: number, now: Date): Omit<Pruned, 'leftovers'> => {
  const current = currentSnapshot(store, dataset)
  const state = readState(store, dataset)
  const versions = expendable({
    versions: versionsOf(store, dataset),
    current: current?.version ?? null,
    base: current?.base ?? null,
    pins: state.pins,
    keep,
    now,
  })
  for (const version of versions) removeFolder(snapshotFolder(store, dataset, version))
  const refusals = expendableRefusals(quarantinedVersions(store, dataset), state.refused?.version ?? null, now)
  for (const version of refusals) removeFolder(join(quarantineFolder(store, dataset), version))
  return { versions, quarantined: refusals, raw: pruneRaw(store, dataset, state, now) }
}

/** Removes what retention does not keep, and what dead commands left behind, under the dataset's lock. */
export const prune = async (store: Store, dataset: string, keep: number, now: Date): Promise<Pruned> => {
  checkDataset(store, dataset)
  return withLock(store, dataset, () => {
    const leftovers = sweepDataset(store, dataset)
    return { ...pruneLocked(store, dataset, keep, now), leftovers }
  })
}
