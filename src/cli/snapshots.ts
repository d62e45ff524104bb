/** `stichtag snapshots`: kept versions of a dataset, newest first. */
import { currentSnapshot, readManifest, versionsOf } from '../store/snapshots.ts'
import { type StoreFlags, storeHolding } from './stores.ts'
import { count, table, terminal } from './terminal.ts'

export const snapshots = async (dataset: string, flags: StoreFlags & { readonly json?: boolean }): Promise<number> => {
  const store = storeHolding(flags, dataset)
  const current = currentSnapshot(store, dataset)?.version
  const kept = versionsOf(store, dataset)
    .toReversed()
    .map((version) => {
      const manifest = readManifest(store, dataset, version)
      return {
        version,
        current: version === current,
        rows: Object.fromEntries(manifest.tables.map((each) => [each.name, each.rows])),
        bytes: manifest.file.bytes,
      }
    })
  if (flags.json === true) terminal.json(kept)
  else {
    const total = (rows: Record<string, number>): number => Object.values(rows).reduce((sum, each) => sum + each, 0)
    terminal.print(
      table(
        ['version', '', 'rows', 'bytes'],
        kept.map((each) => [each.version, each.current ? 'current' : '', count(total(each.rows)), count(each.bytes)]),
      ),
    )
  }
  return 0
}
