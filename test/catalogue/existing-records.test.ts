/** Answers name only records that can be read, and say of each whether it is real. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { fileVersionOf } from '../../src/catalogue/discovery/file-version.ts'
import { describeForeign } from '../../src/catalogue/discovery/foreign.ts'
import { searchableIndexes, searchIndex } from '../../src/catalogue/full-text-search.ts'
import { recordLinks } from '../../src/catalogue/row-links.ts'
import type { ServedDatabase } from '../../src/catalogue/served.ts'
import { createInProcessPool } from './in-process-pool.ts'
import { afterTest, answerOf, open, registerWith } from './opened.ts'
import { Register } from './register.ts'

const pool = createInProcessPool()

/** Stops, some of which are platforms of others, as a pipeline declares them. */
const stops = async (): Promise<ServedDatabase> => {
  const folder = mkdtempSync(join(tmpdir(), 'stichtag-stops-'))
  afterTest(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'a.db')
  const database = new Database(path)
  database.exec(`CREATE TABLE stops(stop_id TEXT PRIMARY KEY, name TEXT, parent TEXT);
    INSERT INTO stops VALUES ('1', 'Podkowa', NULL), ('2', 'Zug', ''), ('3', 'Zug', 'gone'), ('4', 'Zug', '5'), ('5', 'Zug', NULL);
    CREATE VIRTUAL TABLE stops_fts USING fts5(name, content='stops'); INSERT INTO stops_fts(stops_fts) VALUES ('rebuild')`)
  database.close()
  const version = fileVersionOf(path)
  if (version === undefined) throw new Error('there is no such file')
  const described = await describeForeign(pool, path, version)
  const related = [{ name: 'platforms', table: 'stops', on: { parent: 'stop_id' }, orderBy: ['stop_id'] }]
  return { ...described, tables: described.tables.map((table) => ({ ...table, related })) }
}

describe('a record that was found', () => {
  it.each([
    ['podkowa', { 'own://stops/1': undefined }],
    [
      'zug',
      {
        'own://stops/2': undefined,
        'own://stops/3': undefined,
        'own://stops/4': 'own://stops/5',
        'own://stops/5': undefined,
      },
    ],
  ])('belongs to another only where there is such a record: %s', async (word, expected) => {
    const database = await stops()
    const [index] = searchableIndexes(database)
    if (index === undefined) throw new Error('stops can be searched')
    const { hits } = await searchIndex(pool, 'own', database, index, word, 10)
    expect(Object.fromEntries(hits.map(({ uri, belongsTo }) => [uri, belongsTo]))).toEqual(expected)
  })
})

describe('the links of an answer', () => {
  it('lead only to records that exist', async () => {
    const rows = ['gone', '5', '', null].map((parent) => ({ parent }))
    const links = await recordLinks(pool, 'own', await stops(), { columns: ['parent'], rows, sql: 'FROM stops' })
    expect(links.map(({ uri }) => uri)).toEqual(['own://stops/5'])
  })

  it('are those of the rows themselves, without another look, where the key is read from its own table', async () => {
    const rows = [{ stop_id: '5' }]
    const answer = { columns: ['stop_id'], rows, sql: 'SELECT stop_id FROM stops' }
    const database = await stops()
    const looks = async (tables: readonly (string | null)[]): Promise<number> => {
      const before = pool.asked.length
      const links = await recordLinks(pool, 'own', database, { ...answer, tables })
      expect(links.map(({ uri }) => uri)).toEqual(['own://stops/5'])
      return pool.asked.length - before
    }
    expect([await looks(['stops']), await looks([null]), await looks(['other'])]).toEqual([0, 1, 1])
  })
})

describe('search among real and invented records', () => {
  it('has the real ones first, and marks each that is invented', async () => {
    const register = registerWith([{ number: 'K1', name: 'Muster AG' }])
    const sample = new Register('a-sample', register.store.root)
    sample.publish([{ number: 'S1', name: 'Muster' }], { sample: true })
    const { results } = await answerOf(await open(register), 'search', { query: 'muster' })
    expect(results).toEqual([
      expect.not.objectContaining({ sample: expect.anything() }),
      expect.objectContaining({ uri: 'a-sample://company/S1', sample: expect.stringContaining('Invented') }),
    ])
  })
})
