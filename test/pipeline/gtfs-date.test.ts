import { describe, expect, it } from 'vitest'
import { isDay } from '../../src/pipeline/gtfs-date.ts'

describe('a day of a timetable', () => {
  it.each(['20240229', '20000229', '20231231', '20230101', '00010101', '99991231'])('is %s', (text) => {
    expect(isDay(text)).toBe(true)
  })

  it.each([
    '20230229',
    '19000229',
    '20231301',
    '20230001',
    '20230100',
    '20230431',
    '00000000',
    '2023-1-1',
    '2023010',
    '202301011',
    'soon',
  ])('is not %s', (text) => {
    expect(isDay(text)).toBe(false)
  })
})
