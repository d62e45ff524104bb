import { afterEach, describe, expect, it, vi } from 'vitest'
import { jitterMs, longestJitterMs } from '../../src/schedule/jitter.ts'

const daily = { cron: '0 4 * * *', timeZone: 'UTC' }
const hourMs = 3_600_000

afterEach(() => void vi.unstubAllEnvs())

describe('the longest delay of a scheduled run', () => {
  it('is a tenth of the time between two turns, at most five minutes, and none where a cron counts seconds', () => {
    expect(longestJitterMs(daily, undefined, 24 * hourMs)).toBe(300_000)
    expect(longestJitterMs({ ...daily, cron: '* * * * *' }, undefined, 60_000)).toBe(6000)
    expect(longestJitterMs({ ...daily, cron: '*/30 * * * * *' }, undefined, 30_000)).toBe(0)
  })

  it('is what the pipeline says, and before that what the setting says', () => {
    expect(longestJitterMs(daily, 7, hourMs)).toBe(7000)
    vi.stubEnv('STICHTAG_JITTER', '0')
    expect(longestJitterMs(daily, 7, hourMs)).toBe(0)
    vi.stubEnv('STICHTAG_JITTER', 'much')
    expect(longestJitterMs(daily, 7, hourMs)).toBe(7000)
  })
})

describe('the delay of a turn', () => {
  const turns = Array.from({ length: 200 }, (_, index) => new Date(index * hourMs))
  const delays = turns.map((turn) => jitterMs('seed', 'places', turn, 1000))

  it('is the same whenever it is asked for, and another for each turn, dataset and scheduler', () => {
    expect(turns.map((turn) => jitterMs('seed', 'places', turn, 1000))).toEqual(delays)
    for (const other of [
      turns.map((turn) => jitterMs('seed', 'others', turn, 1000)),
      turns.map((turn) => jitterMs('other', 'places', turn, 1000)),
    ]) {
      expect(other).not.toEqual(delays)
    }
  })

  it('lies between none and the longest, all over', () => {
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...delays)).toBeLessThan(1000)
    expect(Math.min(...delays)).toBeLessThan(100)
    expect(Math.max(...delays)).toBeGreaterThan(900)
    expect(jitterMs('seed', 'places', new Date(), 0)).toBe(0)
  })
})
