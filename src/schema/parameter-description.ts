/** Descriptions for parameters whose schema has none, from what the statement does with them. */
import { isSymbol, isWord, type Token } from '../query/tokens.ts'

/** `company_number` and `companyNumber` as words. */
const wordsOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()

const describeUse = (before: Token | undefined, name: string): string => {
  if (isWord(before, 'MATCH'))
    return 'Words to search for, in SQLite FTS5 syntax: a phrase in "…", AND, OR, NOT, prefix*.'
  if (isWord(before, 'LIMIT')) return 'How many rows to return at most.'
  if (isWord(before, 'OFFSET')) return 'How many rows to leave out before the first.'
  if (isWord(before, 'LIKE')) return `What to look for as ${wordsOf(name)}: % stands for any characters, _ for one.`
  if (isSymbol(before, '=')) return `The ${wordsOf(name)} to look for, exactly as stored.`
  return `The ${wordsOf(name)} to query by.`
}

/**
 * A description of each parameter, by the placeholder it is bound to.
 * @param tokens of the statement
 * @param names the parameters' names in the order of the placeholders
 */
export const describeByUse = (tokens: readonly Token[], names: readonly string[]): readonly string[] => {
  const places = tokens.flatMap((token, index) => (token.kind === 'variable' ? [index] : []))
  return names.map((name, index) => describeUse(tokens[(places[index] ?? 0) - 1], name))
}
