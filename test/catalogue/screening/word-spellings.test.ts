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

  it('have errors in letters of their own script, which is that of most of their letters', () => {
    expect(mistyped('аbсd').join('')).not.toMatch(/\p{Script=Greek}|\p{Script=Arabic}/u)
    expect(mistyped('abcд').join('')).not.toMatch(/[абвг]/)
    expect(mistyped('abcд')).toContain('abce')
    expect(mistyped('习近平')).toEqual(['近平', '近习平', '习平', '习平近', '习近'])
  })

  it.each([
    ['mixed scripts', `${'аbсαβγاب'.repeat(3)} `.repeat(5)],
    ['Arabic', `${'ابتثجحخد'.repeat(3)} `.repeat(5)],
    ['long Latin words', `${'abcdefghijklmnopqrstuvwx '.repeat(5)}`],
    ['umlauts', `${'äöüßaeoeuess'.repeat(2)} `.repeat(5)],
  ])('are bounded for a name of %s', (_, name) => {
    expect(wordSpellings(name)).toHaveLength(5)
    expect(wordSpellings(name).flat().length).toBeLessThan(2600)
  })

  it('have errors in the longest words first, where there are too many', () => {
    const words = ['abcdefghijklmnopqrs', 'bcdefghijklmnopqrst', 'abcdefghi', 'ali']
    const [long = [], other = [], short = [], shortest = []] = wordSpellings(words.join(' '))
    expect([long.length, other.length].map((length) => length > 900)).toEqual([true, true])
    expect(short.length).toBeLessThan(20)
    expect(shortest).toContain('alj')
  })

  it('have errors in every word of a usual name', () => {
    for (const word of wordSpellings('Aleksandr Vladimirovich Rostovskiy Junior')) {
      expect(word.length).toBeGreaterThan(300)
    }
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
