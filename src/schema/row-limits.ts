/** Where a statement limits its rows itself: found on its tokens, so that no string, comment or subquery is taken for it. */
import { isSymbol, isWord, type Token, tokensOf } from '../query/tokens.ts'
import type { SchemaQuery } from './types.ts'

/** What stands after the LIMIT of the whole statement. */
export interface OuterLimit {
  /** Its text, from `start` to `end` of the statement's. */
  readonly text: string
  readonly start: number
  readonly end: number
  /** Places of its placeholders among all of the statement. */
  readonly placeholders: readonly number[]
}

export interface RowLimits {
  readonly outer?: OuterLimit
  /** Places of the placeholders that stand after a LIMIT within brackets. */
  readonly inner: readonly number[]
}

const known = new WeakMap<SchemaQuery, RowLimits>()

/** The limits of a query's statement. */
export const rowLimitsOf = (query: SchemaQuery): RowLimits => {
  const found = known.get(query) ?? rowLimitsIn(query.sql)
  known.set(query, found)
  return found
}

/** The limits of a statement. One with numbered or named placeholders is taken to have none that depends on them. */
export const rowLimitsIn = (sql: string): RowLimits => {
  const all = tokensOf(sql)
  const tokens = all.slice(0, all.findLastIndex((token) => !isSymbol(token, ';')) + 1)
  const outer = outerLimit(sql, tokens)
  const isPlain = tokens.every((token) => token.kind !== 'variable' || token.text === '?')
  if (!isPlain) return { inner: [], ...(outer?.placeholders.length === 0 ? { outer } : {}) }
  return { inner: innerLimits(tokens), ...(outer === undefined ? {} : { outer }) }
}

const outerLimit = (sql: string, tokens: readonly Token[]): OuterLimit | undefined => {
  if (isWord(tokens[0], 'EXPLAIN')) return undefined
  const depths = depthsOf(tokens)
  const at = tokens.findIndex((token, index) => depths[index] === 0 && isWord(token, 'LIMIT'))
  if (at === -1) return undefined
  const isOuter = (test: (token: Token) => boolean) => (token: Token, index: number) =>
    index > at && depths[index] === 0 && test(token)
  // `LIMIT offset, limit`
  const comma = tokens.findIndex(isOuter((token) => isSymbol(token, ',')))
  const offset = tokens.findIndex(isOuter((token) => isWord(token, 'OFFSET')))
  const [first, last] = [(comma === -1 ? at : comma) + 1, offset === -1 ? tokens.length : offset]
  const start = tokens[first]?.start
  if (start === undefined || last <= first) return undefined
  const end = tokens[last]?.start ?? endOf(sql, tokens)
  const before = tokens.slice(0, first).filter(isPlaceholder).length
  const within = tokens.slice(first, last).filter(isPlaceholder).length
  const placeholders = Array.from({ length: within }, (_, index) => before + index)
  return { text: sql.slice(start, end), start, end, placeholders }
}

/** A semicolon after the last token belongs to no expression. */
const endOf = (sql: string, tokens: readonly Token[]): number => {
  const semicolon = tokensOf(sql)[tokens.length]
  return semicolon?.start ?? sql.length
}

const innerLimits = (tokens: readonly Token[]): readonly number[] => {
  const depths = depthsOf(tokens)
  const places = tokens.flatMap((token, index) => (isPlaceholder(token) ? [index] : []))
  return places.flatMap((place, index) =>
    (depths[place] ?? 0) > 0 && isWord(tokens[place - 1], 'LIMIT') ? [index] : [],
  )
}

const isPlaceholder = (token: Token): boolean => token.kind === 'variable'

/** How many brackets are open at each token. */
const depthsOf = (tokens: readonly Token[]): readonly number[] => {
  let depth = 0
  return tokens.map((token) => {
    if (isSymbol(token, ')')) depth -= 1
    const here = depth
    if (isSymbol(token, '(')) depth += 1
    return here
  })
}
