/**
 * Compare: the row-level difference between two snapshots, by key, into a changes.db. Tables whose digests agree are
 * not read at all. A table without a key, or with another key than before, is compared as a multiset of rows.
 *
 * Memory stays flat: SQLite finds the differing rows by index, and each is written as it is met.
 */
import Database from 'better-sqlite3'
import { changesIndex, changesSchema } from '../store/changes.ts'
import { syncFile } from '../store/durable.ts'
import type { Changes, Manifest, TableInfo } from '../store/manifest.ts'
import { compareAsMultiset } from './compare-as-multiset.ts'
import { compareByKey } from './compare-by-key.ts'
import { type Comparison, columnsOf, type Found } from './comparison.ts'

/** One side of a comparison: the tables of a snapshot and its data.db. */
export interface Side {
  readonly path: string
  readonly tables: readonly TableInfo[]
}

/** A manifest and where its data lies, as one side. */
export const sideOf = (manifest: Pick<Manifest, 'tables'>, path: string): Side => ({ path, tables: manifest.tables })

/** A key as it can be matched: SQLite would take the text '1' for the number 1 where a key column changed its type. */
const keyOf = (table: TableInfo): string =>
  table.key.map((key) => `${key} ${table.columns.find(({ name }) => name === key)?.type}`).join()

const comparisonsOf = (before: Side, after: Side): Comparison[] => {
  const names = [...new Set([...after.tables, ...before.tables].map((table) => table.name))]
  return names
    .map((name): Comparison => {
      const old = before.tables.find((table) => table.name === name)
      const fresh = after.tables.find((table) => table.name === name)
      const sameKey = old === undefined || fresh === undefined || keyOf(old) === keyOf(fresh)
      return {
        name,
        before: old,
        after: fresh,
        key: sameKey ? ((fresh ?? old)?.key ?? []) : [],
        columns: [...new Set([fresh, old].flatMap((table) => (table === undefined ? [] : columnsOf(table))))],
      }
    })
    .filter(({ before: old, after: fresh, columns }) => {
      const sameColumns = old !== undefined && fresh !== undefined && columnsOf(old).length === columns.length
      return !(sameColumns && old.digest === fresh.digest)
    })
}

/** Writes the difference to a new changes.db at `target`, and returns how many rows of each table differ. */
export const compareSnapshots = (before: Side, after: Side, target: string): Changes => {
  const writer = new Database(target)
  const reader = new Database(after.path, { readonly: true, fileMustExist: true })
  try {
    writer.pragma('journal_mode = OFF')
    writer.pragma('synchronous = OFF')
    writer.exec(`${changesSchema} BEGIN`)
    const insert = writer.prepare('INSERT INTO change("table", op, key, fields) VALUES (?, ?, ?, ?)')
    // An attached database takes over the connection's read-only flag.
    reader.prepare('ATTACH ? AS o').run(before.path)
    const changes: Changes = {}
    for (const comparison of comparisonsOf(before, after)) {
      const counts = { added: 0, removed: 0, changed: 0 }
      const found: Found = (op, key, fields) => {
        counts[op] += 1
        insert.run(comparison.name, op, JSON.stringify(key), fields == null ? null : JSON.stringify(fields))
      }
      if (comparison.key.length > 0) compareByKey(reader, comparison, found)
      else compareAsMultiset(reader, comparison, found)
      changes[comparison.name] = counts
    }
    writer.exec(`COMMIT; ${changesIndex}`)
    for (const table of after.tables) changes[table.name] ??= { added: 0, removed: 0, changed: 0 }
    return changes
  } finally {
    reader.close()
    writer.close()
    syncFile(target)
  }
}

/** An empty changes.db, for a snapshot without a base. */
export const writeNoChanges = (target: string): void => {
  const writer = new Database(target)
  writer.exec(`${changesSchema} ${changesIndex}`)
  writer.close()
  syncFile(target)
}
