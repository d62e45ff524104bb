/** How records are read from a file's bytes, after decompression (which is recognised by the first bytes). */
import type { CsvDialect } from './csv-dialect.ts'
import type { JsonFormat } from './json-format.ts'
import type { XmlFormat } from './xml-format.ts'

/** A JSON value per line. */
export interface JsonlFormat {
  readonly type: 'jsonl'
}

/** One of the formats there are. Whoever reads one decides by `type`, exhaustively. */
export type FormatDefinition = JsonlFormat | JsonFormat | CsvDialect | XmlFormat
