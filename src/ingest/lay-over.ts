/**
 * Lay over: a delta and the snapshot before become a building snapshot that holds what a whole delivery would have.
 *
 *  1. found:  which records of the delta are older than those that they would replace: they stay out, with their parts
 *  2. found:  which rows of the base the others replace: those of the same key, and all parts of such records
 *  3. copied: the base's other rows, in their order, then the delta's, each into the digest like any other
 *
 * Both are only read. Memory stays flat: which rows are replaced is kept in temporary tables, and the rest is copied row by
 * row.
 */
import { setImmediate } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { deltaParts, type Part } from '../pipeline/delta.ts'
import type { ColumnValue, PipelineDefinition, TableDefinition } from '../pipeline/types.ts'
import { quoteIdentifier } from '../store/identifier.ts'
import { maxKeptRejects, maxRawLength } from './accounting.ts'
import { Building } from './building.ts'

export interface LayOverOptions {
  /** Where the new data.db is written. */
  readonly path: string
  readonly definition: PipelineDefinition
  /** data.db of the snapshot before, built by the same definition. */
  readonly base: string
  /** A file of the same tables with the delta's rows. */
  readonly delta: string
  /** What the delta's own files are called, for what is kept of them in `_rejected`. */
  readonly deltaFiles: readonly string[]
  readonly signal: AbortSignal
  /** Rows copied so far. */
  readonly onProgress: (rows: number) => void
}

/** Rows between two looks at whether the run goes on. */
const rowsAtATime = 20_000

export interface LaidOver {
  readonly building: Building
  /** Records of the delta that were left out by table, as those that they would replace are newer. */
  readonly older: Readonly<Record<string, number>>
}

/** Builds the union. No file is open after an error. */
export const layOver = async (options: LayOverOptions): Promise<LaidOver> => {
  const { path, definition, base, delta } = options
  const reader = new Database(base, { readonly: true, fileMustExist: true })
  let building: Building | undefined
  try {
    // An attached database takes over the connection's read-only flag.
    reader.prepare('ATTACH ? AS delta').run(delta)
    const older = findOlder(reader, definition)
    findReplaced(reader, definition)
    building = new Building(path, definition, 'bulk')
    await copyRows(reader, building, options)
    building.declareKeys()
    return { building, older }
  } catch (error) {
    building?.abandon()
    throw error
  } finally {
    reader.close()
  }
}

/** The tables that files bring rows of. */
const broughtTables = ({ tables }: PipelineDefinition): [string, TableDefinition][] =>
  Object.entries(tables).filter(([, { derivedBy }]) => derivedBy === undefined)

const replaced = (table: string): string => `temp.${quoteIdentifier(`replaced ${table}`)}`
const older = (table: string): string => `temp.${quoteIdentifier(`older ${table}`)}`

/** Dates are compared as instants: publishers write them with the offsets of wherever they were. */
const findOlder = (reader: Database.Database, definition: PipelineDefinition): Readonly<Record<string, number>> => {
  for (const [name] of broughtTables(definition)) reader.exec(`CREATE TABLE ${older(name)}(id INTEGER PRIMARY KEY)`)
  const found = Object.entries(definition.delta?.changedOn ?? {}).map(([name, column]): [string, number] => {
    const date = quoteIdentifier(column)
    const sql = `INSERT INTO ${older(name)} SELECT fresh.rowid ${bothOf(name, definition.tables[name]?.key ?? [])}
      WHERE julianday(base.${date}) > julianday(fresh.${date})`
    return [name, reader.prepare(sql).run().changes]
  })
  withParts(reader, definition, older, 'delta')
  return Object.fromEntries(found.filter(([, count]) => count > 0))
}

const findReplaced = (reader: Database.Database, definition: PipelineDefinition): void => {
  for (const [name, { key }] of broughtTables(definition)) {
    reader.exec(`CREATE TABLE ${replaced(name)}(id INTEGER PRIMARY KEY)`)
    if (key.length > 0) reader.exec(sameKey(name, key))
  }
  withParts(reader, definition, replaced, 'main')
}

/** Adds the parts of the records found to what was found of a database. */
const withParts = (
  reader: Database.Database,
  definition: PipelineDefinition,
  found: (table: string) => string,
  database: 'main' | 'delta',
): void => {
  const parts = deltaParts(definition).map((part) => reader.prepare(partsOfFound(part, found, database)))
  // Parts may have parts of their own, so that what one statement finds is where another goes on.
  while (parts.reduce((sum, part) => sum + part.run().changes, 0) > 0);
}

const joined = (own: string, other: string, on: Readonly<Record<string, string>>): string =>
  Object.entries(on)
    .map(([column, theirs]) => `${own}.${quoteIdentifier(column)} = ${other}.${quoteIdentifier(theirs)}`)
    .join(' AND ')

// CROSS JOIN keeps the order: from the few rows of the delta to the many of the base, by the index of its key.
const bothOf = (table: string, key: readonly string[]): string =>
  `FROM delta.${quoteIdentifier(table)} AS fresh CROSS JOIN main.${quoteIdentifier(table)} AS base
   ON ${joined('base', 'fresh', Object.fromEntries(key.map((column) => [column, column])))}`

const sameKey = (table: string, key: readonly string[]): string =>
  `INSERT INTO ${replaced(table)} SELECT base.rowid ${bothOf(table, key)}
   WHERE NOT EXISTS (SELECT 1 FROM ${older(table)} AS late WHERE late.id = fresh.rowid)`

const partsOfFound = ({ table, of, on }: Part, found: (table: string) => string, database: 'main' | 'delta'): string =>
  `INSERT OR IGNORE INTO ${found(table)} SELECT part.rowid FROM ${found(of)} AS gone
   CROSS JOIN ${database}.${quoteIdentifier(of)} AS whole ON whole.rowid = gone.id
   CROSS JOIN ${database}.${quoteIdentifier(table)} AS part ON ${joined('part', 'whole', on)}`

const copyRows = async (
  reader: Database.Database,
  building: Building,
  { definition, deltaFiles, signal, onProgress }: LayOverOptions,
): Promise<void> => {
  let rows = 0
  for (const [name, { columns }] of broughtTables(definition)) {
    const list = Object.keys(columns).map(quoteIdentifier).join(', ')
    const table = quoteIdentifier(name)
    const without = (gone: string): string => `NOT EXISTS (SELECT 1 FROM ${gone} AS gone WHERE gone.id = own.rowid)`
    for (const sql of [
      `SELECT ${list} FROM main.${table} AS own WHERE ${without(replaced(name))} ORDER BY own.rowid`,
      `SELECT ${list} FROM delta.${table} AS own WHERE ${without(older(name))} ORDER BY own.rowid`,
    ]) {
      for (const values of reader.prepare<[], ColumnValue[]>(sql).raw().safeIntegers().iterate()) {
        building.insert(name, values)
        rows += 1
        if (rows % rowsAtATime > 0) continue
        await setImmediate()
        signal.throwIfAborted()
        onProgress(rows)
      }
    }
  }
  const insert = building.database.prepare('INSERT INTO _rejected VALUES (?, ?, ?, ?)')
  for (const row of reader.prepare<[], unknown[]>('SELECT * FROM delta._rejected').raw().iterate()) insert.run(row)
  keepOlder(reader, definition, deltaFiles, (row) => insert.run(row))
}

/** Keeps the records that were left out; their lines are not known any more. */
const keepOlder = (
  reader: Database.Database,
  { tables, delta }: PipelineDefinition,
  files: readonly string[],
  keep: (row: readonly unknown[]) => void,
): void => {
  for (const name of Object.keys(delta?.changedOn ?? {})) {
    const columns = Object.keys(tables[name]?.columns ?? {})
    const sql = `SELECT ${columns.map(quoteIdentifier).join(', ')} FROM delta.${quoteIdentifier(name)} AS own
      WHERE EXISTS (SELECT 1 FROM ${older(name)} AS late WHERE late.id = own.rowid) ORDER BY own.rowid LIMIT ${maxKeptRejects}`
    for (const values of reader.prepare<[], ColumnValue[]>(sql).raw().iterate()) {
      const filled = columns.map((column, index) => [column, values[index]]).filter(([, value]) => value !== null)
      const raw = JSON.stringify(Object.fromEntries(filled)).slice(0, maxRawLength)
      keep([files.join(', '), 0, `table ${name}: older than the record that it would replace`, raw])
    }
  }
}
