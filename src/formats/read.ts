/** From a delivered file to its records: opens it and reads it in the format that its source declares. */
import type { FormatDefinition } from '../pipeline/types.ts'
import { readCsv } from './csv.ts'
import type { CsvDialect } from './csv-dialect.ts'
import { readJsonl } from './jsonl.ts'
import { openFile } from './open.ts'
import type { ReadOptions, RecordBatches } from './types.ts'

/** The records of the file at `path`. Errors as of `openFile` and of the format's reader. */
export const readRecords = (
  path: string,
  format: FormatDefinition | CsvDialect,
  options: ReadOptions,
): RecordBatches => {
  const bytes = openFile(path, { ...options, name: options.source })
  switch (format.type) {
    case 'jsonl':
      return readJsonl(bytes, options)
    case 'csv':
      return readCsv(bytes, format, options)
  }
}
