import { describe, expect, it } from 'vitest'
import { readState } from '../../src/store/snapshots.ts'
import { scratchFolder, scratchStore } from '../store/scratch-store.ts'
import { delivery, ingest, manyPlaces, nextRun, place } from './ingesting.ts'

/** A folder that does not hold the file. */
const missing = (): string => scratchFolder()
const one = () => delivery([place('a', 'One')])

describe('what a run notes of the next one', () => {
  it('is when it is due, by which schedule, and after how many failures in a row', async () => {
    const store = scratchStore()
    const asked: number[] = []
    const given = {
      nextRun: (_after: Date, failures: number) => {
        asked.push(failures)
        return new Date(Date.UTC(2030, 0, 1 + failures))
      },
    }
    for (const from of [one(), missing(), missing()]) await ingest(store, from, given)
    expect(readState(store, 'places')).toMatchObject({
      failures: 2,
      nextRun: '2030-01-03T00:00:00.000Z',
      schedule: { cron: '0 4 * * *', timeZone: 'UTC' },
    })
    await ingest(store, one(), given)
    expect(readState(store, 'places').failures).toBeUndefined()
    expect(asked).toEqual([0, 1, 2, 0])
  })

  it('counts no refusal as a failure: the source is as it is, and asking sooner does not change it', async () => {
    const store = scratchStore()
    await ingest(store, delivery(manyPlaces(10)))
    await ingest(store, missing())
    expect((await ingest(store, delivery(manyPlaces(5)))).outcome).toBe('refused')
    expect(readState(store, 'places').failures).toBeUndefined()
  })

  it('stays as it was where the run was cancelled: its turn is still owed, and nothing failed', async () => {
    const store = scratchStore()
    await ingest(store, missing(), { nextRun: () => new Date('2026-12-01T04:01:00Z') })
    const cancelled = await ingest(store, one(), { signal: AbortSignal.abort(), nextRun: () => nextRun })
    expect(cancelled.reason?.code).toBe('CANCELLED')
    expect(readState(store, 'places')).toMatchObject({
      lastRun: { outcome: 'failed', reason: { code: 'CANCELLED' } },
      nextRun: '2026-12-01T04:01:00.000Z',
      failures: 1,
    })
  })
})
