/**
 * Sweep: what dead runs left behind, removed at the start of the next run, under the dataset's lock. Work areas, half
 * written names, and versions that got their final name but never the pointer.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildingPrefix, dataFolder, datasetFolder, quarantineFolder, type Store } from '../store/layout.ts'
import type { PointerNames } from '../store/pointer.ts'
import { currentSnapshot, currentVersion, newestIntact, readState, versionsOf } from '../store/snapshots.ts'
import type { State } from '../store/state.ts'
import { leaveQuarantine } from './quarantine.ts'
import { removeFolder } from './remove-folder.ts'

/** Half-written files: `.name.1a2b3c4d`, see `store/durable.ts`. */
const isHalfWritten = (entry: string, names: readonly string[]): boolean =>
  names.some((name) => entry.startsWith(`.${name}.`) && /^[0-9a-f]{8}$/.test(entry.slice(name.length + 2)))

/**
 * The state with the pointer's last move noted, where a crash came between the move and the note. The validators are
 * then those of an earlier delivery, and are forgotten. Pure.
 */
export const reconcile = ({ publishing: _, ...found }: State, current: string | null, now: Date): State => {
  // A rollback notes what it is about to reject; where it died then, that is current still, and not rejected.
  const state = { ...found, held: found.held.filter(({ version }) => version !== current) }
  return current === null || state.history.at(-1)?.version === current
    ? state
    : {
        ...state,
        validators: {},
        history: [...state.history, { version: current, at: now.toISOString(), by: 'publish' as const }].slice(-100),
      }
}

/** The version that got its final name but never the pointer: its publish died between the two. */
const neverPointed = (store: Store, dataset: string, names: PointerNames | null, { publishing }: State): string[] =>
  // Without the pointer's name nobody can tell; it is kept.
  names === null || currentVersion(store, dataset, names.database) === publishing
    ? []
    : versionsOf(store, dataset).filter((version) => version === publishing)

const entriesOf = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

/** What lies in quarantine though its content is current: it was released, or published by accepting the guard. */
const releasedOnes = (store: Store, dataset: string, names: PointerNames | null, { refused }: State): string[] => {
  const current = names === null ? null : currentSnapshot(store, dataset, names.database)
  return current === null ? [] : leaveQuarantine(store, dataset, current.contentDigest, refused?.version ?? null)
}

/**
 * Removes what dead commands left of a dataset, its pointer's names being those that its newest intact manifest says.
 * Every command that changes a store begins with it, under the lock.
 */
export const sweepDataset = (store: Store, dataset: string): string[] =>
  sweep(store, dataset, newestIntact(store, dataset), readState(store, dataset))

/** What dead commands left, by their paths: work areas and versions, and half-written files. */
export interface Leftovers {
  readonly folders: readonly string[]
  readonly files: readonly string[]
}

/**
 * Finds leftovers. `state` is the one on the disk, before it is reconciled; `names` is null
 * where no manifest tells them.
 */
export const leftoversOf = (store: Store, dataset: string, names: PointerNames | null, state: State): Leftovers => {
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
    ...halfWritten(dataFolder(store), names === null ? [] : [names.database, ...names.aliases]),
  ]
  return { folders, files }
}

/** Removes leftovers, see {@link leftoversOf}, and returns their paths. Only under the dataset's lock. */
export const sweep = (store: Store, dataset: string, names: PointerNames | null, state: State): string[] => {
  const { folders, files } = leftoversOf(store, dataset, names, state)
  for (const path of folders) removeFolder(path)
  for (const path of files) rmSync(path, { force: true })
  return [...folders, ...files, ...releasedOnes(store, dataset, names, state)]
}
