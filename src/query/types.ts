/** What the pool of reader processes is asked and what it answers. Everything here travels between processes. */

/** A value bound to a `?`. */
export type Parameter = string | number | bigint | Uint8Array | null

/**
 * A value as it appears in answers: integers beyond 2^53 as decimal text (exact), BLOBs as base64.
 * Text stays text, whatever it looks like.
 */
export type Value = string | number | null | { readonly base64: string }

/**
 * What a request is, and whom it may hold up. `lookup`: quick by its nature. `search`: a statement of this program that may
 * take long. `query`: one that somebody else wrote, and that may never end. Neither of the others waits behind a `query`.
 */
export const lanes = ['lookup', 'search', 'query'] as const
export type Lane = (typeof lanes)[number]

export interface RowsRequest {
  /** Absolute path of the SQLite file (a snapshot's data.db, not the pointer). */
  readonly database: string
  readonly sql: string
  readonly parameters: readonly Parameter[]
  readonly lane: Lane
  /** Rows returned at most; one more is stepped to know whether the answer is truncated. */
  readonly maxRows: number
  /** Bytes of values returned at most, roughly as JSON. */
  readonly maxBytes?: number
  /** Milliseconds from start to SIGKILL; the pool's default where absent. */
  readonly timeoutMs?: number
  /** Whether to tell which tables the columns are of. */
  readonly tells?: 'tables'
}

export interface Rows {
  readonly columns: readonly string[]
  /** One array per row, in the order of `columns` (which may repeat a name). */
  readonly rows: readonly (readonly Value[])[]
  /** Exactly whether more rows exist than were returned. */
  readonly truncated: boolean
  readonly truncatedBy?: 'rows' | 'bytes'
  /** There where the same request gives the same answer as long as the file is the same. */
  readonly repeatable?: true
  /**
   * For each column the table of which it is a column of that name, so that each of its values but NULL is one of that table's;
   * null where that cannot be told. Only where it was asked for.
   */
  readonly tables?: readonly (string | null)[]
}

/** How one record is read whole: its own row by key, and the rows of other tables that belong to it. */
export interface RecordPlan {
  readonly table: string
  /** Columns to select, surrogates left out. */
  readonly columns: readonly string[]
  readonly key: readonly string[]
  readonly related: readonly {
    readonly name: string
    readonly table: string
    readonly columns: readonly string[]
    /** Column of the related table → column of the record. */
    readonly on: Readonly<Record<string, string>>
    readonly orderBy: readonly string[]
  }[]
}

export interface DigestsRequest {
  readonly database: string
  readonly plan: RecordPlan
  /** Key values per record, in the order of `plan.key`. NULL is matched by IS. */
  readonly keys: readonly (readonly Parameter[])[]
}

/** One page of a record: pages follow from the content alone, so that no reader keeps a place. */
export interface RecordPageRequest {
  readonly database: string
  readonly plan: RecordPlan
  readonly key: readonly Parameter[]
  /** 1 for the first, which has the record's own row. */
  readonly page: number
  /** Bytes of JSON in a page, roughly; a row that is bigger has a page of its own. */
  readonly pageBytes: number
}

/** Rows of one relation that are on a page. */
export interface RelatedRows {
  readonly name: string
  /** Place of the first of these among all rows of the relation, counted from 0. */
  readonly from: number
  readonly rows: readonly WholeRecord['record'][]
}

export interface RecordPage {
  /** The record's own row, on whichever page. */
  readonly record: WholeRecord['record']
  /** Every relation, in the plan's order, with its rows on this page; all without rows where there is no such page. */
  readonly related: readonly RelatedRows[]
  readonly pages: number
  /** Digest of the whole record: see `digestOf`. */
  readonly digest: string
}

/** A record read whole. */
export interface WholeRecord {
  readonly record: Readonly<Record<string, Value>>
  readonly related: Readonly<Record<string, readonly Readonly<Record<string, Value>>[]>>
}

/** One digest per key: `null` where there is no such record. */
export type Digests = readonly (string | null)[]

/** The seam between those who ask and the processes that read. */
export interface ReaderPool {
  /** Runs one reading statement. Throws STATEMENT_REFUSED, QUERY_FAILED, QUERY_TIMEOUT, QUEUE_FULL or CANCELLED. */
  rows(request: RowsRequest, signal?: AbortSignal): Promise<Rows>
  /** One page of a record, `null` where there is no such record. Throws as `rows` does. */
  recordPage(request: RecordPageRequest, signal?: AbortSignal): Promise<RecordPage | null>
  /** The digest of a record is that of the JSON text of {@link WholeRecord}: see `digestOf`. */
  digests(request: DigestsRequest, signal?: AbortSignal): Promise<Digests>
  /** Ends all processes. */
  close(): Promise<void>
}
