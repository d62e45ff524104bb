import { describe, expect, it } from 'vitest'
import { parseSchema } from '../../src/schema/parse.ts'
import type { FlowSchema } from '../../src/schema/types.ts'

const parse = (main: unknown, more = ''): FlowSchema =>
  parseSchema(`export const main = ${JSON.stringify(main)}\n${more}`, '/schemas/a.mjs')

/** A schema with one resource `db`, made of `resource`, and one query `find`, made of `query`. */
const withQuery = (query: object, resource: object = { database: 'a.db', origin: 'global' }, version = '3.0.0') =>
  parse({
    namespace: 'sample',
    name: 'Sample',
    description: 'For tests',
    version,
    root: '',
    tools: {},
    resources: { db: { source: 'sqlite', description: 'Data', queries: { find: query }, ...resource } },
  })

const find = (schema: FlowSchema) => schema.resources[0]?.queries[0]
const position = (primitive: string, options: string[] = [], value: unknown = '{{USER_PARAM}}') => ({
  position: { key: 'limit', value },
  z: { primitive, options },
})
const invalid = (message: RegExp) =>
  expect.objectContaining({ code: 'SCHEMA_INVALID', message: expect.stringMatching(message) })

describe('a schema in the form of the documentation (D-docs)', () => {
  it('becomes the normal form', () => {
    const schema = withQuery({
      sql: 'SELECT name FROM companies WHERE name LIKE ? LIMIT ?',
      description: 'Search companies by name',
      parameters: {
        searchTerm: { type: 'string', required: true, description: 'Company name' },
        limit: { type: 'number', required: false, default: 10 },
      },
      output: { columns: ['name'] },
    })
    expect(schema).toEqual({
      file: '/schemas/a.mjs',
      dialect: 'D-docs',
      namespace: 'sample',
      name: 'Sample',
      description: 'For tests',
      resources: [
        {
          name: 'db',
          description: 'Data',
          database: { kind: 'origin', origin: 'global', file: 'a.db' },
          queries: [
            {
              name: 'find',
              description: 'Search companies by name',
              sql: 'SELECT name FROM companies WHERE name LIKE ? LIMIT ?',
              parameters: [
                { name: 'searchTerm', type: 'string', required: true, description: 'Company name' },
                {
                  name: 'limit',
                  type: 'number',
                  required: false,
                  default: 10,
                  description: 'How many rows to return at most.',
                },
              ],
              columns: ['name'],
            },
          ],
        },
      ],
      notServed: [],
    })
  })

  it('may have limits, a choice and a fixed value', () => {
    const query = find(
      withQuery({
        sql: 'SELECT ?, ?, ?',
        parameters: {
          a: { type: 'number', min: 1, max: 5 },
          b: { enum: ['x', 'y'] },
          c: { type: 'boolean', value: true },
        },
      }),
    )
    expect(query?.parameters).toMatchObject([
      { name: 'a', required: true, min: 1, max: 5 },
      { name: 'b', type: 'string', enum: ['x', 'y'] },
      { name: 'c', required: false, fixed: true },
    ])
  })
})

describe('the other dialects', () => {
  it('D-flat lists parameters with a key, and names its database beside the schema', () => {
    const schema = withQuery(
      {
        sql: 'SELECT name FROM contracts WHERE address = ?',
        description: 'By address',
        parameters: [{ key: 'address', type: 'string', description: 'Contract address', required: true }],
      },
      { database: 'contracts.db' },
    )
    expect(schema.dialect).toBe('D-flat')
    expect(schema.resources[0]?.database).toEqual({ kind: 'path', path: 'contracts.db' })
    expect(find(schema)?.parameters).toEqual([
      { name: 'address', type: 'string', description: 'Contract address', required: true },
    ])
  })

  it('3.0a has parameters of position and z, and columns in its output', () => {
    const schema = withQuery(
      {
        sql: 'SELECT * FROM tokens LIMIT ?',
        parameters: [position('number()', ['max(100)', 'optional()', 'default(20)'])],
        output: { mimeType: 'application/json', schema: { type: 'array', items: { properties: { symbol: {} } } } },
      },
      { database: './data/tokens.db' },
    )
    expect(schema.dialect).toBe('3.0a')
    expect(find(schema)).toMatchObject({
      columns: ['symbol'],
      parameters: [{ name: 'limit', type: 'number', required: false, default: 20, max: 100 }],
    })
  })

  it('3.0b has a lifecycle, or its database elsewhere, or free SQL of its own', () => {
    const plain = { sql: 'SELECT 1' }
    expect(withQuery(plain, { database: 'a.db', lifecycle: 'persistent' }).dialect).toBe('3.0b')
    expect(withQuery(plain, { database: '~/.flowmcp/data/gtfs-de.db' }).dialect).toBe('3.0b')
    expect(withQuery({ sql: '{{DYNAMIC_SQL}}' }, { database: 'a.db' }).dialect).toBe('3.0b')
  })

  it('3.1 has mode, origin and name', () => {
    const schema = withQuery({ sql: 'SELECT 1' }, { mode: 'in-memory', origin: 'project', name: 'a-b.db' })
    expect(schema.dialect).toBe('3.1')
    expect(schema.resources[0]?.database).toEqual({ kind: 'origin', origin: 'project', file: 'a-b.db' })
  })

  it('4.x says so', () => {
    const resource = { mode: 'in-memory', origin: 'global', name: 'a-b.db' }
    expect(withQuery({ sql: 'SELECT 1' }, resource, '4.3.0').dialect).toBe('4.x')
  })

  it('may have no resources', () => {
    expect(parse({ namespace: 'sample', resources: {} }).resources).toEqual([])
    expect(parse({ namespace: 'sample' }).resources).toEqual([])
  })

  it('may export main as schema or by default', () => {
    expect(parseSchema("export const schema = { namespace: 'a' }", 'a.mjs').namespace).toBe('a')
    expect(parseSchema("export default { namespace: 'a' }", 'a.mjs').namespace).toBe('a')
  })

  it('may leave out parameters, output and tests', () => {
    expect(find(withQuery({ sql: 'SELECT 1', description: 'One' }))).toEqual({
      name: 'find',
      description: 'One',
      sql: 'SELECT 1',
      parameters: [],
    })
  })
})

describe('parameters of position and z', () => {
  const parameter = (...args: Parameters<typeof position>) =>
    find(withQuery({ sql: 'SELECT ?', parameters: [position(...args)] }))?.parameters[0]

  it.each([
    [['string()', ['min(2)', 'max(9)']], { type: 'string', required: true, min: 2, max: 9 }],
    [['string()', ['length(5)']], { type: 'string', required: true, length: 5 }],
    [['number()', ['min(-1.5)', 'optional()']], { type: 'number', required: false, min: -1.5 }],
    [['number()', ['default(0)']], { type: 'number', required: false, default: 0 }],
    [['boolean()', ['default(false)']], { type: 'boolean', required: false, default: false }],
    [['string()', ['default(a, (b))']], { type: 'string', required: false, default: 'a, (b)' }],
    [['enum(A,B, C)', ['default(A)']], { type: 'string', required: false, enum: ['A', 'B', 'C'], default: 'A' }],
    [['number()', [], '2'], { type: 'number', required: false, fixed: 2 }],
    [['string()', [], 'active'], { type: 'string', required: false, fixed: 'active' }],
  ] as const)('%j are %j', (args, expected) => {
    const [primitive, options, value] = args
    expect(parameter(primitive, [...options], value)).toEqual({
      name: 'limit',
      description: 'The limit to query by.',
      ...expected,
    })
  })

  it('may have a description', () => {
    const described = { ...position('number()'), description: 'How many' }
    expect(find(withQuery({ sql: 'SELECT ?', parameters: [described] }))?.parameters[0]?.description).toBe('How many')
  })

  it('are noted where a limit is not checked', () => {
    const schema = withQuery({ sql: 'SELECT ?', parameters: [position('string()', ['regex(^a)'])] })
    expect(schema.notServed).toEqual([expect.stringMatching(/queries\.find.*regex\(\^a\)/)])
  })

  it('take any text where their choice is a shared list', () => {
    const schema = withQuery({ sql: 'SELECT ?', parameters: [position('enum({{countries:code}})')] })
    expect(find(schema)?.parameters[0]).not.toHaveProperty('enum')
    expect(schema.notServed).toHaveLength(1)
  })

  it.each([
    [position('array()'), /primitive: must be string\(\)/],
    [position('number()', ['default(x)']), /options\.0: "x" is no number/],
    [position('string()', [], '{{SERVER_PARAM:KEY}}'), /server parameters/],
    [{ position: { key: 'a b', value: '{{USER_PARAM}}' }, z: { primitive: 'string()' } }, /key: the name/],
    [{ position: { key: 'a' }, z: { primitive: 'string()' } }, /parameters\.0\.position\.value/],
    [{ type: 'string' }, /parameters\.0\.key/],
    [{ key: 'a', type: 'object' }, /type: must be string, number or boolean/],
  ])('are refused as %j', (parameter, message) => {
    expect(() => withQuery({ sql: 'SELECT ?', parameters: [parameter] })).toThrow(invalid(message))
  })
})

describe('what is not served', () => {
  it('is said: handlers, tools, other sources', () => {
    const schema = parse(
      {
        namespace: 'sample',
        tools: { getPrice: { method: 'GET' } },
        resources: { notes: { source: 'markdown', origin: 'inline', name: 'notes.md', description: 'Notes' } },
      },
      'export const handlers = () => ({})',
    )
    expect(schema.resources).toEqual([])
    expect(schema.notServed).toEqual([
      'handlers: functions are not run',
      'tools: getPrice',
      'resources.notes: the source markdown',
    ])
  })

  it('are queries of a file-based resource that write', () => {
    const resource = { mode: 'file-based', origin: 'project', name: 'a.db' }
    const schema = withQuery({ sql: 'INSERT INTO t VALUES (?)', parameters: [] }, resource)
    expect(schema.resources[0]?.queries).toEqual([])
    expect(schema.notServed).toEqual([expect.stringContaining('queries.find: it writes')])
  })

  it('tells of the resources of an add-on, which are in a list within', () => {
    const text = `export const schema = { namespace: 'sample', main: { resources: [{ source: 'sqlite-gtfs', path: 'a.db' }] } }`
    expect(parseSchema(text, '/schemas/a.mjs')).toMatchObject({
      resources: [],
      notServed: ['main.resources: the source sqlite-gtfs'],
    })
  })
})

describe('free SQL that a schema defines', () => {
  it('keeps its name and description, and takes a statement and a limit', () => {
    const schema = withQuery(
      { sql: ' {{DYNAMIC_SQL}} ', description: 'Tables: stops, routes', parameters: [] },
      { database: '~/a.db' },
    )
    expect(find(schema)).toMatchObject({
      name: 'find',
      description: 'Tables: stops, routes',
      sql: '{{DYNAMIC_SQL}}',
      parameters: [{ name: 'sql' }, { name: 'limit', default: 100, max: 1000 }],
    })
  })
})

describe('a schema that is refused', () => {
  it.each([
    [{ name: 'x' }, /namespace/],
    [{ namespace: 'Has Spaces' }, /namespace: must be/],
    [{ namespace: 'a', resources: [] }, /resources/],
    [{ namespace: 'a', resources: { 'a b': {} } }, /resources\.a b: its name/],
    [{ namespace: 'a', resources: { db: { source: 'sqlite' } } }, /resources\.db: must say where/],
    [{ namespace: 'a', resources: { db: { database: 1 } } }, /resources\.db\.database/],
  ])('%j', (main, message) => {
    expect(() => parse(main)).toThrow(invalid(message))
  })

  it.each([
    [{ description: 'No SQL' }, /queries\.find\.sql/],
    [{ sql: 'DROP TABLE t' }, /queries\.find\.sql: .*DROP/],
    [{ sql: 'SELECT 1; DELETE FROM t' }, /more than one/],
    [{ sql: 'SELECT ?' }, /1 placeholders and it has 0 parameters/],
    [{ sql: 'SELECT :a', parameters: { a: {} } }, /must have \? for its parameters, not :a/],
  ])('for its query %j', (query, message) => {
    expect(() => withQuery(query)).toThrow(invalid(message))
  })

  it.each([
    [{ database: '../secret.db' }, /\.\./],
    [{ database: 'a/../../secret.db' }, /\.\./],
    [{ database: '/etc/passwd' }, /\.db/],
    [{ database: '~/cookies.sqlite' }, /\.db/],
    [{ origin: 'global', name: '../../secret.db' }, /name: .*\.\./],
    [{ origin: 'elsewhere', database: 'a.db' }, /origin/],
  ])('for its database %j', (resource, message) => {
    expect(() => withQuery({ sql: 'SELECT 1' }, resource)).toThrow(invalid(message))
  })

  it('names the file where main is missing', () => {
    expect(() => parseSchema('export const skill = {}', 'skill.mjs')).toThrow(invalid(/^skill\.mjs: exports no `main`/))
  })
})
