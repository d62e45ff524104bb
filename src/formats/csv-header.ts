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

/** Columns that a header has, and those that it lacks, which a message lists at most. */
const mostListed = 50
const mostMissing = 8

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
  throw new StichtagError(
    'RECORD_INVALID',
    `${source}: the header lacks ${beginningOf(missing, mostMissing)} (it has: ${beginningOf(columns, mostListed)})`,
    {
      data: { source, missing, columns: columns.slice(0, mostListed) },
    },
  )
}

const beginningOf = (names: readonly string[], most: number): string =>
  `${names.slice(0, most).join(', ')}${names.length > most ? `, and ${names.length - most} more` : ''}`

/** Indexes of the columns that nobody asked for, where the dialect leaves such out. */
const leftOut = (columns: readonly string[], { requires, knows, unknownColumns }: FullDialect): number[] => {
  const known = new Set([...requires, ...knows])
  if (unknownColumns === 'keep' || known.size === 0) return []
  return columns.flatMap((name, index) => (known.has(name) ? [] : [index]))
}
