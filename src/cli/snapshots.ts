/** `stichtag snapshots`: kept versions of a dataset, newest first; and which of them are pinned. */
import { StichtagError } from '../errors.ts'
import { setPin } from '../ingest/pin.ts'
import { currentSnapshot, readManifest, readState, versionsOf } from '../store/snapshots.ts'
import { type StoreFlags, storeHolding } from './stores.ts'
import { count, table, terminal } from './terminal.ts'

export interface SnapshotsFlags extends StoreFlags {
  readonly pin?: string
  readonly unpin?: string
  readonly json?: boolean
}

export const snapshots = async (dataset: string, flags: SnapshotsFlags): Promise<number> => {
  if (flags.pin !== undefined && flags.unpin !== undefined) {
    throw new StichtagError('USAGE', '--pin and --unpin exclude each other')
  }
  const store = storeHolding(flags, dataset)
  if (flags.pin !== undefined) await setPin(store, dataset, flags.pin, true)
  if (flags.unpin !== undefined) await setPin(store, dataset, flags.unpin, false)
  const current = currentSnapshot(store, dataset)?.version
  const { pins } = readState(store, dataset)
  const kept = versionsOf(store, dataset)
    .toReversed()
    .map((version) => {
      const manifest = readManifest(store, dataset, version)
      return {
        version,
        current: version === current,
        rows: Object.fromEntries(manifest.tables.map((each) => [each.name, each.rows])),
        bytes: manifest.file.bytes,
        ...(pins.includes(version) ? { pinned: true } : {}),
      }
    })
  if (flags.json === true) terminal.json(kept)
  else {
    const total = (rows: Record<string, number>): number => Object.values(rows).reduce((sum, each) => sum + each, 0)
    const marks = (each: { current: boolean; pinned?: boolean }): string =>
      [...(each.current ? ['current'] : []), ...(each.pinned === true ? ['pinned'] : [])].join(', ')
    terminal.print(
      table(
        ['version', '', 'rows', 'bytes'],
        kept.map((each) => [each.version, marks(each), count(total(each.rows)), count(each.bytes)]),
      ),
    )
  }
  return 0
}
