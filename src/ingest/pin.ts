/** Pins: versions that prune must keep, however old. */
import type { Store } from '../store/layout.ts'
import { withLock } from '../store/lock.ts'
import { checkDataset, keptVersion, readState, writeState } from '../store/snapshots.ts'

/** Pins a kept version, or takes its pin away; returns the pins there are. @throws UNKNOWN_VERSION, BUSY */
export const setPin = async (
  store: Store,
  dataset: string,
  wanted: string,
  isPinned: boolean,
): Promise<readonly string[]> => {
  // Before the lock, which makes the dataset's folder.
  checkDataset(store, dataset)
  return withLock(store, dataset, () => {
    const state = readState(store, dataset)
    // A pin of a version that is gone can still be taken away.
    const version = isPinned ? keptVersion(store, dataset, wanted) : wanted
    const others = state.pins.filter((pin) => pin !== version)
    const pins = isPinned ? [...others, version].sort() : others
    writeState(store, { ...state, pins })
    return pins
  })
}
