/** What records of a version are called by people: a difference names them by their keys alone. */
import Database from 'better-sqlite3'
import type { Change } from '../store/changes.ts'
import { quoteIdentifier } from '../store/identifier.ts'
import { dataFile, type Store, snapshotFolder } from '../store/layout.ts'
import { intactManifest } from '../store/snapshots.ts'
import type { Version } from '../store/version.ts'

export interface RecordTitles {
  /** The title of the record that a change is of; undefined where it has none. */
  titleOf(change: Change): string | undefined
  close(): void
}

/** Opens a version to look titles up in; one that is not kept or cannot be read has none. The caller closes it. */
export const openTitles = (store: Store, dataset: string, version: Version): RecordTitles => {
  const manifest = intactManifest(store, dataset, version)
  if (manifest === null) return { titleOf: () => undefined, close: () => undefined }
  const database = new Database(dataFile(snapshotFolder(store, dataset, version)), { readonly: true })
  const statements = new Map<string, Database.Statement<unknown[], unknown> | undefined>()
  const statementFor = (name: string): Database.Statement<unknown[], unknown> | undefined => {
    if (statements.has(name)) return statements.get(name)
    const table = manifest.tables.find((each) => each.name === name)
    const title = table?.title
    const isTitled = table !== undefined && title !== undefined && table.key.length > 0 && !table.key.includes(title)
    const statement = isTitled
      ? database
          .prepare<unknown[], unknown>(
            `SELECT ${quoteIdentifier(title)} FROM ${quoteIdentifier(name)}
             WHERE ${table.key.map((column) => `${quoteIdentifier(column)} IS ?`).join(' AND ')}`,
          )
          .pluck()
      : undefined
    statements.set(name, statement)
    return statement
  }
  return {
    titleOf: ({ table, key }) => {
      const values = key.map((value) =>
        typeof value === 'object' && value !== null ? Buffer.from(value.base64, 'base64') : value,
      )
      const title = statementFor(table)?.get(...values)
      return typeof title === 'string' && title !== '' ? title : undefined
    },
    close: () => database.close(),
  }
}
