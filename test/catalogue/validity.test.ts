import { describe, expect, it } from 'vitest'
import { delivery, ingest, place } from '../ingest/ingesting.ts'
import { places } from '../pipeline/places.ts'
import { scratchStore } from '../store/scratch-store.ts'
import { answerOf, bodyOf, openStore } from './opened.ts'

const validity = { validFrom: '2026-11-01', validUntil: '2026-11-30' }

/** A catalogue at an instant that can be moved, over data that hold for November 2026. */
const november = async (instant: string) => {
  const store = scratchStore()
  const definition = { ...places, validity: `SELECT '${validity.validFrom}', '${validity.validUntil}'` }
  const { version } = await ingest(store, delivery([place('a', 'Aachen')]), { definition })
  const clock = { instant }
  return { source: await openStore(store, { now: () => new Date(clock.instant) }), clock, version }
}

const inTime = '2026-11-15T12:00:00Z'
const lastMoment = '2026-11-30T23:59:59Z'
const over = '2026-12-01T00:00:00Z'

describe('answers from data that hold for a time', () => {
  const asking = [
    ['a free query', 'freeQuery_places', { sql: 'SELECT id FROM place' }],
    ['a query', 'getSchema_places', {}],
  ] as const

  it.each(asking)('carry the days for which they hold, and say when these are over: %s', async (_, tool, args) => {
    const { source, clock } = await november(inTime)
    expect(await answerOf(source, tool, args)).toEqual(expect.objectContaining(validity))
    for (const instant of [inTime, lastMoment]) {
      clock.instant = instant
      expect(await answerOf(source, tool, args)).not.toHaveProperty('validity')
    }
    clock.instant = over
    expect(await answerOf(source, tool, args)).toMatchObject({
      ...validity,
      validity: 'These data ended on 2026-11-30. Of the days since then, no rows does not mean no service.',
    })
  })

  it('say of nothing found for which days it may be said', async () => {
    const { source } = await november(inTime)
    expect(await answerOf(source, 'freeQuery_places', { sql: "SELECT id FROM place WHERE id = 'z'" })).toMatchObject({
      rows: [],
      validity: 'These data hold from 2026-11-01 until 2026-11-30. Of other days, no rows does not mean no service.',
    })
  })

  it('search says it of each dataset that was searched', async () => {
    const { source, clock } = await november(inTime)
    expect(await answerOf(source, 'search', { query: 'Aachen' })).toMatchObject({
      datasets: [expect.objectContaining(validity)],
    })
    clock.instant = over
    expect(await answerOf(source, 'search', { query: 'Aachen' })).toMatchObject({
      datasets: [expect.objectContaining({ validity: expect.stringContaining('ended on 2026-11-30') })],
    })
  })

  it('a record says it, also one that was read before; as of a version it reads the same for ever', async () => {
    const { source, clock, version } = await november(inTime)
    const current = 'places://place/a'
    const versioned = `places://snapshots/${version}/place/a`
    const before = await bodyOf(source, versioned)
    expect(await bodyOf(source, current)).toEqual(expect.objectContaining(validity))
    expect(await bodyOf(source, current)).not.toHaveProperty('validity')
    const { digest } = await source.current.read(current)
    clock.instant = over
    expect(await bodyOf(source, current)).toMatchObject({ validity: expect.stringContaining('ended on 2026-11-30') })
    expect(await bodyOf(source, versioned)).toEqual(before)
    // That time passes is no change of the record.
    expect((await source.current.read(current)).digest).toBe(digest)
    expect(await answerOf(source, 'fetch', { id: current })).toMatchObject({
      metadata: { ...validity, validity: expect.any(String) },
    })
  })
})

it('data that hold until they are replaced say nothing of days', async () => {
  const store = scratchStore()
  await ingest(store, delivery([place('a', 'Aachen')]))
  const answer = await answerOf(await openStore(store), 'freeQuery_places', { sql: 'SELECT id FROM place WHERE 0' })
  for (const field of ['validFrom', 'validUntil', 'validity']) expect(answer).not.toHaveProperty(field)
})
