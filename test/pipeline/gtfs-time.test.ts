import { describe, expect, it } from 'vitest'
import { secondsOf } from '../../src/pipeline/gtfs-time.ts'

describe('the seconds of a time', () => {
  it.each([
    ['00:00:00', 0],
    ['07:05:09', 25_509],
    ['7:05:09', 25_509],
    ['23:59:59', 86_399],
    ['24:00:00', 86_400],
    ['25:10:00', 90_600],
    ['86:52:00', 312_720],
    ['149:09:00', 536_940],
  ])('of %s are %i', (text, seconds) => {
    expect(secondsOf(text)).toBe(seconds)
  })

  it.each([
    '',
    '7:05',
    '07:05',
    ':05:09',
    '07:60:00',
    '07:00:60',
    '7:5:09',
    '1234:00:00',
    'aa:00:00',
    '07-05-09',
    '-1:00:00',
    '07:05:0x',
    '07:05:09 ',
    'noon',
  ])('of %j are none', (text) => {
    expect(secondsOf(text)).toBeUndefined()
  })
})
