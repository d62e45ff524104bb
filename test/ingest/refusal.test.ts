import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { PipelineDefinition } from '../../src/pipeline/types.ts'
import { dataFile, quarantineFolder, type Store } from '../../src/store/layout.ts'
import { manifestSchema } from '../../src/store/manifest.ts'
import { readState } from '../../src/store/snapshots.ts'
import { places } from '../pipeline/places.ts'
import { scratchStore, treeOf } from '../store/scratch-store.ts'
import { fileServer, serve } from './download-server.ts'
import { current, delivery, ingest, keptIn, linesOf, manyPlaces, place, quarantined, query } from './ingesting.ts'

const ten = manyPlaces(10)
const five = manyPlaces(5)

/** A store whose current snapshot has ten places. */
const storeOfTen = async (): Promise<Store> => {
  const store = scratchStore()
  expect((await ingest(store, delivery(ten))).outcome).toBe('published')
  return store
}

const stepsOf = () => {
  const steps: string[] = []
  return { steps, onProgress: ({ step }: { step: string }) => void steps.push(step) }
}

/** All of a store but what every run writes. */
const dataOf = (store: Store): Record<string, string> => {
  const { 'data/runs.db': _runs, 'data/snapshots/places/state.json': _state, ...rest } = treeOf(store.root)
  return rest
}

describe('a delivery that a guard refuses', () => {
  it('leaves current as it was, and says what is wrong with it', async () => {
    const store = await storeOfTen()
    const before = current(store)
    const tree = dataOf(store)
    const result = await ingest(store, delivery(five))
    expect(result).toMatchObject({
      outcome: 'refused',
      version: before.version,
      previous: before.version,
      rows: { place: 10 },
      changes: {},
      reason: { code: 'GUARD', message: expect.stringContaining('place shrank from 10 to 5 rows') },
    })
    expect(current(store)).toEqual(before)
    expect(query(store, 'SELECT count(*) FROM place')).toEqual([[10]])
    expect(dataOf(store)).toMatchObject(tree)
    expect(keptIn(store)).toEqual([before.version])
  })

  it('names the ways out, of what was given by hand also how to clear the state', async () => {
    const store = await storeOfTen()
    const { reason } = await ingest(store, delivery(five))
    const [version = ''] = quarantined(store)
    expect(reason?.message).toContain('--accept-shrink')
    expect(reason?.message).toContain(`stichtag release places ${version}`)
    expect(reason?.message).toContain("stichtag ingest places asks the publisher's own source")
  })

  it('lies in quarantine as a whole snapshot, with the reason and its figures', async () => {
    const store = await storeOfTen()
    await ingest(store, delivery(five))
    const [version = ''] = quarantined(store)
    const folder = join(quarantineFolder(store, 'places'), version)
    expect(JSON.parse(readFileSync(join(folder, 'reason.json'), 'utf8'))).toEqual({
      code: 'GUARD',
      message: expect.stringContaining('The current snapshot stays.'),
      findings: [{ guard: 'max-shrink', message: expect.any(String), figures: { before: 10, found: 5 } }],
      at: expect.any(String),
    })
    const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')))
    expect(manifest).toMatchObject({ version, base: current(store).version, changes: { place: { removed: 5 } } })
    expect([folder, dataFile(folder), join(folder, 'reason.json')].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o555, 0o444, 0o444,
    ])
  })

  it('is refused again without being built, and lies in quarantine once', async () => {
    const store = await storeOfTen()
    const first = await ingest(store, delivery(five))
    const { steps, onProgress } = stepsOf()
    for (let turn = 0; turn < 3; turn += 1) {
      const again = await ingest(store, delivery(five), { onProgress })
      expect(again).toMatchObject({ outcome: 'refused', reason: first.reason })
    }
    expect(steps.filter((step) => step !== 'download')).toEqual([])
    expect(quarantined(store)).toHaveLength(1)
  })

  it('lies in quarantine once also where it comes packed otherwise', async () => {
    const store = await storeOfTen()
    await ingest(store, delivery(five))
    const packed = delivery(gzipSync(linesOf([...five].reverse())), 'places.jsonl.gz')
    expect((await ingest(store, packed)).outcome).toBe('refused')
    expect(quarantined(store)).toHaveLength(1)
    expect(keptIn(store)).toHaveLength(1)
  })

  it('is published where shrinking is accepted by name', async () => {
    const store = await storeOfTen()
    const from = delivery(five)
    await ingest(store, from)
    const result = await ingest(store, from, { options: { acceptShrink: true } })
    expect(result).toMatchObject({ outcome: 'published', changes: { place: { added: 0, removed: 5, changed: 0 } } })
    expect(current(store).warnings).toEqual([expect.stringContaining('place shrank from 10 to 5 rows')])
    expect(readState(store, 'places').refused).toBeNull()
    expect((await ingest(store, from)).outcome).toBe('unchanged')
  })

  it('is forgotten when current’s own delivery comes again', async () => {
    const store = await storeOfTen()
    await ingest(store, delivery(five))
    expect((await ingest(store, delivery(ten))).outcome).toBe('unchanged')
    expect(readState(store, 'places').refused).toBeNull()
  })

  it('does not stand in the way of the next one', async () => {
    const store = await storeOfTen()
    await ingest(store, delivery(five))
    const result = await ingest(store, delivery([...ten, place('new')]))
    expect(result).toMatchObject({ outcome: 'published', changes: { place: { added: 1, removed: 0, changed: 0 } } })
    expect(readState(store, 'places').refused).toBeNull()
    expect(quarantined(store)).toHaveLength(1)
  })

  it('is judged anew by a pipeline that was changed, and then refused as cheaply again', async () => {
    const store = await storeOfTen()
    const from = delivery(five)
    await ingest(store, from)
    const { steps, onProgress } = stepsOf()
    expect((await ingest(store, from, { fingerprint: 'f2', onProgress })).outcome).toBe('refused')
    expect(steps).toContain('load')
    steps.length = 0
    expect((await ingest(store, from, { fingerprint: 'f2', onProgress })).outcome).toBe('refused')
    expect(steps).not.toContain('load')
    const lenient: PipelineDefinition = { ...places, guards: { maxShrink: 0.5 } }
    expect((await ingest(store, from, { fingerprint: 'f3', definition: lenient })).outcome).toBe('published')
  })
})

describe('guards of a run', () => {
  const strict: PipelineDefinition = { ...places, guards: { minRows: { place: 1000 } } }

  it('that are absolute only warn of a delivery that is not the publisher’s own', async () => {
    const store = scratchStore()
    expect((await ingest(store, delivery(ten), { definition: strict })).outcome).toBe('published')
    expect(current(store).warnings).toEqual(['place has 10 rows, at least 1000 are expected'])
  })

  it('that are absolute refuse the publisher’s own, the first one too', async () => {
    const store = scratchStore()
    await using server = await serve(fileServer(linesOf(ten), {}))
    const [source] = strict.sources
    if (source === undefined) throw new Error('no source')
    const definition = { ...strict, sources: [{ ...source, url: server.url }] }
    expect(await ingest(store, undefined, { definition })).toMatchObject({
      outcome: 'refused',
      version: null,
      previous: null,
      reason: { code: 'GUARD', message: expect.stringContaining('place has 10 rows, at least 1000 are expected') },
    })
    expect(keptIn(store)).toEqual([])
    expect(quarantined(store)).toHaveLength(1)
  })

  it('refuse a delivery that holds records but becomes no row', async () => {
    const store = scratchStore()
    const definition: PipelineDefinition = { ...places, map: () => undefined }
    expect(await ingest(store, delivery(ten), { definition })).toMatchObject({
      outcome: 'refused',
      reason: { message: expect.stringContaining('no record at all') },
    })
  })
})
