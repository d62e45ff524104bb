/** The factory for any dataset of OpenSanctions, against an index on the loopback interface. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { kit } from '../../src/pipeline/define.ts'
import { loadPipeline } from '../../src/pipeline/discover.ts'
import { cellValues } from '../../src/pipeline/open-sanctions-entity.ts'
import { indexedFile } from '../../src/pipeline/open-sanctions-index.ts'
import { isIdentifier } from '../../src/pipeline/open-sanctions-properties.ts'
import type { OpenSanctionsOptions, PipelineDefinition } from '../../src/pipeline/types.ts'
import { type Behaviour, ok, serve } from '../ingest/download-server.ts'
import { current, delivery, ingest, query } from '../ingest/ingesting.ts'
import { scratchStore } from '../store/scratch-store.ts'

const entity = (id: string, properties: object = { name: [`Name ${id}`] }, further: object = {}): object => ({
  id,
  caption: `Name ${id}`,
  schema: 'Person',
  properties,
  referents: [],
  datasets: ['zz_list'],
  first_seen: '2026-01-05T00:00:00',
  last_seen: '2026-11-30T01:00:00',
  last_change: '2026-06-01T00:00:00',
  target: true,
  ...further,
})

const linesOf = (entities: readonly object[]): string => entities.map((each) => `${JSON.stringify(each)}\n`).join('')

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')

const definitionOf = (url: string, options: Partial<OpenSanctionsOptions> = {}): PipelineDefinition =>
  kit.openSanctions({ id: 'zzlist', dataset: 'zz_list', url, ...options })

/** A publisher of a dataset as OpenSanctions is one: the address that stays leads to the one of today. */
const publisher = async (text: string, index: object = {}, resource: object = {}) => {
  const paths: Record<string, Behaviour> = {}
  const server = await serve((request, response) => {
    const behaviour = paths[request.url ?? '']
    if (behaviour === undefined) response.writeHead(404).end()
    else behaviour(request, response)
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const at = (path: string): string => server.url.replace('/register.csv', path)
  const artifacts = '/artifacts/zz_list/20261130010203-abc'
  const file = {
    name: 'entities.ftm.json',
    url: at(`${artifacts}/entities.ftm.json`),
    size: Buffer.byteLength(text),
    checksum: sha1(text),
    ...resource,
  }
  const whole = {
    name: 'zz_list',
    version: '20261130010203-abc',
    last_export: '2026-11-30T01:02:03',
    entity_count: 2,
    result: 'success',
    resources: [file],
    ...index,
  }
  paths['/datasets/latest/zz_list/index.json'] = (_, response) => {
    response.writeHead(302, { location: `${artifacts}/index.json` }).end()
  }
  paths[`${artifacts}/index.json`] = ok(JSON.stringify(whole))
  paths[`${artifacts}/entities.ftm.json`] = ok(text)
  return at('/datasets/latest/zz_list/index.json')
}

const two = linesOf([entity('a'), entity('b')])

describe('a dataset of OpenSanctions', () => {
  it('is fetched where its index says, and is as of its export', async () => {
    const store = scratchStore()
    const definition = definitionOf(await publisher(two))
    expect(await ingest(store, undefined, { definition })).toMatchObject({
      outcome: 'published',
      rows: { ftm_entity: 2, name: 2 },
    })
    expect(current(store, 'zzlist')).toMatchObject({ publisherDate: '2026-11-30T01:02:03.000Z', warnings: [] })
  })

  it('does not change by being exported again, seen later and in another order', async () => {
    const store = scratchStore()
    const first = linesOf([entity('a', { name: ['A', 'B'], topics: ['x'] }), entity('b')])
    const again = linesOf([
      entity('b', undefined, { last_seen: '2026-12-01T01:00:00' }),
      entity('a', { topics: ['x'], name: ['B', 'A'] }, { last_seen: '2026-12-01T01:00:00' }),
    ])
    await ingest(store, delivery(first, 'entities.ftm.json'), { definition: definitionOf('https://list.example/') })
    const result = await ingest(store, delivery(again, 'entities.ftm.json'), {
      definition: definitionOf('https://list.example/'),
    })
    expect(result.outcome).toBe('unchanged')
  })

  it.each<[string, object, object, string]>([
    ['the file is another one than the index says', {}, { checksum: '0'.repeat(40) }, 'entities.ftm.json'],
    ['the file is of another size', {}, { size: 10 }, 'entities.ftm.json'],
    [
      'the publisher’s export failed',
      { result: 'failure', resources: [] },
      {},
      'export of zz_list (version 20261130010203-abc) failed',
    ],
    [
      'the index names no such file',
      { resources: [{ name: 'names.txt', url: 'x' }] },
      {},
      'names no entities.ftm.json, but: names.txt',
    ],
    ['the index is another dataset’s', { name: 'default' }, {}, 'is the index of default, not of zz_list'],
    ['the index is none', { name: 7 }, {}, 'is no index of OpenSanctions'],
    ...['http://[', 'http://', 'https://a b/x'].map((url): [string, object, object, string] => [
      `the index has the address ${url}`,
      {},
      { url },
      `index.json gives ${JSON.stringify(url)} as the address of entities.ftm.json, which is no URL`,
    ]),
  ])('is not published where %s; what is current stays', async (_, index, resource, words) => {
    const store = scratchStore()
    await ingest(store, delivery(two, 'entities.ftm.json'), { definition: definitionOf('https://list.example/') })
    const before = current(store, 'zzlist').version
    const definition = definitionOf(await publisher(linesOf([entity('c'), entity('d')]), index, resource))
    const result = await ingest(store, undefined, { definition })
    expect(result.outcome).toBe('failed')
    expect(result.reason?.message).toContain(words)
    expect(current(store, 'zzlist').version).toBe(before)
  })

  it('warns where it holds another number of entities than its index says', async () => {
    const store = scratchStore()
    await ingest(store, undefined, { definition: definitionOf(await publisher(two, { entity_count: 3 })) })
    expect(current(store, 'zzlist').warnings).toEqual([expect.stringContaining('holds 3 records, but 2 were read')])
  })

  it('keeps properties, schemata and fields that the model did not have, and tells the fields', async () => {
    const store = scratchStore()
    const novel = entity('a', { name: ['A'], novelty: ['yes'] }, { schema: 'Novelty', extra: { deep: 1 } })
    await ingest(store, delivery(linesOf([novel]), 'entities.ftm.json'), {
      definition: definitionOf('https://x.example/'),
    })
    expect(query(store, 'SELECT schema, properties, attributes FROM ftm_entity', 'zzlist.db')).toEqual([
      ['Novelty', '{"name":["A"],"novelty":["yes"]}', '{"extra":{"deep":1}}'],
    ])
  })

  it.each([
    ['no id', { ...entity('a'), id: '' }, 'id is missing'],
    ['entities within it', entity('a', { addressEntity: [{ id: 'x' }] }), 'targets.nested.json'],
  ])('is refused with an entity that has %s', async (_, record, words) => {
    const store = scratchStore()
    const definition = definitionOf('https://x.example/')
    const result = await ingest(store, delivery(linesOf([record]), 'entities.ftm.json'), { definition })
    expect(result).toMatchObject({ outcome: 'failed', reason: { message: expect.stringContaining(words) } })
  })

  it('counts everybody with a name as listed where it does not say who is', async () => {
    const store = scratchStore()
    const untold = [entity('a', undefined, { target: undefined }), entity('b', undefined, { target: false })]
    const address = entity('addr', { full: ['A'] }, { schema: 'Address', target: undefined })
    const file = delivery(linesOf([...untold, address]), 'entities.ftm.json')
    await ingest(store, file, { definition: definitionOf('https://x.example/') })
    expect(query(store, 'SELECT entity_id FROM entity', 'zzlist.db')).toEqual([['a']])
    expect(query(store, 'SELECT entity_id FROM entity_name', 'zzlist.db')).toEqual([['a']])
  })

  it('takes an entity of hundreds of kilobytes', async () => {
    const store = scratchStore()
    const aliases = Array.from({ length: 20_000 }, (_, index) => `Alias number ${index}`)
    const file = delivery(linesOf([entity('a', { name: ['A'], alias: aliases })]), 'entities.ftm.json')
    const definition = definitionOf('https://x.example/')
    expect(await ingest(store, file, { definition })).toMatchObject({ rows: { ftm_entity: 1, name: 20_001 } })
  })

  it('says its licence, or the terms that somebody agreed on', () => {
    expect(definitionOf('https://x.example/').licence.name).toContain('CC BY-NC 4.0')
    const licence = { name: 'Agreed', url: 'https://x.example/terms', attribution: 'OpenSanctions' }
    expect(definitionOf('https://x.example/', { licence }).licence).toEqual(licence)
  })

  it('has the publisher’s own index unless another is said', () => {
    const { sources, database } = kit.openSanctions({ id: 'peps', dataset: 'peps' })
    expect(sources.map(({ url }) => url)).toEqual(['https://data.opensanctions.org/datasets/latest/peps/index.json'])
    expect(database).toBe('peps.db')
  })
})

it('the pipeline that the page shows is one', async () => {
  const page = readFileSync(join(packageRoot, 'docs', 'datasets', 'opensanctions.md'), 'utf8')
  const folder = mkdtempSync(join(tmpdir(), 'stichtag-peps-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'peps'))
  writeFileSync(join(folder, 'peps', 'index.mjs'), /^```js\n(.*?)^```$/ms.exec(page)?.[1] ?? '')
  const { definition } = await loadPipeline('peps', [folder])
  expect(definition).toMatchObject({
    id: 'peps',
    title: 'OpenSanctions: politically exposed people',
    homepage: 'https://www.opensanctions.org/datasets/peps/',
    guards: { minRows: { ftm_entity: 400_000 }, maxShrink: 0.2 },
  })
})

it('the address of a file in an index may be relative', () => {
  const index = { name: 'zz', resources: [{ name: 'f', url: 'f' }] }
  expect(indexedFile(index, 'f', 'https://list.example/zz/index.json', 'zz')).toEqual({
    url: 'https://list.example/zz/f',
  })
})

it.each([
  ['A. Ostervald;"Ostervald; Arvel"', ['A. Ostervald', 'Ostervald; Arvel']],
  ['"say ""x"";";b', ['say "x";', 'b']],
  ['a "b" c;d', ['a "b" c', 'd']],
  [' a ; ;b', ['a', 'b']],
  ['', []],
  [null, []],
])('a cell of targets.simple.csv that says %j has the values %j', (cell, values) => {
  expect(cellValues(cell)).toEqual(values)
})

it.each([
  ['imoNumber', true],
  ['leiCode', true],
  ['wikidataId', true],
  ['okvedCode', false],
  ['name', false],
  ['phone', false],
])('the property %s is a number that tells its holder: %s', (property, is) => {
  expect(isIdentifier(property)).toBe(is)
})
