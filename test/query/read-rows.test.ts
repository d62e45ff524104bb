import { describe, expect, it } from 'vitest'
import { OpenFiles } from '../../src/query/open-files.ts'
import { readRows } from '../../src/query/read-rows.ts'
import type { Rows, RowsRequest } from '../../src/query/types.ts'
import { scratchDatabase } from './scratch.ts'

const run = (tables: string, sql: string, options: Partial<RowsRequest> = {}): Rows =>
  readRows(new OpenFiles().at(scratchDatabase(tables)), {
    sql,
    parameters: [],
    lane: 'query',
    maxRows: 100,
    ...options,
  })

const fiveRows = 'CREATE TABLE t(a); INSERT INTO t VALUES (1), (2), (3), (4), (5)'
const failing = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })

describe('rows of a statement', () => {
  it('are arrays in the order of the columns, whose names may repeat', () => {
    expect(run('', 'SELECT 1 AS a, 2 AS b, 3 AS a')).toMatchObject({
      columns: ['a', 'b', 'a'],
      rows: [[1, 2, 3]],
      truncated: false,
    })
  })

  it('carry big integers, reals, bytes, text and NULL without loss', () => {
    const { rows } = run('', "SELECT 9007199254740993, 0.5, x'01ff', '007', NULL, 9e999, -9e999, 0.0 / 0")
    expect(rows).toEqual([['9007199254740993', 0.5, { base64: 'Af8=' }, '007', null, 'Infinity', '-Infinity', null]])
  })

  it('tell, where asked, which tables the columns are of, views seen through', () => {
    const tables = `CREATE TABLE t(a, b); CREATE TABLE u(a); CREATE VIEW v AS SELECT a, b + 1 AS c FROM t;
      CREATE VIEW both AS SELECT a FROM t UNION ALL SELECT a FROM u`
    const of = (sql: string) => run(tables, sql, { tells: 'tables' }).tables
    expect(of('SELECT a, b AS d, b + 1, u.a FROM t JOIN u USING (a)')).toEqual(['t', null, null, 'u'])
    expect(of('SELECT * FROM v')).toEqual(['t', null])
    expect(of('SELECT a FROM (SELECT a FROM t WHERE b IN (SELECT a FROM u))')).toEqual(['t'])
    for (const sql of [
      'SELECT a FROM both',
      'SELECT a FROM t UNION SELECT a FROM u',
      'SELECT a FROM (SELECT * FROM both)',
    ])
      expect(of(sql)).toEqual([null])
    expect(run(tables, 'SELECT a FROM t').tables).toBeUndefined()
  })

  it('are none where nothing is found, with the columns all the same', () => {
    expect(run(fiveRows, 'SELECT a FROM t WHERE a > 5')).toEqual({
      columns: ['a'],
      rows: [],
      truncated: false,
      repeatable: true,
    })
  })

  it.each([
    { maxRows: 4, rows: 4, truncated: true },
    { maxRows: 5, rows: 5, truncated: false },
    { maxRows: 6, rows: 5, truncated: false },
    { maxRows: 0, rows: 0, truncated: true },
  ])('are truncated exactly: of five with a limit of $maxRows', ({ maxRows, rows, truncated }) => {
    const answer = run(fiveRows, 'SELECT a FROM t', { maxRows })
    expect([answer.rows.length, answer.truncated]).toEqual([rows, truncated])
    expect(answer.truncatedBy).toBe(truncated ? 'rows' : undefined)
  })

  it.each([
    'SELECT a FROM t -- LIMIT 1',
    'SELECT a FROM t LIMIT 100;',
    "SELECT a FROM t WHERE 'LIMIT 9' <> ''",
    'SELECT a FROM t WHERE a IN (SELECT a FROM t LIMIT 50)',
  ])('are limited whatever the text says of limits: %s', (sql) => {
    expect(run(fiveRows, sql, { maxRows: 2 })).toMatchObject({ rows: [[1], [2]], truncated: true })
  })

  it('count the names of their columns, by which an answer repeats them in each row', () => {
    const long = `SELECT 1 + /* ${'x'.repeat(1000)} */ 1 FROM t`
    expect(run(fiveRows, long, { maxBytes: 3000 })).toMatchObject({ rows: [[2], [2]], truncatedBy: 'bytes' })
    expect(() => run(fiveRows, long, { maxBytes: 500 })).toThrow(failing('QUERY_FAILED', /^.{1,300}$/))
  })

  it('end before the row that would go over the limit of bytes', () => {
    const tables = "CREATE TABLE t(a); INSERT INTO t VALUES ('aaaaaaaaaa'), ('bbbbbbbbbb'), ('c')"
    const answer = run(tables, 'SELECT a FROM t', { maxBytes: 20 })
    expect(answer).toMatchObject({ columns: ['a'], rows: [['aaaaaaaaaa']], truncated: true, truncatedBy: 'bytes' })
    expect(run(tables, 'SELECT a FROM t', { maxBytes: 100 }).truncated).toBe(false)
  })

  it('say which column of a first row is too big to be answered', () => {
    expect(() => run('', "SELECT 1 AS small, printf('%.2000000c', 'x') AS big")).toThrow(
      failing('QUERY_FAILED', /column big .*substr/),
    )
  })
})

describe('parameters', () => {
  it('are bound in order', () => {
    expect(run('', 'SELECT ?, ?, ?, ?', { parameters: ['a', 1, null, new Uint8Array([255])] }).rows).toEqual([
      ['a', 1, null, { base64: '/w==' }],
    ])
  })

  it('are integers where they are whole', () => {
    const tables = "CREATE TABLE t(a TEXT); INSERT INTO t VALUES ('36')"
    expect(run(tables, 'SELECT typeof(?), a FROM t WHERE a = ?', { parameters: [36, 36] }).rows).toEqual([
      ['integer', '36'],
    ])
  })

  it('bind exact integers beyond 2^53', () => {
    expect(run('', 'SELECT ?', { parameters: [9007199254740993n] }).rows).toEqual([['9007199254740993']])
  })

  it.each([
    ['SELECT ?, ?', ['a']],
    ['SELECT ?', ['a', 'b']],
    ['SELECT 1', ['a']],
    ['SELECT :name', []],
  ])('must be as many as %s has', (sql, parameters) => {
    expect(() => run('', sql, { parameters })).toThrow(failing('ARGUMENTS_INVALID', /given: \d/))
  })
})

describe('statements', () => {
  it.each([
    'INSERT INTO t VALUES (1) RETURNING a',
    'WITH x AS (SELECT 1) DELETE FROM t RETURNING a',
    'WITH x AS (SELECT 1) INSERT INTO t SELECT 1',
    'EXPLAIN WITH x AS (SELECT 1) DELETE FROM t',
    'PRAGMA database_list',
  ])('that do not only read are refused: %s', (sql) => {
    expect(() => run(fiveRows, sql)).toThrow(failing('STATEMENT_REFUSED', /./))
  })

  it('can call a full text table of the database', () => {
    const tables = "CREATE VIRTUAL TABLE f USING fts5(a); INSERT INTO f VALUES ('hello world')"
    expect(run(tables, "SELECT a FROM f('hello')").rows).toEqual([['hello world']])
  })

  it('can describe the tables', () => {
    expect(run('CREATE TABLE t(a TEXT)', "SELECT name, type FROM pragma_table_info('t')").rows).toEqual([['a', 'TEXT']])
  })
})
