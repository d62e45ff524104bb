/** What can be said of a snapshot's rows only once all of them are there and indexed: values that lead nowhere, and validity. */
import type Database from 'better-sqlite3'
import { StichtagError } from '../errors.ts'
import type { PipelineDefinition, ReferenceDefinition } from '../pipeline/types.ts'
import { quoteIdentifier } from '../store/identifier.ts'

/** Rows of a table whose column has a value that is in none of the columns that it refers to. */
const danglingRows = (database: Database.Database, { table, column, to }: ReferenceDefinition): number => {
  const own = quoteIdentifier(column)
  const found = to.map((target) => {
    const other = quoteIdentifier(target.column)
    return `NOT EXISTS (SELECT 1 FROM ${quoteIdentifier(target.table)} AS target WHERE target.${other} = used.value)`
  })
  // Each value is looked up once, however many rows have it.
  const sql = `SELECT total(used.uses) FROM
    (SELECT ${own} AS value, count(*) AS uses FROM ${quoteIdentifier(table)} WHERE ${own} IS NOT NULL GROUP BY ${own}) AS used
    WHERE ${found.join(' AND ')}`
  return Number(database.prepare<[], number>(sql).pluck().get())
}

/** The columns of a table that hold anything, told in one pass: most references of most tables are not used at all. */
const usedColumns = (database: Database.Database, table: string, columns: readonly string[]): ReadonlySet<string> => {
  const counts = columns.map((column) => `count(${quoteIdentifier(column)})`).join(', ')
  const statement = database.prepare<[], number[]>(`SELECT ${counts} FROM ${quoteIdentifier(table)}`).raw()
  const row = statement.get() ?? []
  return new Set(columns.filter((_, index) => (row[index] ?? 0) > 0))
}

/** Warnings of the rows that refer to nothing, by table and column. */
export const danglingReferences = (database: Database.Database, { references = [] }: PipelineDefinition): string[] => {
  const used = new Map(
    [...Map.groupBy(references, ({ table }) => table)].map(([table, own]) => [
      table,
      usedColumns(
        database,
        table,
        own.map(({ column }) => column),
      ),
    ]),
  )
  return references
    .filter(({ table, column }) => used.get(table)?.has(column) === true)
    .map((reference) => ({ ...reference, rows: danglingRows(database, reference) }))
    .filter(({ rows }) => rows > 0)
    .map(({ table, column, to, rows }) => {
      const targets = to.map((target) => `${target.table}.${target.column}`).join(' or ')
      return `${table}.${column}: ${rows} rows refer to what is not in ${targets}`
    })
}

/** Days as which a pipeline says the data hold. */
export interface Validity {
  readonly validFrom?: string
  readonly validUntil?: string
}

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))

/** First and last day on which the data hold, where the pipeline says how to tell. @throws PIPELINE_INVALID */
export const validityOf = (database: Database.Database, { id, validity }: PipelineDefinition): Validity => {
  if (validity === undefined) return {}
  try {
    const [from, until] = database.prepare<[], unknown[]>(validity).raw().get() ?? []
    return { ...(isDay(from) ? { validFrom: from } : {}), ...(isDay(until) ? { validUntil: until } : {}) }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new StichtagError('PIPELINE_INVALID', `${id}: validity: ${why}`, { data: { dataset: id }, cause: error })
  }
}
