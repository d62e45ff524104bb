import { describe, expect, it } from 'vitest'
import { beginningShown, isPartlyCompared, nameWords } from '../../../src/catalogue/screening/name-words.ts'

describe('the words of a name', () => {
  it('are folded, in all spellings that count as the same', () => {
    expect(nameWords('Müller, Wałęsa')).toEqual([['muller', 'mueller'], ['walesa']])
  })

  it.each([
    ['words', 'a '.repeat(100_000), 40],
    ['characters', 'alibaba '.repeat(100_000), 40],
    ['letters in one word', 'x'.repeat(900_000), 1],
    ['letters that are many when folded', '\ufdfa'.repeat(900_000), 1],
    ['diacritics', `a${'\u0301'.repeat(900_000)}`, 1],
  ])('are bounded for a name of very many %s', (_, name, most) => {
    const words = nameWords(name)
    expect(words.length).toBeGreaterThan(0)
    expect(words.length).toBeLessThanOrEqual(most)
    for (const word of words.flat()) expect(word.length).toBeLessThanOrEqual(40)
    expect(isPartlyCompared(name)).toBe(true)
    expect(beginningShown(name)).toHaveLength(401)
  })

  it.each([
    ['words', 'a '.repeat(40).trim(), ' a'],
    ['letters in a word', 'x'.repeat(40), 'x'],
    ['characters', `${'x'.repeat(39)} `.repeat(10), 'x'],
  ])('are all there up to the most %s, and one more is said not to be', (_, name, more) => {
    expect(isPartlyCompared(name)).toBe(false)
    expect(beginningShown(name)).toBe(name)
    expect(isPartlyCompared(name + more)).toBe(true)
  })
})
