/**
 * A snapshot being built: a SQLite file in the work area, filled by one writer. It has no journal and is not synced
 * while it grows; a crash leaves a dead work area, never a torn snapshot, because nothing points there (DESIGN §4.2).
 */
import Database from 'better-sqlite3'
import { StichtagError } from '../errors.ts'
import type { PipelineDefinition, Row } from '../pipeline/types.ts'
import { storeError } from '../store/durable.ts'
import { quoteIdentifier } from '../store/identifier.ts'
import { maxKeptRejects } from './accounting.ts'
import { addSpellings, buildFullText, takeFullText } from './full-text.ts'
import type { BuiltFullText } from './full-text-threads.ts'
import type { RowTarget } from './record-loader.ts'
import type { Values } from './rows.ts'
import { SqlRows } from './sql-rows.ts'
import { isUniqueViolation, type TableTotals, TableWriters } from './table-writer.ts'
import {
  createIndexes,
  createTable,
  createViews,
  declareKey,
  type IndexStatement,
  keepFirstRejected,
  keyComesLater,
  keyIndex,
  ownTables,
  takeRows,
} from './tables.ts'

/** Rows between two commits: keeps SQLite's memory small without a journal to pay for. */
const rowsPerTransaction = 50_000

/** Kibibytes of pages that SQLite keeps while rows are only appended; and while what needs more is built. */
const cacheForRows = 4096
const cache = 32_768

/**
 * How a building snapshot comes to its rows. `checked`: each row's key is checked as it is inserted. `bulk`: rows are
 * written as fast as can be, and keys are declared when all are in (`declareKeys`).
 */
export type Writing = 'checked' | 'bulk'

export class Building implements RowTarget {
  readonly path: string
  readonly database: Database.Database
  readonly #definition: PipelineDefinition
  readonly #writers: TableWriters
  readonly #insertRejected: Database.Statement
  #uncommitted = 0

  constructor(path: string, definition: PipelineDefinition, writing: Writing = 'checked') {
    this.path = path
    this.#definition = definition
    this.database = new Database(path)
    this.database.pragma('page_size = 8192')
    this.database.pragma('journal_mode = OFF')
    this.database.pragma('synchronous = OFF')
    this.database.pragma('locking_mode = EXCLUSIVE')
    this.database.pragma(`cache_size = ${writing === 'bulk' ? -cacheForRows : -cache}`)
    this.database.pragma('temp_store = FILE')
    this.#createTables(writing)
    this.#writers = new TableWriters(
      definition,
      (name, table) => new SqlRows(this.database, name, table, writing === 'bulk'),
    )
    this.#insertRejected = this.database.prepare('INSERT INTO _rejected(file, line, reason, raw) VALUES (?, ?, ?, ?)')
    this.database.exec('BEGIN')
  }

  /** A row's values for its table, checked. Throws RECORD_INVALID. */
  toValues(table: string, row: Row): Values {
    return this.#writers.of(table).toValues(row)
  }

  /** Inserts a row and adds it to the digest. Throws SQLite's constraint error where the key is already there. */
  insert(table: string, values: Values): void {
    this.#writers.of(table).insert(values)
    this.#uncommitted += 1
    if (this.#uncommitted === rowsPerTransaction) {
      this.database.exec('COMMIT; BEGIN')
      this.#uncommitted = 0
    }
  }

  keepRejected(file: string, line: number, reason: string, raw: string | null): void {
    this.#insertRejected.run(file, line, reason, raw)
  }

  /** Ends the writing of a file that another one will take the rows of. */
  handOver(): void {
    this.#writers.flush()
    this.database.exec('COMMIT')
    this.database.close()
  }

  /** Copies the rows of a file that has some of the tables; its totals come last, with `addTotals`. */
  takeRows(path: string): void {
    this.database.exec('COMMIT')
    this.database.prepare('ATTACH ? AS shard').run(path)
    this.database.exec('BEGIN')
    const tables = this.database.prepare<[], string>('SELECT name FROM shard.sqlite_schema').pluck().all()
    for (const name of tables) this.database.exec(takeRows(name, this.#definition.tables[name]))
    this.database.exec('COMMIT; DETACH shard; BEGIN')
  }

  /** Counts what was taken, and leaves as many rejected records of each file as there would be in any case. */
  addTotals(totals: ReadonlyMap<string, TableTotals>): void {
    for (const [name, total] of totals) this.#writers.of(name).addTotals(total)
    this.database.exec(keepFirstRejected(maxKeptRejects))
  }

  /** Declares the keys of tables written without. Throws SQLite's constraint error where one is there twice. */
  declareKeys(): void {
    this.#writers.flush()
    this.database.exec('COMMIT')
    this.database.pragma(`cache_size = ${-cache}`)
    this.database.unsafeMode(true)
    for (const [name, table] of Object.entries(this.#definition.tables)) {
      if (keyComesLater(table)) this.database.exec(declareKey(name, table))
      const index = this.#keyIndexOf(name)
      if (index !== undefined) this.database.exec(index.sql)
    }
    this.database.unsafeMode(false)
    this.database.exec('BEGIN')
  }

  /** Fills the tables whose rows come out of the others. Nothing is loaded after it. */
  derive(): void {
    for (const [name, { derivedBy, columns }] of Object.entries(this.#definition.tables)) {
      if (derivedBy === undefined) continue
      const list = Object.keys(columns).map(quoteIdentifier).join(', ')
      const table = quoteIdentifier(name)
      this.#running('table', name, () => this.database.exec(`INSERT INTO ${table}(${list}) ${derivedBy}`))
      const writer = this.#writers.of(name)
      const rows = this.database.prepare<[], unknown[]>(`SELECT ${list} FROM ${table}`).raw().safeIntegers()
      for (const values of rows.iterate()) writer.add(values)
    }
  }

  /** Ends loading and builds what reads fast: indexes, full text, views. */
  finish(onStep: (step: 'index' | 'full text') => void): void {
    this.#endLoading()
    this.buildIndexes(onStep)
    this.buildFullText([], onStep)
    this.buildViews()
  }

  /** Ends loading. Whether others can read the file from now on, while this one writes: by a write-ahead log. */
  letOthersRead(): boolean {
    this.#endLoading()
    this.database.pragma('locking_mode = NORMAL')
    // The lock is given up by whatever looks at the file next.
    this.database.pragma('schema_version')
    // What is written is moved to its place once, in the end.
    this.database.pragma('wal_autocheckpoint = 0')
    return this.database.pragma('journal_mode = WAL', { simple: true }) === 'wal'
  }

  /** Ends what `letOthersRead` began, once nobody else has the file open. */
  readAlone(): void {
    this.database.pragma('journal_mode = DELETE')
    this.database.pragma('locking_mode = EXCLUSIVE')
  }

  buildIndexes(onStep: (step: 'index') => void): void {
    for (const { table, columns, sql } of createIndexes(this.#definition)) {
      onStep('index')
      try {
        this.database.exec(sql)
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
        throw this.#repeatedKey(table, columns, error)
      }
    }
  }

  /** Takes what threads have built, and builds the rest. */
  buildFullText(built: readonly BuiltFullText[], onStep: (step: 'full text') => void): void {
    addSpellings(this.database)
    for (const each of this.#definition.fullText ?? []) {
      onStep('full text')
      const path = built.find(({ fullText }) => fullText === each)?.path
      if (path === undefined) buildFullText(this.database, each)
      else takeFullText(this.database, each, path)
    }
  }

  /** SQLite takes a view of tables that are not there; whoever read it would be the first to notice. */
  buildViews(): void {
    for (const { name, sql } of createViews(this.#definition)) {
      this.#running('view', name, () => {
        this.database.exec(sql)
        this.database.prepare(`SELECT * FROM ${quoteIdentifier(name)}`)
      })
    }
  }

  /** Rows of each table with a value that is neither NULL nor an empty text, of the columns asked for. */
  filled(columns: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Record<string, Record<string, number>> {
    const count = (table: string, names: readonly string[]): Record<string, number> => {
      const sums = names.map((name) => `total(${quoteIdentifier(name)} <> '')`).join(', ')
      const statement = this.database.prepare<[], number[]>(`SELECT ${sums} FROM ${quoteIdentifier(table)}`).raw()
      const row = statement.get() ?? []
      return Object.fromEntries(names.map((name, index) => [name, row[index] ?? 0]))
    }
    return Object.fromEntries(
      Object.entries(columns).map(([table, wanted]) => [table, count(table, Object.keys(wanted))]),
    )
  }

  totals(): ReadonlyMap<string, TableTotals> {
    return this.#writers.totals()
  }

  contentDigest(): string {
    return this.#writers.contentDigest()
  }

  /** Writes what the snapshot says of itself, analyzes it, and closes the file. */
  close(meta: Readonly<Record<string, string>>): void {
    const insert = this.database.prepare('INSERT INTO meta(key, value) VALUES (?, ?)')
    for (const [key, value] of Object.entries(meta)) insert.run(key, value)
    // Enough rows per index for the planner; a full scan of every index would cost minutes at full size.
    this.database.pragma('analysis_limit = 2000')
    this.database.exec('ANALYZE')
    this.database.close()
  }

  /** Closes the file of a build that is given up. */
  abandon(): void {
    this.database.close()
  }

  #endLoading(): void {
    if (this.database.inTransaction) this.database.exec('COMMIT')
  }

  #createTables(writing: 'checked' | 'bulk'): void {
    for (const statement of ownTables) this.database.exec(statement)
    for (const [name, table] of Object.entries(this.#definition.tables)) {
      this.database.exec(createTable(name, table, writing === 'checked'))
      const index = writing === 'checked' ? this.#keyIndexOf(name) : undefined
      if (index !== undefined) this.database.exec(index.sql)
    }
  }

  /** The index of a key beside a surrogate, where rows are checked by it. */
  #keyIndexOf(name: string): IndexStatement | undefined {
    const table = this.#definition.tables[name]
    const isChecked = this.#definition.guards?.keys?.[name] !== undefined
    return table === undefined || !isChecked ? undefined : keyIndex(name, table)
  }

  /** A key beside a surrogate is checked only here; the message shows one of those that are there twice. */
  #repeatedKey(table: string, key: readonly string[], cause: unknown): StichtagError {
    const columns = key.map(quoteIdentifier).join(', ')
    const example = this.database
      .prepare<[], unknown[]>(
        `SELECT ${columns} FROM ${quoteIdentifier(table)} GROUP BY ${columns} HAVING count(*) > 1 LIMIT 1`,
      )
      .raw()
      .get()
    return new StichtagError(
      'RECORD_INVALID',
      `${this.#definition.id}: table ${table} has the key (${key.join(', ')}) = (${example?.join(', ')}) more than once`,
      { data: { dataset: this.#definition.id, table }, cause },
    )
  }

  /** Runs SQL that the pipeline wrote. @throws PIPELINE_INVALID */
  #running(kind: 'table' | 'view', name: string, run: () => void): void {
    try {
      run()
    } catch (error) {
      // A full disk is not the pipeline's fault.
      const unwritable = storeError(error, this.path)
      if (unwritable !== error) throw unwritable
      const why = error instanceof Error ? error.message : String(error)
      throw new StichtagError('PIPELINE_INVALID', `${this.#definition.id}: ${kind} ${name}: ${why}`, {
        data: { dataset: this.#definition.id, [kind]: name },
        cause: error,
      })
    }
  }
}
