/** The header of a CSV file against what its dialect declares: which fields of a record are called what. Pure. */
import { StichtagError } from '../errors.ts'
import { columnNames, distinctNames, refuseTooMany } from './column-names.ts'
import type { FullDialect } from './csv-dialect.ts'

export interface CsvHeader {
  /** Names of the columns as the file has them, or as they are declared. */
  readonly columns: readonly string[]
  /** For each column the name of its field in the records; undefined for one that is left out. */
  readonly names: readonly (string | undefined)[]
  readonly warnings: readonly string[]
}

/** Columns of a header that a message lists, at most. */
const mostListed = 50

/**
 * Judges a header.
 *
 * @throws RECORD_INVALID where a required column is missing, or there are too many
 */
export const headerOf = (columns: readonly string[], dialect: FullDialect, source: string): CsvHeader => {
  refuseTooMany(columns, source, dialect.maxColumns)
  refuseMissing(columns, dialect, source)
  const { names, renamed } =
    dialect.names === 'safe' ? columnNames(columns, source, dialect.maxColumns) : distinctNames(columns)
  const left = new Set(leftOut(columns, dialect))
  const warnings = []
  if (renamed.length > 0) {
    const list = renamed.map(({ index, from, to }) => `column ${index + 1} "${from}" as ${to}`)
    warnings.push(`columns whose name cannot stay as it is are read as: ${list.join(', ')}`)
  }
  if (left.size > 0) {
    warnings.push(
      `columns that are not known and not read: ${columns.filter((_, index) => left.has(index)).join(', ')}`,
    )
  }
  return { columns, names: names.map((name, index) => (left.has(index) ? undefined : name)), warnings }
}

const refuseMissing = (columns: readonly string[], { requires }: FullDialect, source: string): void => {
  const missing = requires.filter((name) => !columns.includes(name))
  if (missing.length === 0) return
  const listed = columns.slice(0, mostListed).join(', ')
  const more = columns.length > mostListed ? `, and ${columns.length - mostListed} more` : ''
  throw new StichtagError(
    'RECORD_INVALID',
    `${source}: the header lacks ${missing.join(', ')} (it has: ${listed}${more})`,
    {
      data: { source, missing, columns: columns.slice(0, mostListed) },
    },
  )
}

/** Indexes of the columns that nobody asked for, where the dialect leaves such out. */
const leftOut = (columns: readonly string[], { requires, knows, unknownColumns }: FullDialect): number[] => {
  const known = new Set([...requires, ...knows])
  if (unknownColumns === 'keep' || known.size === 0) return []
  return columns.flatMap((name, index) => (known.has(name) ? [] : [index]))
}
