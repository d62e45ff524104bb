import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ruleTexts } from '../../src/schema/rules.ts'
import { validateSchema } from '../../src/schema/validate.ts'

const check = (text: string, exists = true) =>
  validateSchema(text, 'a.mjs', { globalRoot: '/global', projectRoot: '/here/.flowmcp', exists: () => exists })
const validate = (text: string, exists = true) => check(text, exists).findings

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
const withSql = (sql: string): string => withQuery({ sql, parameters: {}, tests: [{}] })
const withParameters = (...parameters: Readonly<Record<string, unknown>>[]): string =>
  withQuery({
    sql: `SELECT ${parameters.map(() => '?').join(', ')}`,
    parameters,
    tests: [Object.fromEntries(parameters.map(({ key, type }) => [key, type === 'boolean' ? true : 'x']))],
  })

const described = { description: 'Described' }
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [index === 0 ? 'getSchema' : `q${index}`, getSchema]))

describe('a schema that keeps the rules', () => {
  it.each([
    ['D-docs', withResource({})],
    ['no resources', withResources({})],
    ['nothing but a namespace', "export const main = { namespace: 'a' }"],
    ['seven queries and freeQuery', withResource({ queries: { ...many(7), freeQuery: { ...good } } })],
    ['a flat list', withParameters({ key: 'a', type: 'boolean', ...described })],
    ['innocent words', withSql("SELECT created_at, replace(a, 'b', 'c'), 'drop table' FROM t")],
    ['a full-text table that is called', withSql("SELECT * FROM company_fts('x')")],
    [
      'free SQL',
      withResource({
        queries: { getSchema, freeQuery: { ...getSchema, sql: '{{DYNAMIC_SQL}}', tests: [{ sql: 'SELECT 1' }] } },
      }),
    ],
  ])('has no findings: %s', (_, text) => {
    expect(validate(text)).toEqual([])
  })
})

/** In a dialect of the specification, otherwise without a finding. */
const output = { mimeType: 'application/json', schema: { type: 'array', items: { type: 'object' } } }
const specified = { description: 'Specified', parameters: [], output, tests: [{ _description: 'All' }] }
const names = { ...specified, sql: "SELECT name, sql FROM sqlite_master WHERE type='table'" }
const position = (z: object = { primitive: 'string()' }, more: object = {}) => ({
  position: { key: 'term', value: '{{USER_PARAM}}', ...more },
  z,
})
const finding = {
  ...specified,
  sql: 'SELECT a FROM t WHERE a = ?',
  parameters: [position()],
  tests: [{ _description: 'One', term: 'x' }],
}
const inDialect = (fields: object, version: string) => (changes: object) =>
  withResources(
    {
      db: {
        source: 'sqlite',
        description: 'Data',
        queries: { getSchema: names, find: finding },
        ...fields,
        ...changes,
      },
    },
    version,
  )
const dialects = {
  '3.0a': inDialect({ database: './a.db' }, '3.0.0'),
  '3.0b': inDialect({ database: './a.db', lifecycle: 'transient' }, '3.0.0'),
  '3.1': inDialect({ mode: 'in-memory', origin: 'global', name: 'a.db' }, '3.0.0'),
  '4.x': inDialect({ mode: 'in-memory', origin: 'global', name: 'a.db' }, '4.3.0'),
}
type Specified = keyof typeof dialects
const withFound = (dialect: Specified, changes: object): string =>
  dialects[dialect]({ queries: { getSchema: names, find: { ...finding, ...changes } } })
/** A parameter of the form of HTTP tools. */
const located = (value = '{{USER_PARAM}}', more: object = { location: 'query' }) => ({
  parameters: [position(undefined, { value, ...more })],
})
const dynamic = { ...specified, sql: '{{DYNAMIC_SQL}}', parameters: [position(undefined, { key: 'sql' })] }
const withDynamic = (changes: object): string =>
  dialects['3.0b']({ queries: { getSchema: names, freeQuery: { ...dynamic, ...changes } } })
const read = { source: 'markdown', mode: undefined, queries: undefined, name: 'notes.md' }

describe('a dialect', () => {
  it.each(Object.entries(dialects))(
    '%s is named, and a schema that keeps its rules has no finding',
    (dialect, text) => {
      expect(check(text({}))).toEqual({ file: 'a.mjs', dialect, findings: [] })
    },
  )

  it('is none where the file cannot be read as data', () => {
    expect(check('export const main = fetch()').dialect).toBeUndefined()
  })
})

const find = 'resources.db.queries.find'

describe('a later dialect that names a path in `database` alone', () => {
  it.each([
    ['3.1', 'a.db', ['3.1 RES004']],
    ['4.x', '~/.flowmcp/data/a.db', ['4.x RES026']],
  ] as const)('%s is warned of what the path makes up for', (dialect, database, rules) => {
    const findings = validate(dialects[dialect]({ database, origin: undefined, name: undefined }))
    expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual(rules.map((rule) => [rule, 'warning']))
  })

  it('is warned of a mode that is not there, and told of one that is wrong', () => {
    const text = (mode?: string): string => dialects['4.x']({ database: 'a.db', origin: undefined, mode })
    const modesOf = (findings: ReturnType<typeof validate>) =>
      findings.filter(({ path }) => path.endsWith('mode')).map(({ rule, severity }) => [rule, severity])
    expect(modesOf(validate(text()))).toEqual([['4.x RES025', 'warning']])
    expect(modesOf(validate(text('both')))).toEqual([['4.x RES025', 'error']])
    expect(validate(text('file-based')).every(({ severity }) => severity === 'warning')).toBe(true)
  })
})

describe('a schema that breaks one rule', () => {
  it.each([
    ['RES001', 'resources', withResources([])],
    ['RES001', 'resources.db', withResources({ db: 1 })],
    ['RES002', 'resources.Db', withResources({ Db: resource() })],
    ['RES003', 'resources', withResources({ a: resource(), b: resource(), c: resource() })],
    ['RES004', 'resources.db.description', withResource({ description: '' })],
    ['RES005', 'resources.db.source', withResource({ source: 'csv' })],
    ['RES006', 'resources.db.database', withResource({ database: 'a.sqlite' })],
    ['RES006', 'resources.db.database', withResource({ database: 1 })],
    ['RES006', 'resources.db.origin', withResource({ origin: 'elsewhere' })],
    ['RES007', 'resources.db.queries', withResource({ queries: {} })],
    ['RES008', 'resources.db.queries', withResource({ queries: many(8) })],
    ['RES009', 'resources.db.queries.Find', withResource({ queries: { getSchema, Find: good } })],
    ['RES010', `${find}.description`, withQuery({ description: undefined })],
    ['RES011', `${find}.sql`, withQuery({ sql: '' })],
    ['RES012', `${find}.sql`, withSql('VALUES (1)')],
    ['RES013', `${find}.sql`, withSql('SELECT 1; SELECT 2')],
    ['RES013', `${find}.sql`, withSql("SELECT load_extension('x')")],
    ['RES013', `${find}.sql`, withSql('SELECT * FROM pragma_database_list')],
    ['RES014', `${find}.sql`, withSql("SELECT '{{term}}'")],
    [
      'RES014',
      `${find}.sql`,
      withQuery({ sql: 'SELECT :term', parameters: { term: { ...described, type: 'string' } } }),
    ],
    ['RES015', `${find}.sql`, withQuery({ sql: 'SELECT ?' })],
    ['RES016', `${find}.parameters`, withQuery({ sql: 'SELECT 1', parameters: 'none' })],
    ['RES017', `${find}.parameters.0`, withParameters({ type: 'string', ...described })],
    ['RES017', `${find}.parameters.0`, withParameters({ key: 'a', ...described })],
    ['RES018', `${find}.parameters.0`, withParameters({ key: 'a', type: 'date', ...described })],
    ['RES018', `${find}.parameters.0`, withFound('3.1', { parameters: [position({ primitive: 'array()' })] })],
    ['RES019', `${find}.parameters.0`, withParameters({ key: 'A-b', type: 'string', ...described })],
    [
      'RES020',
      `${find}.parameters.1`,
      withParameters({ key: 'a', type: 'string', ...described }, { key: 'a', type: 'string', ...described }),
    ],
    ['RES024', 'resources.db.queries', withResource({ queries: { find: good } })],
    ['3.0a RES004', 'resources.db.database', dialects['3.0a']({ database: '../a.db' })],
    ['3.0a RES010', `${find}.output`, withFound('3.0a', { output: { mimeType: 'application/json' } })],
    ['3.0a RES015', `${find}.parameters.0.position.location`, withFound('3.0a', located())],
    ['3.0a RES016', `${find}.parameters.0.position.value`, withFound('3.1', located('{{SERVER_PARAM:KEY}}', {}))],
    [
      '3.0a RES021',
      `${find}.output.schema.type`,
      withFound('4.x', { output: { ...output, schema: { type: 'object' } } }),
    ],
    ['3.0a RES022', `${find}.tests.0`, withFound('3.0a', { tests: [{ term: 1 }] })],
    ['3.0a RES022', `${find}.tests.1`, withFound('3.1', { tests: [{ term: 'x' }, {}] })],
    ['3.0a RES022', `${find}.tests.0`, withFound('4.x', { tests: ['x'] })],
    ['3.0b RES024', 'resources.db.lifecycle', dialects['3.0b']({ lifecycle: 'eternal' })],
    ['3.0b RES025', 'resources.db.queries.freeQuery.parameters', withDynamic({ parameters: [] })],
    ['3.0b RES028', 'resources.db.queries.freeQuery.tests.0', withDynamic({ tests: [{ sql: 'DROP TABLE t' }] })],
    ['3.0b RES029', 'resources.db.source', dialects['3.0b']({ source: 'parquet' })],
    ['3.1 RES003', 'resources.db.mode', dialects['3.1']({ mode: 'both' })],
    ['3.1 RES004', 'resources.db.origin', dialects['3.1']({ origin: undefined })],
    ['3.1 RES005', 'resources.db.name', dialects['3.1']({ name: 'My_Data.db' })],
    ['3.1 RES011', `${find}.output`, withFound('3.1', { output: {} })],
    ['3.1 RES025', 'resources.db.origin', dialects['3.1']({ mode: 'file-based' })],
    ['4.x RES010', `${find}.output`, withFound('4.x', { output: 'text' })],
    ['4.x RES025', 'resources.db.mode', dialects['4.x']({ mode: undefined })],
    ['4.x RES026', 'resources.db.origin', dialects['4.x']({ origin: 'cloud' })],
    ['4.x RES027', 'resources.db.name', dialects['4.x']({ name: '../a.db' })],
    ['4.x RES037', 'resources.db.origin', dialects['4.x']({ mode: 'file-based' })],
    ['SCHEMA_INVALID', '', 'export const main = { namespace: fetch() }'],
    ['SCHEMA_INVALID', '', 'export const main = {'],
    ['SCHEMA_INVALID', '', "export const main = { namespace: 'Not One' }"],
    ['SCHEMA_INVALID', '', `import fs from 'node:fs'\n${withResource({})}`],
    ['SCHEMA_INVALID', '', `globalThis.x = 1\n${withResource({})}`],
    ['SCHEMA_INVALID', '', `console.log('loaded')\n${withResource({})}`],
    ['SCHEMA_INVALID', '', 'export const main = { namespace: process.env.HOME }'],
  ])('is told by %s alone, at %s', (rule, path, text) => {
    expect(validate(text)).toEqual([
      {
        file: 'a.mjs',
        rule,
        severity: 'error',
        path,
        message: rule === 'SCHEMA_INVALID' ? expect.any(String) : expect.stringMatching(/^.{20,}\. Found: .+\. .{5,}/),
      },
    ])
  })

  it('is told all at once: what is no data, which rules are broken, and what cannot be read', () => {
    const two = { ...good, sql: 'SELECT ?, ?, 1', tests: [{ term: 'x', nobody: 1 }] }
    const queries = JSON.stringify({ getSchema, find: { ...good, description: '' }, Wrong_Name: two, ok: good })
    const text = `import fs from 'node:fs'
      export const main = { namespace: 'Not One', version: '3.0.0', resources: { db: {
        source: 'sqlite', database: 'a.db', origin: 'global', description: process.env.HOME, queries: ${queries} } } }`
    expect(validate(text, false).map(({ rule, path, message }) => [rule, path || message])).toEqual([
      ['SCHEMA_INVALID', expect.stringContaining('a.mjs:1: an import')],
      ['SCHEMA_INVALID', expect.stringMatching(/a\.mjs:3: .*process\.env\.HOME/)],
      ['RES010', 'resources.db.queries.find.description'],
      ['RES009', 'resources.db.queries.Wrong_Name'],
      ['SCHEMA_INVALID', expect.stringContaining('a.mjs: namespace: must be lower-case')],
      ['RES021', 'resources.db.database'],
    ])
  })

  // These cannot be broken alone: what they forbid is forbidden by another one as well.
  it.each([
    [['RES012', 'RES013'], '-- SELECT\nDELETE FROM t'],
    [['RES012', 'RES013'], "ATTACH 'x' AS y"],
    [['RES013', 'RES023'], 'WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x'],
    [['RES013', 'RES023'], 'SELECT * FROM (DELETE FROM t RETURNING *)'],
    [['RES013'], 'SELECT 1; DROP TABLE t'],
  ])('is told by %j for its SQL: %s', (rules, sql) => {
    expect(validate(withSql(sql)).map(({ rule, path, severity }) => [rule, path, severity])).toEqual(
      rules.map((rule) => [rule, `${find}.sql`, 'error']),
    )
  })

  it('is told that SQL of the caller takes no placeholders, which is interpolation and too many besides', () => {
    expect(validate(withDynamic({ sql: '{{DYNAMIC_SQL}} LIMIT ?' })).map(({ rule }) => rule)).toEqual([
      '3.0b RES026',
      'RES012',
      'RES014',
    ])
  })

  it.each([
    ['3.1', ['RES005', '3.1 RES026'], { ...read, mode: 'in-memory' }],
    ['3.1', ['RES005', '3.1 RES027'], { ...read, queries: {} }],
    ['3.1', ['RES005', '3.1 RES005'], { ...read, name: 'notes.txt' }],
    ['4.x', ['RES005', '4.x RES038'], { ...read, mode: 'in-memory' }],
    ['4.x', ['RES005', '4.x RES039'], { ...read, queries: {} }],
    ['4.x', ['RES005', '4.x RES027'], { ...read, name: 'notes.txt' }],
    ['4.x', ['RES005', '4.x RES024'], { source: 'http', url: 'http://example.org/a.db' }],
  ] as const)('is told so in %s for sources that are not served: %j', (dialect, rules, changes) => {
    const found = validate(dialects[dialect](changes))
    expect(found.map(({ rule }) => rule).sort()).toEqual([...rules].sort())
  })

  it('is told what was found there', () => {
    const [first] = validate(withResource({ database: 'a.sqlite' }))
    expect(first?.message).toBe(
      'A resource must say where its database lies, by the name of a file that ends in .db, and an origin. ' +
        'Found: "a.sqlite". Name the SQLite file.',
    )
  })

  it('is told each rule it breaks', () => {
    const rules = validate(withQuery({ description: '', sql: 'DELETE FROM t WHERE a = ?' })).map(({ rule }) => rule)
    expect(rules).toEqual(['RES010', 'RES012', 'RES013', 'RES015'])
  })

  it('is covered: each rule that there is has a schema here that breaks it', () => {
    const text = readFileSync(fileURLToPath(import.meta.url), 'utf8')
    expect(Object.keys(ruleTexts).filter((rule) => !text.includes(`'${rule}'`))).toEqual([])
  })
})

describe('a schema that could be better', () => {
  it.each([
    ['RES005', dialects['4.x'](read)],
    ['RES006', withResource({ origin: undefined })],
    ['3.0a RES006', dialects['3.0a']({ queries: { getSchema: names, a: names, b: names, c: names, d: names } })],
    ['3.0a RES009', withFound('3.0a', { sql: 'SELECT 1', parameters: undefined, tests: [{}] })],
    [
      '3.0b RES006',
      dialects['3.0b']({ queries: { getSchema: names, a: names, b: names, c: names, d: names, e: names, f: names } }),
    ],
    ['3.1 RES010', withFound('3.1', { sql: 'SELECT 1', parameters: undefined, tests: [{}] })],
    ['3.1 RES011', withFound('3.1', { output: undefined })],
    ['3.1 RES028', dialects['3.1']({ origin: 'inline' })],
    ['4.x RES009', withFound('4.x', { sql: 'SELECT 1', parameters: undefined, tests: [{}] })],
    ['4.x RES010', withFound('4.x', { output: undefined })],
    ['4.x RES040', dialects['4.x']({ origin: 'inline' })],
    ['NOT_SERVED', `${withResource({})}\nexport const handlers = () => ({})`],
    ['RES017', withParameters({ key: 'a', type: 'string' })],
    ['RES022', withQuery({ tests: [] })],
    ['RES024', dialects['4.x']({ queries: { find: finding } })],
    [
      'RES013',
      withResource({
        database: undefined,
        origin: 'project',
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
