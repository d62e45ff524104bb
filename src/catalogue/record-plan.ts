/** How a table's records are read whole, and how a key in a URI becomes values to look for. */
import type { Parameter, RecordPlan, Value, WholeRecord } from '../query/types.ts'
import type { KeyPart, KeyValue } from './key-spelling.ts'
import type { ServedColumn, ServedDatabase, ServedTable } from './served.ts'

/** Columns of a record: those that loading numbers are no part of it, unless nothing else identifies it. */
const recordColumns = (table: ServedTable): readonly string[] =>
  table.columns.filter(({ name, surrogate }) => surrogate !== true || table.key.includes(name)).map(({ name }) => name)

/** Plans by the table of a database, both of which are immutable. */
const plans = new WeakMap<ServedDatabase, Map<ServedTable, RecordPlan>>()

/** The plan by which readers read records of a table with what belongs to them. */
export const recordPlan = (database: ServedDatabase, table: ServedTable): RecordPlan => {
  const known = plans.get(database) ?? new Map<ServedTable, RecordPlan>()
  plans.set(database, known)
  const plan = known.get(table) ?? makePlan(database, table)
  known.set(table, plan)
  return plan
}

const makePlan = (database: ServedDatabase, table: ServedTable): RecordPlan => ({
  table: table.name,
  columns: recordColumns(table),
  key: table.key,
  related: table.related.flatMap(({ name, table: relatedName, on, orderBy }) => {
    const related = database.tables.find((each) => each.name === relatedName)
    return related === undefined ? [] : [{ name, table: relatedName, columns: recordColumns(related), on, orderBy }]
  }),
})

/**
 * The values that a URI's key stands for, by the types of the key's columns; undefined where it cannot be such a key. A
 * key of one column may have come in several segments: hosts decode `%2F`.
 */
export const keyParameters = (table: ServedTable, key: readonly KeyPart[]): readonly Parameter[] | undefined => {
  const parts = table.key.length === 1 && key.length > 1 ? [joined(key)] : key
  if (parts.length !== table.key.length) return undefined
  const parameters = table.key.map((column, index) => {
    const type = table.columns.find(({ name }) => name === column)?.type ?? 'TEXT'
    return typedParameter(type, parts[index])
  })
  return parameters.every((parameter) => parameter !== undefined) ? parameters : undefined
}

const joined = (key: readonly KeyPart[]): string | undefined =>
  key.every((part) => typeof part === 'string') ? key.join('/') : undefined

const typedParameter = (type: ServedColumn['type'], part: KeyPart | undefined): Parameter | undefined => {
  if (part === null || part === undefined) return part
  switch (type) {
    case 'BLOB':
      return typeof part === 'string' ? Buffer.from(part, 'utf8') : part
    case 'INTEGER':
      return typeof part === 'string' ? integer(part) : undefined
    case 'REAL':
      return typeof part === 'string' ? real(part) : undefined
    case 'TEXT':
      return typeof part === 'string' ? part : undefined
  }
}

/** SQLite's own range; a longer number, or other text in such a column, is looked for as text. */
const integer = (text: string): Parameter => {
  if (!/^-?\d{1,19}$/.test(text)) return text
  const value = BigInt(text)
  if (BigInt.asIntN(64, value) !== value) return text
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

const real = (text: string): Parameter => (/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : text)

/** A value of an answer as a key is written. */
export const keyValue = (value: Value): KeyValue => keyParameter(value)

/** A value of an answer as it is looked for. */
export const keyParameter = (value: Value): Parameter =>
  typeof value === 'object' && value !== null ? Buffer.from(value.base64, 'base64') : value

/** The key of a row that has the table's key columns; undefined where one is not there. */
export const keyOfRow = (key: readonly string[], row: WholeRecord['record']): readonly KeyValue[] | undefined => {
  const values = key.map((column) => row[column])
  return values.every((value) => value !== undefined) ? values.map(keyValue) : undefined
}
