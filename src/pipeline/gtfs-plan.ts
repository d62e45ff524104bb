/**
 * Plans: where each column of one file of a feed goes, from its name and header alone. A plan is data, made once per file
 * and followed for each of its records; the tables of a snapshot are made from the same plans.
 */
import { columnNames, distinctNames } from '../formats/column-names.ts'
import type { GtfsFile, GtfsKind } from './gtfs-file.ts'
import { gtfsFiles, locationsFile } from './gtfs-files.ts'
import { gtfsTables, kindsOf, secondsColumn } from './gtfs-tables.ts'
import { gtfsFullText, gtfsViews } from './gtfs-views.ts'
import { isReservedTable, shadowTables } from './names.ts'
import { mostColumns } from './table-limits.ts'

/** Where a field of a record goes. */
export interface PlannedColumn {
  readonly field: string
  readonly column: string
  readonly kind: GtfsKind
  /** Column for the seconds of a time. */
  readonly seconds: string
}

export interface GtfsPlan {
  readonly table: string
  /** The file of the reference, if it is one. */
  readonly file: GtfsFile | undefined
  readonly columns: readonly PlannedColumn[]
  /** Columns that are not of the reference, with the header's names of those that could not stay as they are. */
  readonly further: readonly { readonly column: string; readonly header: string }[]
}

const asciiOf = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_]+/g, '_')

/** Names distinct from those that are taken, fit for SQL without quotes. */
const safeNames = (taken: readonly string[], names: readonly string[], source: string): readonly string[] =>
  columnNames([...taken, ...names.map(asciiOf)], source, mostColumns).names.slice(taken.length)

/** Names that no file of a feed may take. */
const takenTables: readonly string[] = [
  ...Object.keys(gtfsTables),
  ...Object.keys(gtfsViews),
  ...gtfsFullText.flatMap(({ name }) => [name, ...shadowTables.map((shadow) => `${name}_${shadow}`)]),
  'meta',
  'rejected',
]

/** The name of the table for a file that the reference does not have. */
const ownName = (member: string): string => {
  const [name = 'file'] = safeNames(takenTables, [baseOf(member)], member)
  if (!isReservedTable(name.toLowerCase())) return name
  const [free = 'file'] = safeNames(takenTables, [`file_${name}`], member)
  return free
}

/** The name of the file without its ending, in small letters, as the reference has them. */
const baseOf = (member: string): string => member.replace(/\.txt$/i, '')

/** The table of a file of the reference; undefined for another file. */
export const knownTable = (member: string): string | undefined => {
  if (member.toLowerCase() === locationsFile) return 'locations'
  const name = baseOf(member).toLowerCase()
  return name !== 'locations' && Object.hasOwn(gtfsFiles, name) ? name : undefined
}

const planOfKnown = (table: string, file: GtfsFile, header: readonly string[], member: string): GtfsPlan => {
  const kinds = kindsOf(file)
  const fields = distinctNames(header).names
  const left = new Map(kinds)
  const columns: PlannedColumn[] = []
  const further: { field: string; header: string }[] = []
  for (const [index, name] of header.entries()) {
    const field = fields[index] ?? name
    const column = name.trim().toLowerCase()
    const kind = left.get(column)
    if (kind === undefined) further.push({ field, header: name.trim() })
    else columns.push({ field, column, kind, seconds: secondsColumn(column) })
    left.delete(column)
  }
  const taken = Object.keys(gtfsTables[table]?.columns ?? {})
  const names = safeNames(
    taken,
    further.map((each) => each.header),
    member,
  )
  const kept = further.map((each, index) => ({ ...each, column: names[index] ?? each.field }))
  return {
    table,
    file,
    columns: [...columns, ...kept.map(({ field, column }) => textColumn(field, column))],
    further: kept.map(({ column, header: name }) => ({ column, header: name })),
  }
}

/** Nobody knows what it holds, so it keeps all of it. */
const textColumn = (field: string, column: string): PlannedColumn => ({ field, column, kind: 'prose', seconds: '' })

/** The plan for a file: of the reference, or a table of its own whose columns are all text. */
export const planOf = (member: string, header: readonly string[]): GtfsPlan => {
  const table = knownTable(member)
  const file = table === undefined ? undefined : gtfsFiles[table]
  if (table !== undefined && file !== undefined) return planOfKnown(table, file, header, member)
  const fields = distinctNames(header).names
  const names = header.map((name) => name.trim())
  const columns = safeNames([], names, member)
  return {
    table: ownName(member),
    file: undefined,
    columns: columns.map((column, index) => textColumn(fields[index] ?? column, column)),
    further: columns.map((column, index) => ({ column, header: names[index] ?? '' })),
  }
}

/** What stands in place of a table's header in a licence or a page of notes: words, in one field. */
export const notATable = (header: readonly string[]): string | undefined => {
  const [only = ''] = header
  if (header.length === 1 && !/^[a-z][a-z0-9]*_[a-z0-9_]+$/i.test(only)) return 'its first line is no header of a table'
  // A sentence has more words, or ends in a stop.
  const odd = header.find(
    (name) => name.length > 64 || !/^[\p{L}_][\p{L}\p{N}_.:-]*(?: [\p{L}\p{N}_.:()-]+){0,2}(?<!\.)$/u.test(name),
  )
  return odd === undefined ? undefined : `its first line is no header of a table (${JSON.stringify(odd.slice(0, 40))})`
}
