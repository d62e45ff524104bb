import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RunResult } from '../../src/ingest/run.ts'
import type { Store } from '../../src/store/layout.ts'
import { readState } from '../../src/store/snapshots.ts'
import { scratchFolder, scratchStore } from '../store/scratch-store.ts'
import { delivery, type Given, ingest, manyPlaces, nextRun, place } from './ingesting.ts'

afterEach(() => vi.unstubAllEnvs())

/** A run of the schedule's own, on this file in the place of the publisher's. */
const scheduled = (store: Store, file: string, given?: Given): Promise<RunResult> => {
  vi.stubEnv('STICHTAG_SOURCE_PLACES', file)
  return ingest(store, undefined, given)
}

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
    for (const file of [one(), missing(), missing()]) await scheduled(store, file, given)
    expect(readState(store, 'places')).toMatchObject({
      failures: 2,
      nextRun: '2030-01-03T00:00:00.000Z',
      schedule: { cron: '0 4 * * *', timeZone: 'UTC' },
    })
    await scheduled(store, one(), given)
    expect(readState(store, 'places').failures).toBeUndefined()
    expect(asked).toEqual([0, 1, 2, 0])
  })

  it('counts no refusal as a failure: the source is as it is, and asking sooner does not change it', async () => {
    const store = scratchStore()
    await scheduled(store, delivery(manyPlaces(10)))
    await scheduled(store, missing())
    expect((await scheduled(store, delivery(manyPlaces(5)))).outcome).toBe('refused')
    expect(readState(store, 'places').failures).toBeUndefined()
  })

  it('stays as it was where the run was cancelled: its turn is still owed, and nothing failed', async () => {
    const store = scratchStore()
    await scheduled(store, missing(), { nextRun: () => new Date('2026-12-01T04:01:00Z') })
    const cancelled = await scheduled(store, one(), { signal: AbortSignal.abort(), nextRun: () => nextRun })
    expect(cancelled.reason?.code).toBe('CANCELLED')
    expect(readState(store, 'places')).toMatchObject({
      lastRun: { outcome: 'failed', reason: { code: 'CANCELLED' } },
      nextRun: '2026-12-01T04:01:00.000Z',
      failures: 1,
    })
  })
})
