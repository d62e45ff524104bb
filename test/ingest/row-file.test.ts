import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { RowFile, type RowTable } from '../../src/ingest/row-file.ts'
import { StoredRow } from '../../src/ingest/stored-row.ts'
import type { ColumnType, ColumnValue } from '../../src/pipeline/types.ts'
import { scratchFolder } from '../store/scratch-store.ts'

interface TestTable extends RowTable {
  readonly columns: readonly ColumnType[]
}

const everything: TestTable = {
  name: 'every "thing"',
  sql: 'CREATE TABLE "every ""thing"""(text TEXT, integer INTEGER, real REAL, blob BLOB)',
  columns: ['TEXT', 'INTEGER', 'REAL', 'BLOB'],
}
const names: TestTable = { name: 'names', sql: 'CREATE TABLE names(name TEXT)', columns: ['TEXT'] }

type Rows = readonly (readonly [TestTable, readonly ColumnValue[]])[]

/** A file of these rows, opened by SQLite once it has found nothing wrong with it. */
const fileOf = (rows: Rows): Database.Database => {
  const path = join(scratchFolder(), 'rows.db')
  rmSync(path, { force: true })
  const file = new RowFile(path)
  const stored = new Map(rows.map(([table]) => [table, new StoredRow(table.name, table.columns)]))
  for (const [table, values] of rows) {
    const row = stored.get(table)
    row?.write(values)
    if (row !== undefined) file.add(table, row)
  }
  file.close()
  const database = new Database(path, { readonly: true })
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  return database
}

const readBack = (database: Database.Database, { name }: RowTable): unknown[] =>
  database
    .prepare(`SELECT * FROM "${name.replaceAll('"', '""')}" ORDER BY rowid`)
    .raw()
    .safeIntegers()
    .all()

/** The rows as SQLite itself gives them back when it has written them. */
const bySqlite = (table: TestTable, rows: readonly (readonly ColumnValue[])[]): unknown[] => {
  const database = new Database(':memory:')
  database.exec(table.sql)
  const insert = database.prepare(
    `INSERT INTO "${table.name.replaceAll('"', '""')}" VALUES (${table.columns.map(() => '?').join(', ')})`,
  )
  for (const values of rows) insert.run(values)
  return readBack(database, table)
}

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)

describe('a file of rows', () => {
  const texts = [
    '',
    'a',
    'Müller',
    'Mu\u0308ller 😀',
    'with \0 inside',
    'x'.repeat(57),
    'x'.repeat(58),
    'ü'.repeat(5000),
  ]
  const integers = [0, 1, -1, 2, 127, 128, -128, -129, 32_767, 32_768, 8_388_607, 8_388_608, -8_388_609]
  const bigger = [2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 47 - 1, 2 ** 47, -(2 ** 47) - 1, Number.MAX_SAFE_INTEGER]
  const biggest = [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n]
  const reals = [0, 1, 0.1 + 0.2, -2.5, 5e-324, 1.7976931348623157e308, 123456789012345680000]
  const rows: (readonly ColumnValue[])[] = [
    ...texts.map((text) => [text, null, null, null]),
    ...[...integers, ...bigger, ...biggest].map((integer) => [null, integer, null, null]),
    ...reals.map((real) => [null, null, real, null]),
    ...[bytes(), bytes(0, 255), new Uint8Array(300)].map((blob) => [null, null, null, blob]),
    [null, null, null, null],
    ['all', 42, 4.5, bytes(1)],
  ]

  it('gives back every value as SQLite gives back its own, to the last bit', () => {
    expect(readBack(fileOf(rows.map((row) => [everything, row])), everything)).toEqual(bySqlite(everything, rows))
  })

  it('takes rows of any length, on as many pages as they need', () => {
    // About what fits into a page of 65,536 bytes, and into one more.
    const lengths = [65_490, 65_495, 65_496, 65_497, 65_498, 65_499, 65_500, 70_000, 131_020, 131_033, 131_034, 500_000]
    const long = lengths.map((length) => ['y'.repeat(length)])
    expect(readBack(fileOf(long.map((row) => [names, row])), names)).toEqual(long)
  })

  it('has as many levels as many rows need, in the order they came in', () => {
    // Some 6,000 pages: more than one page of the next level can name.
    const count = 12_000
    const database = fileOf(
      Array.from({ length: count }, (_, index) => [names, [`${index} ${'z'.repeat(30_000)}`]] as const),
    )
    const sql = "SELECT rowid FROM names WHERE name NOT LIKE (rowid - 1) || ' %'"
    expect(database.prepare(sql).all()).toEqual([])
    expect(database.prepare('SELECT count(*) FROM names').pluck().get()).toBe(count)
    expect(database.prepare('SELECT substr(name, 1, 5) FROM names WHERE rowid = 9001').pluck().get()).toBe('9000 ')
  })

  it('keeps the rows of its tables apart, and has only tables that have rows', () => {
    const database = fileOf([
      [names, ['one']],
      [everything, ['two', 2, null, null]],
      [names, ['three']],
    ])
    expect(readBack(database, names)).toEqual([['one'], ['three']])
    expect(database.prepare('SELECT name, sql FROM sqlite_schema').all()).toEqual([
      { name: names.name, sql: names.sql },
      { name: everything.name, sql: everything.sql },
    ])
  })

  it('holds the widest table that there can be', () => {
    const columns = Array.from({ length: 2000 }, (_, index) => `a column of a long name, number ${index}`)
    const sql = `CREATE TABLE wide(${columns.map((name) => `"${name}" TEXT`).join(', ')})`
    const wide: TestTable = { name: 'wide', sql, columns: columns.map(() => 'TEXT') }
    const values = columns.map((name, index) => (index % 3 === 0 ? null : name.repeat(2)))
    expect(readBack(fileOf([[wide, values]]), wide)).toEqual([values])
  })

  it('is copied by SQLite as it lies', () => {
    const database = fileOf([[names, ['one']]])
    const target = new Database(':memory:')
    target.exec(names.sql)
    target.prepare('ATTACH ? AS shard').run(database.name)
    const steps = target.prepare('EXPLAIN INSERT INTO main.names SELECT * FROM shard.names').all()
    const opcodes = steps.map((step) => (step as { opcode: string }).opcode)
    // The record is handed on whole: no column is taken out of it.
    expect(opcodes).toContain('RowCell')
    expect(opcodes).not.toContain('Column')
  })
})
