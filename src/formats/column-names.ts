/**
 * Names for columns out of whatever stands in a header. Pure and deterministic: the same header always gives the same
 * names, so that a table keeps its columns from one delivery to the next.
 */
import { StichtagError } from '../errors.ts'

/** Columns that SQLite allows per table as it is usually built. */
export const maxColumns = 2000

/** Longest name given. */
const maxNameLength = 63

/** A column whose name is not the one in the header. `index` counts from 0. */
export interface RenamedColumn {
  readonly index: number
  readonly from: string
  readonly to: string
}

export interface ColumnNames {
  /** One per column, in order, distinct also for SQLite, to which capitals are the same letters. */
  readonly names: readonly string[]
  readonly renamed: readonly RenamedColumn[]
}

/**
 * Words that an unquoted column cannot be called (SQLite's keywords without the ones it takes as names), and the names
 * under which every table has its rowid.
 */
const reserved = new Set(
  (
    'add all alter and as autoincrement between case check collate commit constraint create default deferrable delete ' +
    'distinct drop else escape except exists foreign from group having in index insert intersect into is isnull join ' +
    'limit not notnull null on or order primary references returning select set table then to transaction union ' +
    'unique update using values when where rowid oid _rowid_'
  ).split(' '),
)

/** Header names made distinct and otherwise left as they are; an empty one becomes `column_<n>`. */
export const distinctNames = (header: readonly string[]): ColumnNames => named(header, (name) => name)

/**
 * Names for the columns of a table: letters, digits and `_`, not beginning with a digit, no reserved word, distinct.
 *
 * @throws RECORD_INVALID for more columns than SQLite allows
 */
export const columnNames = (header: readonly string[], source: string, limit: number = maxColumns): ColumnNames => {
  refuseTooMany(header, source, limit)
  return named(header, identifier)
}

/** @throws RECORD_INVALID for more columns than the limit */
export const refuseTooMany = (header: readonly string[], source: string, limit: number = maxColumns): void => {
  if (header.length <= limit) return
  throw new StichtagError('RECORD_INVALID', `${source}: ${header.length} columns, but a table has at most ${limit}`, {
    data: { source, columns: header.length, limit },
  })
}

const identifier = (name: string): string => {
  const word = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}_]+/gu, '_')
    .replace(/^_+|_+$/g, '')
  const started = /^\p{N}/u.test(word) ? `column_${word}` : word
  const short = [...started].slice(0, maxNameLength).join('')
  return reserved.has(short.toLowerCase()) ? `${short}_` : short
}

const named = (header: readonly string[], rename: (name: string) => string): ColumnNames => {
  const wanted = header.map((name, index) => rename(name) || `column_${index + 1}`)
  // A name that a header really has is not given away to an earlier duplicate.
  const wantedByAny = new Set(wanted.map(foldCase))
  const taken = new Set<string>()
  const names = wanted.map((name) => {
    let distinct = name
    for (let n = 2; taken.has(foldCase(distinct)) || (distinct !== name && wantedByAny.has(foldCase(distinct))); n++) {
      distinct = `${name}_${n}`
    }
    taken.add(foldCase(distinct))
    return distinct
  })
  const renamed = names.flatMap((to, index) => (to === header[index] ? [] : [{ index, from: header[index] ?? '', to }]))
  return { names, renamed }
}

/** As SQLite compares names: only the 26 letters of ASCII have capitals. */
const foldCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
