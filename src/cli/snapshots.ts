/** `stichtag snapshots`: kept versions of a dataset, newest first; and which of them are pinned. */
import { statSync } from 'node:fs'
import { asStichtagError, StichtagError } from '../errors.ts'
import { setPin } from '../ingest/pin.ts'
import { dataFile, type Store, snapshotFolder } from '../store/layout.ts'
import { currentVersion, databaseOf, readManifest, readState, versionsOf } from '../store/snapshots.ts'
import type { State } from '../store/state.ts'
import type { Version } from '../store/version.ts'
import { type StoreFlags, storeHolding } from './stores.ts'
import { count, table, terminal } from './terminal.ts'

export interface SnapshotsFlags extends StoreFlags {
  readonly pin?: string
  readonly unpin?: string
  readonly json?: boolean
}

/** What state.json says of versions: those that are pinned, and those that a rollback holds back; none where it is damaged. */
const markedIn = (store: Store, dataset: string): Pick<State, 'pins' | 'held'> => {
  try {
    return readState(store, dataset)
  } catch (error) {
    const { code, message } = asStichtagError(error)
    if (code !== 'STATE_INVALID') throw error
    terminal.note(message)
    return { pins: [], held: [] }
  }
}

/** What a version holds. One that is damaged says so, and hides nothing of the others. */
const heldIn = (
  store: Store,
  dataset: string,
  version: Version,
): {
  readonly rows: Readonly<Record<string, number>>
  readonly bytes: number
  readonly sample?: true
  readonly damaged?: string
} => {
  const data = statSync(dataFile(snapshotFolder(store, dataset, version)), { throwIfNoEntry: false })
  try {
    const { tables, file, sample } = readManifest(store, dataset, version)
    const known = {
      rows: Object.fromEntries(tables.map((each) => [each.name, each.rows])),
      ...(sample ? { sample } : {}),
    }
    if (data?.size === file.bytes) return { ...known, bytes: file.bytes }
    const found = data === undefined ? 'is missing' : `has ${data.size} bytes`
    return { ...known, bytes: data?.size ?? 0, damaged: `data.db ${found}, and ${file.bytes} bytes were sealed` }
  } catch (error) {
    const { code, message } = asStichtagError(error)
    if (code !== 'SNAPSHOT_INVALID') throw error
    return { rows: {}, bytes: data?.size ?? 0, damaged: message }
  }
}

export const snapshots = async (dataset: string, flags: SnapshotsFlags): Promise<number> => {
  if (flags.pin !== undefined && flags.unpin !== undefined) {
    throw new StichtagError('USAGE', '--pin and --unpin exclude each other')
  }
  const store = storeHolding(flags, dataset)
  if (flags.pin !== undefined) await setPin(store, dataset, flags.pin, true)
  if (flags.unpin !== undefined) await setPin(store, dataset, flags.unpin, false)
  const database = databaseOf(store, dataset)
  const current = database === undefined ? null : currentVersion(store, dataset, database)
  const { pins, held } = markedIn(store, dataset)
  const kept = versionsOf(store, dataset)
    .toReversed()
    .map((version) => ({
      version,
      current: version === current,
      ...heldIn(store, dataset, version),
      ...(pins.includes(version) ? { pinned: true } : {}),
      ...(held.some((each) => each.version === version) ? { held: true } : {}),
    }))
  // The JSON is DESIGN §4.3's, to the field; what else there is to say, people are told.
  if (flags.json === true) terminal.json(kept.map(({ sample: _, held: __, ...each }) => each))
  else {
    const total = (rows: Record<string, number>): number => Object.values(rows).reduce((sum, each) => sum + each, 0)
    const marks = (each: (typeof kept)[number]): string =>
      [
        ...(each.current ? ['current'] : []),
        ...(each.sample === true ? ['sample'] : []),
        ...(each.held === true ? ['held'] : []),
        ...(each.pinned === true ? ['pinned'] : []),
        ...(each.damaged === undefined ? [] : ['damaged']),
      ].join(', ')
    terminal.print(
      table(
        ['version', '', 'rows', 'bytes'],
        kept.map((each) => [each.version, marks(each), count(total(each.rows)), count(each.bytes)]),
      ),
    )
    for (const each of kept.filter((one) => one.held === true)) {
      terminal.note(
        `${each.version}: held since a rollback, until the publisher brings out another delivery, or: stichtag release ${dataset} ${each.version}`,
      )
    }
    for (const { version, damaged } of kept) {
      if (damaged !== undefined) terminal.note(`${version}: ${damaged}. What to do: stichtag doctor ${dataset}`)
    }
  }
  return 0
}
