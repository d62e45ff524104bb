/**
 * What a pipeline says: where a dataset comes from, how its files are read, which tables its records become, and what
 * must hold. Data wherever possible; the one function most pipelines need is `map`: record in, rows out.
 */

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

/** How records are read from a file's bytes, after decompression (which is recognised by magic bytes). */
export type FormatDefinition = { readonly type: 'jsonl' }

export interface SourceDefinition {
  /** Usual name of the file, with its compression: `de_companies_ocdata.jsonl.bz2`. */
  readonly name: string
  readonly url: string
  readonly format: FormatDefinition
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
  /** Cron expression (five fields, six with seconds) and IANA time zone. */
  readonly schedule: { readonly cron: string; readonly timeZone: string }
  /** Why the source is known not to change any more. */
  readonly frozen?: string
  readonly sources: readonly SourceDefinition[]
  readonly tables: Readonly<Record<string, TableDefinition>>
  readonly views?: Readonly<Record<string, { readonly sql: string; readonly description: string }>>
  readonly fullText?: readonly FullTextDefinition[]
  readonly guards?: GuardDefinition
  /** Record in, rows out. Must not keep anything between records. */
  readonly map: (record: unknown, context: MapContext) => void
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
