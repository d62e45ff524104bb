/** Compares two versions of a table without a key as multisets of rows. */
import type Database from 'better-sqlite3'
import { mostColumns } from '../pipeline/table-limits.ts'
import type { ChangeOp, ChangeValue } from '../store/changes.ts'
import { quoteIdentifier } from '../store/identifier.ts'
import type { TableInfo } from '../store/manifest.ts'
import { type Alias, type Comparison, columnsOf, type Found, jsonValue, schemas, selection } from './comparison.ts'

/** Finds rows of which there are more, or fewer, than before. */
export const compareAsMultiset = (reader: Database.Database, comparison: Comparison, found: Found): void => {
  const { name, columns, before, after } = comparison
  if (columns.length > mostColumns && before !== undefined && after !== undefined) {
    compareChangedColumns(reader, { ...comparison, before, after }, found)
    return
  }
  compareBags(
    reader,
    columns,
    [...bag('n', name, after, columns, 1), ...bag('o', name, before, columns, -1)],
    (op, key) => found(op, key, null),
  )
}

/** The rows of one side, each counted as `sign`; none where the side has no such table. */
const bag = (
  alias: Alias,
  name: string,
  info: TableInfo | undefined,
  columns: readonly string[],
  sign: 1 | -1,
  where = 'TRUE',
): string[] =>
  info === undefined
    ? []
    : [
        `SELECT ${sign}, ${selection('t', info, columns)} FROM ${schemas[alias]}.${quoteIdentifier(name)} AS t WHERE ${where}`,
      ]

/** Finds the rows of which there are more on one side than on the other: first the added ones, in order. */
const compareBags = (
  reader: Database.Database,
  columns: readonly string[],
  bags: readonly string[],
  found: (op: ChangeOp, values: ChangeValue[]) => void,
): void => {
  const names = columns.map((_, index) => `c${index}`).join(', ')
  const statement = reader
    .prepare<[], unknown[]>(
      `WITH row(sign, ${names}) AS (${bags.join(' UNION ALL ')})
       SELECT sum(sign), ${names} FROM row GROUP BY ${names} HAVING sum(sign) <> 0
       ORDER BY sum(sign) < 0, ${names}`,
    )
    .raw()
    .safeIntegers()
  for (const [sum, ...values] of statement.iterate()) {
    const surplus = Number(sum)
    for (let copy = 0; copy < Math.abs(surplus); copy += 1) {
      found(surplus > 0 ? 'added' : 'removed', values.map(jsonValue))
    }
  }
}

/**
 * Two versions of a table whose columns together are more than one statement of SQLite's gives. A row with a value in a
 * column that the other side lacks has no equal there; all others are compared by the columns that both sides have.
 */
const compareChangedColumns = (
  reader: Database.Database,
  { name, columns, before, after }: Comparison & { readonly before: TableInfo; readonly after: TableInfo },
  found: Found,
): void => {
  const fresh = columnsOf(after)
  const old = columnsOf(before)
  const within = (part: readonly string[]) => (op: ChangeOp, values: ChangeValue[]) => {
    const places = new Map(part.map((column, index) => [column, index]))
    found(
      op,
      columns.map((column) => values[places.get(column) ?? -1] ?? null),
      null,
    )
  }
  const hasNone = (own: readonly string[], other: readonly string[]): string => {
    const alone = own.filter((column) => !other.includes(column))
    const nulls = alone.map(() => 'NULL').join(', ')
    return alone.length === 0
      ? 'TRUE'
      : `(${alone.map((column) => `t.${quoteIdentifier(column)}`).join(', ')}) IS (${nulls})`
  }
  const isShared = { n: hasNone(fresh, old), o: hasNone(old, fresh) }
  const both = fresh.filter((column) => old.includes(column))
  compareBags(reader, fresh, bag('n', name, after, fresh, 1, `NOT (${isShared.n})`), within(fresh))
  if (both.length > 0) {
    const bags = [...bag('n', name, after, both, 1, isShared.n), ...bag('o', name, before, both, -1, isShared.o)]
    compareBags(reader, both, bags, within(both))
  }
  compareBags(reader, old, bag('o', name, before, old, -1, `NOT (${isShared.o})`), within(old))
}
