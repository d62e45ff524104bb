/**
 * What a pipeline says: where a dataset comes from, how its files are read, which tables its records become, and what
 * must hold. Data wherever possible; the one function most pipelines need is `map`: record in, rows out.
 */
import type { ArchiveDefinition } from '../formats/archive-members.ts'
import type { FormatDefinition } from '../formats/definition.ts'
import type { Preamble } from '../formats/types.ts'

export type { ArchiveDefinition } from '../formats/archive-members.ts'
export type { FormatDefinition } from '../formats/definition.ts'
export type { Preamble, XmlElement } from '../formats/types.ts'

/** A value of a column: text, number, exact integer, bytes or nothing. */
export type ColumnValue = string | number | bigint | Uint8Array | null

/** A row by column name. Columns left out are NULL. */
export type Row = Readonly<Record<string, ColumnValue | boolean | undefined>>

export type ColumnType = 'TEXT' | 'INTEGER' | 'REAL' | 'BLOB'

/** Column name → its type, or type and description. */
export type ColumnDefinition = ColumnType | { readonly type: ColumnType; readonly description: string }

/** Rows of another table that belong to a record of this one and are read with it. */
export interface RelatedDefinition {
  readonly name: string
  readonly table: string
  /** Column of the related table → column of this table. */
  readonly on: Readonly<Record<string, string>>
  readonly orderBy: readonly string[]
}

export interface TableDefinition {
  readonly description: string
  readonly columns: Readonly<Record<string, ColumnDefinition>>
  /** Columns that identify a record. Leave empty only where the source has no key. */
  readonly key: readonly string[]
  /**
   * Name of an `INTEGER PRIMARY KEY` that the loader numbers, for tables whose readers expect one. It is no part of the
   * record: digest and comparison leave it out. Such a table's `key` becomes a unique index.
   */
  readonly surrogate?: string
  /** Column that names a record for people. */
  readonly title?: string
  readonly indexes?: readonly (readonly string[])[]
  readonly related?: readonly RelatedDefinition[]
}

export interface FullTextDefinition {
  readonly name: string
  readonly table: string
  readonly columns: readonly string[]
  /**
   * Index German spellings as well: umlauts as letter + e, ß as ss, and letters that Unicode does not decompose
   * (ł, ø, đ) as their plain ones, so that a raw MATCH finds Müller by Müller, Mueller and Muller. A record that is
   * itself spelt Mueller is found by Mueller.
   */
  readonly german?: boolean
}

/** The small requests by which a pipeline looks up where its file is: bounded, tried again, conditional. */
export interface Lookup {
  /** The text at a URL (an HTML page, an index). */
  text(url: string): Promise<string>
  /** The JSON at a URL, parsed. */
  json(url: string): Promise<unknown>
  /** Where a URL leads after its redirects, and what the answer's headers say. */
  head(url: string): Promise<{ readonly url: string; header(name: string): string | undefined }>
}

/** What `resolve` is called with: lookups, and the declared URL. */
export interface ResolveContext extends Lookup {
  readonly url: string
  readonly signal: AbortSignal
}

/** A file on the web, with what the publisher's index says of it; what arrives is checked by that first. */
export interface RemoteFile {
  readonly url: string
  readonly bytes?: number
  readonly sha1?: string
  readonly sha256?: string
}

export interface SourceDefinition {
  /** Usual name of the file, with its compression: `de_companies_ocdata.jsonl.bz2`. */
  readonly name: string
  /** The address that stays: of the file, or of the page or index by which `resolve` finds the file. */
  readonly url: string
  /**
   * Looks up today's address of the file, for publishers that have none that stays. The run fetches it; `url` is what is
   * recorded. Not called with `--from`, `--sample` or a setting's URL.
   */
  readonly resolve?: (context: ResolveContext) => Promise<string | RemoteFile>
  readonly format: FormatDefinition
  /** Says that the file is a zip archive. Without a member named, it must hold just one. */
  readonly archive?: ArchiveDefinition
}

/** What `preamble` is given beside what the file says. */
export interface PreambleContext {
  /** Name of the source. */
  readonly source: string
  /** Says that the delivery is at least as new as this date or instant; the latest counts. */
  publisherDate(date: string): void
  /** Says how many records the file should hold: where another number is read, this is warned of. */
  expectRecords(count: number): void
}

/** What `map` is given beside the record. */
export interface MapContext {
  /** Name of the source the record is from, and the line it starts on. */
  readonly source: string
  readonly line: number
  /** Adds a row. The first row of a record is its main one: where it is rejected, all the record's rows are. */
  emit(table: string, row: Row): void
  /** Counts fields that the mapping does not know; they are reported, never dropped in silence. */
  unknown(field: string): void
  /** Says that the delivery is at least as new as this date or instant; the latest counts. */
  publisherDate(date: string): void
  /** Rejects the record: it is counted, and kept in `_rejected` with its line. */
  reject(reason: string): never
}

/** Reads a record's fields strictly; what is wrong rejects the record, what is left over is counted. */
export interface FieldReader {
  /** A text (numbers and booleans as text), or null where absent. */
  text(name: string): string | null
  /** A text that must be there and not empty. */
  requiredText(name: string): string
  flag(name: string): boolean | null
  object(name: string): FieldReader | null
  list(name: string): readonly FieldReader[]
  /** Any value as JSON text. */
  json(name: string): string | null
  /** Fields not read so far, each counted as unknown; null where there are none. */
  rest(): Readonly<Record<string, unknown>> | null
}

export interface GuardDefinition {
  /** Least rows per table. Absolute: only warns with `--from`, `--sample` or a source override. */
  readonly minRows?: Readonly<Record<string, number>>
  /** Largest share by which a table may shrink against current; 0.2 unless said. Relative: always in force. */
  readonly maxShrink?: number
  /** Largest share of rejected records; 0 unless said. */
  readonly maxRejected?: number
  /** Least share of rows, by table and column, in which the column is neither NULL nor an empty text. Absolute. */
  readonly minFilled?: Readonly<Record<string, Readonly<Record<string, number>>>>
  /**
   * What becomes of rows of a table whose key is empty or there already. `reject`: they are left out, kept in
   * `_rejected`, counted and warned of. `refuse`: the snapshot is refused as well. Without it the record that such a row
   * is the first of is rejected, and any other such row fails the run.
   */
  readonly keys?: Readonly<Record<string, 'reject' | 'refuse'>>
  /**
   * What becomes of a delivery that the publisher dates earlier than current's, or more than a day ahead: `refuse`
   * unless said. Absolute.
   */
  readonly dates?: 'refuse' | 'warn'
}

export interface PipelineDefinition {
  /** Dataset id, FlowMCP namespace and URI scheme: `^[a-z][a-z0-9-]*$`. */
  readonly id: string
  readonly title: string
  readonly description: string
  readonly publisher: string
  readonly homepage: string
  readonly licence: { readonly name: string; readonly url: string; readonly attribution: string }
  /** File name of the pointer and further names of the same data (DESIGN §4.1). */
  readonly database: string
  readonly aliases?: readonly string[]
  /**
   * Cron expression (five fields, six with seconds), IANA time zone, and most seconds by which a run may start later,
   * so that not everybody asks the publisher at the same moment (see `schedule/jitter.ts` for what holds unless said).
   */
  readonly schedule: { readonly cron: string; readonly timeZone: string; readonly jitter?: number }
  /** Why the source is known not to change any more. */
  readonly frozen?: string
  readonly sources: readonly SourceDefinition[]
  readonly tables: Readonly<Record<string, TableDefinition>>
  readonly views?: Readonly<Record<string, { readonly sql: string; readonly description: string }>>
  readonly fullText?: readonly FullTextDefinition[]
  readonly guards?: GuardDefinition
  /** Hears what each file says before its first record: lines before a CSV header, the root of an XML file. */
  readonly preamble?: (preamble: Preamble, context: PreambleContext) => void
  /**
   * Record in, rows out. Must not keep anything between records. A record is an object of column → text or null (csv),
   * any JSON value (jsonl, json; integers past 2^53 as the text of their digits), or an `XmlElement` (xml).
   */
  readonly map: (record: unknown, context: MapContext) => void
  /** How many times as big as its delivery a snapshot is, about: asked of the disk before a run. 3 unless said. */
  readonly space?: number
  /** Versions kept by prune beside current, its base and pins; 5 unless said. */
  readonly keep?: number
}

/** What a pipeline file's default export is called with: everything it may use, so that it imports nothing but types. */
export interface Kit {
  /** Checks a definition and returns it. Throws `PIPELINE_INVALID` naming the field. */
  definePipeline(definition: PipelineDefinition): PipelineDefinition
  /** A strict reader of a JSON record's fields. */
  fields(record: unknown, context: MapContext): FieldReader
}

/** Default export of `pipelines/<dataset>/index.ts`. */
export type PipelineFile = (kit: Kit) => PipelineDefinition
