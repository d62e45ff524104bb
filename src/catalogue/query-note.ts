/** What a reader of an answer's rows would not see from them: why there may be none, or that there may be more. */
import type { Parameter, ReaderPool } from '../query/types.ts'
import type { SchemaParameter } from '../schema/types.ts'
import { quoteIdentifier } from '../store/identifier.ts'
import { reachesOwnLimit } from './limited-rows.ts'
import type { QueryRows } from './query-rows.ts'
import { findTable, type ServedDatabase, type ServedQuery, type ServedTable } from './served.ts'

/** Characters of a value that a note repeats. */
const longestShown = 60

interface Asked {
  readonly query: ServedQuery
  readonly sql: string
  readonly parameters: readonly Parameter[]
}

/** A note on the rows of a query, where there is something to note. */
export const queryNote = async (
  pool: ReaderPool,
  { query, sql, parameters }: Asked,
  { database, rows, truncated }: Pick<QueryRows, 'database' | 'rows' | 'truncated'>,
  signal?: AbortSignal,
): Promise<{ readonly note?: string }> => {
  if (query.kind === 'free') {
    const isReached = !truncated && rows.length > 0 && reachesOwnLimit(sql, rows.length)
    return isReached ? { note: "The statement's own LIMIT is reached: there may be more rows beyond it." } : {}
  }
  if (rows.length > 0) return {}
  const notes = await Promise.all(
    query.query.parameters.map((parameter, place) =>
      valueNote(pool, database, parameter, parameters[place] ?? null, signal),
    ),
  )
  const note = notes.filter((each) => each !== undefined).join(' ')
  return note === '' ? {} : { note }
}

const valueNote = async (
  pool: ReaderPool,
  database: ServedDatabase,
  { name, column: values, fixed }: SchemaParameter,
  value: Parameter,
  signal: AbortSignal | undefined,
): Promise<string | undefined> => {
  if (values === undefined || fixed !== undefined || value === null) return undefined
  const table = findTable([database], values.table)?.table
  const column = table?.columns.find((each) => each.name === values.column)?.name
  if (table === undefined || column === undefined) return undefined
  // A key is found by its index; texts such as a country's name are in small tables, and compared in any case.
  const isKey = table.key[0] === column
  const alternatives = ['= ?', '= upper(trim(?))', ...(isKey ? [] : ['= ? COLLATE NOCASE'])]
  const found = await pool.rows(
    {
      database: database.path,
      sql: `SELECT 1 FROM ${quoteIdentifier(table.name)} WHERE ${alternatives.map((each) => `${quoteIdentifier(column)} ${each}`).join(' OR ')}`,
      parameters: alternatives.map(() => value),
      lane: 'query',
      maxRows: 1,
    },
    signal,
  )
  if (found.rows.length > 0) return isKey ? wholeNote(pool, database, table, name, value, signal) : undefined
  return `${name}: no row of the table ${table.name} has the ${column} ${shown(value)}.`
}

/** That a record is one of the parts of another, such as a platform of a station, which may have what was looked for. */
const wholeNote = async (
  pool: ReaderPool,
  { path }: ServedDatabase,
  { name: tableName, key, related }: ServedTable,
  parameter: string,
  value: Parameter,
  signal: AbortSignal | undefined,
): Promise<string | undefined> => {
  const on = related.find(({ table }) => table === tableName)?.on ?? {}
  const [whole] = Object.entries(on).flatMap(([part, own]) => (own === key[0] ? [quoteIdentifier(part)] : []))
  if (whole === undefined || key.length !== 1) return undefined
  const parts = quoteIdentifier(tableName)
  const { rows } = await pool.rows(
    {
      database: path,
      sql: `SELECT ${whole}, (SELECT count(*) FROM ${parts} AS other WHERE other.${whole} = own.${whole})
        FROM ${parts} AS own WHERE ${quoteIdentifier(key[0] ?? '')} = ? AND ${whole} <> ''`,
      parameters: [value],
      lane: 'query',
      maxRows: 1,
    },
    signal,
  )
  const [found, count] = rows[0] ?? []
  if (typeof found !== 'string' || typeof count !== 'number' || count < 2) return undefined
  return `${parameter}: ${shown(value)} is one of ${count} ${tableName} of ${shown(found)}: that may find what belongs to any of them.`
}

const shown = (value: Parameter): string => JSON.stringify(String(value).slice(0, longestShown))
