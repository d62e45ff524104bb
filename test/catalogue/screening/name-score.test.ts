import { describe, expect, it } from 'vitest'
import { nameScore } from '../../../src/catalogue/screening/name-score.ts'
import { nameWords } from '../../../src/catalogue/screening/name-words.ts'
import { typingErrors } from '../../../src/catalogue/screening/word-similarity.ts'

const score = (wanted: string, listed: string): number => nameScore(nameWords(wanted), nameWords(listed))

describe('the score of two names', () => {
  it.each([
    ['Ayman al-Zawahiri', 'AL-ZAWAHIRI, Ayman'],
    ['Lech Walesa', 'Wałęsa, Lech'],
    ['Jürgen Groß', 'GROSS Juergen'],
    ['Jürgen Groß', 'GROSS Jurgen'],
    ['Al Qaida', 'Alqaida'],
    ['alqaida', 'AL QAIDA'],
    ['Владимир Путин', 'ПУТИН Владимир'],
    ['习近平', '习近平'],
  ])('is 1 for the same words, whatever order, diacritics and spaces: %s, %s', (wanted, listed) => {
    expect(score(wanted, listed)).toBe(1)
    expect(score(listed, wanted)).toBe(1)
  })

  it('is the share of letters that agree where there is a typing error', () => {
    expect(score('Viktor Bout', 'Vikttor Bout')).toBeCloseTo(1 - 1 / 11, 1)
  })

  it('is above the threshold for one typing error and nothing else, but not where it makes another short name', () => {
    expect(score('Li Wei', 'Lu Wei')).toBe(0.86)
    expect(score('Hassan', 'Hasan')).toBe(0.86)
    expect(score('Zemc', 'Zemic')).toBe(0.86)
    expect(score('Zemic', 'Zemc')).toBe(0.86)
    expect(score('Ali', 'Adi')).toBeLessThan(0.85)
    expect(score('Li Wei', 'Lu Wai')).toBeLessThan(0.85)
  })

  it('is above the threshold for a middle name that only one of them has', () => {
    expect(score('Vladimir Putin', 'Vladimir Vladimirovich Putin')).toBeGreaterThanOrEqual(0.85)
    expect(score('Vladimir Vladimirovich Putin', 'Vladimir Putin')).toBeGreaterThanOrEqual(0.85)
  })

  it.each([
    ['Muhammad Ali', 'Muhammad'],
    ['Muhammad', 'Muhammad Hassan'],
    ['Mohammed Ali Hassan', 'Mohammed Ali Hussein'],
    ['John Smith', 'Jane Smythe'],
    ['John Smith', 'Bank of Nowhere'],
  ])('is below the threshold where too little agrees: %s, %s', (wanted, listed) => {
    expect(score(wanted, listed)).toBeLessThan(0.85)
  })

  it('is the same from both sides, and never more than 1', () => {
    const names = ['Ali Hassan', 'Hassan Ali Omar', 'Hasan', 'al Hassan', 'Ali Ali', 'Omar Bank Ltd']
    for (const one of names) {
      for (const other of names) {
        expect(score(one, other), `${one}, ${other}`).toBe(score(other, one))
        expect(score(one, other)).toBeLessThanOrEqual(1)
      }
    }
  })

  it('minds little where the spaces are', () => {
    expect(score('Al iHassan', 'Ali Hassan')).toBe(0.95)
  })

  it('is 0 where a name has no words', () => {
    expect([score('', 'Ali'), score('Ali', '***')]).toEqual([0, 0])
  })
})

describe('typing errors', () => {
  it.each([
    ['hussein', 'hussein', 0],
    ['hussein', 'husein', 1],
    ['hussein', 'hussien', 1],
    ['hussein', 'hussain', 1],
    ['mohammed', 'muhammad', 2],
    ['hussein', 'hassan', undefined],
    ['a', 'abcd', undefined],
  ])('between %s and %s are %s', (left, right, errors) => {
    expect(typingErrors(left, right, 2)).toBe(errors)
    expect(typingErrors(right, left, 2)).toBe(errors)
  })
})
