/** Whether a statement gives the same rows each time it is run with the same values on the same file. */
import { tableNames } from './table-names.ts'
import { foldCase, tokensOf } from './tokens.ts'

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

/** `viewNamed` gives the statement of the file's view of a name, in lower case: what a view computes counts as well. */
export const isRepeatable = (sql: string, viewNamed: (name: string) => string | undefined): boolean => {
  const looked = new Set<string>()
  const holds = (text: string): boolean => {
    const tokens = tokensOf(text)
    if (tokens.some((token) => changing.has(foldCase(token.text)))) return false
    return tableNames(tokens).every(({ name }) => {
      const view = looked.has(name) ? undefined : viewNamed(name)
      looked.add(name)
      return view === undefined || holds(view)
    })
  }
  return holds(sql)
}
