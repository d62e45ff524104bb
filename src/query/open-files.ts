/**
 * The SQLite files a reader process holds open, with their prepared statements. A file replaced at the same path (a
 * user's own database) is noticed on the next request; one that was deleted is let go of, so that its space is freed.
 */
import { type Stats, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { StichtagError } from '../errors.ts'
import { isCompound } from './compound.ts'
import { LeastRecentMap } from './least-recent.ts'
import { isRepeatable } from './repeatable.ts'
import { allowedTableFunctions, refusedTables } from './statement.ts'
import { foldCase } from './tokens.ts'

const keptFiles = 8
const keptStatements = 64
/** A statement longer than this is prepared anew each time: what SQLite keeps of it could fill the memory. */
const longestKeptStatement = 4096
const cacheKibibytes = 8192
/** How long to wait for somebody who is writing the user's own file, in milliseconds. */
const lockTimeoutMs = 1000

export interface OpenFile {
  /** Whether the file has a table or view of this name, in lower case. */
  isOwnTable(name: string): boolean
  /** Whether a statement gives the same rows each time, as long as the file is this one. */
  isRepeatable(sql: string): boolean
  /** Whether a statement, or a view that it reads, puts rows of several selects together. */
  isCompound(sql: string): boolean
  /** A prepared statement giving rows as arrays and integers as bigint. Throws SQLite's own errors. */
  prepare(sql: string): Database.Statement<unknown[], unknown>
}

interface Entry extends OpenFile {
  readonly identity: string
  close(): void
}

/** What tells one file from another at the same path. */
const identityOf = (stats: Stats): string => `${stats.dev}:${stats.ino}:${stats.mtimeMs}:${stats.size}`

/** Files by path, the least recently used closed first. */
export class OpenFiles {
  readonly #files = new LeastRecentMap<string, Entry>(keptFiles, (entry) => entry.close())

  /**
   * The file at a path, opened read-only.
   * @throws DATABASE_MISSING where there is none; SQLite's own errors
   */
  at(path: string): OpenFile {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) {
      this.#files.delete(path)
      throw new StichtagError('DATABASE_MISSING', 'The database is no longer there. Try again in a moment.')
    }
    const identity = identityOf(stats)
    const open = this.#files.get(path)
    if (open?.identity === identity) return open
    this.releaseStale()
    const entry = openEntry(path, identity)
    this.#files.set(path, entry)
    return entry
  }

  /** Closes files that were deleted or replaced meanwhile. */
  releaseStale(): void {
    for (const path of this.#files.keys()) {
      const stats = statSync(path, { throwIfNoEntry: false })
      if (stats === undefined || identityOf(stats) !== this.#files.get(path)?.identity) this.#files.delete(path)
    }
  }
}

const openEntry = (path: string, identity: string): Entry => {
  const database = new Database(path, { readonly: true, fileMustExist: true, timeout: lockTimeoutMs })
  // Sorting must not write to the disk: what a statement needs is memory, and memory is watched.
  database.pragma('temp_store = MEMORY')
  database.pragma(`cache_size = -${cacheKibibytes}`)
  // A stranger's file may have views that call what only trusted ones may, and pages that are not what they seem.
  database.pragma('trusted_schema = OFF')
  database.pragma('cell_size_check = ON')
  forgetRefusedTables(database)
  const own = database.prepare<[], { readonly name: string; readonly type: string; readonly sql: string }>(
    "SELECT name, type, sql FROM sqlite_schema WHERE type IN ('table', 'view')",
  )
  const ownTables = own.all()
  const names = new Set(ownTables.map(({ name }) => foldCase(name)))
  const views = new Map(ownTables.flatMap(({ name, type, sql }) => (type === 'view' ? [[foldCase(name), sql]] : [])))
  /** What a check says of a statement, once for each that is not long. */
  const checked = (check: typeof isCompound): ((sql: string) => boolean) => {
    const kept = new LeastRecentMap<string, boolean>(keptStatements)
    return (sql) => {
      const holds = kept.get(sql) ?? check(sql, (name) => views.get(name))
      kept.set(sql, holds)
      return holds
    }
  }
  const [repeats, compounds] = [checked(isRepeatable), checked(isCompound)]
  const statements = new LeastRecentMap<string, Database.Statement<unknown[], unknown>>(keptStatements)
  return {
    identity,
    isOwnTable: (name) => names.has(name),
    isRepeatable: (sql) => sql.length <= longestKeptStatement && repeats(sql),
    isCompound: (sql) => sql.length > longestKeptStatement || compounds(sql),
    prepare(sql) {
      const kept = statements.get(sql)
      if (kept !== undefined) return kept
      const statement = database.prepare<unknown[], unknown>(sql)
      if (statement.reader) statement.raw(true).safeIntegers(true)
      if (sql.length <= longestKeptStatement) statements.set(sql, statement)
      return statement
    },
    close: () => {
      database.close()
    },
  }
}

/**
 * Takes the refused built-in tables away from the engine itself, so that neither a view in a stranger's file nor a
 * statement that the token check misjudges can read them: a module of the same name, whose rows are an error, stands in
 * their place.
 */
const forgetRefusedTables = (database: Database.Database): void => {
  const pragmas = database.prepare<[], string>('SELECT name FROM pragma_pragma_list').pluck().all()
  for (const name of [...pragmas.map((pragma) => `pragma_${pragma}`), ...refusedTables]) {
    if (!allowedTableFunctions.has(name)) database.table(name, refusedTable(name))
  }
}

const refusedTable = (name: string): Parameters<Database.Database['table']>[1] => ({
  columns: ['refused'],
  // biome-ignore lint/correctness/useYield: better-sqlite3 wants a generator, and this one has no rows to give.
  *rows() {
    throw new StichtagError('STATEMENT_REFUSED', `The table ${name} is not available.`)
  },
})
