import { describe, expect, it } from 'vitest'
import { nextTry, retryDelayMs } from '../../src/schedule/backoff.ts'

const minutes = (ms: number): number => ms / 60_000
const after = new Date('2026-12-01T04:00:00Z')
const inMinutes = (count: number): Date => new Date(after.getTime() + count * 60_000)

describe('the next try after runs that failed', () => {
  it('comes soon at first, then ever later, and at last once a day, however many there were', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((failures) => minutes(retryDelayMs(failures)))
    expect(waits).toEqual([1, 5, 25, 60, 120, 240, 480, 960, 1440, 1440])
    expect(minutes(retryDelayMs(100_000))).toBe(1440)
  })

  it('comes before the cron’s next turn, and never after it', () => {
    expect(nextTry(inMinutes(30), after, 1)).toEqual(inMinutes(1))
    expect(nextTry(inMinutes(30), after, 4)).toEqual(inMinutes(30))
    expect(nextTry(null, after, 2)).toEqual(inMinutes(5))
  })

  it('is the cron’s turn where none failed', () => {
    expect(nextTry(inMinutes(30), after, 0)).toEqual(inMinutes(30))
    expect(nextTry(null, after, 0)).toBeNull()
  })
})
