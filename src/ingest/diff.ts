/** The difference between two kept versions: out of changes.db where one is the other's base, computed otherwise. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { StichtagError } from '../errors.ts'
import { type Change, parseChange } from '../store/changes.ts'
import { changesFile, dataFile, type Store, snapshotFolder } from '../store/layout.ts'
import { currentVersion, databaseOf, keptVersion, readManifest } from '../store/snapshots.ts'
import { isVersion, type Version } from '../store/version.ts'
import { compareSnapshots, sideOf } from './compare.ts'
import { isUnreadable } from './found-current.ts'

/** The two versions that a diff is between. */
export interface DiffRange {
  readonly from: Version
  readonly to: Version
}

/**
 * Resolves what a person left out: `to` is current, `from` is the base of `to`. Null where there is nothing before. The
 * base need not be kept any more: the changes against it are.
 */
export const diffRange = (store: Store, dataset: string, from?: string, to?: string): DiffRange | null => {
  const database = databaseOf(store, dataset)
  const current = database === undefined ? null : currentVersion(store, dataset, database)
  const target = to ?? current ?? undefined
  if (target === undefined) {
    throw new StichtagError('UNKNOWN_DATASET', `${dataset} has no current snapshot in ${store.root}`, {
      data: { dataset },
    })
  }
  const newer = keptVersion(store, dataset, target)
  const { base } = readManifest(store, dataset, newer)
  const before = from ?? base
  if (before === null) return null
  return { from: before === base && isVersion(base) ? base : keptVersion(store, dataset, before), to: newer }
}

/** Calls back with every change between two versions, in the stable order of changes.db. */
export const eachChange = (
  store: Store,
  dataset: string,
  range: DiffRange,
  onChange: (change: Change) => void,
): void => {
  try {
    findChanges(store, dataset, range, onChange)
  } catch (error) {
    if (!isUnreadable(error)) throw error
    throw new StichtagError(
      'SNAPSHOT_INVALID',
      `${dataset}: ${range.from} or ${range.to} is damaged, so that they cannot be compared. stichtag doctor ${dataset} says which, and what to do.`,
      { data: { dataset, ...range }, cause: error },
    )
  }
}

const findChanges = (store: Store, dataset: string, range: DiffRange, onChange: (change: Change) => void): void => {
  const to = readManifest(store, dataset, range.to)
  const folderOf = (version: Version): string => snapshotFolder(store, dataset, version)
  if (to.base === range.from) {
    readChanges(changesFile(folderOf(range.to)), onChange)
    return
  }
  const work = mkdtempSync(join(tmpdir(), 'stichtag-diff-'))
  try {
    const from = readManifest(store, dataset, range.from)
    const target = join(work, 'changes.db')
    compareSnapshots(sideOf(from, dataFile(folderOf(range.from))), sideOf(to, dataFile(folderOf(range.to))), target)
    readChanges(target, onChange)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

const readChanges = (path: string, onChange: (change: Change) => void): void => {
  const database = new Database(path, { readonly: true, fileMustExist: true })
  try {
    const statement = database.prepare<[], Parameters<typeof parseChange>[0]>(
      'SELECT "table", op, key, fields FROM change ORDER BY id',
    )
    for (const row of statement.iterate()) onChange(parseChange(row))
  } finally {
    database.close()
  }
}
