/** What readers of formats give, whatever the format: records with the line they start on, in batches. */

/** Bytes of a file as they come, decompressed. */
export type Bytes = AsyncIterable<Buffer>

/** A record, or what stands where one should be. `line` counts from 1 and is the one the record starts on. */
export type ReadRecord =
  /** `remark` is what a reader of the manifest should know of it, though it was read. */
  | { readonly line: number; readonly record: unknown; readonly remark?: string }
  /** `raw` is its text as far as {@link maxRawLength}. */
  | { readonly line: number; readonly problem: string; readonly raw: string }

/** Batches of records, to spare an await per record. None is empty. */
export type RecordBatches = AsyncIterable<readonly ReadRecord[]>

/** Records per batch, at most. */
export const batchSize = 500

/** Characters kept of the text of what could not be read. */
export const maxRawLength = 1000

/** An element of an XML file. Names are without their namespace's prefix; attributes that have one keep it. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** Its own text, children's left out; spaces around it dropped. */
  readonly text: string
  readonly children: readonly XmlElement[]
}

/** What a file says before its first record: dates and counts that its publisher gives. */
export type Preamble =
  /** The lines before the header, and the header's columns. */
  | { readonly type: 'csv'; readonly lines: readonly string[]; readonly columns: readonly string[] }
  /** What stands beside the array of records, as far as it comes before it; the array is there, and empty. */
  | { readonly type: 'json'; readonly document: unknown }
  /** The root, with those of its children that come before the first record and hold none. */
  | { readonly type: 'xml'; readonly root: XmlElement }

/** What every reader is told. */
export interface ReadOptions {
  /** Name of the source or file, for messages. */
  readonly source: string
  readonly signal?: AbortSignal | undefined
  /** Hears of what was survived (ignored bytes, say), in words that do not repeat the file's name. */
  readonly onWarning?: ((warning: string) => void) | undefined
  /** Hears what the file says before its first record, once, and before any record is given. */
  readonly onPreamble?: ((preamble: Preamble) => void) | undefined
  /** Where the bytes are parts of a bigger file: the number of the line there that a chunk begins with. */
  readonly lineOf?: ((chunk: Buffer) => number | undefined) | undefined
}
