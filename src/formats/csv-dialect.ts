/** How a CSV source is written, as its pipeline declares it. */
import { maxColumns } from './column-names.ts'
import type { Encoding } from './encoding.ts'

export interface CsvDialect {
  readonly type: 'csv'
  /** One character; `,` unless said. */
  readonly delimiter?: string
  /** `utf-8` unless said. */
  readonly encoding?: Encoding
  /** Lines before the header (a title, a date), 0 unless said. They are given to the pipeline's `preamble`. */
  readonly preambleLines?: number
  /** Names of the columns, for files without a header line. */
  readonly columns?: readonly string[]
  /** Columns that must be in the header: a source that renames one is refused instead of read as if it were empty. */
  readonly requires?: readonly string[]
  /** Further columns that the mapping reads where they are there. */
  readonly knows?: readonly string[]
  /**
   * What becomes of columns that are neither required nor known, where any are declared: `keep` (unless said) leaves
   * them in the records, `report` leaves them out and names them in a warning.
   */
  readonly unknownColumns?: 'keep' | 'report'
  /**
   * What the fields of a record are called: as the `header` has it (unless said), or `safe` names for columns of a
   * table. Either way the names are distinct, and those that differ from the header are told in a warning.
   */
  readonly names?: 'header' | 'safe'
  /** Columns at most; 2,000 unless said, as many as a table can have. */
  readonly maxColumns?: number
  /** Texts that stand for nothing, beside the empty one; compared without spaces around them. */
  readonly nulls?: readonly string[]
  /** Drops spaces around values and around the names of columns; no unless said. */
  readonly trim?: boolean
  /**
   * `strict` (unless said) rejects records with a quote where RFC 4180 allows none; `lenient` takes it as a character,
   * for sources that do not double quotes inside quotes.
   */
  readonly quotes?: 'strict' | 'lenient' | 'none'
  /**
   * Records with fewer fields than columns: `reject` (unless said), or `pad` with nothing. Records with more are
   * rejected, unless what is too much is empty.
   */
  readonly shortRecords?: 'reject' | 'pad'
  /** Lines that a record may span, 50 unless said. Past that its opening quote is taken for a stray one. */
  readonly maxRecordLines?: number
  /** Bytes of a line, 64 MiB unless said. */
  readonly maxLineBytes?: number
}

/** A dialect with nothing left unsaid. */
export type FullDialect = Required<Omit<CsvDialect, 'type' | 'columns' | 'maxLineBytes'>> &
  Pick<CsvDialect, 'columns' | 'maxLineBytes'>

export const fullDialect = (dialect: CsvDialect): FullDialect => ({
  delimiter: ',',
  encoding: 'utf-8',
  preambleLines: 0,
  requires: [],
  knows: [],
  unknownColumns: 'keep',
  names: 'header',
  maxColumns,
  nulls: [],
  trim: false,
  quotes: 'strict',
  shortRecords: 'reject',
  maxRecordLines: 50,
  ...dialect,
})
