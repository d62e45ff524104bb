/** The SQL that makes a snapshot's tables, indexes and views from a pipeline's definition. Pure text. */
import type { ColumnDefinition, ColumnType, PipelineDefinition, TableDefinition } from '../pipeline/types.ts'
import { quoteIdentifier, quoteText } from '../store/identifier.ts'

const list = (names: readonly string[]): string => names.map(quoteIdentifier).join(', ')

/** The type of a column, however it was declared. */
export const typeOf = (column: ColumnDefinition): ColumnType => (typeof column === 'string' ? column : column.type)

/** Whether the key can be declared in CREATE TABLE, or must become a unique index beside a surrogate. */
const keyIsPrimary = (table: TableDefinition): boolean => table.surrogate === undefined && table.key.length > 0

/** Whether the key is the rowid itself: it costs nothing to check, and cannot be added to a table that is there. */
const keyIsRowid = ({ key, columns }: TableDefinition): boolean => {
  const [column, ...others] = key
  const definition = column === undefined ? undefined : columns[column]
  return others.length === 0 && definition !== undefined && typeOf(definition) === 'INTEGER'
}

/** Whether a table's key can be declared once its rows are in, see `declareKey`. */
export const keyComesLater = (table: TableDefinition): boolean => keyIsPrimary(table) && !keyIsRowid(table)

const columnsOf = (table: TableDefinition): string[] =>
  Object.entries(table.columns).map(
    ([column, definition]) =>
      `${quoteIdentifier(column)} ${typeOf(definition)}${table.key.includes(column) ? ' NOT NULL' : ''}`,
  )

/** CREATE TABLE of one table, with its key or without. */
export const createTable = (name: string, table: TableDefinition, withKey = true): string => {
  const parts = [
    ...(table.surrogate === undefined ? [] : [`${quoteIdentifier(table.surrogate)} INTEGER PRIMARY KEY`]),
    ...columnsOf(table),
    ...(keyIsPrimary(table) && (withKey || keyIsRowid(table)) ? [`PRIMARY KEY (${list(table.key)})`] : []),
  ]
  return `CREATE TABLE ${quoteIdentifier(name)}(${parts.join(', ')})`
}

/** CREATE TABLE of one table in a file of rows: the columns that rows have values of, and nothing that is checked. */
export const createRowTable = (name: string, table: TableDefinition): string =>
  `CREATE TABLE ${quoteIdentifier(name)}(${columnsOf(table).join(', ')})`

/** INSERT of some rows of these columns. */
export const insertRows = (name: string, columns: readonly string[], count: number): string => {
  const row = `(${columns.map(() => '?').join(', ')})`
  return `INSERT INTO ${quoteIdentifier(name)}(${list(columns)}) VALUES ${Array(count).fill(row).join(', ')}`
}

/**
 * Declares the key of a table whose rows are in, and builds its index in one go: in an index of millions of rows that
 * come in any order, row by row takes many times as long. SQLite adds no key to a table; but a unique index of the name
 * that it would have given the key's own is that index, once the table's text says so.
 */
export const declareKey = (name: string, table: TableDefinition): string => {
  const own = `sqlite_autoindex_${name}_1`
  const index = `${name} key`
  return `CREATE UNIQUE INDEX ${quoteIdentifier(index)} ON ${quoteIdentifier(name)}(${list(table.key)});
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = ${quoteText(createTable(name, table))} WHERE type = 'table' AND name = ${quoteText(name)};
    UPDATE sqlite_schema SET name = ${quoteText(own)}, sql = NULL WHERE type = 'index' AND name = ${quoteText(index)};
    PRAGMA writable_schema = RESET`
}

/**
 * Takes over the rows of the same table in the attached database `shard`. Tables that are the same in every column are
 * copied by SQLite as they lie; surrogates are numbered on.
 */
export const takeRows = (name: string, table: TableDefinition | undefined): string => {
  const own = quoteIdentifier(name)
  const into = table?.surrogate === undefined ? '' : `(${list(Object.keys(table.columns))})`
  return `INSERT INTO main.${own}${into} SELECT * FROM shard.${own}`
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
export const rejectedTable =
  'CREATE TABLE _rejected(file TEXT NOT NULL, line INTEGER NOT NULL, reason TEXT NOT NULL, raw TEXT)'
export const ownTables = ['CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT)', rejectedTable] as const

/** Keeps, of each file, so many rejected records: those with the lowest lines. */
export const keepFirstRejected = (most: number): string =>
  `DELETE FROM _rejected WHERE rowid IN (SELECT rowid FROM (
     SELECT rowid, row_number() OVER (PARTITION BY file ORDER BY line) AS place FROM _rejected) WHERE place > ${most})`
