/**
 * What a person would do with the `sqlite3` command line in our stead: import, then create indexes. Its files have no
 * journal and are not synced while they grow, as ours have not: without that it takes longer.
 */
import { rmSync } from 'node:fs'
import { rowColumns } from '../generate-rows.ts'
import { type Measured, measure, measureShell } from './measure.ts'
import type { Bench } from './row.ts'

const fast = 'PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768;'

/** A text as one word of the shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Runs a script of `sqlite3` on a fresh database at `path`, after some shell. */
export const runSqlite = (
  { signal, work }: Pick<Bench, 'signal' | 'work'>,
  path: string,
  script: readonly string[],
  before = '',
): Promise<Measured> => {
  rmSync(path, { force: true })
  const shell = `${before}\nsqlite3 -bail ${quoted(path)} <<'THE_END_OF_THE_SCRIPT'\n${[fast, ...script].join('\n')}\nTHE_END_OF_THE_SCRIPT`
  return measureShell(shell, { signal, cwd: work })
}

/** Runs a script of `sqlite3` on a database that is there. */
export const runSqliteOn = (
  { signal, work }: Pick<Bench, 'signal' | 'work'>,
  path: string,
  script: readonly string[],
): Promise<Measured> =>
  measure('sqlite3', ['-bail', '-readonly', path, 'PRAGMA cache_size = -32768;', ...script], { signal, cwd: work })

/** Imports a CSV file of `generate-rows.ts`. */
export const importRows = (
  bench: Pick<Bench, 'signal' | 'work'>,
  file: string,
  path: string,
  indexes: readonly (readonly string[])[],
): Promise<Measured> =>
  runSqlite(bench, path, [
    `CREATE TABLE rows(${rowColumns.map((column) => `${column} TEXT`).join(', ')});`,
    `.import --csv --skip 1 ${file} rows`,
    ...indexes.map((columns, index) => `CREATE INDEX rows_${index} ON rows(${columns.join(', ')});`),
  ])

/** Full text over columns of a table, as our snapshots have it, without German spellings. */
export const fullText = (name: string, table: string, columns: string): string =>
  `CREATE VIRTUAL TABLE ${name} USING fts5(${columns}, content='${table}', content_rowid='rowid',
     tokenize="unicode61 remove_diacritics 2", prefix='2 3');
   INSERT INTO ${name}(rowid, ${columns}) SELECT rowid, ${columns} FROM ${table};`
