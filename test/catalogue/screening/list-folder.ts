/** Small sanctions lists as files in a folder, each with a schema that names it: what people may also bring themselves. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Store } from '../../../src/store/layout.ts'

export interface ListEntry {
  readonly id: string
  /** Names; one that begins with `~` is a weak alias. */
  readonly names: readonly string[]
  readonly birth?: string
}

const shape = `
  CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT);
  CREATE TABLE entry(id TEXT PRIMARY KEY NOT NULL, name TEXT, remarks TEXT);
  CREATE TABLE name(id INTEGER PRIMARY KEY, entry_id TEXT, name TEXT, kind TEXT, strength TEXT);
  CREATE TABLE birth(entry_id TEXT, date TEXT);
  CREATE VIEW entity AS SELECT id AS entity_id, 'person' AS type, name, NULL AS listed_on, NULL AS amended_on, remarks,
    'entry' AS record_table FROM entry;
  CREATE VIEW entity_name AS SELECT entry_id AS entity_id, name, kind, strength, NULL AS note, id AS name_id FROM name;
  CREATE VIEW entity_address AS SELECT id AS entity_id FROM entry WHERE 0;
  CREATE VIEW entity_birth AS SELECT entry_id AS entity_id, date, NULL AS date_to, 0 AS circa, NULL AS place,
    NULL AS country, NULL AS note FROM birth;
  CREATE VIEW entity_identifier AS SELECT id AS entity_id FROM entry WHERE 0;
  CREATE VIEW entity_program AS SELECT id AS entity_id, 'TEST-1' AS program, 'Nobody' AS authority, NULL AS imposed_on FROM entry;
  CREATE VIRTUAL TABLE name_fts USING fts5(name, content='name', content_rowid='id',
    tokenize="unicode61 remove_diacritics 2", prefix='2 3');`

export class ListFolder {
  readonly root = mkdtempSync(join(tmpdir(), 'lists-'))
  readonly schemas = join(this.root, 'schemas')
  readonly store: Store = { root: this.root, origin: 'global' }

  constructor() {
    mkdirSync(this.schemas)
  }

  /** Writes a list; without entries, only the schema of one that is not there. */
  add(dataset: string, entries: readonly ListEntry[] | undefined, over: { readonly sample?: boolean } = {}): void {
    const file = join(this.schemas, `${dataset}.db`)
    const queries = {
      ofName: {
        sql: 'SELECT entity_id, name FROM entity_name WHERE name = ?',
        description: 'Entities by their exact name.',
        parameters: { name: { type: 'string', required: true, description: 'The whole name.' } },
        output: { columns: ['entity_id', 'name'] },
      },
    }
    const list = { source: 'sqlite', database: `${dataset}.db`, origin: 'inline', description: 'A list.', queries }
    const main = {
      namespace: dataset,
      name: `List ${dataset}`,
      description: 'A list.',
      version: '3.0.0',
      docs: [],
      tags: [],
      root: '',
      tools: {},
      resources: { list },
    }
    writeFileSync(join(this.schemas, `${dataset}.mjs`), `export const main = ${JSON.stringify(main)}\n`)
    if (entries === undefined) return
    const database = new Database(file)
    database.exec(`BEGIN; ${shape}`)
    const meta = { licence: `Licence of ${dataset}`, attribution: `Publisher of ${dataset}` }
    const facts = over.sample === true ? { ...meta, sample: 'invented' } : meta
    for (const [key, value] of Object.entries(facts)) database.prepare('INSERT INTO meta VALUES (?, ?)').run(key, value)
    for (const { id, names, birth } of entries) {
      database.prepare('INSERT INTO entry VALUES (?, ?, ?)').run(id, names[0], 'associate of Remarka Onlyhere')
      for (const [place, name] of names.entries()) {
        const kind = place === 0 ? 'primary' : 'alias'
        const strength = name.startsWith('~') ? 'weak' : 'strong'
        database.prepare('INSERT INTO name VALUES (NULL, ?, ?, ?, ?)').run(id, name.replace(/^~/, ''), kind, strength)
      }
      if (birth !== undefined) database.prepare('INSERT INTO birth VALUES (?, ?)').run(id, birth)
    }
    database.exec(`INSERT INTO name_fts(name_fts) VALUES ('rebuild'); COMMIT`)
    database.close()
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }
}
