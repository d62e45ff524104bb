import { readFileSync, rmSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { rawFile } from '../../src/ingest/raw-files.ts'
import { rollback } from '../../src/ingest/rollback.ts'
import type { PipelineDefinition } from '../../src/pipeline/types.ts'
import { downloadsFolder } from '../../src/store/layout.ts'
import { readState } from '../../src/store/snapshots.ts'
import { places } from '../pipeline/places.ts'
import { scratchStore } from '../store/scratch-store.ts'
import { fileServer, type ScriptedServer, serve } from './download-server.ts'
import { current, ingest, linesOf, manyPlaces, place, quarantined, query } from './ingesting.ts'

/** A publisher whose file changes: each text has an ETag of its own. */
const publisher = async (first: string) => {
  let text = first
  const server = await serve((request, response) => fileServer(text, { etag: `"${text.length}"` })(request, response))
  onTestFinished(() => server[Symbol.asyncDispose]())
  return {
    server,
    publish: (next: string) => {
      text = next
    },
    definition: at(server),
  }
}

const at = (server: ScriptedServer): PipelineDefinition => ({
  ...places,
  sources: places.sources.map((source) => ({ ...source, url: server.url })),
})

const statusesOf = (server: ScriptedServer): (string | undefined)[] =>
  server.requests.map((request) => request.headers['if-none-match'])

const ten = linesOf(manyPlaces(10))
const five = linesOf(manyPlaces(5))
const eleven = linesOf([...manyPlaces(10), place('new')])

describe('a source on the web', () => {
  it('is downloaded, and kept under its name', async () => {
    const store = scratchStore()
    const { definition, server } = await publisher(ten)
    expect((await ingest(store, undefined, { definition })).outcome).toBe('published')
    const [{ sha256 } = { sha256: '' }] = current(store).sources
    expect(readFileSync(rawFile(downloadsFolder(store, 'places'), 'places.jsonl.gz', sha256), 'utf8')).toBe(ten)
    expect(current(store).sources).toMatchObject([{ url: server.url, etag: `"${ten.length}"` }])
    expect(readState(store, 'places').validators).toMatchObject({
      'places.jsonl.gz': { url: server.url, etag: `"${ten.length}"` },
    })
  })

  it('that answers "not modified" costs no bytes and is unchanged, again and again', async () => {
    const store = scratchStore()
    const { definition, server } = await publisher(ten)
    await ingest(store, undefined, { definition })
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await ingest(store, undefined, { definition })).outcome).toBe('unchanged')
    }
    expect(statusesOf(server)).toEqual([undefined, `"${ten.length}"`, `"${ten.length}"`])
  })

  it.each([
    ['an ETag', { etag: '"t"' }, 'if-none-match', '"t"'],
    [
      'a date',
      { 'last-modified': 'Tue, 05 Feb 2019 09:00:00 GMT' },
      'if-modified-since',
      'Tue, 05 Feb 2019 09:00:00 GMT',
    ],
  ])('that is unchanged by %s costs one conditional request, and no bytes', async (_, validators, condition, value) => {
    const store = scratchStore()
    let bytes = 0
    const server = await serve((request, response) => {
      const isSame = request.headers[condition] === value
      const body = isSame ? '' : ten
      bytes += body.length
      response.writeHead(isSame ? 304 : 200, validators).end(body)
    })
    onTestFinished(() => server[Symbol.asyncDispose]())
    await ingest(store, undefined, { definition: at(server) })
    expect([server.requests.length, bytes]).toEqual([1, ten.length])
    expect((await ingest(store, undefined, { definition: at(server) })).outcome).toBe('unchanged')
    expect([server.requests.length, bytes]).toEqual([2, ten.length])
  })

  it('is asked without conditions where that is wanted', async () => {
    const store = scratchStore()
    const { definition, server } = await publisher(ten)
    await ingest(store, undefined, { definition })
    expect((await ingest(store, undefined, { definition, options: { force: true } })).outcome).toBe('unchanged')
    expect(statusesOf(server)).toEqual([undefined, undefined])
  })

  it('whose delivery was refused is refused again, never unchanged, and costs no bytes', async () => {
    const store = scratchStore()
    const { definition, publish, server } = await publisher(ten)
    await ingest(store, undefined, { definition })
    publish(five)
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await ingest(store, undefined, { definition })).toMatchObject({
        outcome: 'refused',
        reason: { code: 'GUARD' },
      })
    }
    expect(statusesOf(server).slice(1)).toEqual([`"${ten.length}"`, `"${five.length}"`, `"${five.length}"`])
    expect(quarantined(store)).toHaveLength(1)
  })

  it('that goes back to what is current after a refusal is unchanged, and the refusal forgotten', async () => {
    const store = scratchStore()
    const { definition, publish } = await publisher(ten)
    await ingest(store, undefined, { definition })
    publish(five)
    await ingest(store, undefined, { definition })
    publish(ten)
    expect((await ingest(store, undefined, { definition })).outcome).toBe('unchanged')
    expect(readState(store, 'places').refused).toBeNull()
  })

  it('that went back before somebody accepted the shrinkage is unchanged, not refused', async () => {
    const store = scratchStore()
    const { definition, publish } = await publisher(ten)
    await ingest(store, undefined, { definition })
    publish(five)
    await ingest(store, undefined, { definition })
    publish(ten)
    const options = { acceptShrink: true }
    expect((await ingest(store, undefined, { definition, options })).outcome).toBe('unchanged')
    expect(readState(store, 'places').refused).toBeNull()
  })

  it('whose delivery was refused is published where shrinking is accepted', async () => {
    const store = scratchStore()
    const { definition, publish } = await publisher(ten)
    await ingest(store, undefined, { definition })
    publish(five)
    await ingest(store, undefined, { definition })
    expect(await ingest(store, undefined, { definition, options: { acceptShrink: true } })).toMatchObject({
      outcome: 'published',
      changes: { place: { removed: 5 } },
    })
    expect((await ingest(store, undefined, { definition })).outcome).toBe('unchanged')
  })

  it('whose delivery a rollback rejected is held, and costs its bytes once', async () => {
    const store = scratchStore()
    const { definition, publish, server } = await publisher(ten)
    const first = await ingest(store, undefined, { definition })
    publish(eleven)
    await ingest(store, undefined, { definition })
    await rollback(store, 'places', undefined, () => new Date())
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await ingest(store, undefined, { definition })).toMatchObject({
        outcome: 'refused',
        version: first.version,
        reason: { code: 'HELD' },
      })
    }
    expect(statusesOf(server).slice(2)).toEqual([`"${ten.length}"`, `"${eleven.length}"`, `"${eleven.length}"`])
    publish(linesOf([...manyPlaces(10), place('newer still')]))
    expect((await ingest(store, undefined, { definition })).outcome).toBe('published')
  })
})

describe('a pipeline that was changed, while its source was not,', () => {
  const renamed = (definition: PipelineDefinition): PipelineDefinition => ({
    ...definition,
    map: (record, context) =>
      definition.map(record, {
        ...context,
        emit: (table, row) => context.emit(table, table === 'place' ? { ...row, name: 'corrected' } : row),
      }),
  })

  it('is built again from what was downloaded, without a byte more', async () => {
    const store = scratchStore()
    const { definition, server } = await publisher(ten)
    await ingest(store, undefined, { definition })
    const { retrievedAt } = current(store)
    const result = await ingest(store, undefined, { definition: renamed(definition), fingerprint: 'f2' })
    expect(result).toMatchObject({ outcome: 'published', changes: { place: { changed: 10 } } })
    expect(statusesOf(server)).toEqual([undefined, `"${ten.length}"`])
    // What the source said of these bytes still holds of them.
    expect(current(store)).toMatchObject({ retrievedAt, sources: [{ etag: `"${ten.length}"` }] })
    expect((await ingest(store, undefined, { definition, fingerprint: 'f2' })).outcome).toBe('unchanged')
  })

  it('is built again from a new download, where the old one is gone', async () => {
    const store = scratchStore()
    const { definition, server } = await publisher(ten)
    await ingest(store, undefined, { definition })
    rmSync(downloadsFolder(store, 'places'), { recursive: true })
    const result = await ingest(store, undefined, { definition: renamed(definition), fingerprint: 'f2' })
    expect(result.outcome).toBe('published')
    expect(statusesOf(server)).toEqual([undefined, `"${ten.length}"`, undefined])
    expect(query(store, 'SELECT DISTINCT name FROM place')).toEqual([['corrected']])
  })

  it('is tried once on a delivery that was refused, from what was downloaded, and refused cheaply after that', async () => {
    const store = scratchStore()
    const { definition, publish, server } = await publisher(ten)
    await ingest(store, undefined, { definition })
    publish(five)
    await ingest(store, undefined, { definition })
    const steps: string[] = []
    const given = { definition, fingerprint: 'f2', onProgress: ({ step }: { step: string }) => void steps.push(step) }
    expect((await ingest(store, undefined, given)).outcome).toBe('refused')
    expect(steps).toContain('load')
    steps.length = 0
    expect((await ingest(store, undefined, given)).outcome).toBe('refused')
    expect(steps).not.toContain('load')
    expect(statusesOf(server).slice(2)).toEqual([`"${five.length}"`, `"${five.length}"`])
  })
})
