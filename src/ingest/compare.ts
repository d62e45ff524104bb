/**
 * Compare: the row-level difference between two snapshots, by key, into a changes.db. Tables whose digests agree are
 * not read at all. A table without a key, or with another key than before, is compared as a multiset of rows.
 *
 * Memory stays flat: SQLite finds the differing rows by index, and each is written as it is met.
 */
import Database from 'better-sqlite3'
import { type Change, type ChangeOp, type ChangeValue, changesIndex, changesSchema } from '../store/changes.ts'
import { syncFile } from '../store/durable.ts'
import { quoteIdentifier } from '../store/identifier.ts'
import type { Changes, Manifest, TableInfo } from '../store/manifest.ts'

/** One side of a comparison: the tables of a snapshot and its data.db. */
export interface Side {
  readonly path: string
  readonly tables: readonly TableInfo[]
}

/** A manifest and where its data lies, as one side. */
export const sideOf = (manifest: Pick<Manifest, 'tables'>, path: string): Side => ({ path, tables: manifest.tables })

/** Names of the two databases in one read-only connection: the newer one is opened, the older one attached. */
const schemas = { n: 'main', o: 'o' } as const
type Alias = keyof typeof schemas

/** A key as it can be matched: SQLite would take the text '1' for the number 1 where a key column changed its type. */
const keyOf = (table: TableInfo): string =>
  table.key.map((key) => `${key} ${table.columns.find(({ name }) => name === key)?.type}`).join()

const columnsOf = (table: TableInfo): string[] =>
  table.columns.filter((column) => column.surrogate !== true).map((column) => column.name)

const jsonValue = (value: unknown): ChangeValue => {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value.toString()
  }
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  throw new Error(`SQLite gave a ${typeof value}`)
}

/** How two versions of a table are compared. */
interface Comparison {
  readonly name: string
  readonly before: TableInfo | undefined
  readonly after: TableInfo | undefined
  readonly key: readonly string[]
  /** Columns of either side; one that a side lacks is NULL there. */
  readonly columns: readonly string[]
}

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

const selection = (alias: string, table: TableInfo | undefined, columns: readonly string[]): string => {
  const present = new Set(table === undefined ? [] : columnsOf(table))
  // The plus takes the column's affinity away: otherwise a text '1' equals the number 1 of a column that changed its type.
  return columns.map((column) => (present.has(column) ? `+${alias}.${quoteIdentifier(column)}` : 'NULL')).join(', ')
}

const join = (key: readonly string[]): string =>
  key.map((column) => `o.${quoteIdentifier(column)} = n.${quoteIdentifier(column)}`).join(' AND ')

const order = (alias: string, key: readonly string[]): string =>
  key.map((column) => `${alias}.${quoteIdentifier(column)}`).join(', ')

type Found = (op: ChangeOp, key: ChangeValue[], fields: Change['fields'] | null) => void

const compareByKey = (
  reader: Database.Database,
  { name, key, columns, before, after }: Comparison,
  found: Found,
): void => {
  const table = quoteIdentifier(name)
  const onlyIn = (here: Alias, there: Alias): string =>
    `SELECT ${order(here, key)} FROM ${schemas[here]}.${table} AS ${here} WHERE NOT EXISTS
     (SELECT 1 FROM ${schemas[there]}.${table} AS ${there} WHERE ${join(key)}) ORDER BY ${order(here, key)}`
  const each = (sql: string, row: (values: unknown[]) => void): void => {
    const statement = reader.prepare<[], unknown[]>(sql).raw().safeIntegers()
    for (const values of statement.iterate()) row(values)
  }
  const all = (here: Alias): string =>
    `SELECT ${order(here, key)} FROM ${schemas[here]}.${table} AS ${here} ORDER BY ${order(here, key)}`
  if (after !== undefined) {
    each(before === undefined ? all('n') : onlyIn('n', 'o'), (values) => found('added', values.map(jsonValue), null))
  }
  if (before !== undefined) {
    each(after === undefined ? all('o') : onlyIn('o', 'n'), (values) => found('removed', values.map(jsonValue), null))
  }
  if (before === undefined || after === undefined) return
  const values = columns.filter((column) => !key.includes(column))
  if (values.length === 0) return
  const old = selection('o', before, values)
  const fresh = selection('n', after, values)
  each(
    `SELECT ${order('n', key)}, ${old}, ${fresh} FROM main.${table} AS n JOIN o.${table} AS o ON ${join(key)}
     WHERE (${old}) IS NOT (${fresh}) ORDER BY ${order('n', key)}`,
    (row) => {
      const oldValues = row.slice(key.length, key.length + values.length).map(jsonValue)
      const newValues = row.slice(key.length + values.length).map(jsonValue)
      const fields: Record<string, [ChangeValue, ChangeValue]> = {}
      for (const [index, column] of values.entries()) {
        const pair: [ChangeValue, ChangeValue] = [oldValues[index] ?? null, newValues[index] ?? null]
        if (JSON.stringify(pair[0]) !== JSON.stringify(pair[1])) fields[column] = pair
      }
      found('changed', row.slice(0, key.length).map(jsonValue), fields)
    },
  )
}

const compareAsMultiset = (
  reader: Database.Database,
  { name, columns, before, after }: Comparison,
  found: Found,
): void => {
  const names = columns.map((_, index) => `c${index}`).join(', ')
  const side = (alias: Alias, info: TableInfo | undefined, sign: 1 | -1): string[] =>
    info === undefined
      ? []
      : [`SELECT ${sign}, ${selection('t', info, columns)} FROM ${schemas[alias]}.${quoteIdentifier(name)} AS t`]
  const statement = reader
    .prepare<[], unknown[]>(
      `WITH row(sign, ${names}) AS (${[...side('n', after, 1), ...side('o', before, -1)].join(' UNION ALL ')})
       SELECT sum(sign), ${names} FROM row GROUP BY ${names} HAVING sum(sign) <> 0
       ORDER BY sum(sign) < 0, ${names}`,
    )
    .raw()
    .safeIntegers()
  for (const [sum, ...values] of statement.iterate()) {
    const surplus = Number(sum)
    for (let copy = 0; copy < Math.abs(surplus); copy += 1) {
      found(surplus > 0 ? 'added' : 'removed', values.map(jsonValue), null)
    }
  }
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
