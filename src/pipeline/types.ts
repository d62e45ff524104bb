/**
 * What a pipeline says: where a dataset comes from, how its files are read, which tables its records become, and what
 * must hold. Data wherever possible; the one function most pipelines need is `map`: record in, rows out.
 */
import type { Preamble } from '../formats/types.ts'
import type { ListKind } from '../store/list-kinds.ts'
import type { GtfsOptions } from './gtfs.ts'
import type { OpenSanctionsOptions } from './open-sanctions.ts'
import type { SourceDefinition } from './source-types.ts'

export type { ArchiveDefinition } from '../formats/archive-members.ts'
export type { FormatDefinition } from '../formats/definition.ts'
export type { Preamble, XmlElement } from '../formats/types.ts'
export type { GtfsOptions } from './gtfs.ts'
export type { OpenSanctionsOptions } from './open-sanctions.ts'
export type { Lookup, RemoteFile, ResolveContext, SourceDefinition } from './source-types.ts'

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
  /**
   * A SELECT over the other tables whose rows this table has, with its columns in their order, taken once everything is
   * loaded. For what belongs to a record but lies too many joins away to be looked up each time it is read. Such rows are
   * rows like any other: compared, counted, told of.
   */
  readonly derivedBy?: string
}

/** A column whose values are keys of other tables: those that are not there are counted, and warned of. */
export interface ReferenceDefinition {
  readonly table: string
  readonly column: string
  /** Table and column; of several, one must have the value. */
  readonly to: readonly { readonly table: string; readonly column: string }[]
}

/** What the beginning of one input says: the columns of a CSV file, or why it cannot be read as one. */
export interface InputHeader {
  /** As `MapContext.source` will be: the name of the source, `feed.zip#stops.txt` for a member. */
  readonly source: string
  readonly member?: string
  readonly columns: readonly string[]
  /** Why it cannot be read; then there are no columns. */
  readonly problem?: string
}

/** What only the delivery could say. */
export interface DeliveryShape {
  /** All tables of the snapshot, in place of the declared ones, which must be among them. */
  readonly tables: Readonly<Record<string, TableDefinition>>
  /** Inputs that are not read, by `source`, with the reason, which is told. */
  readonly ignored?: Readonly<Record<string, string>>
  /**
   * Inputs, by `source`, that the dataset can do without: what cannot be read of them is kept in `_rejected` and told,
   * and no guard counts it.
   */
  readonly further?: readonly string[]
  /** Guards, in place of the declared ones. */
  readonly guards?: GuardDefinition
  readonly warnings?: readonly string[]
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

/** What `preamble` is given beside what the file says. */
export interface PreambleContext {
  /** Name of the source. */
  readonly source: string
  /** The same as in `MapContext`. */
  readonly state: Record<string, unknown>
  readonly runState: Record<string, unknown>
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
  /**
   * What `map` remembers from record to record of one file: empty at the file's first record, gone after its last. For
   * mappings that group rows which follow each other, or leave out what was said before.
   */
  readonly state: Record<string, unknown>
  /** The same over all files of one run, in the order of the sources: for what is said in one file of another. */
  readonly runState: Record<string, unknown>
  /** Adds a row. The first row of a record is its main one: where it is rejected, all the record's rows are. */
  emit(table: string, row: Row): void
  /** Counts fields that the mapping does not know; they are reported, never dropped in silence. */
  unknown(field: string): void
  /**
   * Says something about the record that a reader of the manifest should know, though the record is taken. Equal
   * remarks are counted, and told once with the line of the first; so no values in them.
   */
  remark(what: string): void
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

/** How to tell deliveries that hold only what changed, and what their records replace (see docs/pipelines.md). */
export interface DeltaDefinition {
  /** Patterns of the names of such files, in which `*` stands for anything. Capitals are the same letters. */
  readonly files: readonly string[]
  /**
   * Each table of which a delta brings records, with the tables whose rows it brings along as parts of them: they hang on
   * the record by `related`, and are replaced with it. A table that comes in records of its own is no part, however
   * related. Every table must be here, but those that are derived.
   */
  readonly records: Readonly<Record<string, readonly string[]>>
  /**
   * Of such a table, the column with the date or instant of a record's last change. A record that is older than the one it
   * would replace is not laid over it: it is kept in `_rejected`, counted and warned of.
   */
  readonly changedOn?: Readonly<Record<string, string>>
}

export interface GuardDefinition {
  /** Least rows per table. Absolute: only warns with `--from`, `--sample` or a source override. */
  readonly minRows?: Readonly<Record<string, number>>
  /**
   * Largest share by which a table may shrink against current: of any table, or of each that is named, the others at 0.2.
   * 0.2 unless said. Relative: always in force.
   */
  readonly maxShrink?: number | Readonly<Record<string, number>>
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
  /**
   * What kind of list it is, for datasets with the shape of lists (docs/screening.md): `screen_name` searches those of
   * sanctions unless it is told otherwise.
   */
  readonly listKind?: ListKind
  readonly sources: readonly SourceDefinition[]
  readonly tables: Readonly<Record<string, TableDefinition>>
  readonly views?: Readonly<Record<string, { readonly sql: string; readonly description: string }>>
  readonly fullText?: readonly FullTextDefinition[]
  readonly guards?: GuardDefinition
  /** Deliveries that hold only what changed: they are laid over the current snapshot. The declared sources are whole. */
  readonly delta?: DeltaDefinition
  /**
   * For sources whose columns or files are known from the delivery alone: called with what each input begins with before
   * anything is loaded. Pure: equal headers, equal tables.
   */
  readonly shape?: (inputs: readonly InputHeader[]) => DeliveryShape
  readonly references?: readonly ReferenceDefinition[]
  /**
   * A SELECT of the first and the last day on which the data hold, as `YYYY-MM-DD` or NULL: for timetables. What is over
   * shows as `expired`.
   */
  readonly validity?: string
  /** Hears what each file says before its first record: lines before a CSV header, the root of an XML file. */
  readonly preamble?: (preamble: Preamble, context: PreambleContext) => void
  /**
   * Record in, rows out. Keeps nothing between records but in the context's `state` and `runState`. A record is an object of column → text or null (csv),
   * any JSON value (jsonl, json; integers past 2^53 as the text of their digits), or an `XmlElement` (xml).
   */
  readonly map: (record: unknown, context: MapContext) => void
  /**
   * Says that `map` reads each record by itself, and of `state` nothing but what `preamble` left there, so that several
   * threads may read parts of a big file at once. Rows are then in another order than in the file.
   */
  readonly independent?: boolean
  /** How many times as big as its delivery a snapshot is, about: asked of the disk before a run. 3 unless said. */
  readonly space?: number
  /** Versions kept by prune beside current, its base and pins; 5 unless said. */
  readonly keep?: number
  /** Oddities of the source that those who ask should know, a sentence each: docs/datasets.md lists them. */
  readonly quirks?: readonly string[]
}

/** What a pipeline file's default export is called with: everything it may use, so that it imports nothing but types. */
export interface Kit {
  /** Checks a definition and returns it. Throws `PIPELINE_INVALID` naming the field. */
  definePipeline(definition: PipelineDefinition): PipelineDefinition
  /** The pipeline of a timetable in GTFS: any feed there is, see `GtfsOptions` and docs/gtfs.md. */
  gtfs(options: GtfsOptions): PipelineDefinition
  /** The pipeline of any dataset of OpenSanctions, see `OpenSanctionsOptions` and docs/datasets/opensanctions.md. */
  openSanctions(options: OpenSanctionsOptions): PipelineDefinition
  /** A strict reader of a JSON record's fields. */
  fields(record: unknown, context: MapContext): FieldReader
}

/** Default export of `pipelines/<dataset>/index.ts`. */
export type PipelineFile = (kit: Kit) => PipelineDefinition
