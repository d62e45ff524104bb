/** The one normal form that FlowMCP schemas of every dialect are brought into. */

/** The dialects of FlowMCP resource schemas in use (named as in docs/flowmcp.md). */
export type Dialect = 'D-docs' | 'D-flat' | '3.0a' | '3.0b' | '3.1' | '4.x'

export type Origin = 'global' | 'project' | 'inline'

/** Where a resource says its database lies; `databaseCandidates` turns it into paths to try. */
export type DatabaseReference =
  | { readonly kind: 'origin'; readonly origin: Origin; readonly file: string }
  /** `database` without origin: relative to the schema file, `~/…`, or absolute. */
  | { readonly kind: 'path'; readonly path: string }

/** What a text must be beyond a text: see `parameter-format.ts`. */
export type ParameterFormat = 'date' | 'time'

export interface SchemaParameter {
  readonly name: string
  readonly type: 'string' | 'number' | 'boolean'
  readonly description: string
  readonly required: boolean
  readonly default?: string | number | boolean
  /** Bound as it is and not shown to the client. */
  readonly fixed?: string | number | boolean
  readonly min?: number
  readonly max?: number
  readonly length?: number
  readonly enum?: readonly (string | number)[]
  readonly format?: ParameterFormat
  /** The column whose values it takes: where nothing is found, an answer says whether there is such a value at all. */
  readonly column?: { readonly table: string; readonly column: string }
}

export interface SchemaQuery {
  readonly name: string
  readonly description: string
  /** SQL with one `?` per parameter, in their order; `{{DYNAMIC_SQL}}` where the caller writes it (a free query). */
  readonly sql: string
  readonly parameters: readonly SchemaParameter[]
  /** Columns the author says the query gives, where said. */
  readonly columns?: readonly string[]
}

export interface SchemaResource {
  readonly name: string
  readonly description: string
  readonly database: DatabaseReference
  /** Defined queries; freeQuery (alias runSql) and describeTables are added when serving, a missing getSchema too. */
  readonly queries: readonly SchemaQuery[]
}

export interface FlowSchema {
  /** Absolute path of the schema file. */
  readonly file: string
  readonly dialect: Dialect
  /** FlowMCP namespace: the dataset id. */
  readonly namespace: string
  readonly name: string
  readonly description: string
  readonly resources: readonly SchemaResource[]
  /** Parts of the file that are not served, in words: handlers, tools, prompts, skills. */
  readonly notServed: readonly string[]
}
