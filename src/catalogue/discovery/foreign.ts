/**
 * A SQLite file that is no snapshot of ours (people's own, or another program's), described by looking into it: its
 * tables, their keys, its full-text indexes, and what it says of itself in a table `meta`.
 */
import { z } from 'zod'
import type { ReaderPool, Rows, RowsRequest } from '../../query/types.ts'
import { quoteIdentifier } from '../../store/identifier.ts'
import { listKinds } from '../../store/list-kinds.ts'
import type { ServedColumn, ServedDatabase, ServedTable, Terms } from '../served.ts'
import type { FileVersion } from './file-version.ts'
import { type FoundTable, fullTextIn } from './foreign-full-text.ts'

/** More columns than this in one file are not described. */
const mostColumns = 20_000

const notOurs = String.raw`m.name NOT LIKE 'sqlite\_%' ESCAPE '\' AND m.name NOT LIKE '\_%' ESCAPE '\'`
const isVirtual = `m.sql LIKE 'CREATE VIRTUAL %'`

const statements = {
  objects: `SELECT m.name, m.type, m.sql FROM sqlite_master m WHERE m.type IN ('table', 'view') AND ${notOurs} ORDER BY m.name`,
  columns: `SELECT m.name, c.name, c.type, c.pk, c."notnull" FROM sqlite_master m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND NOT ${isVirtual} AND ${notOurs} ORDER BY m.name, c.cid`,
  uniqueColumns: `SELECT m.name, l.name, c.name FROM sqlite_master m JOIN pragma_index_list(m.name) l JOIN pragma_index_info(l.name) c
    WHERE m.type = 'table' AND NOT ${isVirtual} AND ${notOurs} AND l."unique" = 1 AND l.partial = 0 ORDER BY m.name, l.seq, c.seqno`,
  fullText: `SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.sql LIKE 'CREATE VIRTUAL % USING fts5%' ORDER BY m.name, c.cid`,
  meta: 'SELECT key, value FROM meta',
}

const text = z.string().nullable()
const objectRows = z.array(z.tuple([z.string(), z.enum(['table', 'view']), text]))
const columnRows = z.array(z.tuple([z.string(), z.string(), text, z.number(), z.number()]))
const uniqueRows = z.array(z.tuple([z.string(), z.string(), text]))
const fullTextRows = z.array(z.tuple([z.string(), z.string()]))
const metaRows = z.array(z.tuple([text, z.unknown()]))

/** Describes a file. Throws what the pool throws where the file cannot be read. */
export const describeForeign = async (
  pool: ReaderPool,
  path: string,
  { version, asOf }: FileVersion,
  signal?: AbortSignal,
): Promise<ServedDatabase> => {
  const ask = async (sql: string): Promise<Rows['rows']> => {
    const request: RowsRequest = { database: path, sql, parameters: [], lane: 'lookup', maxRows: mostColumns }
    return (await pool.rows(request, signal)).rows
  }
  const objects = objectRows.parse(await ask(statements.objects))
  const columns = columnRows.parse(await ask(statements.columns))
  const unique = uniqueRows.parse(await ask(statements.uniqueColumns))
  const fullText = fullTextRows.parse(await ask(statements.fullText))
  const shadows = shadowsOf(objects)
  const plain = objects.filter(
    ([name, type, sql]) => type === 'table' && !virtual.test(sql ?? '') && !shadows.has(name) && name !== 'meta',
  )
  const hasMeta = ['key', 'value'].every((wanted) =>
    columns.some(([table, column]) => table === 'meta' && column === wanted),
  )
  const meta = new Map(
    hasMeta ? metaRows.parse(await ask(statements.meta)).map(([key, value]) => [key, String(value)]) : [],
  )
  const described = plain.map(([name, , sql]) => ({
    ...tableOf(name, columns, unique),
    hasRowids: !/\bWITHOUT\s+ROWID\b/i.test(sql ?? ''),
  }))
  // One after the other: a file may have thousands, and the readers are there for hosts too.
  const tables: FoundTable[] = []
  for (const table of described) tables.push(await withKeyTypes(table, columns, ask))
  const indexes = [...Map.groupBy(fullText, ([name]) => name)].map(([name, rows]) => ({
    name,
    sql: objects.find(([object]) => object === name)?.[2] ?? '',
    columns: rows.map(([, column]) => column),
  }))
  const found = fullTextIn(indexes, tables)
  return {
    path,
    version,
    asOf,
    asOfIs: 'file-time',
    ...listKindOf(meta),
    terms: termsOf(meta),
    tables: [...tables.map(({ hasRowids: _, ...table }) => table), ...found.tables],
    views: objects.filter(([, type]) => type === 'view').map(([name]) => ({ name, description: '' })),
    fullText: found.fullText,
    foreign: true,
  }
}

const virtual = /^CREATE VIRTUAL /i
const shadowSuffixes = [
  'data',
  'idx',
  'content',
  'docsize',
  'config',
  'segments',
  'segdir',
  'stat',
  'node',
  'parent',
  'rowid',
]

/** Tables in which a virtual table keeps its insides. */
const shadowsOf = (objects: z.infer<typeof objectRows>): ReadonlySet<string> =>
  new Set(
    objects
      .filter(([, , sql]) => virtual.test(sql ?? ''))
      .flatMap(([name]) => shadowSuffixes.map((suffix) => `${name}_${suffix}`)),
  )

const tableOf = (
  name: string,
  columns: z.infer<typeof columnRows>,
  unique: z.infer<typeof uniqueRows>,
): ServedTable => {
  const own = columns.filter(([table]) => table === name)
  const primary = own.filter(([, , , place]) => place > 0).sort((left, right) => left[3] - right[3])
  return {
    name,
    description: '',
    columns: own.map(([, column, declared]): ServedColumn => ({ name: column, type: typeOf(declared ?? '') })),
    key: primary.length > 0 ? primary.map(([, column]) => column) : firstUniqueKey(name, own, unique),
    indexes: [],
    related: [],
  }
}

/**
 * A key column without a declared type compares as it is stored: the text of a URI finds a number only where it is known
 * to be one, which its first value tells.
 */
const withKeyTypes = async (
  table: FoundTable,
  columns: z.infer<typeof columnRows>,
  ask: (sql: string) => Promise<Rows['rows']>,
): Promise<FoundTable> => {
  const untyped = columns.filter(([of, name, declared]) => of === table.name && !declared && table.key.includes(name))
  if (untyped.length === 0) return table
  const types = new Map<string, ServedColumn['type']>()
  for (const [, name] of untyped) {
    const column = quoteIdentifier(name)
    const [row] = await ask(
      `SELECT typeof(${column}) FROM ${quoteIdentifier(table.name)} WHERE ${column} IS NOT NULL LIMIT 1`,
    )
    types.set(name, storedType(row?.[0]))
  }
  return {
    ...table,
    columns: table.columns.map((column) => ({ ...column, type: types.get(column.name) ?? column.type })),
  }
}

const storedType = (type: unknown): ServedColumn['type'] =>
  type === 'integer' ? 'INTEGER' : type === 'real' ? 'REAL' : type === 'blob' ? 'BLOB' : 'TEXT'

/** The columns of the first unique index that holds no NULL: they identify a row as a primary key does. */
const firstUniqueKey = (
  name: string,
  own: z.infer<typeof columnRows>,
  unique: z.infer<typeof uniqueRows>,
): string[] => {
  const filled = new Set(own.filter(([, , , , notNull]) => notNull === 1).map(([, column]) => column))
  const indexes = Map.groupBy(
    unique.filter(([table]) => table === name),
    ([, index]) => index,
  )
  for (const rows of indexes.values()) {
    const key = rows.flatMap(([, , column]) => (column !== null && filled.has(column) ? [column] : []))
    if (key.length === rows.length) return key
  }
  return []
}

/** A declared type's affinity, by SQLite's own rules (https://sqlite.org/datatype3.html#determination_of_column_affinity). */
const typeOf = (declared: string): ServedColumn['type'] => {
  if (/INT/i.test(declared)) return 'INTEGER'
  if (/CHAR|CLOB|TEXT/i.test(declared)) return 'TEXT'
  if (/BLOB/i.test(declared)) return 'BLOB'
  return /REAL|FLOA|DOUB|NUM|DEC/i.test(declared) ? 'REAL' : 'TEXT'
}

const termsOf = (meta: ReadonlyMap<string | null, string>): Terms => {
  const publisher = meta.get('publisher')
  const licenceUrl = meta.get('licenceUrl')
  const source = meta.get('homepage') ?? meta.get('sourceUrl')
  return {
    licence: meta.get('licence') ?? 'not stated',
    attribution: meta.get('attribution') ?? '',
    sample: meta.has('sample'),
    ...(publisher === undefined ? {} : { publisher }),
    ...(licenceUrl === undefined ? {} : { licenceUrl }),
    ...(source === undefined ? {} : { source }),
  }
}

const listKindOf = (meta: ReadonlyMap<string | null, string>): Pick<ServedDatabase, 'listKind'> => {
  const listKind = listKinds.find((kind) => kind === meta.get('listKind'))
  return listKind === undefined ? {} : { listKind }
}
