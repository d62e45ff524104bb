/**
 * Rows whose key is empty or there already, in tables whose pipeline says what becomes of them: they are left out,
 * counted by table, and the guards judge by the counts. In other tables they are the record's fault.
 */
import { StichtagError } from '../errors.ts'
import type { PipelineDefinition, Row } from '../pipeline/types.ts'
import type { RowTarget } from './record-loader.ts'
import type { Values } from './rows.ts'
import { isUniqueViolation } from './table-writer.ts'

/** A row to be inserted, or why it is left out. */
export type KeyedRow = { readonly table: string } & ({ readonly values: Values } | { readonly leftOut: string })

export class RowKeys {
  /** Rows left out so far, by table. */
  readonly leftOut: Record<string, number> = {}
  readonly #target: Pick<RowTarget, 'toValues' | 'insert'>
  readonly #tables: ReadonlySet<string>

  constructor(target: Pick<RowTarget, 'toValues' | 'insert'>, definition: PipelineDefinition) {
    this.#target = target
    this.#tables = new Set(Object.keys(definition.guards?.keys ?? {}))
  }

  /** A row checked against its table. @throws RECORD_INVALID for whatever no policy covers */
  check(table: string, row: Row): KeyedRow {
    try {
      return { table, values: this.#target.toValues(table, row) }
    } catch (error) {
      const isCovered = error instanceof StichtagError && error.data.emptyKey !== undefined && this.#tables.has(table)
      if (!isCovered) throw error
      return { table, leftOut: error.message }
    }
  }

  /** Inserts a row; returns why it is left out instead, or null. Throws SQLite's error where no policy covers it. */
  insert(row: KeyedRow): string | null {
    const why = 'leftOut' in row ? row.leftOut : this.#tryInsert(row.table, row.values)
    if (why !== null) this.leftOut[row.table] = (this.leftOut[row.table] ?? 0) + 1
    return why
  }

  #tryInsert(table: string, values: Values): string | null {
    try {
      this.#target.insert(table, values)
      return null
    } catch (error) {
      if (!isUniqueViolation(error) || !this.#tables.has(table)) throw error
      return `table ${table}: its key is already there (${error.message})`
    }
  }
}
