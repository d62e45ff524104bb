import { describe, expect, it } from 'vitest'
import { validateSchema } from '../../src/schema/validate.ts'

const validate = (text: string, exists = true) =>
  validateSchema(text, 'a.mjs', { globalRoot: '/global', projectRoot: '/here/.flowmcp', exists: () => exists })

const good = {
  sql: 'SELECT a FROM t WHERE a = ? LIMIT ?',
  description: 'Find',
  parameters: {
    term: { type: 'string', required: true, description: 'Term' },
    row_limit: { type: 'number', default: 10, description: 'Rows' },
  },
  output: { columns: ['a'] },
  tests: [{ term: 'x' }],
}
const getSchema = {
  sql: "SELECT sql FROM sqlite_master WHERE type='table'",
  description: 'Tables',
  parameters: {},
  tests: [{}],
}

const withResources = (resources: unknown, version = '3.0.0'): string =>
  `export const main = ${JSON.stringify({ namespace: 'sample', version, resources })}`
const resource = (changes: object = {}) => ({
  source: 'sqlite',
  database: 'a.db',
  origin: 'global',
  description: 'Data',
  queries: { getSchema, find: good },
  ...changes,
})
const withResource = (changes: object): string => withResources({ db: resource(changes) })
const withQuery = (changes: object): string => withResource({ queries: { getSchema, find: { ...good, ...changes } } })
const withSql = (sql: string): string => withQuery({ sql, parameters: {} })
const withParameters = (...parameters: unknown[]): string =>
  withQuery({ sql: `SELECT ${parameters.map(() => '?').join(', ')}`, parameters })

const described = { description: 'Described' }
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [index === 0 ? 'getSchema' : `q${index}`, getSchema]))

describe('a schema that keeps the rules', () => {
  it.each([
    ['D-docs', withResource({})],
    ['no resources', withResources({})],
    ['nothing but a namespace', "export const main = { namespace: 'a' }"],
    ['seven queries and freeQuery', withResource({ queries: { ...many(7), freeQuery: { ...good } } })],
    [
      '3.1',
      withResource({
        database: undefined,
        mode: 'in-memory',
        name: 'a.db',
        queries: {
          getSchema,
          find: {
            ...good,
            sql: 'WITH x AS (SELECT ?) SELECT * FROM x',
            parameters: [
              { position: { key: 'company_number', value: '{{USER_PARAM}}' }, z: { primitive: 'string()' } },
            ],
          },
        },
      }),
    ],
    ['a flat list', withParameters({ key: 'a', type: 'boolean', ...described })],
    ['innocent words', withSql("SELECT created_at, replace(a, 'b', 'c'), 'drop table' FROM t")],
    ['a full-text table that is called', withSql("SELECT * FROM company_fts('x')")],
    ['free SQL', withResource({ queries: { getSchema, freeQuery: { ...getSchema, sql: '{{DYNAMIC_SQL}}' } } })],
  ])('has no findings: %s', (_, text) => {
    expect(validate(text)).toEqual([])
  })
})

describe('a schema that breaks a rule', () => {
  it.each([
    ['RES001', 'resources', withResources([])],
    ['RES001', 'resources.db', withResources({ db: 1 })],
    ['RES002', 'resources.Db', withResources({ Db: resource() })],
    ['RES003', 'resources', withResources({ a: resource(), b: resource(), c: resource() })],
    ['RES004', 'resources.db.description', withResource({ description: '' })],
    ['RES005', 'resources.db.source', withResource({ source: 'csv' })],
    ['RES006', 'resources.db.database', withResource({ database: 'a.sqlite' })],
    ['RES006', 'resources.db.database', withResource({ database: 1 })],
    ['RES007', 'resources.db.queries', withResource({ queries: {} })],
    ['RES008', 'resources.db.queries', withResource({ queries: many(8) })],
    ['RES009', 'resources.db.queries.Find', withResource({ queries: { getSchema, Find: good } })],
    ['RES010', 'resources.db.queries.find.description', withQuery({ description: undefined })],
    ['RES011', 'resources.db.queries.find.sql', withQuery({ sql: '' })],
    ['RES012', 'resources.db.queries.find.sql', withSql('VALUES (1)')],
    ['RES012', 'resources.db.queries.find.sql', withSql('-- SELECT\nDELETE FROM t')],
    ['RES013', 'resources.db.queries.find.sql', withSql('SELECT 1; DROP TABLE t')],
    ['RES013', 'resources.db.queries.find.sql', withSql('SELECT 1; SELECT 2')],
    ['RES013', 'resources.db.queries.find.sql', withSql("ATTACH 'x' AS y")],
    ['RES013', 'resources.db.queries.find.sql', withSql("SELECT load_extension('x')")],
    ['RES013', 'resources.db.queries.find.sql', withSql('SELECT * FROM pragma_database_list')],
    ['RES014', 'resources.db.queries.find.sql', withSql("SELECT '{{term}}'")],
    ['RES014', 'resources.db.queries.find.sql', withQuery({ sql: 'SELECT :term', parameters: { term: described } })],
    ['RES015', 'resources.db.queries.find.sql', withQuery({ sql: 'SELECT ?' })],
    ['RES016', 'resources.db.queries.find.parameters', withQuery({ parameters: 'none' })],
    ['RES017', 'resources.db.queries.find.parameters.0', withParameters({ type: 'string', ...described })],
    ['RES017', 'resources.db.queries.find.parameters.0', withParameters({ key: 'a', ...described })],
    ['RES018', 'resources.db.queries.find.parameters.0', withParameters({ key: 'a', type: 'date', ...described })],
    [
      'RES018',
      'resources.db.queries.find.parameters.0',
      withParameters({ position: { key: 'a', value: '{{USER_PARAM}}' }, z: { primitive: 'array()' } }),
    ],
    ['RES019', 'resources.db.queries.find.parameters.0', withParameters({ key: 'A-b', type: 'string', ...described })],
    [
      'RES020',
      'resources.db.queries.find.parameters.1',
      withParameters({ key: 'a', type: 'string', ...described }, { key: 'a', type: 'string', ...described }),
    ],
    ['RES023', 'resources.db.queries.find.sql', withSql('WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x')],
    ['RES023', 'resources.db.queries.find.sql', withSql('SELECT * FROM (DELETE FROM t RETURNING *)')],
    ['RES024', 'resources.db.queries', withResource({ queries: { find: good } })],
    ['SCHEMA_INVALID', '', 'export const main = { namespace: fetch() }'],
    ['SCHEMA_INVALID', '', 'export const main = {'],
    ['SCHEMA_INVALID', '', "export const main = { namespace: 'Not One' }"],
  ])('is told by %s at %s', (rule, path, text) => {
    expect(validate(text)).toContainEqual({
      file: 'a.mjs',
      rule,
      severity: 'error',
      path,
      message: expect.stringMatching(/.{10}/),
    })
  })

  it('is told each rule it breaks', () => {
    const rules = validate(withQuery({ description: '', sql: 'DELETE FROM t WHERE a = ?' })).map(({ rule }) => rule)
    expect(rules).toEqual(['RES010', 'RES012', 'RES013', 'RES015'])
  })
})

describe('a schema that could be better', () => {
  it.each([
    ['RES005', withResources({ notes: { source: 'markdown', description: 'Notes' } }, '4.3.0')],
    ['RES017', withParameters({ key: 'a', type: 'string' })],
    ['RES022', withQuery({ tests: [] })],
    ['RES024', withResources({ db: resource({ queries: { find: good } }) }, '4.3.0')],
    [
      'RES013',
      withResource({
        database: undefined,
        mode: 'file-based',
        name: 'a.db',
        queries: { getSchema, find: { ...getSchema, sql: 'DELETE FROM t' } },
      }),
    ],
  ])('is warned by %s', (rule, text) => {
    const findings = validate(text)
    expect(findings).toContainEqual(expect.objectContaining({ rule, severity: 'warning' }))
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  it('is warned of a database that is nowhere, with every path tried', () => {
    expect(validate(withResource({}), false)).toEqual([
      expect.objectContaining({
        rule: 'RES021',
        severity: 'warning',
        path: 'resources.db.database',
        message: expect.stringContaining('/global/data/a.db, /global/resources/a.db'),
      }),
    ])
  })
})
