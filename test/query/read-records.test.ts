import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { digestOf } from '../../src/query/digest.ts'
import { OpenFiles } from '../../src/query/open-files.ts'
import { readRecords } from '../../src/query/read-records.ts'
import type { Parameter, RecordPlan } from '../../src/query/types.ts'
import { scratchDatabase } from './scratch.ts'

const read = (tables: string, plan: RecordPlan, keys: readonly (readonly Parameter[])[], as: 'whole' | 'digest') =>
  readRecords(new OpenFiles().at(scratchDatabase(tables)), { plan, keys, as })

const company: RecordPlan = { table: 'company', columns: ['number', 'name'], key: ['number'], related: [] }
const withOfficers: RecordPlan = {
  ...company,
  related: [
    {
      name: 'officers',
      table: 'officer',
      columns: ['name', 'city'],
      on: { company: 'number' },
      orderBy: ['name'],
    },
  ],
}
const companies = 'CREATE TABLE company(id INTEGER PRIMARY KEY, number TEXT, name TEXT);'

describe('whole records', () => {
  it('are read by key, in the order asked for, null where there is none', () => {
    const tables = `${companies} INSERT INTO company(number, name) VALUES ('A1', 'Alpha'), ('B2', 'Beta')`
    expect(read(tables, company, [['B2'], ['C3'], ['A1']], 'whole')).toEqual([
      { record: { number: 'B2', name: 'Beta' }, related: {} },
      null,
      { record: { number: 'A1', name: 'Alpha' }, related: {} },
    ])
  })

  it('have the rows that belong to them, in order', () => {
    const tables = `${companies} INSERT INTO company(number, name) VALUES ('A1', 'Alpha');
      CREATE TABLE officer(company, name, city);
      INSERT INTO officer VALUES ('A1', 'Zoe', 'Mainz'), ('A1', 'Ada', 'Berlin'), ('B2', 'Bob', NULL)`
    expect(read(tables, withOfficers, [['A1']], 'whole')).toEqual([
      {
        record: { number: 'A1', name: 'Alpha' },
        related: {
          officers: [
            { name: 'Ada', city: 'Berlin' },
            { name: 'Zoe', city: 'Mainz' },
          ],
        },
      },
    ])
  })

  it('are found by several columns, NULL being a key like any other', () => {
    const tables = "CREATE TABLE t(a, b, c); INSERT INTO t VALUES ('x', NULL, 1), ('x', 'y', 2)"
    const plan: RecordPlan = { table: 't', columns: ['c'], key: ['a', 'b'], related: [] }
    expect(
      read(
        tables,
        plan,
        [
          ['x', null],
          ['x', 'y'],
        ],
        'whole',
      ),
    ).toEqual([
      { record: { c: 1 }, related: {} },
      { record: { c: 2 }, related: {} },
    ])
  })

  it('find a numeric key by its text', () => {
    const tables = 'CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES (36, 1)'
    const plan: RecordPlan = { table: 't', columns: ['a', 'b'], key: ['a'], related: [] }
    expect(read(tables, plan, [['36']], 'whole')).toEqual([{ record: { a: 36, b: 1 }, related: {} }])
  })

  it('can be related by a column that is not shown, and by none where it is NULL', () => {
    const tables = `${companies} INSERT INTO company VALUES (7, 'A1', 'Alpha'), (8, 'B2', NULL);
      CREATE TABLE note(of, text); INSERT INTO note VALUES (7, 'seven'), (NULL, 'stray')`
    const notes = (column: string): RecordPlan => ({
      ...company,
      related: [{ name: 'notes', table: 'note', columns: ['text'], on: { of: column }, orderBy: [] }],
    })
    expect(read(tables, notes('id'), [['A1']], 'whole')).toMatchObject([{ related: { notes: [{ text: 'seven' }] } }])
    expect(read(tables, notes('name'), [['B2']], 'whole')).toMatchObject([{ related: { notes: [] } }])
  })

  it('may have names that need quoting', () => {
    const tables = 'CREATE TABLE "od""d table"("group", "a b"); INSERT INTO "od""d table" VALUES (1, 2)'
    const plan: RecordPlan = { table: 'od"d table', columns: ['group', 'a b'], key: ['group'], related: [] }
    expect(read(tables, plan, [[1]], 'whole')).toEqual([{ record: { group: 1, 'a b': 2 }, related: {} }])
  })
})

describe('digests of records', () => {
  const officers = (rows: string) => `${companies} INSERT INTO company(number, name) VALUES ('A1', 'Alpha');
    CREATE TABLE officer(company, name, city); INSERT INTO officer VALUES ${rows}`

  it('are those of the whole record', () => {
    const tables = officers("('A1', 'Ada', 'Berlin')")
    const whole = { record: { number: 'A1', name: 'Alpha' }, related: { officers: [{ name: 'Ada', city: 'Berlin' }] } }
    expect(read(tables, withOfficers, [['A1'], ['B2']], 'digest')).toEqual([digestOf(whole), null])
  })

  it('are the first 32 hex digits of the SHA-256 of the JSON text', () => {
    const text = '{"record":{"a":1},"related":{}}'
    expect(digestOf({ record: { a: 1 }, related: {} })).toBe(
      createHash('sha256').update(text).digest('hex').slice(0, 32),
    )
  })

  it('do not depend on the order in which rows were loaded, even among those that orderBy does not tell apart', () => {
    const one = officers("('A1', 'Ada', 'Berlin'), ('A1', 'Ada', 'Mainz')")
    const other = officers("('A1', 'Ada', 'Mainz'), ('A1', 'Ada', 'Berlin')")
    expect(read(one, withOfficers, [['A1']], 'digest')).toEqual(read(other, withOfficers, [['A1']], 'digest'))
  })

  it('differ where a related row does', () => {
    const one = officers("('A1', 'Ada', 'Berlin')")
    const other = officers("('A1', 'Ada', 'Mainz')")
    expect(read(one, withOfficers, [['A1']], 'digest')).not.toEqual(read(other, withOfficers, [['A1']], 'digest'))
  })
})
