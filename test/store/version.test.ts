import { describe, expect, it } from 'vitest'
import { instantOf, isVersion, nextVersion } from '../../src/store/version.ts'
import { versionOf } from './scratch-store.ts'

const digest = '3f9a1c2b'.padEnd(64, '0')
const next = (now: string, ...kept: string[]): string => nextVersion(new Date(now), digest, kept.map(versionOf))

describe('a version', () => {
  it('is the time of sealing in UTC and the beginning of the content digest', () => {
    expect(next('2026-12-01T03:05:12.999Z')).toBe('20261201T030512Z-3f9a1c2b')
  })

  it('is well-formed, and gives its instant back', () => {
    const version = next('2026-12-01T03:05:12Z')
    expect(isVersion(version)).toBe(true)
    expect(instantOf(versionOf(version))).toEqual(new Date('2026-12-01T03:05:12Z'))
  })

  it.each([
    '20261201T030512Z',
    '20261201T030512Z-3F9A1C2B',
    '20261201T030512Z-3f9a1c2',
    '20261201T030512Z-3f9a1c2b ',
    '.building-20261201T030512Z-3f9a1c2b',
    '20261301T030512Z-3f9a1c2b',
    '20261201T250512Z-3f9a1c2b',
    '../20261201T030512Z-3f9a1c2b',
  ])('is not %s', (text) => {
    expect(isVersion(text)).toBe(false)
  })

  it('sorts as text in the order of sealing', () => {
    const times = ['2026-09-30T23:59:59Z', '2026-10-01T00:00:00Z', '2026-12-01T03:05:12Z', '2027-01-01T00:00:00Z']
    const versions = times.map((time) => next(time))
    expect([...versions].reverse().sort()).toEqual(versions)
  })

  it('is later than every kept one when the clock is behind', () => {
    expect(next('2020-01-01T00:00:00Z', '20261201T030512Z-ffffffff', '20250101T000000Z-00000000')).toBe(
      '20261201T030513Z-3f9a1c2b',
    )
  })

  it('is later than one sealed within the same second', () => {
    expect(next('2026-12-01T03:05:12.900Z', '20261201T030512Z-ffffffff')).toBe('20261201T030513Z-3f9a1c2b')
  })

  it('is the time of the clock where that is later than every kept one', () => {
    expect(next('2026-12-01T03:05:12Z', '20261201T030511Z-ffffffff')).toBe('20261201T030512Z-3f9a1c2b')
  })

  it('crosses the end of a year when it has to be a second later', () => {
    expect(next('2020-01-01T00:00:00Z', '20261231T235959Z-00000000')).toBe('20270101T000000Z-3f9a1c2b')
  })
})
