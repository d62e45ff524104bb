/**
 * The pointer: a symlink that names the current snapshot, moved by rename. Moving it is what publishing is, and the
 * signal that everybody else watches (DESIGN §4.1, §5).
 */
import { lstatSync, readlinkSync, renameSync } from 'node:fs'
import { join, sep } from 'node:path'
import { StichtagError } from '../errors.ts'
import { makeFolder, replaceSymlink, storeError, syncFolder } from './durable.ts'
import { dataFolder, pointerPath, pointerTarget, type Store } from './layout.ts'
import type { Version } from './version.ts'

/** The names under which a dataset's data is found. */
export interface PointerNames {
  readonly database: string
  readonly aliases: readonly string[]
}

const isOurs = (target: string, names: PointerNames, dataset: string): boolean =>
  target === names.database || target.startsWith(join('snapshots', dataset, sep))

/** Paths of pointer and aliases at which something lies that is not ours: a regular file, a link to elsewhere. */
export const occupiedPaths = (store: Store, dataset: string, names: PointerNames): string[] =>
  [names.database, ...names.aliases]
    .map((name) => pointerPath(store, name))
    .filter((path) => {
      const found = lstatSync(path, { throwIfNoEntry: false })
      if (found === undefined) return false
      return !found.isSymbolicLink() || !isOurs(readlinkSync(path), names, dataset)
    })

/** Throws POINTER_OCCUPIED where a pointer or alias would replace something that is not ours. */
export const checkPointerFree = (store: Store, dataset: string, names: PointerNames): void => {
  const occupied = occupiedPaths(store, dataset, names)
  if (occupied.length === 0) return
  throw new StichtagError(
    'POINTER_OCCUPIED',
    `${dataset}: ${occupied.join(' and ')} would be replaced by a pointer, but holds somebody's own data. ` +
      'Nothing was downloaded. Move it away, or run again with --adopt, which renames it and keeps it.',
    { data: { dataset, paths: occupied } },
  )
}

/** Moves whatever occupies pointer and aliases aside, and returns where each now lies. */
export const adoptOccupied = (store: Store, dataset: string, names: PointerNames, now: Date): string[] => {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '')
  return occupiedPaths(store, dataset, names).map((path) => {
    const aside = `${path}.adopted-${stamp}`
    try {
      renameSync(path, aside)
    } catch (error) {
      throw storeError(error, path)
    }
    syncFolder(dataFolder(store))
    return aside
  })
}

/** Points the dataset's database, and through it every alias, at a version. */
export const movePointer = (store: Store, dataset: string, names: PointerNames, version: Version): void => {
  checkPointerFree(store, dataset, names)
  try {
    makeFolder(dataFolder(store))
  } catch (error) {
    throw storeError(error, dataFolder(store))
  }
  replaceSymlink(pointerTarget(dataset, version), pointerPath(store, names.database))
  ensureAliases(store, names)
}

/** Makes every alias a link to the pointer; those that are stay untouched. */
export const ensureAliases = (store: Store, names: PointerNames): void => {
  for (const alias of names.aliases) {
    const path = pointerPath(store, alias)
    const present = lstatSync(path, { throwIfNoEntry: false })
    if (present?.isSymbolicLink() && readlinkSync(path) === names.database) continue
    replaceSymlink(names.database, path)
  }
}
