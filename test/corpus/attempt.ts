/** One attempt to make the gateway do more than answer, and what must come of it. */

/**
 * What an attempt must come to:
 *
 * - `refused`: the statement is not run, because it does not only read this database
 * - `failed`: SQLite does not understand it, or one of its own limits ends it
 * - `timed out`: it runs into the time limit and is stopped
 * - `too much memory`: it runs into the memory limit and is stopped
 * - `stopped`: one of these two or a limit of SQLite's own, whichever comes first on this machine
 * - `bad arguments`: its arguments do not fit, and the answer says what would
 * - `nothing there`: an error of the protocol that names no more than what was asked for
 * - `harmless`: an answer like any other
 * - `cut`: an answer that ends where it would grow too big, and says so
 * - an object: an answer whose rows are exactly these
 */
export type Outcome =
  | 'refused'
  | 'failed'
  | 'timed out'
  | 'too much memory'
  | 'stopped'
  | 'bad arguments'
  | 'nothing there'
  | 'harmless'
  | 'cut'
  | { readonly rows: readonly (readonly unknown[])[] }

export type Request =
  | { readonly sql: string }
  | { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly uri: string }
  | { readonly complete: string; readonly argument: string; readonly value: string }

export interface Attempt {
  readonly request: Request
  readonly outcome: Outcome
}
