/** Rows on their way into a building snapshot: in files that are full at some time, one after the other. */
import type { PipelineDefinition, Row } from '../pipeline/types.ts'
import type { RowTarget } from './record-loader.ts'
import { RowFile, type RowTable } from './row-file.ts'
import type { Values } from './rows.ts'
import { StoredRow } from './stored-row.ts'
import { type TableTotals, TableWriters } from './table-writer.ts'
import { createRowTable, rejectedTable } from './tables.ts'

const rejected: RowTable = { name: '_rejected', sql: rejectedTable }

export class RowFiles implements RowTarget {
  readonly #path: string
  readonly #writers: TableWriters
  readonly #rejected = new StoredRow(rejected.name, ['TEXT', 'INTEGER', 'TEXT', 'TEXT'])
  #files = 0
  #file: RowFile | undefined

  /** The files' paths begin with `path`. */
  constructor(path: string, definition: PipelineDefinition) {
    this.#path = path
    this.#writers = new TableWriters(definition, (name, table) => {
      const rowTable = { name, sql: createRowTable(name, table) }
      return { insert: (_values, stored) => this.#open().add(rowTable, stored) }
    })
  }

  get path(): string {
    return this.#file?.path ?? this.#path
  }

  toValues(table: string, row: Row): Values {
    return this.#writers.of(table).toValues(row)
  }

  insert(table: string, values: Values): void {
    this.#writers.of(table).insert(values)
  }

  keepRejected(file: string, line: number, reason: string, raw: string | null): void {
    this.#rejected.write([file, line, reason, raw])
    this.#open().add(rejected, this.#rejected)
  }

  /** Ends the file in hand, if any. @returns its path */
  handOver(): string | undefined {
    const file = this.#file
    this.#file = undefined
    file?.close()
    return file?.path
  }

  totals(): ReadonlyMap<string, TableTotals> {
    return this.#writers.totals()
  }

  #open(): RowFile {
    this.#file ??= new RowFile(`${this.#path}-${this.#files++}.db`)
    return this.#file
  }
}
