/**
 * Which records the rows of an answer are, or belong to: rows that hold the columns of a table's key link to that
 * record, and rows that hold a related table's reference (an officer's `company_id`) to the record it belongs to.
 */
import type { Parameter, ReaderPool, Value } from '../query/types.ts'
import { quoteIdentifier } from '../store/identifier.ts'
import type { QueryRows } from './query-rows.ts'
import { keyOfRow, keyParameter } from './record-plan.ts'
import { referencesIn } from './references.ts'
import type { ServedDatabase, ServedTable } from './served.ts'
import type { ResourceLink } from './types.ts'
import { recordUri } from './uri.ts'

type Row = Readonly<Record<string, Value>>

/** Columns of an answer that together are the key of a record of `table`. */
interface Identification {
  readonly table: ServedTable
  readonly columns: readonly string[]
}

/** Most links with one answer. */
const mostLinks = 25

/**
 * Links to the records that rows are, each record once, and only to records that exist: a row may refer to one that the
 * publisher left out. `sql` decides between tables with keys of the same name.
 */
export const recordLinks = async (
  pool: ReaderPool,
  dataset: string,
  database: ServedDatabase,
  answer: Pick<QueryRows, 'columns' | 'rows' | 'tables'> & { readonly sql: string },
  signal?: AbortSignal,
): Promise<readonly ResourceLink[]> => {
  const found = identification(database.tables, answer.columns, answer.sql)
  if (found === undefined) return []
  const links = new Map<string, { readonly link: ResourceLink; readonly key: readonly Parameter[] }>()
  for (const row of answer.rows) {
    const key = keyOfRow(found.columns, row)
    if (key === undefined || key.includes(null)) continue
    const uri = recordUri(dataset, found.table.name, key)
    const values = found.columns.map((column) => keyParameter(row[column] ?? null))
    links.set(uri, { link: linkTo(uri, found.table, row), key: values })
    if (links.size === mostLinks) break
  }
  const candidates = [...links.values()]
  if (isOwnKey(found, answer)) return candidates.map(({ link }) => link)
  const isThere = await existing(
    pool,
    database,
    found.table,
    candidates.map(({ key }) => key),
    signal,
  )
  return candidates.filter((_, index) => isThere[index]).map(({ link }) => link)
}

/** Whether keys are read from the records themselves: of several columns each could be another record's. */
const isOwnKey = ({ table, columns }: Identification, answer: Pick<QueryRows, 'columns' | 'tables'>): boolean => {
  const [column = '', ...more] = columns
  return more.length === 0 && column === table.key[0] && answer.tables?.[answer.columns.indexOf(column)] === table.name
}

/** For each key, whether there is a record of it. */
const existing = async (
  pool: ReaderPool,
  database: ServedDatabase,
  table: ServedTable,
  keys: readonly (readonly Parameter[])[],
  signal: AbortSignal | undefined,
): Promise<readonly boolean[]> => {
  if (keys.length === 0) return []
  const isSame = table.key.map((column) => `${quoteIdentifier(column)} = ?`).join(' AND ')
  const one = `EXISTS (SELECT 1 FROM ${quoteIdentifier(table.name)} WHERE ${isSame})`
  const { rows } = await pool.rows(
    {
      database: database.path,
      sql: `SELECT ${keys.map(() => one).join(', ')}`,
      parameters: keys.flat(),
      lane: 'lookup',
      maxRows: 1,
    },
    signal,
  )
  return keys.map((_, index) => rows[0]?.[index] === 1)
}

/** A link to a record that a row is. */
export const linkTo = (uri: string, table: ServedTable, row: Row): ResourceLink => {
  const title = table.title === undefined ? undefined : row[table.title]
  return {
    uri,
    name: uri,
    ...(typeof title === 'string' && title !== '' ? { title } : {}),
    mimeType: 'application/json',
  }
}

const identification = (
  tables: readonly ServedTable[],
  columns: readonly string[],
  sql: string,
): Identification | undefined => {
  const isPresent = ({ columns: wanted }: Identification): boolean => wanted.every((column) => columns.includes(column))
  const keys = tables
    .filter(({ key }) => key.length > 0)
    .map((table): Identification => ({ table, columns: table.key }))
  const own = keys.filter(isPresent)
  const widest = Math.max(0, ...own.map(({ columns: key }) => key.length))
  return (
    oneOf(
      own.filter(({ columns: key }) => key.length === widest),
      sql,
    ) ?? oneOf(references(tables).filter(isPresent), sql)
  )
}

const references = (tables: readonly ServedTable[]): readonly Identification[] =>
  referencesIn(tables).map(({ parent, columns }) => ({ table: parent, columns }))

/** The only candidate, or the only one whose table the statement names. Two that fit equally well are none. */
const oneOf = (candidates: readonly Identification[], sql: string): Identification | undefined => {
  const distinct = [
    ...new Map(candidates.map((each) => [`${each.table.name} ${each.columns.join(' ')}`, each])).values(),
  ]
  if (distinct.length === 1) return distinct[0]
  const words = new Set(sql.toLowerCase().split(/[^\p{L}\p{N}_$]+/u))
  const named = distinct.filter(({ table }) => words.has(table.name.toLowerCase()))
  return named.length === 1 ? named[0] : undefined
}
