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

/**
 * What is compared of a name: whoever writes a list decides how long its names are, and comparing takes time by the words
 * of one name times those of the other. No real name is longer; of one that is, its beginning is compared.
 */
export const mostCompared = { characters: 400, words: 40, lettersOfWord: 40 } as const

const beginningOf = (word: string): string => foldedWord(word).slice(0, mostCompared.lettersOfWord)

/** The words of a name, cut where the full-text index cuts them; of a very long name those at its beginning. */
export const nameWords = (name: string): readonly NameWord[] =>
  wordsOf(name.slice(0, mostCompared.characters))
    .slice(0, mostCompared.words)
    .map((word) => word.slice(0, mostCompared.lettersOfWord))
    .map((word) => [...new Set([beginningOf(word), beginningOf(replaced(word, digraphs))])])
    .filter(([plain]) => plain !== undefined && plain !== '')

/** A name, or the beginning of one that is longer than what is compared. */
export const beginningShown = (name: string): string =>
  name.length > mostCompared.characters ? `${name.slice(0, mostCompared.characters)}…` : name

/** Whether a name is longer than what is compared of it. */
export const isPartlyCompared = (name: string): boolean => {
  if (name.length > mostCompared.characters) return true
  const words = wordsOf(name)
  return words.length > mostCompared.words || words.some((word) => word.length > mostCompared.lettersOfWord)
}
