/** Running a query of a dataset: rows as objects by column. */
import { StichtagError } from '../errors.ts'
import type { Parameter, ReaderPool, RowsRequest, Value } from '../query/types.ts'
import { rowLimitsOf } from '../schema/row-limits.ts'
import { databaseMissing } from './context.ts'
import { readLabelled } from './labelled.ts'
import { limitedRows } from './limited-rows.ts'
import { queryNote } from './query-note.ts'
import type { ServedDatabase, ServedDataset, ServedQuery } from './served.ts'

export interface QueryRows {
  readonly database: ServedDatabase
  readonly columns: readonly string[]
  readonly rows: readonly Readonly<Record<string, Value>>[]
  /** Exactly whether more rows exist than are here. */
  readonly truncated: boolean
  readonly truncatedBy?: 'rows' | 'bytes'
  /** There where the rows alone would mislead. */
  readonly note?: string
  /** There where the same request gives the same answer as long as the database is the same. */
  readonly repeatable?: true
  /** For each column the table whose values it has; null where that cannot be told. */
  readonly tables?: readonly (string | null)[]
}

/** The database a query runs on. Throws DATABASE_MISSING, or what is wrong with it. */
export const databaseFor = (dataset: ServedDataset, { database }: ServedQuery): ServedDatabase => {
  switch (database.kind) {
    case 'served':
      return database.database
    case 'missing':
      throw databaseMissing(dataset.id, database.tried)
    case 'broken':
      throw new StichtagError(database.problem.code, database.problem.message)
  }
}

/** Runs SQL of a query, whose own LIMIT counts as a limit of the answer. Throws what the pool throws. */
export const queryRows = async (
  pool: ReaderPool,
  dataset: ServedDataset,
  query: ServedQuery,
  parameters: readonly Parameter[],
  limits: { readonly maxRows: number; readonly maxBytes: number; readonly sql?: string },
  signal?: AbortSignal,
): Promise<QueryRows> => {
  const named = databaseFor(dataset, query)
  const { sql = query.query.sql, maxRows, maxBytes } = limits
  const request: RowsRequest = {
    database: named.path,
    sql,
    parameters,
    lane: 'query',
    maxRows,
    maxBytes,
    tells: 'tables',
  }
  const read = () =>
    query.kind === 'free' ? pool.rows(request, signal) : limitedRows(pool, request, rowLimitsOf(query.query), signal)
  const { database, answer: found } = await readLabelled(named, read)
  const columns = distinctNames(found.columns)
  const rows = found.rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])))
  const { truncated } = found
  return {
    database,
    columns,
    rows,
    truncated,
    ...(await queryNote(pool, { query, sql, parameters }, { database, rows, truncated }, signal)),
    ...(found.truncatedBy === undefined ? {} : { truncatedBy: found.truncatedBy }),
    ...(found.repeatable === undefined ? {} : { repeatable: found.repeatable }),
    ...(found.tables === undefined ? {} : { tables: found.tables }),
  }
}

/** A join may give two columns of one name; in an object the second would hide the first. */
export const distinctNames = (names: readonly string[]): readonly string[] => {
  const taken = new Set<string>()
  return names.map((name) => {
    let distinct = name
    for (let count = 2; taken.has(distinct); count += 1) distinct = `${name}_${count}`
    taken.add(distinct)
    return distinct
  })
}
