import { describe, expect, it } from 'vitest'
import { candidateExpressions } from '../../../src/catalogue/screening/candidate-expressions.ts'
import { mistyped, wordSpellings } from '../../../src/catalogue/screening/word-spellings.ts'

describe('the spellings of a word', () => {
  it('are all that one typing error makes of it', () => {
    expect(mistyped('ali')).toEqual(expect.arrayContaining(['li', 'lai', 'alix', 'abi', 'xali']))
    expect(mistyped('ali')).not.toContain('ali')
    expect(mistyped('али')).toEqual(expect.arrayContaining(['али'.replace('л', 'в'), 'али'.slice(1)]))
  })

  it('are itself, folded, in German letters, beside its neighbour, and broken in two', () => {
    const [first = [], second = []] = wordSpellings('Müller alzawahiri')
    expect(first).toEqual(expect.arrayContaining(['müller', 'muller', 'mueller', 'mulleralzawahiri']))
    expect(second).toEqual(expect.arrayContaining(['alzawahiri', 'al zawahiri']))
  })

  it('have no typing errors in a name of many words, and are bounded for any name', () => {
    const long = Array.from({ length: 40 }, (_, place) => `word${'abcdefgh'[place % 8]}`).join(' ')
    expect(wordSpellings(long)).toHaveLength(12)
    expect(wordSpellings(long).flat().length).toBeLessThan(60)
    expect(wordSpellings('x'.repeat(300)).flat()).toHaveLength(1)
  })
})

describe('the expressions for candidates', () => {
  const found = (...words: readonly (readonly [string, number])[]) =>
    candidateExpressions(words.map(([phrase, names]) => [{ phrase, names }]))

  it('ask for all words, for all but one, and for rare ones alone', () => {
    expect(found(['ali', 1000], ['osama', 3], ['awad', 9])).toEqual([
      '(("osama") AND ("awad") AND ("ali"))',
      '(("awad") AND ("ali")) OR (("osama") AND ("ali")) OR (("osama") AND ("awad"))',
      '(("osama")) OR (("awad"))',
    ])
  })

  it('ask for a common word where it is the only one, and for nothing where there is none', () => {
    expect(found(['ali', 1000])).toEqual(['(("ali"))'])
    expect(candidateExpressions([[], []])).toEqual([])
  })
})
