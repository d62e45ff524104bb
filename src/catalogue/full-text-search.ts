/** Searching one full-text index: matches ranked, each with the URI of the record it is. */
import type { ReaderPool, Value } from '../query/types.ts'
import { quoteIdentifier } from '../store/identifier.ts'
import { sampleNote } from './answer-origin.ts'
import { keyOfRow } from './record-plan.ts'
import { type Reference, referencesIn } from './references.ts'
import { linkTo } from './row-links.ts'
import type { ServedDatabase, ServedTable } from './served.ts'
import type { ResourceLink } from './types.ts'
import { recordUri } from './uri.ts'

/**
 * Matches that are ranked; where there are more, those found first. It keeps a search for a common word quick: ranking
 * costs half a microsecond per match.
 */
const mostRanked = 100_000
const longestSnippet = 200
const longestTitle = 300

/** A record found. */
export interface Hit {
  /** What `fetch` takes: the URI. */
  readonly id: string
  readonly title: string
  /** Page of the publisher to cite; the URI where none is known. */
  readonly url: string
  readonly uri: string
  readonly dataset: string
  readonly table: string
  readonly snippet?: string
  /** There where the title is longer than is shown. */
  readonly cut?: true
  /** URI of the record that this one is part of. */
  readonly belongsTo?: string
  /** There where the record is invented. */
  readonly sample?: string
  readonly link: ResourceLink
}

/** A full-text index over a table whose records can be addressed. */
export interface SearchableIndex {
  readonly name: string
  readonly columns: readonly string[]
  readonly table: ServedTable
  readonly parent: Reference | undefined
  /** Where the index's rowids are in the table; its own rowids unless said. */
  readonly rowidColumn?: string
}

/** Indexes of tables whose records can be addressed, by their own key or that of what they belong to. */
export const searchableIndexes = ({ fullText, tables }: ServedDatabase): readonly SearchableIndex[] =>
  fullText.flatMap(({ name, table: indexed, columns, rowidColumn }) => {
    const table = tables.find((each) => each.name === indexed)
    if (table === undefined) return []
    const parent = referencesIn(tables).find(({ child }) => child === table.name)
    if (table.key.length === 0 && parent === undefined) return []
    return [{ name, columns, table, parent, ...(rowidColumn === undefined ? {} : { rowidColumn }) }]
  })

/** The best matches of an expression, and exactly whether there are more. */
export const searchIndex = async (
  pool: ReaderPool,
  dataset: string,
  database: ServedDatabase,
  { name: indexName, columns: indexed, table, parent, rowidColumn }: SearchableIndex,
  expression: string,
  limit: number,
  signal?: AbortSignal,
): Promise<{ readonly hits: readonly Hit[]; readonly truncated: boolean }> => {
  const shown = indexed.filter((column) => table.columns.some(({ name }) => name === column))
  const whole = new Set([...table.key, ...(parent?.columns ?? [])])
  const columns = [...new Set([...whole, ...(table.title === undefined ? [] : [table.title]), ...shown])]
  const name = quoteIdentifier(indexName)
  const rowid = rowidColumn === undefined ? 'rowid' : quoteIdentifier(rowidColumn)
  const { rows, truncated } = await pool.rows(
    {
      database: database.path,
      sql: `SELECT ${columns.map((column) => (whole.has(column) ? `record.${quoteIdentifier(column)}` : excerpt(column))).join(', ')},
          ${parent === undefined ? 0 : isThere(parent)}
        FROM (SELECT place, score
          FROM (SELECT rowid AS place, bm25(${name}) AS score FROM ${name} WHERE ${name} MATCH ? LIMIT ${mostRanked})
          ORDER BY score, place LIMIT ${limit + 1}) AS hit
        JOIN ${quoteIdentifier(table.name)} AS record ON record.${rowid} = hit.place
        ORDER BY hit.score, hit.place`,
      parameters: [expression],
      lane: 'search',
      maxRows: limit,
    },
    signal,
  )
  const hits = rows.map((values) => {
    const row = Object.fromEntries(columns.map((column, place) => [column, values[place] ?? null]))
    return hitOf(dataset, database, table, values.at(-1) === 1 ? parent : undefined, shown, row)
  })
  return { hits: hits.filter((hit) => hit !== undefined), truncated }
}

/** Whether the record that a row refers to exists: publishers leave such out, and a row may refer to none. */
const isThere = ({ parent, columns }: Reference): string => {
  const isSame = parent.key.map((own, index) => {
    const column = quoteIdentifier(columns[index] ?? own)
    return `parent.${quoteIdentifier(own)} IS record.${column}`
  })
  return `EXISTS (SELECT 1 FROM ${quoteIdentifier(parent.name)} AS parent WHERE ${isSame.join(' AND ')})`
}

/** The beginning of a value: one of megabytes would leave no room for the other hits. */
const excerpt = (column: string): string => {
  const value = `record.${quoteIdentifier(column)}`
  return `CASE typeof(${value}) WHEN 'text' THEN substr(${value}, 1, ${longestTitle + 1}) WHEN 'blob' THEN NULL ELSE ${value} END`
}

const hitOf = (
  dataset: string,
  database: ServedDatabase,
  table: ServedTable,
  parent: Reference | undefined,
  shown: readonly string[],
  row: Readonly<Record<string, Value>>,
): Hit | undefined => {
  const key = table.key.length === 0 ? undefined : keyOfRow(table.key, row)
  const parentKey = parent === undefined ? undefined : keyOfRow(parent.columns, row)
  const belongsTo =
    parent === undefined || parentKey === undefined ? undefined : recordUri(dataset, parent.parent.name, parentKey)
  const uri = key === undefined ? belongsTo : recordUri(dataset, table.name, key)
  if (uri === undefined) return undefined
  const titleColumn = table.title ?? shown[0]
  const title = titleColumn === undefined ? null : row[titleColumn]
  const whole = typeof title === 'string' && title !== '' ? title : uri
  const isCut = whole !== uri && whole.length > longestTitle
  const shownTitle = isCut ? `${whole.slice(0, longestTitle)}…` : whole
  const snippet = shown
    .filter((column) => column !== titleColumn)
    .flatMap((column) => (typeof row[column] === 'string' && row[column] !== '' ? [row[column]] : []))
    .join(' · ')
    .slice(0, longestSnippet)
  return {
    id: uri,
    title: shownTitle,
    url: database.terms.source ?? uri,
    uri,
    dataset,
    table: table.name,
    ...(snippet === '' ? {} : { snippet }),
    ...(isCut ? { cut: true } : {}),
    ...(belongsTo === undefined || belongsTo === uri ? {} : { belongsTo }),
    ...(database.terms.sample ? { sample: sampleNote } : {}),
    link: linkTo(uri, table, isCut && titleColumn !== undefined ? { ...row, [titleColumn]: shownTitle } : row),
  }
}
