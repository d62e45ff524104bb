/**
 * The spellings under which a word of a name is looked for in a full-text index of names: as it is written, folded, in
 * German spellings, run together with its neighbour or broken in two, and with one typing error. Pure.
 *
 * The index has no list of similar words; but one typing error makes some hundred spellings of a word, and asking the
 * index for each of them costs some microseconds (docs/screening.md has the figures).
 */
import { spellingsOf, wordsOf } from '../full-text-query.ts'
import { foldedWord } from './name-words.ts'

/** Beyond so many words the others find a name in which one is mistyped. */
const mostWordsWithErrors = 5
/** Shorter words have too many neighbours, longer ones too many spellings. */
const lettersWithErrors = { least: 3, most: 24 }
/** Words of a name that are looked for; the score compares more. */
const mostWords = 12
/**
 * Spellings with an error of all words of a name together. The longest words have them first: they are the likeliest to
 * be mistyped, and a name of many words is found by those without an error.
 */
const mostMistyped = 2400

const alphabets: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Latin}/u, 'abcdefghijklmnopqrstuvwxyz'],
  [/\p{Script=Cyrillic}/u, 'абвгдежзийклмнопрстуфхцчшщъыьэюяёіїє'],
  [/\p{Script=Greek}/u, 'αβγδεζηθικλμνξοπρστυφχψως'],
  [/\p{Script=Arabic}/u, 'ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءئؤأإآپچژگ'],
  [/\p{Script=Hebrew}/u, 'אבגדהוזחטיכלמנסעפצקרשתםןץףך'],
]

/** The letters of the script that most letters of a word are of; none where it has no alphabet here. */
const alphabetOf = (word: string): readonly string[] => {
  const counted = alphabets
    .map(([script, letters]) => ({ letters, count: [...word].filter((letter) => script.test(letter)).length }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count)
  return [...(counted[0]?.letters ?? '')]
}

/** Every spelling that one letter of its script added, left out, replaced or swapped with its neighbour makes of a word. */
export const mistyped = (word: string): readonly string[] => {
  const alphabet = alphabetOf(word)
  const found = new Set<string>()
  for (let at = 0; at <= word.length; at += 1) {
    const before = word.slice(0, at)
    const after = word.slice(at)
    for (const letter of alphabet) found.add(before + letter + after)
    if (after === '') continue
    found.add(before + after.slice(1))
    for (const letter of alphabet) found.add(before + letter + after.slice(1))
    if (after.length > 1) found.add(before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2))
  }
  found.delete(word)
  found.delete('')
  return [...found]
}

/** The spellings with an error of those words of a name, by their places, that have any. */
const mistypedOf = (words: readonly string[]): ReadonlyMap<number, readonly string[]> => {
  const found = new Map<number, readonly string[]>()
  if (words.length > mostWordsWithErrors) return found
  let left = mostMistyped
  for (const [place, word] of [...words.entries()].sort(([, one], [, other]) => other.length - one.length)) {
    if (!hasErrors(word)) continue
    const spellings = mistyped(word)
    if (spellings.length > left) continue
    left -= spellings.length
    found.set(place, spellings)
  }
  return found
}

const hasErrors = ({ length }: string): boolean => length >= lettersWithErrors.least && length <= lettersWithErrors.most

/** A word in two, at each place where both parts are words of some length. */
const broken = (word: string): readonly string[] =>
  Array.from({ length: Math.max(0, word.length - 3) }, (_, place) => {
    const at = place + 2
    return `${word.slice(0, at)} ${word.slice(at)}`
  })

/**
 * For each word of a name the phrases to look for it by.
 * @returns in the order of the words, at most twelve
 */
export const wordSpellings = (name: string): readonly (readonly string[])[] => {
  const words = wordsOf(name).slice(0, mostWords)
  const withErrors = mistypedOf(words.map(foldedWord))
  return words.map((word, index) => {
    const folded = foldedWord(word)
    const errors = withErrors.get(index)
    const beside = [words[index - 1], words[index + 1]]
    const together = [
      ...(beside[0] === undefined ? [] : [foldedWord(beside[0]) + folded]),
      ...(beside[1] === undefined ? [] : [folded + foldedWord(beside[1])]),
    ]
    return [
      ...new Set([
        word,
        folded,
        ...spellingsOf(word),
        ...together,
        ...(errors ?? []),
        ...(words.length <= mostWordsWithErrors && hasErrors(folded) ? broken(folded) : []),
      ]),
    ].filter((spelling) => spelling !== '')
  })
}
