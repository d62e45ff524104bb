/**
 * From the spellings that an index has to the expressions by which names worth comparing are fetched: those with every
 * word, those with all but one, those with two, and those with a rare word. Each has a share of its own, so that the
 * many names with a common word do not crowd out the few that have all. Pure.
 */

/** A spelling that the index has, and in how many names, counted up to a most. */
export interface FoundSpelling {
  readonly phrase: string
  readonly names: number
}

/** Names beyond which a word on its own tells too little. */
export const mostNamesOfRareWord = 1000
const mostWordsLeftOut = 6
const mostWordsInPairs = 4

const quoted = (phrase: string): string => `"${phrase}"`

/** Expressions by what they ask for; every name with a matching one is worth comparing. */
export const candidateExpressions = (words: readonly (readonly FoundSpelling[])[]): readonly string[] => {
  const found = words
    .filter((spellings) => spellings.length > 0)
    .map((spellings) => ({
      any: `(${spellings.map(({ phrase }) => quoted(phrase)).join(' OR ')})`,
      names: spellings.reduce((sum, { names }) => sum + names, 0),
    }))
    .sort((one, other) => one.names - other.names)
  const rarest = found.slice(0, mostWordsLeftOut)
  const paired = found.slice(0, mostWordsInPairs)
  const rare = found.length === 1 ? found : found.filter(({ names }) => names < mostNamesOfRareWord)
  return [
    found.length > 1 ? [all(found)] : [],
    rarest.length > 2 ? rarest.map((_, without) => all(rarest.filter((_, index) => index !== without))) : [],
    paired.length > 3 ? paired.flatMap((one, index) => paired.slice(index + 1).map((other) => all([one, other]))) : [],
    rare.map(({ any }) => any),
  ]
    .filter((alternatives) => alternatives.length > 0)
    .map((alternatives) => alternatives.map((each) => `(${each})`).join(' OR '))
}

const all = (words: readonly { readonly any: string }[]): string => words.map(({ any }) => any).join(' AND ')
