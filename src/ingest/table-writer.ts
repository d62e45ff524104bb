/** Writes a table's rows, and sums them up while it does. */
import Database from 'better-sqlite3'
import type { ColumnValue, Row, TableDefinition } from '../pipeline/types.ts'
import { ContentDigest } from './digest.ts'
import { rowReader, type Values } from './rows.ts'
import { insertRows } from './tables.ts'

/**
 * Rows of one statement where nothing asks which row it was that failed. Measured with 300,000 rows of 8 columns: 1.9 µs
 * a row by itself, 1.1 µs in tens, no less in hundreds.
 */
const rowsAtOnce = 10
/** SQLite's limit on what a statement binds. */
const mostBound = 32_766

/** Whether SQLite takes no row because its key is there already. */
export const isUniqueViolation = (error: unknown): error is Database.SqliteError =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT')

export class TableWriter {
  readonly digest = new ContentDigest()
  rows = 0
  /** A row's values for the table, checked. Throws RECORD_INVALID. */
  readonly toValues: (row: Row) => Values
  readonly #name: string
  readonly #one: Database.Statement
  readonly #many: Database.Statement | undefined
  readonly #columns: number
  readonly #atOnce: number
  #waiting: ColumnValue[] = []

  /** `isBulk` writes several rows at once: an error then says nothing of which row it was. */
  constructor(database: Database.Database, name: string, table: TableDefinition, isBulk: boolean) {
    this.#name = name
    this.toValues = rowReader(name, table)
    this.#columns = Object.keys(table.columns).length
    this.#atOnce = isBulk ? Math.min(rowsAtOnce, Math.floor(mostBound / this.#columns)) : 1
    this.#one = database.prepare(insertRows(name, table, 1))
    this.#many = this.#atOnce > 1 ? database.prepare(insertRows(name, table, this.#atOnce)) : undefined
  }

  /** Inserts a row and adds it to the digest. Throws SQLite's constraint error where the key is already there. */
  insert(values: Values): void {
    if (this.#many === undefined) this.#one.run(values)
    else {
      for (const value of values) this.#waiting.push(value)
      if (this.#waiting.length === this.#columns * this.#atOnce) {
        this.#insertMany(this.#many)
        this.#waiting = []
      }
    }
    this.digest.addRow(this.#name, values)
    this.rows += 1
  }

  /** A row that SQLite does not take is none of the record in hand. */
  #insertMany(statement: Database.Statement): void {
    try {
      statement.run(this.#waiting)
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      throw new Error(`table ${this.#name}: a key is there twice`, { cause: error })
    }
  }

  /** Inserts what waits for company. */
  flush(): void {
    for (let at = 0; at < this.#waiting.length; at += this.#columns) {
      this.#one.run(this.#waiting.slice(at, at + this.#columns))
    }
    this.#waiting = []
  }

  /** Counts rows that were written elsewhere, and are in the table now. */
  add({ rows, digest }: { readonly rows: number; readonly digest: string }): void {
    this.rows += rows
    this.digest.addHex(digest)
  }
}
