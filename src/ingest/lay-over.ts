/**
 * Lay over: a delta and the snapshot before become a building snapshot that holds what a whole delivery would have.
 *
 *  1. found:  which rows of the base the delta replaces: those of the same key, and all parts of such records
 *  2. copied: the base's other rows, in their order, then the delta's, each into the digest like any other
 *
 * Both are only read. Memory stays flat: which rows are replaced is kept in temporary tables, and the rest is copied row by
 * row.
 */
import { setImmediate } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { deltaParts, type Part } from '../pipeline/delta.ts'
import type { ColumnValue, PipelineDefinition, TableDefinition } from '../pipeline/types.ts'
import { quoteIdentifier } from '../store/identifier.ts'
import { Building } from './building.ts'

export interface LayOverOptions {
  /** Where the new data.db is written. */
  readonly path: string
  readonly definition: PipelineDefinition
  /** data.db of the snapshot before, built by the same definition. */
  readonly base: string
  /** A file of the same tables with the delta's rows. */
  readonly delta: string
  readonly signal: AbortSignal
  /** Rows copied so far. */
  readonly onProgress: (rows: number) => void
}

/** Rows between two looks at whether the run goes on. */
const rowsAtATime = 20_000

/** Builds the union. No file is open after an error. */
export const layOver = async (options: LayOverOptions): Promise<Building> => {
  const { path, definition, base, delta } = options
  const reader = new Database(base, { readonly: true, fileMustExist: true })
  let building: Building | undefined
  try {
    // An attached database takes over the connection's read-only flag.
    reader.prepare('ATTACH ? AS delta').run(delta)
    findReplaced(reader, definition)
    building = new Building(path, definition, 'bulk')
    await copyRows(reader, building, options)
    building.declareKeys()
    return building
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

const findReplaced = (reader: Database.Database, definition: PipelineDefinition): void => {
  for (const [name, { key }] of broughtTables(definition)) {
    reader.exec(`CREATE TABLE ${replaced(name)}(id INTEGER PRIMARY KEY)`)
    if (key.length > 0) reader.exec(sameKey(name, key))
  }
  const parts = deltaParts(definition).map((part) => reader.prepare(ofReplaced(part)))
  // Parts may have parts of their own, so that what one statement finds is where another goes on.
  while (parts.reduce((found, part) => found + part.run().changes, 0) > 0);
}

const joined = (own: string, other: string, on: Readonly<Record<string, string>>): string =>
  Object.entries(on)
    .map(([column, theirs]) => `${own}.${quoteIdentifier(column)} = ${other}.${quoteIdentifier(theirs)}`)
    .join(' AND ')

// CROSS JOIN keeps the order: from the few rows of the delta to the many of the base, by the index of its key.
const sameKey = (table: string, key: readonly string[]): string =>
  `INSERT INTO ${replaced(table)} SELECT base.rowid FROM delta.${quoteIdentifier(table)} AS fresh
   CROSS JOIN main.${quoteIdentifier(table)} AS base ON ${joined('base', 'fresh', Object.fromEntries(key.map((column) => [column, column])))}`

const ofReplaced = ({ table, of, on }: Part): string =>
  `INSERT OR IGNORE INTO ${replaced(table)} SELECT part.rowid FROM ${replaced(of)} AS gone
   CROSS JOIN main.${quoteIdentifier(of)} AS whole ON whole.rowid = gone.id
   CROSS JOIN main.${quoteIdentifier(table)} AS part ON ${joined('part', 'whole', on)}`

const copyRows = async (
  reader: Database.Database,
  building: Building,
  { definition, signal, onProgress }: LayOverOptions,
): Promise<void> => {
  let rows = 0
  for (const [name, { columns }] of broughtTables(definition)) {
    const list = Object.keys(columns).map(quoteIdentifier).join(', ')
    const table = quoteIdentifier(name)
    const kept = `NOT EXISTS (SELECT 1 FROM ${replaced(name)} AS gone WHERE gone.id = own.rowid)`
    for (const sql of [
      `SELECT ${list} FROM main.${table} AS own WHERE ${kept} ORDER BY own.rowid`,
      `SELECT ${list} FROM delta.${table} ORDER BY rowid`,
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
}
