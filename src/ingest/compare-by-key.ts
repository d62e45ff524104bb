/** Compares two versions of a table by its key: SQLite finds the differing rows by index, in the order of the key. */
import type Database from 'better-sqlite3'
import { mostColumns } from '../pipeline/table-limits.ts'
import type { Change, ChangeValue } from '../store/changes.ts'
import { quoteIdentifier } from '../store/identifier.ts'
import type { TableInfo } from '../store/manifest.ts'
import { type Alias, type Comparison, columnsOf, type Found, jsonValue, schemas, selection } from './comparison.ts'

const join = (key: readonly string[]): string =>
  key.map((column) => `o.${quoteIdentifier(column)} = n.${quoteIdentifier(column)}`).join(' AND ')

const order = (alias: string, key: readonly string[]): string =>
  key.map((column) => `${alias}.${quoteIdentifier(column)}`).join(', ')

/** Finds the records that were added, removed and changed, with the fields that differ. */
export const compareByKey = (
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
  const isNarrow = key.length + 2 * values.length <= mostColumns
  const fieldsOf = isNarrow ? pairsIn(values, key.length) : pairsByRowid(reader, { name, before, after, values }, key)
  each(
    `SELECT ${order('n', key)}, ${isNarrow ? `${old}, ${fresh}` : 'o.rowid, n.rowid'}
     FROM main.${table} AS n JOIN o.${table} AS o ON ${join(key)}
     WHERE (${old}) IS NOT (${fresh}) ORDER BY ${order('n', key)}`,
    (row) => found('changed', row.slice(0, key.length).map(jsonValue), fieldsOf(row)),
  )
}

type FieldsOf = (row: readonly unknown[]) => NonNullable<Change['fields']>

/** The columns whose old and new values, in that order, differ. */
const differing = (
  columns: readonly string[],
  old: (index: number) => unknown,
  fresh: (index: number) => unknown,
): NonNullable<Change['fields']> => {
  const fields: Record<string, [ChangeValue, ChangeValue]> = {}
  for (const [index, column] of columns.entries()) {
    const pair: [ChangeValue, ChangeValue] = [jsonValue(old(index) ?? null), jsonValue(fresh(index) ?? null)]
    if (JSON.stringify(pair[0]) !== JSON.stringify(pair[1])) fields[column] = pair
  }
  return fields
}

/** Fields of a row that has the old and then the new values after its key. */
const pairsIn =
  (values: readonly string[], from: number): FieldsOf =>
  (row) =>
    differing(
      values,
      (index) => row[from + index],
      (index) => row[from + values.length + index],
    )

/**
 * Fields of a row that has the old and then the new rowid after its key: where the values of both sides are more than one
 * statement of SQLite's gives.
 */
const pairsByRowid = (
  reader: Database.Database,
  { name, before, after, values }: Pick<Comparison, 'name'> & { before: TableInfo; after: TableInfo; values: string[] },
  key: readonly string[],
): FieldsOf => {
  const valuesIn = (alias: Alias, info: TableInfo): ((rowid: unknown, column: string) => unknown) => {
    const columns = columnsOf(info)
    const places = new Map(columns.map((column, index) => [column, index]))
    const statement = reader
      .prepare<[unknown], unknown[]>(
        `SELECT ${columns.map(quoteIdentifier).join(', ')} FROM ${schemas[alias]}.${quoteIdentifier(name)} WHERE rowid = ?`,
      )
      .raw()
      .safeIntegers()
    let read: { readonly rowid: unknown; readonly row: readonly unknown[] } = { rowid: undefined, row: [] }
    return (rowid, column) => {
      if (read.rowid !== rowid) read = { rowid, row: statement.get(rowid) ?? [] }
      return read.row[places.get(column) ?? -1]
    }
  }
  const old = valuesIn('o', before)
  const fresh = valuesIn('n', after)
  return (row) =>
    differing(
      values,
      (index) => old(row[key.length], values[index] ?? ''),
      (index) => fresh(row[key.length + 1], values[index] ?? ''),
    )
}
