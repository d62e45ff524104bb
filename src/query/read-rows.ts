/** Runs one reading statement in a reader process and gives as many rows as the limits let it. */
import type Database from 'better-sqlite3'
import { StichtagError } from '../errors.ts'
import type { OpenFile } from './open-files.ts'
import { checkStatement } from './statement.ts'
import type { Parameter, Rows, RowsRequest, Value } from './types.ts'
import { answerValue, bindable, bytesOf, type SqliteValue } from './values.ts'

const defaultMaxBytes = 1_000_000
const longestNameShown = 60

/**
 * Steps through a statement's rows and counts; no LIMIT is ever added to its text.
 * @throws STATEMENT_REFUSED, ARGUMENTS_INVALID (the number of parameters), QUERY_FAILED (a first row too big to answer),
 *   and SQLite's own errors
 */
export const readRows = (file: OpenFile, request: Omit<RowsRequest, 'database'>): Rows => {
  checkStatement(request.sql, (name) => file.isOwnTable(name))
  const statement = file.prepare(request.sql)
  if (!statement.reader || !statement.readonly) {
    throw new StichtagError('STATEMENT_REFUSED', 'SQLite says that this statement does not only read. It was not run.')
  }
  const columns = statement.columns().map((column) => column.name)
  const maxBytes = request.maxBytes ?? defaultMaxBytes
  // Rows become objects by column, and a column that nobody named is called by its whole expression.
  const nameBytes = columns.reduce((sum, name) => sum + Buffer.byteLength(name) + 4, 2)
  const told = {
    columns,
    ...(file.isRepeatable(request.sql) ? { repeatable: true as const } : {}),
    ...(request.tells === 'tables' ? { tables: tablesOf(file, statement, request.sql) } : {}),
  }
  const rows: (readonly Value[])[] = []
  let bytes = 0
  for (const stored of bound(statement, request.parameters)) {
    if (rows.length >= request.maxRows) return { ...told, rows, truncated: true, truncatedBy: 'rows' }
    const size = stored.reduce<number>((sum, value) => sum + bytesOf(value), nameBytes)
    if (bytes + size > maxBytes) {
      if (rows.length === 0) throw tooBig(columns, stored, maxBytes)
      return { ...told, rows, truncated: true, truncatedBy: 'bytes' }
    }
    bytes += size
    rows.push(stored.map(answerValue))
  }
  return { ...told, rows, truncated: false }
}

const tablesOf = (
  file: OpenFile,
  statement: Database.Statement<unknown[], unknown>,
  sql: string,
): readonly (string | null)[] => {
  const isCompound = file.isCompound(sql)
  return statement.columns().map(({ name, column, table }) => (isCompound || column !== name ? null : table))
}

const bound = (
  statement: Database.Statement<unknown[], unknown>,
  parameters: readonly Parameter[],
): Iterable<SqliteValue[]> => {
  try {
    // `prepare` of an OpenFile set the statement to arrays with safe integers, so that this is what it gives.
    return statement.iterate(...parameters.map(bindable)) as Iterable<SqliteValue[]>
  } catch (thrown) {
    // better-sqlite3 says by these two that the values do not fit the statement's placeholders.
    if (!(thrown instanceof RangeError || thrown instanceof TypeError)) throw thrown
    throw new StichtagError('ARGUMENTS_INVALID', `${thrown.message} (given: ${parameters.length}).`, { cause: thrown })
  }
}

const tooBig = (columns: readonly string[], row: readonly SqliteValue[], maxBytes: number): StichtagError => {
  const sizes = row.map(bytesOf)
  const biggest = sizes.indexOf(Math.max(...sizes))
  const name = (columns[biggest] ?? '').slice(0, longestNameShown)
  return new StichtagError(
    'QUERY_FAILED',
    `The first row alone is over the limit of ${maxBytes} bytes; its column ${name} has about ` +
      `${sizes[biggest]}. Select fewer columns, or a part of it with substr(), under short names.`,
  )
}
