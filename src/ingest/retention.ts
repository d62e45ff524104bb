/**
 * Retention: which snapshots are kept (DESIGN §4.2). Current, its base, pins, the newest few, and nothing younger than
 * an hour goes: somebody may be reading it, or about to roll back to it.
 */
import type { Store } from '../store/layout.ts'
import { snapshotFolder } from '../store/layout.ts'
import { withLock } from '../store/lock.ts'
import { currentSnapshot, readState, versionsOf } from '../store/snapshots.ts'
import { instantOf, type Version } from '../store/version.ts'
import { removeFolder } from './sweep.ts'

/** Versions kept beside current, its base and pins, unless the pipeline says otherwise. */
export const defaultKeep = 5
const youngMs = 60 * 60 * 1000

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

/** Removes what retention does not keep. The caller holds the dataset's lock. */
export const pruneLocked = (store: Store, dataset: string, keep: number, now: Date): Version[] => {
  const current = currentSnapshot(store, dataset)
  const versions = expendable({
    versions: versionsOf(store, dataset),
    current: current?.version ?? null,
    base: current?.base ?? null,
    pins: readState(store, dataset).pins,
    keep,
    now,
  })
  for (const version of versions) removeFolder(snapshotFolder(store, dataset, version))
  return versions
}

/** Removes what retention does not keep, under the dataset's lock. */
export const prune = (store: Store, dataset: string, keep: number, now: Date): Promise<Version[]> =>
  withLock(store, dataset, () => pruneLocked(store, dataset, keep, now))
