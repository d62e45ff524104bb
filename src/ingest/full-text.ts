/** Full-text indexes: the SQL that makes them. What they hold is the same wherever they are built (`full-text-threads.ts`). */
import type Database from 'better-sqlite3'
import type { FullTextDefinition } from '../pipeline/types.ts'
import { quoteIdentifier, quoteText } from '../store/identifier.ts'
import { germanSpellings } from './german.ts'

/** CREATE VIRTUAL TABLE of an index, which is empty then. */
export const createFullText = ({ name, table, columns }: FullTextDefinition): string =>
  `CREATE VIRTUAL TABLE ${quoteIdentifier(name)} USING fts5(${columns.map(quoteIdentifier).join(', ')},
   content=${quoteText(table)}, content_rowid='rowid', tokenize="unicode61 remove_diacritics 2", prefix='2 3')`

/**
 * How FTS5 builds: with four times the memory for words that are not written yet, and without merging what was written
 * meanwhile, since all of it becomes one b-tree in the end. It holds 2,000 at most that are not merged.
 */
const whileBuilding = { hashsize: 4_000_000, automerge: 0, crisismerge: 1000 } as const

/** Gives the connection what the statements of this module call. */
export const addSpellings = (database: Database.Database): void => {
  database.function('german', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? germanSpellings(text) : text,
  )
}

/** Most texts are ASCII, which has one spelling: they need not leave SQLite. */
const spellingsOf = (column: string): string =>
  `CASE WHEN octet_length(${column}) <> length(${column}) THEN german(${column}) ELSE ${column} END`

/** Makes an index and fills it with the texts of its table in the database named `from`. */
export const buildFullText = (database: Database.Database, fullText: FullTextDefinition, from = 'main'): void => {
  const name = quoteIdentifier(fullText.name)
  const columns = fullText.columns.map(quoteIdentifier)
  const texts = fullText.german === true ? columns.map(spellingsOf) : columns
  database.exec(createFullText(fullText))
  for (const [setting, value] of Object.entries(whileBuilding)) {
    database.exec(`INSERT INTO ${name}(${name}, rank) VALUES (${quoteText(setting)}, ${value})`)
  }
  // In order: FTS5 writes what it has wherever a rowid is not greater than the one before, and an index that happens to hold
  // all columns would give rows in its own.
  database.exec(
    `INSERT INTO ${name}(rowid, ${columns.join(', ')})
     SELECT rowid, ${texts.join(', ')} FROM ${quoteIdentifier(from)}.${quoteIdentifier(fullText.table)} NOT INDEXED
     ORDER BY rowid`,
  )
  // One b-tree in place of several: nothing is added any more, and looking a word up is some ten times as fast.
  database.exec(`INSERT INTO ${name}(${name}) VALUES ('optimize')`)
  // How it was built is nothing that the snapshot should keep to.
  database.unsafeMode(true)
  database.exec(`DELETE FROM ${quoteIdentifier(`${fullText.name}_config`)} WHERE k <> 'version'`)
  database.unsafeMode(false)
}

/** Tables in which FTS5 keeps what an index holds. */
const shadows = ['data', 'idx', 'docsize'] as const

/** Makes an index of what the file at `path` has of the same name, which is copied as it lies. */
export const takeFullText = (database: Database.Database, fullText: FullTextDefinition, path: string): void => {
  database.exec(createFullText(fullText))
  database.prepare('ATTACH ? AS built').run(path)
  database.unsafeMode(true)
  for (const shadow of shadows) {
    const name = quoteIdentifier(`${fullText.name}_${shadow}`)
    database.exec(`DELETE FROM main.${name}; INSERT INTO main.${name} SELECT * FROM built.${name}`)
  }
  database.unsafeMode(false)
  database.exec('DETACH built')
}
