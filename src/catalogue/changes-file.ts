/** Reading a snapshot's changes.db through the readers. */
import { z } from 'zod'
import type { ReaderPool } from '../query/types.ts'
import { type Change, changeOps, parseChange } from '../store/changes.ts'
import { changesFile, snapshotFolder } from '../store/layout.ts'
import type { Version } from '../store/version.ts'
import type { ServedSnapshot } from './served.ts'

const changeRows = z.array(z.tuple([z.string(), z.enum(changeOps), z.string(), z.string().nullable()]))

export interface ChangesPage {
  readonly changes: readonly Change[]
  /** Exactly whether more follow. */
  readonly truncated: boolean
}

/** Changes of a version against its base, from the `offset`-th on, in their stable order. */
export const readChanges = async (
  pool: ReaderPool,
  { store, manifest }: ServedSnapshot,
  version: Version,
  { offset, limit, maxBytes }: { readonly offset: number; readonly limit: number; readonly maxBytes: number },
  signal?: AbortSignal,
): Promise<ChangesPage> => {
  const { rows, truncated } = await pool.rows(
    {
      database: changesFile(snapshotFolder(store, manifest.dataset, version)),
      sql: 'SELECT "table", op, key, fields FROM change ORDER BY id LIMIT -1 OFFSET ?',
      parameters: [offset],
      lane: 'lookup',
      maxRows: limit,
      maxBytes,
    },
    signal,
  )
  const changes = changeRows.parse(rows).map(([table, op, key, fields]) => parseChange({ table, op, key, fields }))
  return { changes, truncated }
}
