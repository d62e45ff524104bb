import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pruneRaw, rawFile } from '../../src/ingest/raw-files.ts'
import type { PipelineDefinition } from '../../src/pipeline/types.ts'
import { downloadsFolder, type Store } from '../../src/store/layout.ts'
import { readState } from '../../src/store/snapshots.ts'
import { places } from '../pipeline/places.ts'
import { scratchStore } from '../store/scratch-store.ts'
import { fileServer, serve } from './download-server.ts'
import { current, ingest, linesOf, manyPlaces } from './ingesting.ts'

const publisher = async () => {
  let text = ''
  const server = await serve((request, response) => fileServer(text, { etag: `"${text.length}"` })(request, response))
  const definition: PipelineDefinition = {
    ...places,
    sources: places.sources.map((source) => ({ ...source, url: server.url })),
  }
  const run = async (store: Store, next: string, given = {}) => {
    text = next
    return await ingest(store, undefined, { definition, ...given })
  }
  return { run, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const rawOf = (store: Store, sha256: string | undefined): string =>
  rawFile(downloadsFolder(store, 'places'), 'places.jsonl.gz', sha256 ?? '')
const rawOfCurrent = (store: Store): string => rawOf(store, current(store).sources[0]?.sha256)
const entries = (store: Store): string[] => readdirSync(downloadsFolder(store, 'places'))

const ten = linesOf(manyPlaces(10))
const five = linesOf(manyPlaces(5))

describe('raw files', () => {
  it('of a refused delivery lie beside those that current was built from, and current is rebuilt from its own', async () => {
    const store = scratchStore()
    await using host = await publisher()
    await host.run(store, ten)
    const raw = rawOfCurrent(store)
    expect((await host.run(store, five)).outcome).toBe('refused')
    expect(existsSync(raw)).toBe(true)
    expect(existsSync(rawOf(store, readState(store, 'places').refused?.validators['places.jsonl.gz']?.sha256))).toBe(
      true,
    )
    expect(entries(store)).toHaveLength(2)
  })

  it('of a delivery that failed are removed by the next run, and those of kept versions are not', async () => {
    const store = scratchStore()
    await using host = await publisher()
    await host.run(store, ten)
    const first = rawOfCurrent(store)
    expect((await host.run(store, '{"id":')).outcome).toBe('failed')
    expect(entries(store)).toHaveLength(2)
    await host.run(store, linesOf(manyPlaces(11)))
    expect(entries(store)).toHaveLength(2)
    expect([first, rawOfCurrent(store)].map((path) => existsSync(path))).toEqual([true, true])
  })

  it('that were never given their place are removed; what was broken off is kept, to go on from', async () => {
    const store = scratchStore()
    const folder = downloadsFolder(store, 'places')
    mkdirSync(folder, { recursive: true })
    for (const name of ['a.jsonl', 'b.jsonl.part']) writeFileSync(join(folder, name), 'x')
    writeFileSync(join(folder, 'b.jsonl.part.json'), JSON.stringify({ url: 'https://e.example/b', etag: '"1"' }))
    mkdirSync(join(folder, 'lookups'))
    expect(pruneRaw(store, 'places', readState(store, 'places'), new Date())).toEqual([join(folder, 'a.jsonl')])
    expect(entries(store).sort()).toEqual(['b.jsonl.part', 'b.jsonl.part.json', 'lookups'])
  })
})
