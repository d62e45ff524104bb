/** Reads records whole by key in a reader process: the record's own row, and the rows of other tables that belong to it. */
import { digestOf } from './digest.ts'
import type { OpenFile } from './open-files.ts'
import type { Digests, Parameter, RecordPlan, Records, RecordsRequest, Value, WholeRecord } from './types.ts'
import { answerValue, bindable, type SqliteValue } from './values.ts'

type Row = readonly SqliteValue[]

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const list = (names: readonly string[]): string => names.map(quoted).join(', ')

/** The statement that finds a record by its key. NULL is a key like any other. Columns that relations need come last. */
export const recordStatement = (plan: RecordPlan): string => {
  const joined = plan.related.flatMap((related) => Object.values(related.on))
  const key = plan.key.map((column) => `${quoted(column)} IS ?`).join(' AND ')
  return `SELECT ${list([...plan.columns, ...joined])} FROM ${quoted(plan.table)} WHERE ${key} LIMIT 1`
}

/**
 * The statement that finds the rows of one relation, in an order that depends on the rows alone: where `orderBy` leaves
 * ties, all columns decide, since the order in which rows were loaded must not show in a digest.
 */
export const relatedStatement = (related: RecordPlan['related'][number]): string => {
  const on = Object.keys(related.on)
    .map((column) => `${quoted(column)} = ?`)
    .join(' AND ')
  const order = [...new Set([...related.orderBy, ...related.columns])]
  return `SELECT ${list(related.columns)} FROM ${quoted(related.table)} WHERE ${on} ORDER BY ${list(order)}`
}

const rowsOf = (file: OpenFile, sql: string, parameters: readonly unknown[]): readonly Row[] =>
  // `prepare` of an OpenFile set the statement to arrays with safe integers, so that this is what it gives.
  file.prepare(sql).all(...parameters) as Row[]

const asObject = (columns: readonly string[], row: Row): Readonly<Record<string, Value>> =>
  Object.fromEntries(columns.map((column, index) => [column, answerValue(row[index] ?? null)]))

const readRecord = (file: OpenFile, plan: RecordPlan, key: readonly Parameter[]): WholeRecord | null => {
  const [row] = rowsOf(file, recordStatement(plan), key.map(bindable))
  if (row === undefined) return null
  let next = plan.columns.length
  const related = plan.related.map((relation) => {
    const width = Object.keys(relation.on).length
    const values = row.slice(next, next + width)
    next += width
    const rows = rowsOf(file, relatedStatement(relation), values)
    return [relation.name, rows.map((related) => asObject(relation.columns, related))] as const
  })
  return { record: asObject(plan.columns, row), related: Object.fromEntries(related) }
}

/**
 * One answer per key, in their order; `null` where there is no such record.
 * @throws SQLite's own errors, and its binding errors where a key has too few or too many values
 */
export const readRecords = (file: OpenFile, request: Omit<RecordsRequest, 'database'>): Records | Digests => {
  const records = request.keys.map((key) => readRecord(file, request.plan, key))
  if (request.as === 'whole') return records
  return records.map((whole) => (whole === null ? null : digestOf(whole)))
}
