/**
 * A person's words as an FTS5 MATCH expression that means what they meant and cannot mean anything else: every word is
 * quoted, so that no operator, column filter or syntax error comes from a user.
 *
 * German names come in two spellings, and a search must find each by each: Müller by Mueller, Straße by Strasse. The
 * index folds ü to u (unicode61), but knows nothing of ue; so a word that has such letters is asked for in both. It folds
 * no capitals of scripts that got them late, so that words in those are asked for in capitals as well.
 */

const pairs = [
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ü', 'ue'],
  ['ß', 'ss'],
] as const

/** More places than this in one word are respelled all at once only. */
const mostPlaces = 3

/** The words in a text, as the index's tokenizer would cut them. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? []

/**
 * Letters that have capitals by now and had none in Unicode 6.1, by which the index's tokenizer goes: to it, a word in
 * capitals is another word. Georgian, Cherokee, Adlam and further ones.
 */
const unknownCapitals =
  /[\u037f\u03f3\u0528-\u052f\u10d0-\u10ff\u13a0-\u13fd\u1c80-\u1cbf\u2c2f\u2c5f\ua698-\ua69b\ua790-\ua7ff\uab30-\uabbf\u{104b0}-\u{1e943}]/u

const capitalised = (word: string): string[] => {
  const [first = ''] = word
  return [word.toUpperCase(), first.toUpperCase() + word.slice(first.length)]
}

/** A word, in lower case, and its further spellings, the word itself first. */
export const spellingsOf = (word: string): string[] =>
  unknownCapitals.test(word) ? [...new Set([word, ...capitalised(word)])] : germanSpellingsOf(word)

const germanSpellingsOf = (word: string): string[] => {
  const places = [...word.matchAll(/[äöüß]|[aou]e|ss/g)]
  if (places.length === 0) return [word]
  const all =
    places.length <= mostPlaces
      ? combinations(word, places)
      : [respell(word, places, 'umlaut'), respell(word, places, 'digraph')]
  return [...new Set([word, ...all])]
}

/**
 * The MATCH expression: all words must be there, the last one may be the beginning of a word. Undefined where the text
 * holds no word.
 */
export const matchExpression = (text: string): string | undefined => {
  const words = wordsOf(text)
  if (words.length === 0) return undefined
  return words.map((word, index) => oneOf(spellingsOf(word), index === words.length - 1)).join(' AND ')
}

const oneOf = (spellings: readonly string[], isPrefix: boolean): string => {
  const quoted = spellings.map((spelling) => `"${spelling}"${isPrefix ? ' *' : ''}`)
  return quoted.length === 1 ? quoted.join() : `(${quoted.join(' OR ')})`
}

type Place = { readonly 0: string; readonly index: number }
type Spelling = 'umlaut' | 'digraph'

const spelled = (letters: string, as: Spelling): string => {
  const pair = pairs.find(([umlaut, digraph]) => letters === umlaut || letters === digraph)
  if (pair === undefined) return letters
  return as === 'umlaut' ? pair[0] : pair[1]
}

const respell = (word: string, places: readonly Place[], as: Spelling): string =>
  places.reduceRight(
    (text, place) => text.slice(0, place.index) + spelled(place[0], as) + text.slice(place.index + place[0].length),
    word,
  )

const combinations = (word: string, places: readonly Place[]): string[] => {
  const last = places.at(-1)
  if (last === undefined) return [word]
  const before = places.slice(0, -1)
  const end = word.slice(last.index + last[0].length)
  return combinations(word.slice(0, last.index), before).flatMap((start) =>
    (['umlaut', 'digraph'] as const).map((as) => start + spelled(last[0], as) + end),
  )
}
