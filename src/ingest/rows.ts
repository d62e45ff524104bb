/** Rows as a pipeline emits them → values as SQLite stores them, checked against the table's columns. */
import { StichtagError } from '../errors.ts'
import type { ColumnType, ColumnValue, Row, TableDefinition } from '../pipeline/types.ts'
import { bytesOf, maxRowBytes } from '../store/row-size.ts'
import { typeOf } from './tables.ts'

/** A row's values in the order of the table's declared columns. */
export type Values = readonly ColumnValue[]

const integerText = /^[+-]?\d+$/

const problem = (column: string, type: ColumnType, value: unknown): StichtagError =>
  new StichtagError(
    'RECORD_INVALID',
    `column ${column} is ${type}, but got ${typeof value} ${String(value).slice(0, 80)}${hintOf(type, value)}`,
  )

const decimalComma = /^[+-]?[\d.\s]*\d,\d+$/

/** How German and French numbers become ones that can be stored. */
const hintOf = (type: ColumnType, value: unknown): string =>
  (type === 'REAL' || type === 'INTEGER') && typeof value === 'string' && decimalComma.test(value.trim())
    ? " (a decimal comma? Emit the text with a point: text.replaceAll('.', '').replace(',', '.'))"
    : ''

const textOf = (column: string, value: ColumnValue | boolean): string => {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed()
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  throw problem(column, 'TEXT', value)
}

const integerOf = (column: string, value: ColumnValue | boolean): number | bigint => {
  if (typeof value === 'boolean') return value ? 1 : 0
  // A number past 2^53 has lost digits already, wherever it comes from.
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  if (typeof value === 'bigint' || (typeof value === 'string' && integerText.test(value))) {
    const exact = BigInt(value)
    const number = Number(exact)
    if (Number.isSafeInteger(number)) return number
    if (BigInt.asIntN(64, exact) === exact) return exact
  }
  throw problem(column, 'INTEGER', value)
}

const realOf = (column: string, value: ColumnValue | boolean): number => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) return number
  throw problem(column, 'REAL', value)
}

const blobOf = (column: string, value: ColumnValue | boolean): Uint8Array => {
  if (value instanceof Uint8Array) return value
  throw problem(column, 'BLOB', value)
}

const converters: Readonly<Record<ColumnType, (column: string, value: ColumnValue | boolean) => ColumnValue>> = {
  TEXT: textOf,
  INTEGER: integerOf,
  REAL: realOf,
  BLOB: blobOf,
}

/**
 * A function from rows to values for one table. Throws RECORD_INVALID for a column the table does not have, a value
 * that does not fit its type, an empty key (a row that cannot be addressed would be lost to everybody), or a row that
 * is bigger than readers are given.
 */
export const rowReader = (name: string, table: TableDefinition): ((row: Row) => Values) => {
  const checked = (
    value: ColumnValue | boolean,
    column: string,
    convert: (typeof converters)[ColumnType],
    isKey: boolean,
  ): ColumnValue => {
    if (value === null && isKey) {
      throw new StichtagError('RECORD_INVALID', `table ${name}: key column ${column} is empty`, {
        data: { table: name, emptyKey: column },
      })
    }
    if (typeof value === 'boolean' && isKey) throw problem(column, typeOf(table.columns[column] ?? 'TEXT'), value)
    return value === null ? null : convert(column, value)
  }
  const columns = Object.entries(table.columns).map(([column, definition]) => ({
    column,
    convert: converters[typeOf(definition)],
    isKey: table.key.includes(column),
  }))
  const known = new Set(Object.keys(table.columns))
  return (row) => {
    for (const column in row) {
      if (!known.has(column)) throw new StichtagError('RECORD_INVALID', `table ${name} has no column ${column}`)
    }
    const values: ColumnValue[] = []
    for (const { column, convert, isKey } of columns) values.push(checked(row[column] ?? null, column, convert, isKey))
    if (isTooBig(values)) throw tooBig(name, Object.keys(table.columns), values)
    return values
  }
}

/** Bytes of a UTF-16 unit in UTF-8, or of a byte in base64, at most; and of a value beside its text. */
const mostPerUnit = 3
const mostPerValue = 13

/** Rows are measured exactly only where their length alone does not tell: millions of them pass here. */
const isTooBig = (values: Values): boolean => {
  let length = 0
  for (const value of values) {
    if (typeof value === 'string' || value instanceof Uint8Array) length += value.length
  }
  if (length * mostPerUnit + values.length * mostPerValue <= maxRowBytes) return false
  return values.reduce<number>((sum, value) => sum + bytesOf(value), surrogateBytes) > maxRowBytes
}

/** A surrogate is numbered later, and read with the row. */
const surrogateBytes = 8

const tooBig = (name: string, columns: readonly string[], values: Values): StichtagError => {
  const sizes = values.map(bytesOf)
  const biggest = sizes.indexOf(Math.max(...sizes))
  const what = `its column ${columns[biggest]} has about ${sizes[biggest]}`
  return new StichtagError(
    'RECORD_INVALID',
    `table ${name}: a row of more than the ${maxRowBytes} bytes that readers can be given: ${what}`,
  )
}
