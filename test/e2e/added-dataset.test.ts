/**
 * A dataset is added by a pipeline, a schema and its files in folders of the user's own root: no file of the program is
 * touched, for this test writes none. It is ingested, served, found, read, queried and told of like a bundled one.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Host, hosts as kinds } from '../gateway/hosts.ts'
import { openStage, type Stage } from './stage.ts'

const pipeline = `export default (kit) =>
  kit.definePipeline({
    id: 'fountains',
    title: 'Fountains of Musterstadt',
    description: 'Public fountains with their state. Invented.',
    publisher: 'City of Musterstadt',
    homepage: 'https://fountains.example/',
    licence: { name: 'CC0 1.0', url: 'https://fountains.example/licence', attribution: 'City of Musterstadt' },
    database: 'fountains.db',
    schedule: { cron: '0 5 * * *', timeZone: 'Europe/Berlin' },
    sources: [{ name: 'fountains.jsonl', url: 'https://fountains.example/fountains.jsonl', format: { type: 'jsonl' } }],
    tables: {
      fountain: {
        description: 'One fountain.',
        columns: { id: 'TEXT', street: 'TEXT', works: 'INTEGER' },
        key: ['id'],
        title: 'street',
        related: [{ name: 'checks', table: 'check_up', on: { fountain_id: 'id' }, orderBy: ['ordinal'] }],
      },
      check_up: {
        description: 'When a fountain was looked at.',
        columns: { fountain_id: 'TEXT', ordinal: 'INTEGER', day: 'TEXT' },
        key: ['fountain_id', 'ordinal'],
      },
    },
    fullText: [{ name: 'fountain_fts', table: 'fountain', columns: ['street'], german: true }],
    map: (record, context) => {
      const fountain = kit.fields(record, context)
      const id = fountain.requiredText('id')
      context.emit('fountain', { id, street: fountain.text('street'), works: fountain.flag('works') })
      fountain.list('checks').forEach((check, index) => {
        context.emit('check_up', { fountain_id: id, ordinal: index + 1, day: check.text('day') })
      })
    },
  })
`

const schema = `export const main = {
  namespace: 'fountains',
  name: 'Fountains',
  description: 'Fountains of Musterstadt.',
  version: '3.0.0',
  docs: [],
  tags: [],
  root: '',
  tools: {},
  resources: {
    fountainsDb: {
      source: 'sqlite',
      database: 'fountains.db',
      origin: 'global',
      description: 'Fountains.',
      queries: {
        getSchema: {
          sql: "SELECT name, sql FROM sqlite_master WHERE type='table'",
          description: 'The tables.',
          parameters: {},
          output: { columns: ['name', 'sql'] },
        },
        byState: {
          sql: 'SELECT id, street FROM fountain WHERE works = ? ORDER BY id',
          description: 'Fountains that run, or that do not.',
          parameters: { works: { type: 'number', required: true, description: '1 where it runs.' } },
          output: { columns: ['id', 'street'] },
        },
      },
    },
  },
}
`

interface Fountain {
  readonly id: string
  readonly street: string
  readonly works: boolean
  readonly checks: readonly { readonly day: string }[]
}

const first: readonly Fountain[] = [
  { id: 'f1', street: 'Müllerstraße', works: true, checks: [{ day: '2026-10-01' }] },
  { id: 'f2', street: 'Brunnenweg', works: false, checks: [] },
  { id: 'f3', street: 'Am Markt', works: true, checks: [] },
]
/** One has another check, one is new, one is as it was. */
const second: readonly Fountain[] = [
  { id: 'f1', street: 'Müllerstraße', works: true, checks: [{ day: '2026-10-01' }, { day: '2026-11-01' }] },
  { id: 'f3', street: 'Am Markt', works: true, checks: [] },
  { id: 'f2', street: 'Brunnenweg', works: false, checks: [] },
  { id: 'f4', street: 'Quellgasse', works: true, checks: [] },
]

describe('a dataset added in folders of one’s own', () => {
  let stage: Stage
  const hosts: Host[] = []

  const ingest = (...how: string[]): Promise<unknown> => stage.json('ingest', 'fountains', ...how)
  const sampleFolder = (date: string): string => join('pipelines', 'fountains', 'data', date)

  beforeAll(async () => {
    stage = await openStage()
    const linesOf = (fountains: readonly Fountain[]): string =>
      fountains.map((fountain) => `${JSON.stringify(fountain)}\n`).join('')
    for (const [folder, file, text] of [
      [join('pipelines', 'fountains'), 'index.mjs', pipeline],
      ['schemas', 'fountains.mjs', schema],
      [sampleFolder('2026-10-01'), 'fountains.jsonl', linesOf(first)],
      [sampleFolder('2026-11-01'), 'fountains.jsonl', linesOf(second)],
    ] as const) {
      mkdirSync(join(stage.root, folder), { recursive: true })
      writeFileSync(join(stage.root, folder, file), text)
    }
  })
  afterAll(async () => {
    await Promise.all(hosts.map((host) => host.close()))
    await stage.close()
  })

  it('is ingested from its own sample, and its schema passes validation', async () => {
    expect(await ingest('--from', join(stage.root, sampleFolder('2026-10-01')))).toMatchObject([
      { dataset: 'fountains', outcome: 'published', rows: { fountain: 3, check_up: 1 }, rejected: 0 },
    ])
    expect((await stage.run('validate', join(stage.root, 'schemas', 'fountains.mjs'))).status).toBe(0)
    expect(await stage.json('status', 'fountains')).toMatchObject([{ dataset: 'fountains', state: 'current' }])
  })

  it('is served, searched, read and queried by hosts of both eras, and they are told what reads differently', async () => {
    const url = await stage.gateway()
    for (const connect of Object.values(kinds)) hosts.push(await connect({ url }))
    const uris = ['f1', 'f2', 'f3', 'f4'].map((id) => `fountains://fountain/${id}`)
    for (const { client, subscribe } of hosts) {
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['search', 'byState_fountains']))
      expect(
        await client.callTool({ name: 'search', arguments: { query: 'muellerstr', datasets: ['fountains'] } }),
      ).toMatchObject({ structuredContent: { results: [{ uri: uris[0], title: 'Müllerstraße' }] } })
      expect(await client.callTool({ name: 'byState_fountains', arguments: { works: 0 } })).toMatchObject({
        structuredContent: { rows: [{ id: 'f2' }], uris: [uris[1]] },
      })
      const { contents } = await client.readResource({ uri: uris[0] ?? '' })
      expect(contents).toMatchObject([{ text: expect.stringMatching(/"checks":\[\{"fountain_id":"f1".*"sample":/) }])
      await subscribe(...uris)
    }
    expect(await ingest('--sample')).toMatchObject([
      { outcome: 'published', changes: { fountain: { added: 1, removed: 0, changed: 0 }, check_up: { added: 1 } } },
    ])
    await vi.waitUntil(() => hosts.every(({ updates }) => updates.length >= 2), { timeout: 20_000 })
    for (const { updates } of hosts) expect([...updates].sort()).toEqual([uris[0], uris[3]])
  }, 60_000)
})
