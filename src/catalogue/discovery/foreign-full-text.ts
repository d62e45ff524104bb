/**
 * The full-text indexes (FTS5) of a file that is not ours, and what they are over: a table, which an index names by
 * `content=` or by being called after it (`stops_fts`), or texts that the index itself holds.
 */
import type { FullTextIndex, ServedTable } from '../served.ts'

/** An FTS5 table as the file describes it. */
export interface FoundIndex {
  readonly name: string
  readonly sql: string
  readonly columns: string[]
}

/** A table, and whether its rows have rowids to be found by. */
export type FoundTable = ServedTable & { readonly hasRowids: boolean }

/** What an option of an FTS5 table says: `content='company'`, `content_rowid=id`. */
const optionOf = (sql: string, name: string): string | undefined => {
  const found = new RegExp(`\\b${name}\\s*=\\s*(?:'([^']*)'|"([^"]*)"|([^'",)\\s]+))`, 'i').exec(sql)
  return found?.[1] ?? found?.[2] ?? found?.[3]
}

const isCalled = (name: string) => (table: ServedTable) => table.name.toLowerCase() === name.toLowerCase()

/** The index over its table; undefined where its rows cannot be found there. */
const indexOver = ({ name, sql, columns }: FoundIndex, tables: readonly FoundTable[]): FullTextIndex | undefined => {
  const table = tables.find(isCalled(optionOf(sql, 'content') ?? name.replace(/_fts\d?$/i, '')))
  if (table === undefined) return undefined
  const rowid = optionOf(sql, 'content_rowid')
  const column = rowid === undefined ? undefined : table.columns.find((each) => each.name === rowid)?.name
  if (column !== undefined) return { name, table: table.name, columns, rowidColumn: column }
  return table.hasRowids ? { name, table: table.name, columns } : undefined
}

/** An index that holds its texts itself is a table, whose rows are found by their rowid. */
const ownTable = ({ name, columns }: FoundIndex): ServedTable => ({
  name,
  description: '',
  columns: [{ name: 'rowid', type: 'INTEGER' }, ...columns.map((column) => ({ name: column, type: 'TEXT' as const }))],
  key: ['rowid'],
  indexes: [],
  related: [],
})

/** The indexes that can be searched, and the tables that some of them are themselves. */
export const fullTextIn = (
  indexes: readonly FoundIndex[],
  tables: readonly FoundTable[],
): { readonly fullText: readonly FullTextIndex[]; readonly tables: readonly ServedTable[] } => {
  const over = indexes.map((index) => indexOver(index, tables))
  const alone = indexes.filter(
    (index, place) => over[place] === undefined && optionOf(index.sql, 'content') === undefined,
  )
  return {
    fullText: [
      ...over.filter((index) => index !== undefined),
      ...alone.map(({ name, columns }) => ({ name, table: name, columns })),
    ],
    tables: alone.map(ownTable),
  }
}
