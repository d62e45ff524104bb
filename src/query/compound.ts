/** Whether a statement puts rows of several selects together: SQLite tells the origin of columns by the first of them alone. */
import { tableNames } from './table-names.ts'
import { foldCase, tokensOf } from './tokens.ts'

const joining: ReadonlySet<string> = new Set(['union', 'except', 'intersect', 'values'])

/** As any word of the statement, or of a view that it names: `viewNamed` gives the file's view of a name, in lower case. */
export const isCompound = (sql: string, viewNamed: (name: string) => string | undefined): boolean => {
  const looked = new Set<string>()
  const holds = (text: string): boolean => {
    const tokens = tokensOf(text)
    if (tokens.some((token) => joining.has(foldCase(token.text)))) return true
    return tableNames(tokens).some(({ name }) => {
      const view = looked.has(name) ? undefined : viewNamed(name)
      looked.add(name)
      return view !== undefined && holds(view)
    })
  }
  return holds(sql)
}
