import { describe, expect, it } from 'vitest'
import { dateWarning, instantOf, PublisherDate } from '../../src/ingest/publisher-date.ts'

describe('a publisher’s date', () => {
  it.each([
    ['2026-12-01', '2026-12-01T00:00:00Z'],
    ['2026-12-01T03:05Z', '2026-12-01T03:05:00Z'],
    ['2026-12-01T03:05:12.345+01:00', '2026-12-01T02:05:12.345Z'],
    ['2026-12-01T03:05:12', '2026-12-01T03:05:12Z'],
    ['2024-02-29', '2024-02-29T00:00:00Z'],
  ])('is a day or an instant: %s', (date, instant) => {
    expect(instantOf(date)).toBe(Date.parse(instant))
  })

  it.each([
    'zzzz',
    '',
    '01.12.2026',
    '2026-12',
    '2026-02-30',
    '2026-13-01',
    '2026-12-01T25:00Z',
    '20261201',
    '2026-12-01 x',
  ])('is nothing else: %j', (date) => {
    expect(instantOf(date)).toBeUndefined()
  })

  it('is the latest of those that were said, whatever their zones', () => {
    const date = new PublisherDate()
    for (const said of ['2026-11-30', '2026-12-01T01:00:00+02:00', '2026-11-30T22:59:00Z']) date.say(said)
    expect(date.latest).toBe('2026-12-01T01:00:00+02:00')
    expect(dateWarning(date)).toBeUndefined()
  })

  it('is on a day of the calendar, however often another one is said', () => {
    const date = new PublisherDate()
    for (const said of ['2026-02-28', '2026-02-30', '2026-02-28T12:00:00Z', '2026-02-30', '2026-02-30T12:00:00Z']) {
      date.say(said)
    }
    expect([date.latest, date.faults]).toEqual(['2026-02-28T12:00:00Z', 3])
  })

  it('leaves out what is none, and warns of it once', () => {
    const date = new PublisherDate()
    for (const said of ['2026-11-30', 'zzzz', 'yyyy']) date.say(said)
    expect(date.latest).toBe('2026-11-30')
    expect(dateWarning(date)).toBe('publisher\'s date "zzzz" (and 1 more) is no ISO 8601 date, and was ignored')
  })
})
