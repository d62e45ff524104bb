import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readState } from '../../src/store/snapshots.ts'
import { places } from '../pipeline/places.ts'
import { scratchStore } from '../store/scratch-store.ts'
import { current, delivery, ingest, place } from './ingesting.ts'

const [source] = places.sources
const definition = {
  ...places,
  sources:
    source === undefined
      ? []
      : [{ ...source, mistakenFor: [{ has: '"township"', is: 'the list of towns; take the one of places' }] }],
}

describe('a file that people take for the source’s own', () => {
  it.each([
    ['plain', (text: string) => text],
    ['packed', (text: string) => gzipSync(text)],
  ])('is named, with what to take instead, and leaves nothing behind: %s', async (_, packed) => {
    const store = scratchStore()
    await ingest(store, delivery([place('a')]), { definition })
    const before = [current(store), readState(store, 'places')]
    expect(await ingest(store, delivery(packed('{"township": "b"}\n')), { definition })).toMatchObject({
      outcome: 'failed',
      reason: { code: 'NOT_WHAT_IT_SAYS', message: expect.stringContaining('take the one of places') },
    })
    expect([current(store), readState(store, 'places')]).toEqual(before)
  })

  it('is told by its beginning alone', async () => {
    const far = `${JSON.stringify(place('a', 'x'.repeat(5000)))}\n${JSON.stringify(place('b', 'b'))}\n{"id":"c","name":"township"}\n`
    expect(await ingest(scratchStore(), delivery(far), { definition })).toMatchObject({ outcome: 'published' })
  })
})
