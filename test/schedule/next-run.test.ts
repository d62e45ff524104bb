import { afterEach, describe, expect, it, vi } from 'vitest'
import { nextRuns, scheduleOf } from '../../src/schedule/next-run.ts'

const daily = { id: 'my-places', schedule: { cron: '17 4 * * 1', timeZone: 'Europe/Berlin' } }

afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

describe('the schedule of a dataset', () => {
  it('is the pipeline’s own', () => {
    expect(scheduleOf(daily)).toEqual({ cron: '17 4 * * 1', timeZone: 'Europe/Berlin' })
  })

  it('is a setting’s where there is one, in the pipeline’s time zone', () => {
    vi.stubEnv('STICHTAG_CRON_MY_PLACES', '*/5 * * * * *')
    expect(scheduleOf(daily)).toEqual({ cron: '*/5 * * * * *', timeZone: 'Europe/Berlin' })
    expect(scheduleOf({ ...daily, id: 'others' }).cron).toBe('17 4 * * 1')
  })

  it.each(['61 * * * *', 'every day', '* * * *', '* * * * * * *', '0 0 30 2 *'])(
    'that is no cron expression (%s) is a usage error that names dataset and expression',
    (cron) => {
      vi.stubEnv('STICHTAG_CRON_MY_PLACES', cron)
      expect(() => scheduleOf(daily)).toThrow(
        expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(`my-places: "${cron}"`) }),
      )
    },
  )
})

describe('the next runs', () => {
  it('are those of the cron expression in its time zone, soonest first, over a change of the clocks', () => {
    vi.useFakeTimers({ now: new Date('2026-10-20T12:00:00Z'), toFake: ['Date'] })
    expect(nextRuns(scheduleOf(daily), 2).map((date) => date.toISOString())).toEqual([
      '2026-10-26T03:17:00.000Z',
      '2026-11-02T03:17:00.000Z',
    ])
    vi.setSystemTime(new Date('2026-10-12T12:00:00Z'))
    expect(nextRuns(scheduleOf(daily), 1)).toEqual([new Date('2026-10-19T02:17:00.000Z')])
  })

  it('of six fields count seconds', () => {
    vi.useFakeTimers({ now: new Date('2026-10-20T12:00:01Z'), toFake: ['Date'] })
    expect(nextRuns({ cron: '*/10 * * * * *', timeZone: 'UTC' }, 2)).toEqual([
      new Date('2026-10-20T12:00:10Z'),
      new Date('2026-10-20T12:00:20Z'),
    ])
  })
})
