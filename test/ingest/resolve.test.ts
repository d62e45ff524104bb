import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { PipelineDefinition, SourceDefinition } from '../../src/pipeline/types.ts'
import { downloadsFolder } from '../../src/store/layout.ts'
import { readState } from '../../src/store/snapshots.ts'
import { places } from '../pipeline/places.ts'
import { scratchStore, treeOf } from '../store/scratch-store.ts'
import { type Behaviour, fileServer, ok, serve } from './download-server.ts'
import { current, delivery, ingest, linesOf, manyPlaces, place, query } from './ingesting.ts'

const sha = (algorithm: 'sha1' | 'sha256', text: string): string => createHash(algorithm).update(text).digest('hex')

/** A publisher whose paths answer as told; the requests it got, as `METHOD path`, `304` behind those not modified. */
const publisher = async (paths: Record<string, Behaviour>) => {
  const requests: string[] = []
  const server = await serve((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    response.on('finish', () => requests.push(`${request.method} ${path}${response.statusCode === 304 ? ' 304' : ''}`))
    const behaviour = paths[path]
    if (behaviour === undefined) response.writeHead(404).end()
    else behaviour(request, response)
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return { requests, paths, at: (path: string): string => server.url.replace('/register.csv', path) }
}

const having = (url: string, resolve: SourceDefinition['resolve']): PipelineDefinition => ({
  ...places,
  sources: places.sources.map((source) => ({ ...source, url, ...(resolve === undefined ? {} : { resolve }) })),
})

const three = linesOf(manyPlaces(3))
const four = linesOf(manyPlaces(4))

/** An index at /index.json that names today's file. */
const indexed = async (text: string, further: object = {}) => {
  const host = await publisher({})
  const publish = (path: string, content: string, said: object): void => {
    host.paths[path] = fileServer(content, { etag: `"${sha('sha1', content)}"` })
    const index = JSON.stringify({ url: host.at(path), ...said })
    host.paths['/index.json'] = fileServer(index, { etag: `"${sha('sha1', index)}"` })
  }
  publish('/one.jsonl', text, further)
  const definition = having(host.at('/index.json'), async ({ json, url }) => (await json(url)) as { url: string })
  return { ...host, publish, definition }
}

describe('a source whose address is looked up', () => {
  it('is fetched where it is today; recorded are the declared address and the one that was found', async () => {
    const store = scratchStore()
    const { definition, at } = await indexed(three)
    expect((await ingest(store, undefined, { definition })).outcome).toBe('published')
    expect(current(store).sources).toMatchObject([{ url: at('/index.json'), resolvedUrl: at('/one.jsonl') }])
  })

  it('that has not moved costs two conditional requests and no bytes', async () => {
    const store = scratchStore()
    const { definition, requests } = await indexed(three)
    await ingest(store, undefined, { definition })
    requests.length = 0
    expect((await ingest(store, undefined, { definition })).outcome).toBe('unchanged')
    expect(requests).toEqual(['GET /index.json 304', 'GET /one.jsonl 304'])
  })

  it('whose index gives the checksum of what is current is not asked for at all', async () => {
    const store = scratchStore()
    const { definition, requests } = await indexed(three, { sha256: sha('sha256', three) })
    await ingest(store, undefined, { definition })
    requests.length = 0
    expect((await ingest(store, undefined, { definition })).outcome).toBe('unchanged')
    expect(requests).toEqual(['GET /index.json 304'])
  })

  it('that has moved is fetched from its new address', async () => {
    const store = scratchStore()
    const { definition, publish, at } = await indexed(three)
    await ingest(store, undefined, { definition })
    publish('/two.jsonl', four, { sha1: sha('sha1', four).toUpperCase(), bytes: four.length })
    expect(await ingest(store, undefined, { definition })).toMatchObject({ outcome: 'published', rows: { place: 4 } })
    expect(current(store).sources).toMatchObject([{ resolvedUrl: at('/two.jsonl') }])
  })

  it.each([
    ['SHA-256', { sha256: sha('sha256', 'other') }, 'NOT_WHAT_IT_SAYS'],
    ['SHA-1', { sha1: sha('sha1', 'other') }, 'NOT_WHAT_IT_SAYS'],
    ['size', { bytes: 5 }, 'DATA_CORRUPT'],
  ])('whose %s is not what the index says fails before anything else is touched', async (_, said, code) => {
    const store = scratchStore()
    const { definition, publish } = await indexed(three)
    await ingest(store, undefined, { definition })
    const { 'data/runs.db': _r, 'data/snapshots/places/state.json': _s, ...before } = treeOf(store.root)
    publish('/two.jsonl', four, said)
    expect(await ingest(store, undefined, { definition })).toMatchObject({ outcome: 'failed', reason: { code } })
    const after = Object.fromEntries(Object.entries(treeOf(store.root)).filter(([name]) => !name.includes('/lookups/')))
    expect(after).toMatchObject(
      Object.fromEntries(Object.entries(before).filter(([name]) => !name.includes('/lookups/'))),
    )
    expect(Object.keys(after).filter((name) => name.includes('.part'))).toEqual([])
  })

  it('may have a date and a number of records, which hold for what is read', async () => {
    const store = scratchStore()
    const said = { publisherDate: '2026-11-30', records: 3 }
    const { definition, publish } = await indexed(three, said)
    await ingest(store, undefined, { definition })
    expect(current(store)).toMatchObject({ publisherDate: '2026-11-30', asOf: '2026-11-30', warnings: [] })
    publish('/one.jsonl', four, { ...said, publisherDate: '2026-12-01' })
    await ingest(store, undefined, { definition })
    expect(current(store)).toMatchObject({
      asOf: '2026-12-01',
      warnings: ['places.jsonl.gz: says that it holds 3 records, but 4 were read'],
    })
  })

  it('keeps what its index says where the kept download is built again', async () => {
    const store = scratchStore()
    const { definition } = await indexed(three, { publisherDate: '2026-11-30', records: 4 })
    await ingest(store, undefined, { definition })
    const { warnings } = current(store)
    expect((await ingest(store, undefined, { definition, fingerprint: 'another' })).outcome).toBe('published')
    expect(current(store)).toMatchObject({ publisherDate: '2026-11-30', warnings })
    expect(warnings).toHaveLength(1)
  })

  it('may be found in a page, or behind a redirect, by what the headers say', async () => {
    const host = await publisher({
      '/page.html': ok('<!doctype html><html><a href="/three.jsonl">today</a></html>'),
      '/latest': (_request, response) => void response.writeHead(302, { location: '/three.jsonl' }).end(),
      '/three.jsonl': ok(three, { 'x-date': '2026-11-01' }),
    })
    const seen: unknown[] = []
    const byPage = having(host.at('/page.html'), async ({ text, url }) => {
      const [, path = ''] = /href="([^"]+)"/.exec(await text(url)) ?? []
      return new URL(path, url).href
    })
    const byRedirect = having(host.at('/latest'), async ({ head, url }) => {
      const found = await head(url)
      seen.push(found.url, found.header('X-Date'))
      return found.url
    })
    for (const definition of [byPage, byRedirect]) {
      const store = scratchStore()
      expect((await ingest(store, undefined, { definition })).outcome).toBe('published')
      expect(current(store).sources).toMatchObject([{ resolvedUrl: host.at('/three.jsonl') }])
    }
    expect(seen).toEqual([host.at('/three.jsonl'), '2026-11-01'])
  })

  it.each<[string, SourceDefinition['resolve'], string, string]>([
    ['finds no URL', async () => 'nowhere', 'NOT_WHAT_IT_SAYS', 'http'],
    ['breaks', async () => Promise.reject(new Error('no link on the page')), 'PIPELINE_INVALID', 'no link on the page'],
    ['finds no index', async ({ json, url }) => String(await json(url)), 'SOURCE_RETIRED', '404'],
  ])('of which the lookup %s fails, and says why', async (_, resolve, code, why) => {
    const host = await publisher({})
    const result = await ingest(scratchStore(), undefined, { definition: having(host.at('/index.json'), resolve) })
    expect(result).toMatchObject({ outcome: 'failed', reason: { code, message: expect.stringContaining(why) } })
  })

  it('is not looked up where the delivery comes from elsewhere', async () => {
    const definition = having('http://127.0.0.1:9/', async () => Promise.reject(new Error('looked up')))
    expect((await ingest(scratchStore(), delivery(three), { definition })).outcome).toBe('published')
  })
})

describe('credentials in URLs', () => {
  it('stand in no message, manifest, state, ledger or file of the store', async () => {
    const store = scratchStore()
    const host = await publisher({ '/a.jsonl?token=hush': fileServer(three, { etag: '"a"' }) })
    const url = host.at('/a.jsonl?token=hush').replace('http://', 'http://ada:hush@')
    const definition = having(url, undefined)
    expect((await ingest(store, undefined, { definition })).outcome).toBe('published')
    expect((await ingest(store, undefined, { definition })).outcome).toBe('unchanged')
    expect(host.requests.at(-1)).toBe('GET /a.jsonl?token=hush 304')
    const gone = await ingest(store, url.replace('a.jsonl', 'gone.jsonl'))
    expect(gone).toMatchObject({ outcome: 'failed', reason: { message: expect.not.stringContaining('hush') } })
    expect(readState(store, 'places').validators['places.jsonl.gz']?.url).toBe(host.at('/a.jsonl?token=***'))
    const decoded = (content: string): string => Buffer.from(content.split(' ').at(-1) ?? '', 'base64').toString()
    const tree = Object.entries(treeOf(store.root))
    expect(tree.filter(([, content]) => decoded(content).includes('hush'))).toEqual([])
    expect(tree.filter(([, content]) => decoded(content).includes('gone.jsonl?token=***'))).not.toEqual([])
    expect(query(store, "SELECT count(*) FROM meta WHERE value LIKE '%hush%'")).toEqual([[0]])
  })
})

describe('a delivery of several files of which one has changed', () => {
  it('takes the other from what was kept', async () => {
    const store = scratchStore()
    const host = await publisher({
      '/a': fileServer(linesOf([place('a')]), { etag: '"a1"' }),
      '/b': fileServer(linesOf([place('b')]), { etag: '"b1"' }),
    })
    const [source] = places.sources
    if (source === undefined) throw new Error('no source')
    const sources = ['a', 'b'].map((name) => ({ ...source, name: `${name}.jsonl`, url: host.at(`/${name}`) }))
    const definition = { ...places, sources }
    await ingest(store, undefined, { definition })
    host.paths['/b'] = fileServer(linesOf([place('b'), place('c')]), { etag: '"b2"' })
    host.requests.length = 0
    expect(await ingest(store, undefined, { definition })).toMatchObject({ outcome: 'published', rows: { place: 3 } })
    expect(host.requests).toEqual(['GET /a 304', 'GET /b'])
    expect(existsSync(downloadsFolder(store, 'places'))).toBe(true)
    expect(readdirSync(downloadsFolder(store, 'places')).filter((name) => name.includes('.part'))).toEqual([])
  })
})
