/**
 * Sweep: what dead runs left behind, removed at the start of the next run, under the dataset's lock. Work areas, half
 * written names, and versions that got their final name but never the pointer.
 */
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildingPrefix, dataFolder, datasetFolder, type Store } from '../store/layout.ts'
import type { PointerNames } from '../store/pointer.ts'
import { versionsOf } from '../store/snapshots.ts'
import type { State } from '../store/state.ts'

/** Removes a snapshot's or work area's folder, read-only or not. */
export const removeFolder = (folder: string): void => {
  chmodSync(folder, 0o755)
  rmSync(folder, { recursive: true, force: true })
}

/** Half-written files: `.name.1a2b3c4d`, see `store/durable.ts`. */
const isHalfWritten = (entry: string, names: readonly string[]): boolean =>
  names.some((name) => entry.startsWith(`.${name}.`) && /^[0-9a-f]{8}$/.test(entry.slice(name.length + 2)))

/** The state with the pointer's last move noted, where a crash came between the move and the note. */
export const reconcile = (state: State, current: string | null, now: Date): State =>
  current === null || state.history.at(-1)?.version === current
    ? state
    : { ...state, history: [...state.history, { version: current, at: now.toISOString(), by: 'publish' as const }] }

/** Versions that got their final name but never the pointer: a publish that died between the two. */
const neverPointed = (store: Store, dataset: string, state: State): string[] => {
  // Without a state nobody knows what was pointed at; then nothing is taken for a leftover.
  if (state.lastRun === null) return []
  const pointed = new Set(state.history.map((move) => move.version))
  // Older ones may have fallen out of the history.
  const newest = [...pointed].sort().at(-1) ?? ''
  return versionsOf(store, dataset).filter((version) => version > newest && !pointed.has(version))
}

const entriesOf = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

/** Removes leftovers, and returns their paths. */
export const sweep = (store: Store, dataset: string, names: PointerNames, state: State): string[] => {
  const folder = datasetFolder(store, dataset)
  const folders = [
    ...entriesOf(folder).filter((entry) => entry.startsWith(buildingPrefix)),
    ...neverPointed(store, dataset, state),
  ].map((entry) => join(folder, entry))
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
