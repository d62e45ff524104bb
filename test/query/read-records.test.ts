import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { digestOf } from '../../src/query/digest.ts'
import { OpenFiles } from '../../src/query/open-files.ts'
import { readDigests, readRecordPage } from '../../src/query/read-records.ts'
import type { Parameter, RecordPage, RecordPlan } from '../../src/query/types.ts'
import { scratchDatabase } from './scratch.ts'

const digests = (tables: string, plan: RecordPlan, keys: readonly (readonly Parameter[])[]) =>
  readDigests(new OpenFiles().at(scratchDatabase(tables)), { plan, keys })

/** A page of a record as it is read. */
const pageOf = (
  tables: string,
  plan: RecordPlan,
  key: readonly Parameter[],
  { page = 1, pageBytes = 100_000 } = {},
): RecordPage | null => {
  const answer = readRecordPage(new OpenFiles().at(scratchDatabase(tables)), { plan, key, page, pageBytes }, 1000)
  if (answer === 'long') throw new Error('a test has few rows')
  return answer.page
}

/** Records that fit a page, in the shape their digest is of. */
const read = (tables: string, plan: RecordPlan, keys: readonly (readonly Parameter[])[]) =>
  keys.map((key) => {
    const page = pageOf(tables, plan, key)
    if (page === null) return null
    return { record: page.record, related: Object.fromEntries(page.related.map(({ name, rows }) => [name, rows])) }
  })

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
    expect(read(tables, company, [['B2'], ['C3'], ['A1']])).toEqual([
      { record: { number: 'B2', name: 'Beta' }, related: {} },
      null,
      { record: { number: 'A1', name: 'Alpha' }, related: {} },
    ])
  })

  it('have the rows that belong to them, in order', () => {
    const tables = `${companies} INSERT INTO company(number, name) VALUES ('A1', 'Alpha');
      CREATE TABLE officer(company, name, city);
      INSERT INTO officer VALUES ('A1', 'Zoe', 'Mainz'), ('A1', 'Ada', 'Berlin'), ('B2', 'Bob', NULL)`
    expect(read(tables, withOfficers, [['A1']])).toEqual([
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

  it('may have as many columns as SQLite allows, and rows that belong to them by several of these', () => {
    const columns = Array.from({ length: 2000 }, (_, index) => `c${index}`)
    const values = columns.map((column) => `'${column}'`).join()
    const tables = `CREATE TABLE t(${columns.join()}); INSERT INTO t VALUES (${values});
      CREATE TABLE part(a, b); INSERT INTO part VALUES ('c0', 1), ('c1999', 2), ('other', 3)`
    const part = (name: string, column: string): RecordPlan['related'][number] => ({
      name,
      table: 'part',
      columns: ['b'],
      on: { a: column },
      orderBy: [],
    })
    const own = { name: 'own', table: 't', columns, on: { c5: 'c5' }, orderBy: ['c1'] }
    const plan = { table: 't', columns, key: ['c7'], related: [part('first', 'c0'), part('last', 'c1999'), own] }
    const record = Object.fromEntries(columns.map((column) => [column, column]))
    expect(read(tables, plan, [['c7'], ['x']])).toEqual([
      { record, related: { first: [{ b: 1 }], last: [{ b: 2 }], own: [record] } },
      null,
    ])
    expect(digests(tables, plan, [['c7']])).toEqual([pageOf(tables, plan, ['c7'])?.digest])
  })

  it('are found by several columns, NULL being a key like any other', () => {
    const tables = "CREATE TABLE t(a, b, c); INSERT INTO t VALUES ('x', NULL, 1), ('x', 'y', 2)"
    const plan: RecordPlan = { table: 't', columns: ['c'], key: ['a', 'b'], related: [] }
    expect(
      read(tables, plan, [
        ['x', null],
        ['x', 'y'],
      ]),
    ).toEqual([
      { record: { c: 1 }, related: {} },
      { record: { c: 2 }, related: {} },
    ])
  })

  it('find a numeric key by its text', () => {
    const tables = 'CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES (36, 1)'
    const plan: RecordPlan = { table: 't', columns: ['a', 'b'], key: ['a'], related: [] }
    expect(read(tables, plan, [['36']])).toEqual([{ record: { a: 36, b: 1 }, related: {} }])
  })

  it('can be related by a column that is not shown, and by none where it is NULL', () => {
    const tables = `${companies} INSERT INTO company VALUES (7, 'A1', 'Alpha'), (8, 'B2', NULL);
      CREATE TABLE note(of, text); INSERT INTO note VALUES (7, 'seven'), (NULL, 'stray')`
    const notes = (column: string): RecordPlan => ({
      ...company,
      related: [{ name: 'notes', table: 'note', columns: ['text'], on: { of: column }, orderBy: [] }],
    })
    expect(read(tables, notes('id'), [['A1']])).toMatchObject([{ related: { notes: [{ text: 'seven' }] } }])
    expect(read(tables, notes('name'), [['B2']])).toMatchObject([{ related: { notes: [] } }])
  })

  it('may have names that need quoting', () => {
    const tables = 'CREATE TABLE "od""d table"("group", "a b"); INSERT INTO "od""d table" VALUES (1, 2)'
    const plan: RecordPlan = { table: 'od"d table', columns: ['group', 'a b'], key: ['group'], related: [] }
    expect(read(tables, plan, [[1]])).toEqual([{ record: { group: 1, 'a b': 2 }, related: {} }])
  })
})

describe('digests of records', () => {
  const officers = (rows: string) => `${companies} INSERT INTO company(number, name) VALUES ('A1', 'Alpha');
    CREATE TABLE officer(company, name, city); INSERT INTO officer VALUES ${rows}`

  it('are those of the whole record', () => {
    const tables = officers("('A1', 'Ada', 'Berlin')")
    const whole = { record: { number: 'A1', name: 'Alpha' }, related: { officers: [{ name: 'Ada', city: 'Berlin' }] } }
    expect(digests(tables, withOfficers, [['A1'], ['B2']])).toEqual([digestOf(whole), null])
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
    expect(digests(one, withOfficers, [['A1']])).toEqual(digests(other, withOfficers, [['A1']]))
  })

  it('differ where a related row does', () => {
    const one = officers("('A1', 'Ada', 'Berlin')")
    const other = officers("('A1', 'Ada', 'Mainz')")
    expect(digests(one, withOfficers, [['A1']])).not.toEqual(digests(other, withOfficers, [['A1']]))
  })
})

describe('a page of a record', () => {
  const note: RecordPlan = {
    table: 't',
    columns: ['a'],
    key: ['a'],
    related: [
      { name: 'notes', table: 'note', columns: ['n', 'text'], on: { of: 'a' }, orderBy: ['n'] },
      { name: 'marks', table: 'mark', columns: ['m'], on: { of: 'a' }, orderBy: ['m'] },
    ],
  }
  const tables = (count: number) => `CREATE TABLE t(a INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2);
    CREATE TABLE note(of, n, text); CREATE TABLE mark(of, m); INSERT INTO mark VALUES (1, 'x'), (1, 'y');
    WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT ${count})
    INSERT INTO note SELECT 1, n, printf('%.*c', 50, 'x') FROM c`

  it('holds what fits; all pages together hold every row once, and all tell the digest of the whole', () => {
    const text = tables(40)
    const [digest] = digests(text, note, [[1]])
    const pages: RecordPage[] = []
    for (let page = 1; page <= (pages[0]?.pages ?? 1); page += 1) {
      const found = pageOf(text, note, [1], { page, pageBytes: 600 })
      if (found !== null) pages.push(found)
    }
    expect(pages.length).toBeGreaterThan(4)
    expect(new Set(pages.map((page) => page.digest))).toEqual(new Set([digest]))
    const rows = (name: string) => pages.flatMap(({ related }) => related.find((each) => each.name === name)?.rows)
    expect(rows('notes').map((row) => row?.n)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
    expect(rows('marks')).toEqual([{ m: 'x' }, { m: 'y' }])
    for (const { related } of pages) {
      const [first] = related
      if (first !== undefined && first.rows.length > 0) expect(first.rows[0]?.n).toBe(first.from + 1)
      expect(JSON.stringify(related.map((each) => each.rows)).length).toBeLessThan(700)
    }
  })

  it('is empty past the last, which says how many there are', () => {
    expect(pageOf(tables(1), note, [1], { page: 9 })).toMatchObject({ pages: 1, related: [{ rows: [] }, { rows: [] }] })
  })

  it.each([1, 2])('has the digest of a record with and without rows: %i', (key) => {
    expect(pageOf(tables(3), note, [key])?.digest).toBe(digests(tables(3), note, [[key]])[0])
  })

  it('says that the record is long rather than reading more rows than it may', () => {
    const file = new OpenFiles().at(scratchDatabase(tables(30)))
    const request = { plan: note, key: [1], page: 1, pageBytes: 1000 }
    expect(readRecordPage(file, request, 31)).toBe('long')
    expect(readRecordPage(file, request, 32)).toMatchObject({ page: { record: { a: 1 } } })
  })

  it('is refused where a row is too big to be handed over, naming the column and the way out', () => {
    const big = 'CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES (1, zeroblob(9000000))'
    const plan: RecordPlan = { table: 't', columns: ['a', 'b'], key: ['a'], related: [] }
    expect(() => pageOf(big, plan, [1])).toThrow(
      expect.objectContaining({ code: 'QUERY_FAILED', message: expect.stringMatching(/column b .*substr\(\)/) }),
    )
  })
})
