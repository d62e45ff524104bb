import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { OpenFiles } from '../../src/query/open-files.ts'
import { readRows } from '../../src/query/read-rows.ts'
import { boundValues } from '../../src/schema/arguments.ts'
import { describeTablesQuery, freeQuery, getSchemaQuery } from '../../src/schema/injected.ts'
import type { SchemaQuery } from '../../src/schema/types.ts'

const rowsOf = ({ sql }: SchemaQuery) => {
  const folder = mkdtempSync(join(tmpdir(), 'stichtag-schema-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'data.db')
  const database = new Database(path)
  database.exec(`CREATE TABLE company(name TEXT, id INTEGER PRIMARY KEY AUTOINCREMENT);
    CREATE TABLE company_data(x);
    CREATE VIRTUAL TABLE company_fts USING fts5(name); CREATE VIEW companies AS SELECT name FROM company`)
  database.close()
  return readRows(new OpenFiles().at(path), { sql, parameters: [], lane: 'query', maxRows: 100 })
}

describe('queries that every database gets', () => {
  it('describe its tables and views, not the insides of its indexes', () => {
    expect(rowsOf(describeTablesQuery)).toMatchObject({
      columns: describeTablesQuery.columns,
      rows: [
        ['companies', 'name', 'TEXT'],
        ['company', 'name', 'TEXT'],
        ['company', 'id', 'INTEGER'],
        ['company_data', 'x', ''],
        ['company_fts', 'name', ''],
      ],
    })
  })

  it('show the statements that made them', () => {
    const { columns, rows } = rowsOf(getSchemaQuery)
    expect(columns).toEqual(['name', 'sql'])
    expect(rows.map(([name]) => name)).toEqual(['companies', 'company', 'company_data', 'company_fts'])
  })

  it('run a statement of 100 rows unless said, and 1000 at most', () => {
    expect(boundValues(freeQuery, { sql: 'SELECT 1' })).toEqual(['SELECT 1', 100])
    expect(boundValues(freeQuery, { sql: 'SELECT 1', limit: 1000 })).toEqual(['SELECT 1', 1000])
    expect(() => boundValues(freeQuery, { sql: 'SELECT 1', limit: 1001 })).toThrow('<=1000')
    expect(() => boundValues(freeQuery, { sql: '' })).toThrow('sql')
  })
})
