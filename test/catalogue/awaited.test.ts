/** Datasets that come with a schema of the package and were never ingested: named, answering, and in nobody's way. */
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { answerOf, bodyOf, open, registerWith } from './opened.ts'

const folders = [join(packageRoot, 'schemas')]
const anna = [{ number: 'K1', name: 'Anna' }]
const schema = {
  namespace: 'mine',
  name: 'My register',
  version: '3.0.0',
  description: 'My own companies.',
  root: '',
  tools: {},
  resources: {
    own: {
      source: 'sqlite',
      database: 'mine.db',
      origin: 'global',
      description: 'Mine.',
      queries: { all: { sql: 'SELECT name FROM company', description: 'All companies.', parameters: {} } },
    },
  },
}

describe('a dataset that nobody has ingested', () => {
  it('has no tool, resource or template in a list', async () => {
    const register = registerWith(anna)
    const { current } = await open(register, { schemaFolders: folders })
    const of = (list: readonly { readonly name: string }[]) =>
      list.map(({ name }) => name).filter((name) => /unsc|gtfsde|gleif/.test(name))
    expect(of(current.listTools())).toEqual([])
    expect(of(current.listResources())).toEqual([])
    expect(of(current.listTemplates())).toEqual([])
    expect(current.listTools().map(({ name }) => name)).toContain('freeQuery_offeneregister')
  })

  it('comes last in list_datasets, with what ingests it', async () => {
    const source = await open(registerWith(anna), { schemaFolders: folders })
    const { datasets } = await answerOf(source, 'list_datasets', {})
    const [first, ...others] = datasets as { dataset: string; state: string; notIngested?: string; tools: string[] }[]
    expect(first).toMatchObject({ dataset: 'offeneregister', state: expect.not.stringContaining('missing') })
    expect(others.length).toBeGreaterThan(3)
    for (const { dataset, ...facts } of others) {
      const notIngested = expect.stringContaining(`stichtag ingest ${dataset}`)
      expect(facts).toMatchObject({ state: 'missing', tools: [], notIngested })
    }
  })

  it('answers to its names all the same: with a clear error, and with what it is', async () => {
    const source = await open(registerWith(anna), { schemaFolders: folders })
    expect(source.current.hasTool('freeQuery_unsc')).toBe(true)
    expect(await source.current.call('freeQuery_unsc', { sql: 'SELECT 1' })).toMatchObject({
      ok: false,
      code: 'DATABASE_MISSING',
      message: expect.stringContaining('Tried: '),
    })
    expect(
      await source.current.call('query_unsc', { query: 'freeQuery', arguments: { sql: 'SELECT 1' } }),
    ).toMatchObject({ ok: false, code: 'DATABASE_MISSING' })
    expect(await bodyOf(source, 'unsc://dataset')).toMatchObject({ state: 'missing' })
    expect(source.current.canSubscribe('unsc://entity/1')).toBe(true)
  })

  it('appears in the lists once it is ingested, and hosts are told', async () => {
    const register = registerWith()
    const source = await open(register, { schemaFolders: folders, watch: true })
    expect(source.current.listResources()).toEqual([])
    const told = vi.fn()
    source.onMove(told)
    register.publish(anna)
    await vi.waitFor(() => expect(source.current.listResources()).not.toEqual([]), { timeout: 20_000 })
    expect(told).toHaveBeenCalledWith(expect.objectContaining({ toolsChanged: true, resourcesChanged: true }))
  })
})

describe("a schema of somebody's own whose database is missing", () => {
  it('stays in the lists: it is an error that its owner must see', async () => {
    const register = registerWith(anna)
    register.writeSchema(schema, 'mine.mjs')
    const source = await open(register, { schemaFolders: [...folders, register.schemas] })
    expect(source.current.listTools().map(({ name }) => name)).toContain('all_mine')
    expect(source.current.listResources().map(({ uri }) => uri)).toContain('mine://dataset')
    const { datasets } = await answerOf(source, 'list_datasets', { dataset: 'mine' })
    expect(datasets).toMatchObject([{ state: 'missing', tried: expect.any(Array), tools: expect.any(Array) }])
  })
})
