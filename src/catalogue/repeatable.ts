/** Whether a statement gives the same answer each time it is asked of the same snapshot. */
import { tableNames } from '../query/table-names.ts'
import { foldCase, tokensOf } from '../query/tokens.ts'

/** What SQLite computes from the clock, or from nothing. As any word of a statement: a column of that name costs little. */
const changing: ReadonlySet<string> = new Set([
  'random',
  'randomblob',
  'current_date',
  'current_time',
  'current_timestamp',
  'date',
  'time',
  'datetime',
  'julianday',
  'unixepoch',
  'strftime',
  'timediff',
])

/** `views` are those of the database: what they are made of is not looked into, so that none may be named. */
export const isRepeatable = (sql: string, views: readonly { readonly name: string }[]): boolean => {
  const tokens = tokensOf(sql)
  if (tokens.some(({ text }) => changing.has(foldCase(text)))) return false
  const unknown = new Set(views.map(({ name }) => foldCase(name)))
  return tableNames(tokens).every(({ name }) => !unknown.has(name))
}
