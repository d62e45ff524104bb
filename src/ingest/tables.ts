/** The SQL that makes a snapshot's tables, indexes and views from a pipeline's definition. Pure text. */
import type { ColumnDefinition, ColumnType, PipelineDefinition, TableDefinition } from '../pipeline/types.ts'
import { quoteIdentifier } from '../store/identifier.ts'

const list = (names: readonly string[]): string => names.map(quoteIdentifier).join(', ')

/** The type of a column, however it was declared. */
export const typeOf = (column: ColumnDefinition): ColumnType => (typeof column === 'string' ? column : column.type)

/** Whether the key can be declared in CREATE TABLE, or must become a unique index beside a surrogate. */
const keyIsPrimary = (table: TableDefinition): boolean => table.surrogate === undefined && table.key.length > 0

/** CREATE TABLE of one table. */
export const createTable = (name: string, table: TableDefinition): string => {
  const columns = [
    ...(table.surrogate === undefined ? [] : [`${quoteIdentifier(table.surrogate)} INTEGER PRIMARY KEY`]),
    ...Object.entries(table.columns).map(
      ([column, definition]) =>
        `${quoteIdentifier(column)} ${typeOf(definition)}${table.key.includes(column) ? ' NOT NULL' : ''}`,
    ),
    ...(keyIsPrimary(table) ? [`PRIMARY KEY (${list(table.key)})`] : []),
  ]
  return `CREATE TABLE ${quoteIdentifier(name)}(${columns.join(', ')})`
}

/** INSERT of one row of all declared columns. */
export const insertRow = (name: string, table: TableDefinition): string => {
  const columns = Object.keys(table.columns)
  return `INSERT INTO ${quoteIdentifier(name)}(${list(columns)}) VALUES (${columns.map(() => '?').join(', ')})`
}

/** An index to be made. */
export interface IndexStatement {
  readonly table: string
  readonly columns: readonly string[]
  readonly sql: string
}

/** Indexes share a namespace with tables, so their names have a character that no declared name has. */
const indexOf = (table: string, columns: readonly string[], isKey: boolean): IndexStatement => {
  const name = quoteIdentifier(isKey ? `${table} key` : `${table}.${columns.join('.')}`)
  const kind = isKey ? 'UNIQUE INDEX' : 'INDEX'
  // A key that rows are checked by while they are loaded has its index already.
  return { table, columns, sql: `CREATE ${kind} IF NOT EXISTS ${name} ON ${quoteIdentifier(table)}(${list(columns)})` }
}

/** The unique index that a table's key has beside a surrogate; undefined where the key is declared in CREATE TABLE. */
export const keyIndex = (name: string, table: TableDefinition): IndexStatement | undefined =>
  table.key.length > 0 && !keyIsPrimary(table) ? indexOf(name, table.key, true) : undefined

/** Indexes, made after loading: in key order they cost a fraction of what they cost row by row. */
export const createIndexes = (definition: PipelineDefinition): IndexStatement[] =>
  Object.entries(definition.tables).flatMap(([name, table]) => [
    ...[keyIndex(name, table)].filter((index) => index !== undefined),
    ...(table.indexes ?? []).map((columns) => indexOf(name, columns, false)),
  ])

/** Views, made last: they may use anything. */
export const createViews = (definition: PipelineDefinition): { readonly name: string; readonly sql: string }[] =>
  Object.entries(definition.views ?? {}).map(([name, view]) => ({
    name,
    sql: `CREATE VIEW ${quoteIdentifier(name)} AS ${view.sql}`,
  }))

/** Tables that every snapshot has beside those of its pipeline. */
export const ownTables = [
  'CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT)',
  'CREATE TABLE _rejected(file TEXT NOT NULL, line INTEGER NOT NULL, reason TEXT NOT NULL, raw TEXT)',
] as const
