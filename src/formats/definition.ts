/** How records are read from a file's bytes, after decompression (which is recognised by the first bytes). */
import type { CsvDialect } from './csv-dialect.ts'
import type { JsonFormat } from './json-format.ts'
import type { XmlFormat } from './xml-format.ts'

/** A JSON value per line. */
export interface JsonlFormat {
  readonly type: 'jsonl'
}

/** A format that says how a file is written. */
export type PlainFormat = JsonlFormat | JsonFormat | CsvDialect | XmlFormat

/**
 * One of several formats, for data that people have in more than the one that the publisher is asked for. Which one a
 * file is in is told by its first character: `<`, `{` or `[`, or any other.
 */
export interface EitherFormat {
  readonly type: 'either'
  readonly formats: readonly PlainFormat[]
}

/** One of the formats there are. Whoever reads one decides by `type`, exhaustively. */
export type FormatDefinition = PlainFormat | EitherFormat
