/**
 * The lock of a dataset: an exclusive SQLite transaction on its lock file. The system releases it when the process
 * dies, so none ever goes stale (DESIGN §4.2).
 */
import Database from 'better-sqlite3'
import { StichtagError } from '../errors.ts'
import { makeFolder, storeError } from './durable.ts'
import { datasetFolder, downloadsFolder, lockPath, quarantineFolder, type Store, statePath } from './layout.ts'
import { refuseLinks } from './no-links.ts'

/** A held lock. Release it when done; a dead process releases it too. */
export interface Lock {
  release(): void
}

const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')

/** Takes the dataset's lock at once, or throws BUSY. Creates the dataset's folder where it is missing. */
export const takeLock = (store: Store, dataset: string): Lock => {
  const path = lockPath(store, dataset)
  let database: Database.Database | undefined
  try {
    makeFolder(datasetFolder(store, dataset))
    // Whoever writes or deletes takes the lock first, so that this holds for all that lies in these places.
    refuseLinks(
      datasetFolder(store, dataset),
      path,
      statePath(store, dataset),
      quarantineFolder(store, dataset),
      downloadsFolder(store, dataset),
    )
    database = new Database(path, { timeout: 0 })
    // Nothing is ever written, so no journal need lie beside it, or be left there by a process that dies.
    database.pragma('journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database?.close()
    if (isBusy(error)) {
      throw new StichtagError('BUSY', `${dataset}: another run holds the lock ${path}. Wait for it to end.`, {
        data: { dataset },
        cause: error,
      })
    }
    throw storeError(error, path, 'Move it away: the next command makes a new one.')
  }
  const held = database
  return { release: () => void held.close() }
}

/** Runs `work` under the dataset's lock. */
export const withLock = async <T>(store: Store, dataset: string, work: () => T | Promise<T>): Promise<T> => {
  const lock = takeLock(store, dataset)
  try {
    return await work()
  } finally {
    lock.release()
  }
}
