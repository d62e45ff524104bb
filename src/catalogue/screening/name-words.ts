/** A name as it is compared: its words, each in lower case and without diacritics. Pure. */
import { wordsOf } from '../full-text-query.ts'

/** A word of a name in every spelling that counts as the same: Müller is muller and mueller. */
export type NameWord = readonly string[]

const digraphs: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }

/** Letters that Unicode does not decompose. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ə: 'a',
}

const replaced = (text: string, letters: Readonly<Record<string, string>>): string =>
  text.replace(/\P{ASCII}/gu, (letter) => letters[letter] ?? letter)

/** A word without diacritics, in lower case: `Wałęsa` is `walesa`. */
export const foldedWord = (word: string): string =>
  replaced(word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(), plainLetters).normalize('NFC')

/** The words of a name, cut where the full-text index cuts them. */
export const nameWords = (name: string): readonly NameWord[] =>
  wordsOf(name)
    .map((word) => [...new Set([foldedWord(word), foldedWord(replaced(word, digraphs))])])
    .filter(([plain]) => plain !== undefined && plain !== '')
