/**
 * Sweep: what dead runs left behind, removed at the start of the next run, under the dataset's lock. Work areas, half
 * written names, and versions that got their final name but never the pointer.
 */
import { chmodSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { buildingPrefix, dataFolder, datasetFolder, quarantineFolder, type Store } from '../store/layout.ts'
import type { PointerNames } from '../store/pointer.ts'
import { currentVersion, versionsOf } from '../store/snapshots.ts'
import type { State } from '../store/state.ts'

/**
 * Removes a snapshot's or work area's folder, read-only or not. It loses its name first: a version that is half removed
 * when the process dies must not be taken for a kept one.
 */
export const removeFolder = (folder: string): void => {
  const name = basename(folder)
  const doomed = name.startsWith(buildingPrefix) ? folder : join(dirname(folder), `${buildingPrefix}${name}`)
  if (doomed !== folder) renameSync(folder, doomed)
  chmodSync(doomed, 0o755)
  rmSync(doomed, { recursive: true, force: true })
}

/** Half-written files: `.name.1a2b3c4d`, see `store/durable.ts`. */
const isHalfWritten = (entry: string, names: readonly string[]): boolean =>
  names.some((name) => entry.startsWith(`.${name}.`) && /^[0-9a-f]{8}$/.test(entry.slice(name.length + 2)))

/**
 * The state with the pointer's last move noted, where a crash came between the move and the note. The validators are
 * then those of an earlier delivery, and are forgotten. Pure.
 */
export const reconcile = ({ publishing: _, ...state }: State, current: string | null, now: Date): State =>
  current === null || state.history.at(-1)?.version === current
    ? state
    : {
        ...state,
        validators: {},
        history: [...state.history, { version: current, at: now.toISOString(), by: 'publish' as const }].slice(-100),
      }

/** The version that got its final name but never the pointer: its publish died between the two. */
const neverPointed = (store: Store, dataset: string, names: PointerNames, { publishing }: State): string[] =>
  currentVersion(store, dataset, names.database) === publishing
    ? []
    : versionsOf(store, dataset).filter((version) => version === publishing)

const entriesOf = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

/** Removes leftovers, and returns their paths. `state` is the one on the disk, before it is reconciled. */
export const sweep = (store: Store, dataset: string, names: PointerNames, state: State): string[] => {
  const folder = datasetFolder(store, dataset)
  const folders = [
    ...[folder, quarantineFolder(store, dataset)].flatMap((parent) =>
      entriesOf(parent)
        .filter((entry) => entry.startsWith(buildingPrefix))
        .map((entry) => join(parent, entry)),
    ),
    ...neverPointed(store, dataset, names, state).map((version) => join(folder, version)),
  ]
  const halfWritten = (parent: string, finalNames: readonly string[]): string[] =>
    entriesOf(parent)
      .filter((entry) => isHalfWritten(entry, finalNames))
      .map((entry) => join(parent, entry))
  const files = [
    ...halfWritten(folder, ['state.json']),
    ...halfWritten(dataFolder(store), [names.database, ...names.aliases]),
  ]
  for (const path of folders) removeFolder(path)
  for (const path of files) rmSync(path, { force: true })
  return [...folders, ...files]
}
