/** What the catalogue knows of each dataset: read once per state of the stores, immutable from then on. */
import type { ErrorCode } from '../errors.ts'
import type { Candidate } from '../schema/databases.ts'
import type { Dialect, SchemaQuery } from '../schema/types.ts'
import type { AsOfKind } from '../store/as-of.ts'
import type { Store } from '../store/layout.ts'
import type { ListKind } from '../store/list-kinds.ts'
import type { FullTextInfo, Manifest, TableInfo } from '../store/manifest.ts'
import type { State } from '../store/state.ts'
import type { Version } from '../store/version.ts'

/** Under which terms an answer may be used, and whence it came: carried by every answer. */
export interface Terms {
  readonly licence: string
  readonly licenceUrl?: string
  readonly attribution: string
  readonly publisher?: string
  /** Where the publisher presents the data; absent where a file does not say. */
  readonly source?: string
  /** True where the records are invented. */
  readonly sample: boolean
  /** There where a person gave the data, and no run has confirmed them with the publisher. */
  readonly byHand?: true
  /** What of the dataset is not here, where that is known. */
  readonly partial?: string
}

/** A table as its records are read. Rows are not counted in files that are not ours. */
export type ServedTable = Pick<
  TableInfo,
  'name' | 'description' | 'columns' | 'key' | 'title' | 'indexes' | 'related'
> & {
  readonly rows?: number
}

export type ServedColumn = ServedTable['columns'][number]

/** A full-text index. Its rowids are those of its table unless it says which column they are. */
export type FullTextIndex = FullTextInfo & { readonly rowidColumn?: string }

/** One SQLite file in one state. */
export interface ServedDatabase {
  /** Absolute path of the file itself, never of a pointer: a snapshot's never changes its content. */
  readonly path: string
  readonly version: string
  readonly asOf: string
  /** What `asOf` is, where it is not the publisher's own date. */
  readonly asOfIs?: AsOfKind
  /** There where its records are entries of a list of this kind. */
  readonly listKind?: ListKind
  /** There where the data hold for a time: the days of its manifest. */
  readonly validity?: { readonly validFrom?: string; readonly validUntil?: string }
  readonly terms: Terms
  readonly tables: readonly ServedTable[]
  readonly views: readonly { readonly name: string; readonly description: string }[]
  readonly fullText: readonly FullTextIndex[]
  /** There where the file is no snapshot of ours, so that its content can change. */
  readonly foreign?: true
}

/** The snapshot that is current in a store, and those kept beside it. */
export interface ServedSnapshot {
  readonly store: Store
  readonly manifest: Manifest
  readonly state: State
  /** Kept versions, oldest first. */
  readonly versions: readonly Version[]
}

/** Something that cannot be served, in words for people. */
export interface Problem {
  readonly code: ErrorCode
  readonly message: string
}

/** A FlowMCP schema of a dataset, for those who want to know what it has beside its queries. */
export interface ServedSchema {
  readonly name: string
  readonly dialect: Dialect
  /** Parts of it that are not served, in words: handlers, tools, prompts. */
  readonly notServed: readonly string[]
}

/** The database that a query runs on, or why there is none. */
export type QueryDatabase =
  | { readonly kind: 'served'; readonly database: ServedDatabase }
  | { readonly kind: 'missing'; readonly file: string; readonly tried: readonly Candidate[] }
  | { readonly kind: 'broken'; readonly file: string; readonly problem: Problem }

/** A query of a dataset, under the name it is offered by. */
export interface ServedQuery {
  /** Name within the dataset: the query's own, with the resource's where two would be the same. */
  readonly name: string
  /** Further names that it answers to, never listed. */
  readonly aliases: readonly string[]
  /** `free`: the SQL is an argument. */
  readonly kind: 'defined' | 'free'
  /** False for queries that every database gets. */
  readonly ofAuthor: boolean
  /** False for queries that answer when called, but are not in a list. */
  readonly listed: boolean
  readonly query: SchemaQuery
  readonly database: QueryDatabase
}

export interface ServedDataset {
  readonly id: string
  readonly title: string
  readonly description: string
  /** Databases that records are read from, the dataset's own snapshot first; empty where there is none now. */
  readonly databases: readonly ServedDatabase[]
  readonly snapshot?: ServedSnapshot
  readonly schemas: readonly ServedSchema[]
  readonly queries: readonly ServedQuery[]
  /** Places at which a database was looked for in vain. */
  readonly tried: readonly Candidate[]
  readonly problems: readonly Problem[]
  /**
   * True where nobody has ingested it yet, and only schemas that come with the package speak of it: it is named by
   * list_datasets and answers to its names, and offers nothing in lists.
   */
  readonly awaited: boolean
  /** Differs when anything that a host could read of this dataset may differ. */
  readonly fingerprint: string
}

/** A table by its name in any case, and the database it is in. */
export const findTable = (
  databases: readonly ServedDatabase[],
  name: string,
): { readonly database: ServedDatabase; readonly table: ServedTable } | undefined => {
  const wanted = name.toLowerCase()
  for (const database of databases) {
    const table = database.tables.find((each) => each.name.toLowerCase() === wanted)
    if (table !== undefined) return { database, table }
  }
  return undefined
}
