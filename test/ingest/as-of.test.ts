import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratchFolder, scratchStore } from '../store/scratch-store.ts'
import { current, delivery, ingest, linesOf, place } from './ingesting.ts'

/** A delivery that was written at this instant. */
const writtenAt = (instant: string, further = {}): string => {
  const path = delivery([place('a', 'One', further)])
  utimesSync(path, new Date(instant), new Date(instant))
  return path
}

describe('as of when data hold', () => {
  it('is the publisher’s date, where there is one', async () => {
    const store = scratchStore()
    await ingest(store, writtenAt('2024-05-06T07:08:09Z', { as_of: '2023-01-02' }))
    expect(current(store).asOf).toBe('2023-01-02')
  })

  it('is when a file given by hand was written, where nothing in it says it; retrieval stays the moment', async () => {
    const store = scratchStore()
    const before = new Date().toISOString()
    await ingest(store, writtenAt('2024-05-06T07:08:09Z'))
    expect(current(store).asOf).toBe('2024-05-06T07:08:09.000Z')
    expect(current(store).retrievedAt >= before).toBe(true)
  })

  it.each(['1970-01-01T00:00:00Z', '1980-01-01T00:00:00Z', '2999-01-01T00:00:00Z'])(
    'is not when a file says that it was written, where that cannot be: %s',
    async (instant) => {
      const store = scratchStore()
      await ingest(store, writtenAt(instant))
      const { asOf, retrievedAt } = current(store)
      expect(asOf).toBe(retrievedAt)
    },
  )

  it('is not when a sample was checked out', async () => {
    const store = scratchStore()
    const folder = scratchFolder()
    mkdirSync(join(folder, 'data', '2026-11-01'), { recursive: true })
    const path = join(folder, 'data', '2026-11-01', 'places.jsonl')
    writeFileSync(path, linesOf([place('s', 'Invented')]))
    utimesSync(path, new Date('2024-05-06'), new Date('2024-05-06'))
    await ingest(store, undefined, { folder, options: { sample: true } })
    const { asOf, retrievedAt } = current(store)
    expect(asOf).toBe(retrievedAt)
  })
})
