/** What readers of formats give, whatever the format: records with the line they start on, in batches. */

/** Bytes of a file as they come, decompressed. */
export type Bytes = AsyncIterable<Buffer>

/** A record, or what stands where one should be. `line` counts from 1 and is the one the record starts on. */
export type ReadRecord =
  | { readonly line: number; readonly record: unknown }
  /** `raw` is its text as far as {@link maxRawLength}. */
  | { readonly line: number; readonly problem: string; readonly raw: string }

/** Batches of records, to spare an await per record. None is empty. */
export type RecordBatches = AsyncIterable<readonly ReadRecord[]>

/** Records per batch, at most. */
export const batchSize = 500

/** Characters kept of the text of what could not be read. */
export const maxRawLength = 1000

/** What every reader is told. */
export interface ReadOptions {
  /** Name of the source or file, for messages. */
  readonly source: string
  readonly signal?: AbortSignal | undefined
  /** Hears of what was survived (ignored bytes, say), in words that do not repeat the file's name. */
  readonly onWarning?: ((warning: string) => void) | undefined
}
