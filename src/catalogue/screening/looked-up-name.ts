/** A name that is looked up, prepared once for all lists. Pure. */
import { type NameWord, nameWords } from './name-words.ts'
import { wordSpellings } from './word-spellings.ts'

export interface LookedUpName {
  readonly name: string
  /** The words that are compared. */
  readonly words: readonly NameWord[]
  /** What an index is asked for, with the place of the word that it is a spelling of. */
  readonly spellings: readonly { readonly word: number; readonly phrase: string }[]
  /** The same as the JSON text of quoted phrases. */
  readonly phrases: string
}

export const lookedUpName = (name: string): LookedUpName => {
  const spellings = wordSpellings(name).flatMap((phrases, word) => phrases.map((phrase) => ({ word, phrase })))
  return {
    name,
    words: nameWords(name),
    spellings,
    phrases: JSON.stringify(spellings.map(({ phrase }) => `"${phrase}"`)),
  }
}
