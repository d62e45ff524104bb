/** How many columns a table, and a list of its columns, may have: what is more could be built, and not be served. */
import type { PipelineDefinition } from './types.ts'

/** Columns of a table, surrogate included: one less than SQLite's, as comparing rows adds a count to them. */
export const mostColumns = 1999

/** Columns of a key, an index, a relation or a full-text index: SQLite's conditions are a thousand deep at most. */
export const mostListed = 100

/** What has more columns than can be served. */
export const tooManyColumns = ({ tables, fullText = [] }: PipelineDefinition): string[] => {
  const problems: string[] = []
  const expectAtMost = (most: number, where: string, count: number): void => {
    if (count > most) problems.push(`${where}: ${count} columns, but there can be at most ${most}`)
  }
  for (const [name, { columns, surrogate, key, indexes = [], related = [] }] of Object.entries(tables)) {
    const at = `tables.${name}`
    expectAtMost(mostColumns, `${at}.columns`, Object.keys(columns).length + (surrogate === undefined ? 0 : 1))
    expectAtMost(mostListed, `${at}.key`, key.length)
    for (const index of indexes) expectAtMost(mostListed, `${at}.indexes`, index.length)
    for (const { name: part, on, orderBy } of related) {
      expectAtMost(mostListed, `${at}.related.${part}.on`, Object.keys(on).length)
      expectAtMost(mostListed, `${at}.related.${part}.orderBy`, orderBy.length)
    }
  }
  for (const { name, columns } of fullText) expectAtMost(mostListed, `fullText.${name}.columns`, columns.length)
  return problems
}
