import { utimesSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadPipeline } from '../../src/pipeline/discover.ts'
import { places } from '../pipeline/places.ts'
import { scratchStore } from '../store/scratch-store.ts'
import { current, delivery, ingest, place } from './ingesting.ts'

const definition = {
  ...places,
  sources: places.sources.map((source) => ({
    ...source,
    dateInName: (name: string) => /^\d{4}-\d\d-\d\d/.exec(name)?.[0],
  })),
}

describe('the date in the name of a file', () => {
  it('is the publisher’s, whenever the file was copied', async () => {
    const store = scratchStore()
    const path = delivery([place('a')], '2024-05-05-places.jsonl')
    utimesSync(path, new Date('2026-11-01'), new Date('2026-11-01'))
    await ingest(store, path, { definition })
    expect(current(store)).toMatchObject({ asOf: '2024-05-05', publisherDate: '2024-05-05' })
  })

  it('is none where the name says none', async () => {
    const store = scratchStore()
    await ingest(store, delivery([place('a')], 'places.jsonl'), { definition })
    expect(current(store)).not.toHaveProperty('publisherDate')
  })

  it('is read from GLEIF’s names', async () => {
    const { definition: gleif } = await loadPipeline('gleif')
    const [source] = gleif.sources
    expect(source?.dateInName?.('20240505-0800-gleif-goldencopy-lei2-golden-copy.csv.zip')).toBe('2024-05-05T08:00:00Z')
    expect(source?.dateInName?.('lei-data.xml')).toBeUndefined()
  })
})
