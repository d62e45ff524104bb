/** What every answer says of data that a person gave, or that are only a part of the dataset. */
import { describe, expect, it } from 'vitest'
import type { PipelineDefinition } from '../../src/pipeline/types.ts'
import type { Store } from '../../src/store/layout.ts'
import { readState, writeState } from '../../src/store/snapshots.ts'
import { delivery, ingest, manyPlaces, place } from '../ingest/ingesting.ts'
import { places } from '../pipeline/places.ts'
import { scratchStore } from '../store/scratch-store.ts'
import { answerOf, bodyOf, openStore } from './opened.ts'

const storeWith = async (over: Partial<PipelineDefinition> = {}): Promise<Store> => {
  const store = scratchStore()
  await ingest(store, delivery([place('a', 'Aachen')]), { definition: { ...places, ...over } })
  return store
}

/** Answers of each kind about one store. */
const answers = async (store: Store): Promise<Readonly<Record<string, unknown>>> => {
  const source = await openStore(store)
  const { datasets } = await answerOf(source, 'list_datasets', { dataset: 'places' })
  const { datasets: searched } = await answerOf(source, 'search', { query: 'Aachen' })
  const { metadata } = await answerOf(source, 'fetch', { id: 'places://place/a' })
  return {
    dataset: await bodyOf(source, 'places://dataset'),
    record: await bodyOf(source, 'places://place/a'),
    list_datasets: [datasets].flat()[0],
    search: [searched].flat()[0],
    fetch: metadata,
    query: await answerOf(source, 'freeQuery_places', { sql: 'SELECT * FROM visit' }),
  }
}

const kinds = ['dataset', 'record', 'list_datasets', 'search', 'fetch', 'query'] as const

describe('data that a person gave', () => {
  it.each(kinds)('are not passed off as the publisher’s: %s', async (kind) => {
    const found = await answers(await storeWith())
    expect(found[kind]).toMatchObject({ byHand: expect.stringContaining('not fetched from the publisher') })
  })

  it.each(kinds)('have a date that is marked as a file’s time: %s', async (kind) => {
    const found = await answers(await storeWith())
    expect(found[kind]).toMatchObject({ asOfIs: 'file-time' })
  })

  it('are marked among the kept versions and in the history of a record', async () => {
    const source = await openStore(await storeWith())
    const marked = expect.objectContaining({ asOfIs: 'file-time', byHand: expect.any(String) })
    expect(await bodyOf(source, 'places://snapshots')).toMatchObject({ snapshots: [marked] })
    expect(await bodyOf(source, 'places://history/place/a')).toMatchObject({ history: [marked] })
  })

  it('are the publisher’s once a run has confirmed them; what is addressed by its version reads the same for ever', async () => {
    const store = await storeWith()
    const version = readState(store, 'places').history[0]?.version
    const uri = `places://snapshots/${version}/place/a`
    const before = await bodyOf(await openStore(store), uri)
    writeState(store, { ...readState(store, 'places'), confirmedAt: '2026-12-01T00:00:00.000Z' })
    const source = await openStore(store)
    expect(await bodyOf(source, 'places://place/a')).not.toHaveProperty('byHand')
    expect(await bodyOf(source, uri)).toEqual(before)
  })

  it('have a date without a mark where it is the publisher’s', async () => {
    const store = scratchStore()
    await ingest(store, delivery([place('a', 'Aachen', { as_of: '2026-11-01' })]))
    for (const answer of Object.values(await answers(store))) {
      expect(answer).toMatchObject({ asOf: '2026-11-01' })
      expect(answer).not.toHaveProperty('asOfIs')
    }
  })
})

describe('a part of a dataset', () => {
  it.each(kinds)('says so where tables have fewer rows than they should: %s', async (kind) => {
    const found = await answers(await storeWith({ guards: { minRows: { visit: 5 } } }))
    expect(found[kind]).toMatchObject({ partial: expect.stringContaining('visit has 0 rows, at least 5 are expected') })
  })

  it('says so where there are only deliveries of changes', async () => {
    const delta = { files: ['*update*'], records: { place: ['visit'] } }
    const store = scratchStore()
    const { surrogate: _, ...visit } = places.tables.visit ?? { description: '', columns: {}, key: [] }
    const definition = { ...places, delta, tables: { ...places.tables, visit } }
    await ingest(store, delivery([place('a')], 'places-update.jsonl'), { definition })
    expect(await bodyOf(await openStore(store), 'places://dataset')).toMatchObject({
      partial: expect.stringContaining('only deliveries of changes'),
    })
  })

  it('is not said of what is whole', async () => {
    for (const answer of Object.values(await answers(await storeWith({ guards: { minRows: { place: 1 } } }))))
      expect(answer).not.toHaveProperty('partial')
  })
})

describe('a file given by hand that has hardly a key in common with the current snapshot', () => {
  const others = (count: number) => manyPlaces(count).map(({ id }) => place(`x${id}`))

  it('is warned of, with the figures', async () => {
    const store = scratchStore()
    await ingest(store, delivery(manyPlaces(30)))
    await ingest(store, delivery(others(30)))
    expect(await bodyOf(await openStore(store), 'places://dataset')).toMatchObject({
      warnings: expect.arrayContaining([expect.stringMatching(/hardly a record .*place 0 of 30/)]),
    })
  })

  it.each([
    ['most of them stayed', [...manyPlaces(28), ...others(2)], 30],
    ['there were only a few', others(3), 3],
  ])('is not where %s', async (_, next, before) => {
    const store = scratchStore()
    await ingest(store, delivery(manyPlaces(before)))
    await ingest(store, delivery(next))
    expect(JSON.stringify(await bodyOf(await openStore(store), 'places://dataset'))).not.toContain('hardly a record')
  })
})
