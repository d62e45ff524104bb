/** Reading a snapshot's changes.db through the readers. */
import { z } from 'zod'
import type { ReaderPool } from '../query/types.ts'
import { type Change, type ChangeOp, changeOps, parseChange } from '../store/changes.ts'
import { changesFile, snapshotFolder } from '../store/layout.ts'
import type { Version } from '../store/version.ts'
import type { ServedSnapshot } from './served.ts'

const changeRows = z.array(z.tuple([z.string(), z.enum(changeOps), z.string(), z.string().nullable()]))

export interface ChangesPage {
  readonly changes: readonly Change[]
  /** Exactly whether more follow. */
  readonly truncated: boolean
}

/** Which changes are wanted: from the `offset`-th on, of all or of one table and kind. */
export interface WantedChanges {
  readonly offset: number
  readonly limit: number
  readonly maxBytes: number
  readonly table?: string
  readonly op?: ChangeOp
}

/** Changes of a version against its base, in their stable order. */
export const readChanges = async (
  pool: ReaderPool,
  { store, manifest }: ServedSnapshot,
  version: Version,
  { offset, limit, maxBytes, table, op }: WantedChanges,
  signal?: AbortSignal,
): Promise<ChangesPage> => {
  const ofTable = table === undefined ? '' : 'AND +"table" = ?'
  const ofKind = op === undefined ? '' : 'AND op = ?'
  const { rows, truncated } = await pool.rows(
    {
      database: changesFile(snapshotFolder(store, manifest.dataset, version)),
      // In the order of ids anyway, in which a table's rows lie side by side: its index would only make for sorting.
      sql: `SELECT "table", op, key, fields FROM change WHERE TRUE ${ofTable} ${ofKind} ORDER BY id LIMIT -1 OFFSET ?`,
      parameters: [...(table === undefined ? [] : [table]), ...(op === undefined ? [] : [op]), offset],
      lane: 'lookup',
      maxRows: limit,
      maxBytes,
    },
    signal,
  )
  const changes = changeRows
    .parse(rows)
    .map(([name, kind, key, fields]) => parseChange({ table: name, op: kind, key, fields }))
  return { changes, truncated }
}
