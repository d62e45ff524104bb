/** A throw-away database with a dataset's tables and records, made by the pipeline's own mapping. */
import Database from 'better-sqlite3'
import { loadPipeline } from '../../src/pipeline/discover.ts'
import type { MapContext, Row } from '../../src/pipeline/types.ts'

const bound = (value: Row[string]): unknown => (typeof value === 'boolean' ? Number(value) : (value ?? null))

/** What the mapping reported beside its rows. */
export interface Mapped {
  readonly database: Database.Database
  readonly unknownFields: readonly string[]
}

/**
 * Maps the records and keeps the rows in memory. The caller closes the database. Full text is indexed by SQLite's own
 * folding only, so spellings such as Mueller for Müller are not found here.
 */
export const scratchDatabase = async (dataset: string, records: Iterable<unknown>): Promise<Mapped> => {
  const { definition } = await loadPipeline(dataset)
  const database = new Database(':memory:')
  const inserts = new Map<string, (row: Row) => void>()
  for (const [name, table] of Object.entries(definition.tables)) {
    const columns = Object.entries(table.columns)
    const declared = columns.map(([column, type]) => `${column} ${typeof type === 'string' ? type : type.type}`)
    const surrogate = table.surrogate === undefined ? [] : [`${table.surrogate} INTEGER PRIMARY KEY`]
    database.exec(`CREATE TABLE ${name} (${[...surrogate, ...declared, `UNIQUE (${table.key.join()})`].join()})`)
    for (const [position, index] of (table.indexes ?? []).entries())
      database.exec(`CREATE INDEX ${name}_${position} ON ${name} (${index.join()})`)
    const names = columns.map(([column]) => column)
    const insert = database.prepare(`INSERT INTO ${name} (${names.join()}) VALUES (${names.map(() => '?').join()})`)
    inserts.set(name, (row) => {
      insert.run(names.map((column) => bound(row[column])))
    })
  }
  const unknownFields: string[] = []
  const context: MapContext = {
    source: 'scratch',
    line: 0,
    state: {},
    runState: {},
    emit: (table, row) => inserts.get(table)?.(row),
    remark: () => undefined,
    unknown: (field) => {
      unknownFields.push(field)
    },
    publisherDate: () => undefined,
    reject: (reason) => {
      throw new Error(reason)
    },
  }
  database.transaction(() => {
    for (const record of records) definition.map(record, context)
  })()
  for (const { name, table, columns } of definition.fullText ?? []) {
    database.exec(
      `CREATE VIRTUAL TABLE ${name} USING fts5(${columns.join()}, tokenize='unicode61 remove_diacritics 2')`,
    )
    database.exec(`INSERT INTO ${name} (rowid, ${columns.join()}) SELECT rowid, ${columns.join()} FROM ${table}`)
  }
  for (const [name, view] of Object.entries(definition.views ?? {})) database.exec(`CREATE VIEW ${name} AS ${view.sql}`)
  return { database, unknownFields }
}
