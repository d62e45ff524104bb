import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { longestName, queryToolName, toolName, withHash } from '../../src/catalogue/tools/names.ts'
import type { CatalogueSource } from '../../src/catalogue/types.ts'
import { answerOf, open, registerWith } from './opened.ts'
import { type Company, Register } from './register.ts'

const anna = { number: 'K1', name: 'Müller Werke AG', address: 'Ring 1', officers: ['Anna Mueller', 'Carl Schmidt'] }
const bob = { number: 'K2', name: 'Mueller Söhne', address: 'Straße 2' }

const text = (description: string) => ({ type: 'string', required: true, description })
const number = (fallback: number) => ({ type: 'number', required: false, default: fallback, description: 'Most rows.' })

const schema = (over: Readonly<Record<string, unknown>> = {}, queries: Readonly<Record<string, unknown>> = {}) => ({
  namespace: 'offeneregister',
  name: 'OffeneRegister',
  version: '3.0.0',
  description: 'Companies.',
  root: '',
  tools: {},
  resources: {
    companiesDb: {
      source: 'sqlite',
      database: 'openregister.db',
      origin: 'global',
      description: 'Companies.',
      queries: {
        byName: {
          sql: 'SELECT company_number, name FROM companies WHERE name LIKE ? ORDER BY name LIMIT ?',
          description: 'Companies by a pattern of their name',
          parameters: { pattern: text('Pattern.'), limit: number(10) },
        },
        allOfficers: { sql: 'SELECT company_id, name FROM officer', description: 'All officers.', parameters: {} },
        ...queries,
      },
      ...over,
    },
  },
})

const openWith = async (
  main: unknown = schema(),
  companies: readonly Company[] = [anna, bob],
): Promise<CatalogueSource> => {
  const register = registerWith(companies)
  register.writeSchema(main)
  return open(register)
}

const names = (source: CatalogueSource): readonly string[] => source.current.listTools().map(({ name }) => name)

describe('the tools', () => {
  it('are the general ones, the queries under their FlowMCP names, and what every database gets', async () => {
    expect(names(await openWith())).toEqual([
      'list_datasets',
      'search',
      'fetch',
      'changes',
      'byName_offeneregister',
      'allOfficers_offeneregister',
      'getSchema_offeneregister',
      'freeQuery_offeneregister',
    ])
  })

  it('are there for a snapshot without a schema', async () => {
    const source = await open(registerWith([anna]))
    expect(names(source).slice(4)).toEqual(['getSchema_offeneregister', 'freeQuery_offeneregister'])
    expect(await answerOf(source, 'freeQuery_offeneregister', { sql: 'SELECT name FROM company' })).toMatchObject({
      rows: [{ name: 'Müller Werke AG' }],
    })
  })

  it('describe every parameter and answer by an object schema', async () => {
    for (const tool of (await openWith()).current.listTools()) {
      expect(tool.description.length).toBeGreaterThan(60)
      expect(tool.description).toMatch(/\bNot\b|holds no records/)
      expect([tool.inputSchema.type, tool.outputSchema.type]).toEqual(['object', 'object'])
      const properties = (tool.inputSchema.properties ?? {}) as Record<string, { description?: string }>
      for (const [name, { description }] of Object.entries(properties)) {
        expect(description, `${tool.name}.${name}`).toMatch(/\w/)
      }
    }
  })

  it.each([
    ['list_datasets', {}],
    ['list_datasets', { dataset: 'offeneregister' }],
    ['search', { query: 'müller' }],
    ['fetch', { id: 'offeneregister://company/K1' }],
    ['fetch', { id: 'offeneregister://dataset' }],
    ['fetch', { id: 'offeneregister://query/allOfficers' }],
    ['changes', { dataset: 'offeneregister' }],
    ['byName_offeneregister', { pattern: '%' }],
    ['freeQuery_offeneregister', { sql: 'SELECT 1 AS one' }],
    ['getSchema_offeneregister', {}],
  ])('%s answers %j as its output schema says', async (name, args) => {
    const source = await openWith()
    const tool = source.current.listTools().find((each) => each.name === name)
    if (tool === undefined) throw new Error(`${name} is not listed`)
    const shape = z.fromJSONSchema(tool.outputSchema)
    expect(shape.safeParse(await answerOf(source, name, args)).error).toBeUndefined()
  })

  it('tell an unknown name, a wrong argument and a missing one apart', async () => {
    const { current } = await openWith()
    await expect(current.call('nothing', {})).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(current.hasTool('nothing')).toBe(false)
    const wrong = await current.call('byName_offeneregister', { patern: 'x' })
    expect(wrong).toMatchObject({ ok: false, code: 'ARGUMENTS_INVALID', message: expect.stringContaining('pattern') })
  })
})

describe('a query tool', () => {
  it('answers with rows, terms, and links to the records found', async () => {
    const source = await openWith()
    const answer = await source.current.call('byName_offeneregister', { pattern: 'M%' })
    expect(answer).toMatchObject({
      ok: true,
      structured: {
        dataset: 'offeneregister',
        asOf: '2026-11-30',
        licence: 'CC BY 4.0',
        attribution: 'OffeneRegister',
        columns: ['company_number', 'name'],
        rows: [{ name: 'Mueller Söhne' }, { company_number: 'K1' }],
        rowCount: 2,
        truncated: false,
        uris: ['offeneregister://company/K2', 'offeneregister://company/K1'],
      },
      links: [{ uri: 'offeneregister://company/K2', title: 'Mueller Söhne' }, {}],
    })
  })

  it('links rows that refer to a record to that record', async () => {
    const answer = await answerOf(await openWith(), 'allOfficers_offeneregister')
    expect(answer.uris).toEqual(['offeneregister://company/K1'])
  })

  it('says exactly whether it was cut', async () => {
    const source = await openWith()
    const free = (limit: number) =>
      answerOf(source, 'freeQuery_offeneregister', { sql: 'SELECT name FROM company', limit })
    expect(await free(1)).toMatchObject({ rowCount: 1, truncated: true, truncatedBy: 'rows' })
    expect(await free(2)).toMatchObject({ rowCount: 2, truncated: false })
  })

  it('keeps two columns of one name apart', async () => {
    const sql = 'SELECT 1 AS a, 2 AS a, 3 AS a_2'
    expect(await answerOf(await openWith(), 'freeQuery_offeneregister', { sql })).toMatchObject({
      columns: ['a', 'a_2', 'a_2_2'],
      rows: [{ a: 1, a_2: 2, a_2_2: 3 }],
    })
  })

  it.each([
    ['freeQuery_offeneregister', { sql: 'DELETE FROM company' }, 'STATEMENT_REFUSED'],
    ['freeQuery_offeneregister', { sql: 'SELECT nothing FROM company' }, 'QUERY_FAILED'],
    ['freeQuery_offeneregister', {}, 'ARGUMENTS_INVALID'],
  ])('%s with %j fails in words: %s', async (name, args, code) => {
    expect(await (await openWith()).current.call(name, args)).toMatchObject({ ok: false, code, message: /\w/ })
  })

  it('of free SQL answers to its other names, which are not listed', async () => {
    const source = await openWith()
    for (const name of ['runSql_offeneregister', 'describeTables_offeneregister']) {
      expect(source.current.hasTool(name)).toBe(true)
      expect(names(source)).not.toContain(name)
    }
    expect(await answerOf(source, 'runSql_offeneregister', { sql: 'SELECT 7 AS n' })).toMatchObject({
      rows: [{ n: 7 }],
    })
    const { rows } = await answerOf(source, 'describeTables_offeneregister')
    expect(rows).toContainEqual({ table_name: 'company', column: 'name', type: 'TEXT' })
  })

  it('of an author named as an injected one is not replaced', async () => {
    const getSchema = { sql: "SELECT 'mine' AS sql", description: 'Mine.', parameters: {} }
    expect(await answerOf(await openWith(schema({}, { getSchema })), 'getSchema_offeneregister')).toMatchObject({
      rows: [{ sql: 'mine' }],
    })
  })

  it('of two resources with one name carries the resource, and the bare name calls the first', async () => {
    const main = schema()
    const query = (n: number) => ({ getSchema: { sql: `SELECT ${n} AS n`, description: 'Schema.', parameters: {} } })
    const { companiesDb } = main.resources
    const resources = {
      companiesDb: { ...companiesDb, queries: query(1) },
      officersDb: { ...companiesDb, queries: query(2) },
    }
    const source = await openWith({ ...main, resources })
    expect(names(source).slice(4)).toEqual([
      'getSchema_companiesDb_offeneregister',
      'getSchema_officersDb_offeneregister',
      'freeQuery_offeneregister',
    ])
    const numbers = await Promise.all(
      ['getSchema_offeneregister', 'getSchema_officersDb_offeneregister'].map(
        async (name) => (await answerOf(source, name)).rows,
      ),
    )
    expect(numbers).toEqual([[{ n: 1 }], [{ n: 2 }]])
    expect(source.current.listResources().map(({ uri }) => uri)).toContain(
      'offeneregister://query/getSchema_officersDb',
    )
  })

  it('reads the alias of a snapshot', async () => {
    const source = await openWith(schema({ database: 'offeneregister-companies.db' }))
    expect(await answerOf(source, 'byName_offeneregister', { pattern: 'M%' })).toMatchObject({ rowCount: 2 })
  })
})

describe('more tools than a model can choose from', () => {
  const many = Object.fromEntries(
    Array.from({ length: 6 }, (_, n) => [
      `q${n}`,
      { sql: `SELECT ${n} AS n`, description: `Query ${n}.`, parameters: {} },
    ]),
  )

  const openMany = async (datasets: number): Promise<CatalogueSource> => {
    const register = registerWith([anna])
    for (let n = 0; n < datasets; n += 1) {
      const other = new Register(`d${n}`, register.store.root)
      other.publish([bob])
      register.writeSchema({ ...schema({ database: `d${n}.db` }, many), namespace: `d${n}` }, `d${n}.mjs`)
    }
    return open(register)
  }

  it('fold into one per dataset, whose names stay callable', async () => {
    const source = await openMany(2)
    expect(names(source).slice(4)).toEqual(['query_d0', 'query_d1', 'query_offeneregister'])
    expect(await answerOf(source, 'query_d1', { query: 'byName', arguments: { pattern: 'M%' } })).toMatchObject({
      dataset: 'd1',
      rows: [{ company_number: 'K2' }],
    })
    expect(await answerOf(source, 'byName_d1', { pattern: 'M%' })).toMatchObject({ rowCount: 1 })
    expect(
      await answerOf(source, 'query_d0', { query: 'freeQuery', arguments: { sql: 'SELECT 5 AS n' } }),
    ).toMatchObject({
      rows: [{ n: 5 }],
    })
    const folded = source.current.listTools().find(({ name }) => name === 'query_d0')
    expect(folded?.description).toContain('byName(pattern, limit?)')
    expect(folded?.description).toContain('- pattern (string) Pattern.\n- limit of byName (number) ')
    expect(await source.current.call('query_d0', { query: 'nothing' })).toMatchObject({
      ok: false,
      code: 'ARGUMENTS_INVALID',
      message: expect.stringContaining('q3()'),
    })
  })

  it.each([
    ['query_d0', { query: 'byName', parameters: { pattern: 'M%' } }, /^parameters: .*"arguments": \{"name": value\}/],
    ['query_d0', { query: 'q1', pattern: 'M%' }, /^pattern: query_d0 has no such argument/],
    ['query', { dataset: 'd0', query: 'q1', params: {} }, /^params: .*"dataset": "…", "query": "…", "arguments"/],
  ])('folded refuse arguments in the wrong place, and show the right one: %s %j', async (tool, args, message) => {
    const source = await openMany(2)
    const answer = await source.current.call(tool, args)
    expect(answer).toMatchObject({ ok: false, code: 'ARGUMENTS_INVALID', message: expect.stringMatching(message) })
  })

  it('folded take arguments that came as text', async () => {
    const source = await openMany(2)
    const asked = { query: 'byName', arguments: '{"pattern": "M%", "limit": "1"}' }
    expect(await answerOf(source, 'query_d0', asked)).toMatchObject({ rowCount: 1 })
    expect(await answerOf(source, 'search', { query: 'mueller', datasets: '["d0"]', limit: '5' })).toMatchObject({
      results: [{ dataset: 'd0' }],
    })
    expect(await source.current.call('query_d0', { ...asked, arguments: 'M%' })).toMatchObject({
      ok: false,
      code: 'ARGUMENTS_INVALID',
      message: expect.stringContaining('arguments: '),
    })
  })

  it('folded beside a query that is itself called query are told apart', async () => {
    const register = registerWith([anna])
    const query = { sql: 'SELECT 9 AS n', description: 'Nine.', parameters: {} }
    register.writeSchema(schema({}, { ...many, query }))
    new Register('d0', register.store.root).publish([bob])
    register.writeSchema({ ...schema({ database: 'd0.db' }, many), namespace: 'd0' }, 'd0.mjs')
    const source = await open(register)
    const [folded] = names(source).filter((name) => /^query_offeneregister_/.test(name))
    expect(await answerOf(source, 'query_offeneregister')).toMatchObject({ rows: [{ n: 9 }] })
    expect(await answerOf(source, folded ?? '', { query: 'query' })).toMatchObject({ rows: [{ n: 9 }] })
  })

  it('fold into one for all where even the datasets are too many', async () => {
    const source = await openMany(17)
    expect(names(source).slice(4)).toEqual(['query'])
    expect(await answerOf(source, 'query', { dataset: 'd16', query: 'q5' })).toMatchObject({ rows: [{ n: 5 }] })
    expect(source.current.hasTool('query_d3')).toBe(true)
  })
})

describe('a name of a tool', () => {
  it('keeps to 49 characters, and two long ones that begin alike differ', () => {
    const long = (end: string) => queryToolName(`companiesByDistrictAndRegisterCourtOf${end}`, 'offeneregister')
    expect(long('Bavaria').length).toBe(longestName)
    expect(long('Bavaria')).toMatch(/^companiesByDistrictAndRegisterCourtOf.*_[0-9a-f]{8}$/)
    expect(long('Bavaria')).not.toBe(long('Saxony'))
    expect(queryToolName('byName', 'gtfs-de')).toBe('byName_gtfs-de')
  })

  it('has only letters that hosts take', () => {
    expect(toolName('größe.query')).toMatch(/^[A-Za-z0-9_-]{1,49}$/)
    expect(toolName('a.b')).not.toBe(toolName('a:b'))
    expect(withHash('x'.repeat(60), 'y')).toHaveLength(longestName)
  })
})

describe('list_datasets', () => {
  it('tells freshness, terms, tables and tools of each dataset', async () => {
    expect(await answerOf(await openWith(), 'list_datasets')).toMatchObject({
      datasets: [
        {
          dataset: 'offeneregister',
          state: 'current',
          asOf: '2026-11-30',
          licence: 'CC BY 4.0',
          nextRun: null,
          tables: [{ name: 'company', rows: 2 }, { name: 'officer' }],
          tools: [
            'byName_offeneregister',
            'allOfficers_offeneregister',
            'getSchema_offeneregister',
            'freeQuery_offeneregister',
          ],
        },
      ],
      problems: [],
    })
  })

  it('tells the tables of several datasets in short, and of one in full', async () => {
    const register = registerWith([anna])
    new Register('other', register.store.root).publish([bob])
    const source = await open(register)
    expect(await answerOf(source, 'list_datasets')).toMatchObject({
      datasets: [
        { dataset: 'offeneregister', tables: [{ name: 'company', rows: 1 }, { name: 'officer' }] },
        {
          dataset: 'other',
          tables: [{ name: 'company', uri: 'other://company/{company_number}' }],
          emptyTables: ['officer'],
        },
      ],
    })
    expect(JSON.stringify(await answerOf(source, 'list_datasets'))).not.toContain('Officers of companies.')
    expect(await answerOf(source, 'list_datasets', { dataset: 'other' })).toMatchObject({
      datasets: [
        { tables: [{ name: 'company' }, { name: 'officer', rows: 0, description: 'Officers of companies.' }] },
      ],
    })
  })

  it('tells which name a schema should have said, where its dataset was ingested under another', async () => {
    const register = registerWith([anna])
    register.writeSchema(schema({ database: 'openregistr.db' }))
    const source = await open(register)
    expect(await source.current.call('byName_offeneregister', { pattern: 'x' })).toMatchObject({
      ok: false,
      code: 'DATABASE_MISSING',
      message: expect.stringMatching(/names the database openregistr\.db.* say `database: 'openregister\.db'`/),
    })
  })

  it('names the databases that there are, where none of the schema’s own was ingested', async () => {
    const register = registerWith([anna])
    register.writeSchema({ ...schema({ database: 'openregistr.db' }), namespace: 'other' }, 'other.mjs')
    const source = await open(register)
    const answer = await source.current.call('byName_other', { pattern: 'x' })
    expect(answer).toMatchObject({ ok: false, message: expect.stringMatching(/There are: openregister\.db\.$/) })
    const alone = source.current.only(new Set(['other']))
    expect(JSON.stringify(await alone.call('byName_other', { pattern: 'x' }))).not.toContain('openregister.db')
  })

  it('tells a dataset whose database is missing, with the paths tried', async () => {
    const register = registerWith()
    register.writeSchema(schema())
    const source = await open(register)
    const paths = ['data', 'resources'].map((folder) => `$STICHTAG_HOME/${folder}/openregister.db`)
    expect(await answerOf(source, 'list_datasets')).toMatchObject({
      datasets: [{ dataset: 'offeneregister', state: 'missing', tried: paths }],
    })
    expect(names(source)).toContain('byName_offeneregister')
    const answers = [
      await source.current.call('byName_offeneregister', { pattern: 'x' }),
      await source.current.call('list_datasets', {}),
      await source.current.read('offeneregister://dataset'),
    ]
    expect(answers[0]).toMatchObject({
      ok: false,
      code: 'DATABASE_MISSING',
      message: expect.stringContaining(paths.join(', ')),
    })
    expect(JSON.stringify(answers)).not.toContain(register.store.root)
  })

  it('tells a damaged manifest and a broken schema, and serves the rest', async () => {
    const register = registerWith([anna])
    const other = new Register('other', register.store.root)
    other.damage(other.publish([bob]))
    register.writeSchema(schema())
    register.writeSchema({ namespace: 'x', resources: 5 }, 'broken.mjs')
    register.writeSchema({ ...schema(), namespace: 'toolsonly', resources: {} }, 'tools.mjs')
    const source = await open(register)
    expect(await answerOf(source, 'list_datasets')).toMatchObject({
      datasets: [
        { dataset: 'offeneregister', state: 'current' },
        { dataset: 'other', state: 'broken', problems: [{ code: 'SNAPSHOT_INVALID' }] },
      ],
      problems: [{ code: 'SCHEMA_INVALID', message: expect.stringMatching(/^broken\.mjs/) }],
    })
    expect(JSON.stringify(await answerOf(source, 'list_datasets'))).not.toContain(register.schemas)
    expect(await answerOf(source, 'byName_offeneregister', { pattern: 'M%' })).toMatchObject({ rowCount: 1 })
  })
})

describe('fetch', () => {
  it('gives what the resource gives, with what is needed to cite it', async () => {
    const source = await openWith()
    const id = 'offeneregister://company/K1'
    const [content] = (await source.current.read(id)).contents
    expect(await source.current.call('fetch', { id })).toMatchObject({
      ok: true,
      structured: {
        id,
        title: 'Müller Werke AG',
        text: content !== undefined && 'text' in content ? content.text : '',
        url: 'https://offeneregister.example',
        metadata: { uri: id, asOf: '2026-11-30', licence: 'CC BY 4.0', attribution: 'OffeneRegister' },
        truncated: false,
      },
      links: [
        {
          uri: id,
          title: 'Müller Werke AG',
          size: Buffer.byteLength(content !== undefined && 'text' in content ? content.text : ''),
        },
      ],
    })
  })

  it('brings the BLOBs of a record along, each as a resource of its own', async () => {
    const logo = Buffer.from('89504e470d0a1a0a00', 'hex')
    const source = await openWith(schema(), [{ ...anna, logo }])
    const uri = 'offeneregister://company/K1#logo'
    expect(await source.current.call('fetch', { id: 'offeneregister://company/K1' })).toMatchObject({
      structured: { metadata: { blobs: [{ uri, mimeType: 'image/png' }] } },
      embedded: [{ uri, mimeType: 'image/png', blob: logo.toString('base64') }],
    })
  })

  it('leaves BLOBs that are too big for an answer where they are, and says where that is', async () => {
    const source = await openWith(schema(), [{ ...anna, logo: Buffer.alloc(200_000) }])
    const answer = await source.current.call('fetch', { id: 'offeneregister://company/K1' })
    expect(answer).not.toHaveProperty('embedded')
    expect(answer).toMatchObject({ structured: { metadata: { blobs: [{ uri: expect.stringMatching(/#logo$/) }] } } })
  })

  it('says where a record goes on', async () => {
    const officers = Array.from({ length: 3000 }, (_, n) => `Officer ${n} ${'x'.repeat(40)}`)
    const source = await openWith(schema(), [{ ...anna, officers }])
    expect(await answerOf(source, 'fetch', { id: 'offeneregister://company/K1' })).toMatchObject({
      metadata: { next: 'offeneregister://company/K1?page=2' },
      truncated: true,
    })
  })

  it.each(['offeneregister://company/nobody', 'K1', 'offeneregister://changes/20200101T000000Z-00000000'])(
    'says in words that there is nothing at %s',
    async (id) => {
      const answer = await (await openWith()).current.call('fetch', { id })
      expect(answer).toMatchObject({ ok: false, message: /\w/ })
    },
  )
})

describe('search', () => {
  it('finds both German spellings in all full-text indexes, and links the records', async () => {
    const source = await openWith()
    const answer = await source.current.call('search', { query: 'Müller' })
    expect(answer).toMatchObject({
      ok: true,
      structured: {
        results: expect.arrayContaining([
          expect.objectContaining({
            id: 'offeneregister://company/K1',
            uri: 'offeneregister://company/K1',
            title: 'Müller Werke AG',
            url: 'https://offeneregister.example',
            dataset: 'offeneregister',
            table: 'company',
            snippet: 'Ring 1',
          }),
          expect.objectContaining({ title: 'Mueller Söhne' }),
          expect.objectContaining({ uri: 'offeneregister://officer/K1/1', belongsTo: 'offeneregister://company/K1' }),
        ]),
        truncated: false,
        datasets: [{ dataset: 'offeneregister', licence: 'CC BY 4.0' }],
        problems: [],
      },
    })
    if (answer.ok)
      expect(answer.links.map(({ uri }) => uri).sort()).toEqual([
        'offeneregister://company/K1',
        'offeneregister://company/K2',
        'offeneregister://officer/K1/1',
      ])
  })

  it('finds words of several columns together, and nothing that lacks one', async () => {
    const source = await openWith()
    const titles = async (query: string) =>
      ((await answerOf(source, 'search', { query })).results as { title: string }[]).map(({ title }) => title)
    expect(await titles('werke ring')).toEqual(['Müller Werke AG'])
    expect(await titles('strasse')).toEqual(['Mueller Söhne'])
    expect(await titles('werke strasse')).toEqual([])
  })

  it.each([
    [3, false],
    [2, true],
  ])('limited to %i says truncated: %s', async (limit, truncated) => {
    const answer = await answerOf(await openWith(), 'search', { query: 'mueller', limit })
    expect(answer).toMatchObject({ truncated, results: { length: limit } })
  })

  it('over several datasets gives the best of each first, and goes on where one cannot be searched', async () => {
    const register = registerWith([anna])
    new Register('other', register.store.root).publish([bob])
    register.writeSchema({ ...schema({ database: 'gone.db' }), namespace: 'gone' })
    const answer = await answerOf(await open(register), 'search', { query: 'mueller' })
    // What nobody has ingested is a problem only for those who ask for it.
    expect(answer).toMatchObject({ problems: [] })
    const named = { query: 'mueller', datasets: ['gone', 'offeneregister'] }
    expect(await answerOf(await open(register), 'search', named)).toMatchObject({
      results: [{ dataset: 'offeneregister' }, { dataset: 'offeneregister' }],
      problems: [{ dataset: 'gone', code: 'DATABASE_MISSING' }],
    })
    const datasets = (answer.results as { dataset: string }[]).map(({ dataset }) => dataset)
    expect(datasets.slice(0, 3).sort()).toEqual(['offeneregister', 'offeneregister', 'other'])
    expect(await answerOf(await open(register), 'search', { query: 'mueller', datasets: ['other'] })).toMatchObject({
      results: [{ uri: 'other://company/K2' }],
      problems: [],
    })
  })

  it('searches a dataset that is named twice once', async () => {
    const args = { query: 'Ring', datasets: ['offeneregister', 'OffeneRegister', 'offeneregister'] }
    const { results, datasets } = await answerOf(await openWith(), 'search', args)
    expect([results, datasets]).toMatchObject([[{ uri: 'offeneregister://company/K1' }], [{}]])
    expect([results, datasets]).toMatchObject([{ length: 1 }, { length: 1 }])
  })

  it('cuts a title of megabytes, says so, and gives the other hits', async () => {
    const long = { number: 'K3', name: `Weber ${'x'.repeat(2_000_000)}`, address: `Weber ${'y'.repeat(2_000_000)}` }
    const answer = await answerOf(await openWith(schema(), [{ number: 'K4', name: 'Weber AG' }, long]), 'search', {
      query: 'weber',
    })
    expect(answer).toMatchObject({ truncated: false, problems: [] })
    const results = answer.results as { uri: string; title: string; cut?: boolean }[]
    expect(results.map(({ uri, cut }) => [uri, cut === true]).sort()).toEqual([
      ['offeneregister://company/K3', true],
      ['offeneregister://company/K4', false],
    ])
    expect(JSON.stringify(answer).length).toBeLessThan(5000)
  })

  it.each([
    [{ query: '***' }, 'ARGUMENTS_INVALID'],
    [{ query: 'x', datasets: ['nobody'] }, 'UNKNOWN_DATASET'],
    [{ query: 'x', limit: 1000 }, 'ARGUMENTS_INVALID'],
  ])('given %j answers %s', async (args, code) => {
    expect(await (await openWith()).current.call('search', args)).toMatchObject({ ok: false, code })
  })
})
