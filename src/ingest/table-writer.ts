/** What a table's rows go through on their way into it: checked, summed up, counted. */
import Database from 'better-sqlite3'
import type { PipelineDefinition, Row, TableDefinition } from '../pipeline/types.ts'
import { ContentDigest } from './digest.ts'
import { rowReader, type Values } from './rows.ts'
import { StoredRow } from './stored-row.ts'
import { typeOf } from './tables.ts'

/** Takes a table's rows. */
export interface RowSink {
  /** Takes one as values or as it is stored. Throws SQLite's constraint error where the key is already there. */
  insert(values: Values, stored: StoredRow): void
  /** Writes what waits for company, if anything does. */
  flush?(): void
}

/** Rows and digest of a finished table. */
export interface TableTotals {
  readonly rows: number
  readonly digest: string
}

/** Whether SQLite takes no row because its key is there already. */
export const isUniqueViolation = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT')

export class TableWriter {
  readonly digest = new ContentDigest()
  rows = 0
  /** A row's values for the table, checked. Throws RECORD_INVALID. */
  readonly toValues: (row: Row) => Values
  readonly #stored: StoredRow
  readonly #sink: RowSink

  constructor(name: string, table: TableDefinition, sink: RowSink) {
    this.#stored = new StoredRow(name, Object.values(table.columns).map(typeOf))
    this.#sink = sink
    this.toValues = rowReader(name, table)
  }

  /** Inserts a row and adds it to the digest. Throws SQLite's constraint error where the key is already there. */
  insert(values: Values): void {
    this.#stored.write(values)
    this.#sink.insert(values, this.#stored)
    this.#count()
  }

  /** Adds a row that is in the table already. */
  add(values: readonly unknown[]): void {
    this.#stored.write(values)
    this.#count()
  }

  flush(): void {
    this.#sink.flush?.()
  }

  /** Adds rows that were summed up elsewhere, and are in the table now. */
  addTotals({ rows, digest }: TableTotals): void {
    this.rows += rows
    this.digest.addHex(digest)
  }

  #count(): void {
    this.digest.addRow(this.#stored)
    this.rows += 1
  }
}

/** The writers of a pipeline's tables. */
export class TableWriters {
  readonly #dataset: string
  readonly #writers: ReadonlyMap<string, TableWriter>

  constructor(
    { id, tables }: Pick<PipelineDefinition, 'id' | 'tables'>,
    sinkOf: (name: string, table: TableDefinition) => RowSink,
  ) {
    this.#dataset = id
    this.#writers = new Map(
      Object.entries(tables).map(([name, table]) => [name, new TableWriter(name, table, sinkOf(name, table))]),
    )
  }

  of(table: string): TableWriter {
    const writer = this.#writers.get(table)
    if (writer === undefined) throw new Error(`pipeline ${this.#dataset} emits to an undeclared table ${table}`)
    return writer
  }

  flush(): void {
    for (const writer of this.#writers.values()) writer.flush()
  }

  totals(): ReadonlyMap<string, TableTotals> {
    return new Map(
      [...this.#writers].map(([name, writer]) => [name, { rows: writer.rows, digest: writer.digest.hex() }]),
    )
  }

  contentDigest(): string {
    const sum = new ContentDigest()
    for (const writer of this.#writers.values()) sum.add(writer.digest)
    return sum.hex()
  }
}
