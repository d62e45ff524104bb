/**
 * The one error class of the project and the table of its stable codes.
 *
 * A code is a public contract: programs match on it, people look it up. Every code says what happened, what was
 * kept, and what the reader can do. One table maps each code to an exit status, an MCP error and a log level.
 */

/** How a code shows on the command line (exit status, DESIGN §4.3), to an MCP host, and in the log. */
export interface ErrorKind {
  /** Exit status of the command line: 2 usage, 3 failed or busy, 4 refused. */
  readonly exit: 2 | 3 | 4
  /** How a host sees it: a JSON-RPC error of this code, or an `isError` result (`'result'`) that a model can act on. */
  readonly mcp: 'result' | -32602 | -32603
  readonly level: 'warn' | 'error'
}

const usage = { exit: 2, mcp: -32602, level: 'warn' } as const
const failed = { exit: 3, mcp: 'result', level: 'error' } as const
const refused = { exit: 4, mcp: 'result', level: 'warn' } as const
const notFound = { exit: 3, mcp: -32602, level: 'warn' } as const
const answer = { exit: 3, mcp: 'result', level: 'warn' } as const

export const errorKinds = {
  /** The command line's words are wrong. Nothing was done. Read `stichtag <command> --help`. */
  USAGE: usage,
  /** No pipeline, schema or snapshot has this dataset id. Nothing was done. The message lists those that exist. */
  UNKNOWN_DATASET: usage,
  /** A pipeline file is missing or not a valid definition. Other pipelines are not affected. Mend the named field. */
  PIPELINE_INVALID: failed,
  /** Another run of this dataset holds the lock. Nothing was done. Wait for it to end. */
  BUSY: failed,
  /** A regular file lies where a pointer or alias must go. Nothing was downloaded. Use `--adopt` to move it aside. */
  POINTER_OCCUPIED: failed,
  /** The source could not be reached in time. The current snapshot stays. Check the network or the URL. */
  SOURCE_UNREACHABLE: failed,
  /** The source answered with an error status, or broke off. The current snapshot stays. The next run tries again. */
  SOURCE_FAILED: failed,
  /** The source answered 404 or 410. The current snapshot stays. Look for the dataset's new address. */
  SOURCE_RETIRED: failed,
  /** What arrived is not what its name or format says (HTML, nothing, far too much). The current snapshot stays. */
  NOT_WHAT_IT_SAYS: failed,
  /** A compressed or archived file ends early or is damaged. The current snapshot stays. Fetch it again. */
  DATA_CORRUPT: failed,
  /** A record cannot be read, and the pipeline allows none such. The message names file and line. */
  RECORD_INVALID: failed,
  /** A delivery is a delta, and current, which it would be laid over, is unsound or of an earlier mapping. It stays. */
  BASE_UNUSABLE: failed,
  /** A file to read is not there. Nothing was done. */
  FILE_NOT_FOUND: failed,
  /** A guard refused the snapshot. It is in quarantine with its figures; the current snapshot stays. */
  GUARD: refused,
  /** A delivery that a rollback rejected is held until `release` or a new delivery. The current snapshot stays. */
  HELD: refused,
  /** Invented samples never replace real data. The current snapshot stays. Use another root for trying things out. */
  SAMPLE_OVER_REAL: refused,
  /** The store cannot be written (disk full, read-only, no permission). The current snapshot stays. */
  STORE_UNWRITABLE: failed,
  /** No snapshot of this version is kept. The message lists those that are. */
  UNKNOWN_VERSION: notFound,
  /** A kept snapshot's manifest.json is missing or damaged. It is not served; the rest is. Roll back, or ingest anew. */
  SNAPSHOT_INVALID: answer,
  /** A dataset's state.json cannot be read. Its snapshots and other datasets are not affected. Move the file away. */
  STATE_INVALID: failed,
  /** No such resource: the URI is malformed, or its record, table or query does not exist. */
  NOT_FOUND: notFound,
  /** A FlowMCP schema breaks a rule. It is not served; the rest is. `stichtag validate` prints the findings. */
  SCHEMA_INVALID: failed,
  /** A database that a schema names is not there. The message lists every path tried. It is served once it appears. */
  DATABASE_MISSING: answer,
  /** The arguments of a tool or query do not fit its input schema. Nothing was run. The message says what it takes. */
  ARGUMENTS_INVALID: { ...answer, exit: 2 },
  /** The statement is not one that only reads, or reads what it must not. Nothing was run. */
  STATEMENT_REFUSED: answer,
  /** SQLite could not run the statement. The message carries its words. */
  QUERY_FAILED: answer,
  /** The statement ran past its time limit and was stopped. Narrow it. */
  QUERY_TIMEOUT: answer,
  /** Too many statements wait, of this client or of all. Nothing was run. The message says when to try again. */
  QUEUE_FULL: answer,
  /** What a gateway keeps for all hosts together is used up. Nothing was opened. Try again later, or give something up. */
  GATEWAY_FULL: { exit: 3, mcp: -32603, level: 'warn' },
  /** The gateway cannot listen on this address: it is taken, or not this machine's. Nothing was started. Use another. */
  ADDRESS_UNAVAILABLE: failed,
  /** The request was cancelled by the one who made it. */
  CANCELLED: answer,
  /** A defect of this program. Please report it with the log. */
  INTERNAL: { exit: 3, mcp: -32603, level: 'error' },
} as const satisfies Record<string, ErrorKind>

/** A stable error code, see {@link errorKinds}. */
export type ErrorCode = keyof typeof errorKinds

/** Facts about an error for programs: JSON values only. */
export type ErrorData = Readonly<Record<string, unknown>>

/** The one error this project throws on purpose. */
export class StichtagError extends Error {
  override readonly name = 'StichtagError'
  readonly code: ErrorCode
  readonly data: ErrorData

  constructor(code: ErrorCode, message: string, options: { data?: ErrorData; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.data = options.data ?? {}
  }

  get kind(): ErrorKind {
    return errorKinds[this.code]
  }
}

/** Any thrown value as a StichtagError; what is not one already becomes `INTERNAL`. */
export const asStichtagError = (thrown: unknown): StichtagError => {
  if (thrown instanceof StichtagError) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new StichtagError('INTERNAL', message, { cause: thrown })
}
