/** Which placeholders of a statement are numbers of rows: SQLite takes a negative LIMIT for none, and no fraction at all. */
import { isWord, tokensOf } from '../query/tokens.ts'

/** For each placeholder in its order, whether it stands after LIMIT or OFFSET. */
export const rowCountsIn = (sql: string): readonly boolean[] => {
  const tokens = tokensOf(sql)
  return tokens.flatMap((token, index) => {
    if (token.kind !== 'variable') return []
    const before = tokens[index - 1]
    return [isWord(before, 'LIMIT') || isWord(before, 'OFFSET')]
  })
}
