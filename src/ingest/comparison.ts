/** What a comparison of two versions of a table is made of, whether by key or as a bag of rows. */
import type { Change, ChangeOp, ChangeValue } from '../store/changes.ts'
import { quoteIdentifier } from '../store/identifier.ts'
import type { TableInfo } from '../store/manifest.ts'

/** Names of the two databases in one read-only connection: the newer one is opened, the older one attached. */
export const schemas = { n: 'main', o: 'o' } as const
export type Alias = keyof typeof schemas

/** Columns that are compared: a surrogate is another in each version. */
export const columnsOf = (table: TableInfo): string[] =>
  table.columns.filter((column) => column.surrogate !== true).map((column) => column.name)

/** A value that SQLite gave, as changes.db has it. */
export const jsonValue = (value: unknown): ChangeValue => {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value.toString()
  }
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  throw new Error(`SQLite gave a ${typeof value}`)
}

/** How two versions of a table are compared. */
export interface Comparison {
  readonly name: string
  readonly before: TableInfo | undefined
  readonly after: TableInfo | undefined
  readonly key: readonly string[]
  /** Columns of either side; one that a side lacks is NULL there. */
  readonly columns: readonly string[]
}

/** The values of these columns; NULL for those that the table lacks. */
export const selection = (alias: string, table: TableInfo | undefined, columns: readonly string[]): string => {
  const present = new Set(table === undefined ? [] : columnsOf(table))
  // The plus takes the column's affinity away: otherwise a text '1' equals the number 1 of a column that changed its type.
  return columns.map((column) => (present.has(column) ? `+${alias}.${quoteIdentifier(column)}` : 'NULL')).join(', ')
}

/** Hears of one change. */
export type Found = (op: ChangeOp, key: ChangeValue[], fields: Change['fields'] | null) => void
