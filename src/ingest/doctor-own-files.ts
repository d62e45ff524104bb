/** What doctor finds of the store's own files: ledger, lock, state.json, and what dead commands left. */
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { asStichtagError, StichtagError } from '../errors.ts'
import { datasetFolder, ledgerPath, lockPath, type Store, statePath } from '../store/layout.ts'
import { takeLock } from '../store/lock.ts'
import { isLink } from '../store/no-links.ts'
import { newestIntact, readState } from '../store/snapshots.ts'
import { emptyState, type State } from '../store/state.ts'
import { isVersion } from '../store/version.ts'
import type { DoctorFinding } from './doctor.ts'
import { leftoversOf } from './sweep.ts'

const aside = (path: string): string => `mv '${path}' '${path}.damaged'`

/** The ledger of runs, which all commands that change the store write to. */
export const examineLedger = (store: Store): DoctorFinding[] => {
  const path = ledgerPath(store)
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return []
  const fault = faultOfLedger(path)
  if (fault === null) return []
  const message = `the ledger of runs cannot be used: ${fault}`
  return [
    { dataset: null, severity: 'error', path, message, advice: `${aside(path)}; the next command begins a new one` },
  ]
}

const faultOfLedger = (path: string): string | null => {
  if (isLink(path)) return 'it is a symbolic link, and a store writes through none'
  try {
    const ledger = new Database(path, { readonly: true, fileMustExist: true, timeout: 10_000 })
    try {
      const integrity = String(ledger.pragma('integrity_check', { simple: true }))
      return integrity === 'ok' ? null : integrity
    } finally {
      ledger.close()
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** state.json of a dataset. */
export const examineState = (store: Store, dataset: string): DoctorFinding[] => {
  try {
    readState(store, dataset)
    return []
  } catch (error) {
    const path = statePath(store, dataset)
    const message = `state.json cannot be read: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`
    return [{ dataset, severity: 'error', path, message, advice: `${aside(path)}; the next run begins a new one` }]
  }
}

/** Whether the lock can be taken: what looks like a leftover belongs to somebody who is at work otherwise. */
const lockIn = (store: Store, dataset: string): 'free' | 'taken' | StichtagError => {
  try {
    takeLock(store, dataset).release()
    return 'free'
  } catch (error) {
    const told = asStichtagError(error)
    return told.code === 'BUSY' ? 'taken' : told
  }
}

/** Whether a run, or another command that changes the dataset, holds its lock. */
export const isAtWork = (store: Store, dataset: string): boolean => lockIn(store, dataset) === 'taken'

/** What makes it possible to take the lock again. */
const unlocking = (lock: string, path: string, folder: string): string => {
  if (isLink(path)) return `rm '${path}'; the next command makes its own`
  return path === lock && existsSync(path) ? `rm -r '${path}'; the next command makes a new one` : `look at ${folder}`
}

/** The lock of a dataset, work areas, and other entries that belong to nobody. */
export const examineStrays = (store: Store, dataset: string): DoctorFinding[] => {
  const folder = datasetFolder(store, dataset)
  const lock = lockIn(store, dataset)
  const path = lock instanceof StichtagError ? String(lock.data.path ?? lockPath(store, dataset)) : ''
  const left = leftoversOf(store, dataset, newestIntact(store, dataset), stateOrEmpty(store, dataset))
  const leftovers = [...left.folders, ...left.files]
  const known = new Set(['lock', 'state.json'])
  const strays = readdirSync(folder)
    .filter((entry) => !known.has(entry) && !isVersion(entry))
    .map((entry) => join(folder, entry))
    .filter((entry) => !leftovers.includes(entry))
  return [
    ...(lock instanceof StichtagError
      ? [
          {
            dataset,
            severity: 'error' as const,
            path,
            message: `the lock cannot be taken: ${lock.message}`,
            advice: unlocking(lockPath(store, dataset), path, folder),
          },
        ]
      : []),
    ...(lock === 'taken' ? [] : leftovers).map((each) => ({
      dataset,
      severity: 'warning' as const,
      path: each,
      message: 'left behind by a command that died',
      advice: `stichtag prune ${dataset} removes it, and so does the next run`,
    })),
    ...strays.map((each) => ({
      dataset,
      // That is how our own advice has people move a file aside.
      severity: each.endsWith('.damaged') ? ('note' as const) : ('warning' as const),
      path: each,
      message: 'this does not belong here',
      advice: 'look at it, and remove it',
    })),
  ]
}

const stateOrEmpty = (store: Store, dataset: string): State => {
  try {
    return readState(store, dataset)
  } catch {
    // examineState tells it.
    return emptyState(dataset)
  }
}
