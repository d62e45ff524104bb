/** Files that are not ours: what is seen in them, and that an answer tells the version it was read from. */
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { fewAtOnce } from '../../src/catalogue/discovery/few-at-once.ts'
import { fileVersionOf } from '../../src/catalogue/discovery/file-version.ts'
import { describeForeign } from '../../src/catalogue/discovery/foreign.ts'
import { matchExpression } from '../../src/catalogue/full-text-query.ts'
import { searchableIndexes, searchIndex } from '../../src/catalogue/full-text-search.ts'
import { readLabelled } from '../../src/catalogue/labelled.ts'
import { keyParameters, recordPlan } from '../../src/catalogue/record-plan.ts'
import type { ServedDatabase } from '../../src/catalogue/served.ts'
import type { ReaderPool } from '../../src/query/types.ts'
import { createInProcessPool } from './in-process-pool.ts'
import { afterTest } from './opened.ts'

const pool = createInProcessPool()

const scratch = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'stichtag-foreign-'))
  afterTest(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'a.db')
}

const fill = (path: string, sql: string): void => {
  const database = new Database(path)
  database.exec(sql)
  database.close()
}

const describeFile = async (path: string): Promise<ServedDatabase> => {
  const version = fileVersionOf(path)
  if (version === undefined) throw new Error('there is no such file')
  return describeForeign(pool, path, version)
}

const described = (sql: string): Promise<ServedDatabase> => {
  const path = scratch()
  fill(path, sql)
  return describeFile(path)
}

/** URIs found for a word, by all indexes of a file. */
const found = async (database: ServedDatabase, word: string): Promise<readonly string[]> => {
  const expression = matchExpression(word) ?? ''
  const lists = await Promise.all(
    searchableIndexes(database).map((index) => searchIndex(pool, 'own', database, index, expression, 10)),
  )
  return lists.flatMap(({ hits }) => hits.map(({ uri }) => uri))
}

const notes = `CREATE TABLE note(id TEXT PRIMARY KEY, text TEXT); INSERT INTO note VALUES ('a', 'Brunnen'), ('b', 'Turm');`

describe('a file with many tables', () => {
  it('is described with few look-ups under way at a time, whatever their number', async () => {
    const path = scratch()
    fill(path, Array.from({ length: 300 }, (_, table) => `CREATE TABLE t${table}(id PRIMARY KEY, v);`).join('\n'))
    const version = fileVersionOf(path)
    if (version === undefined) throw new Error('there is no such file')
    let [underWay, most] = [0, 0]
    const counting: ReaderPool = {
      ...pool,
      rows: async (request) => {
        underWay += 1
        most = Math.max(most, underWay)
        await nextTurn()
        underWay -= 1
        return pool.rows(request)
      },
    }
    const { tables } = await describeForeign(counting, path, version)
    expect(tables).toHaveLength(300)
    expect(most).toBeLessThan(5)
  })
})

describe('much to do', () => {
  it('is done a few at a time, all of it, whatever fails', async () => {
    const few = fewAtOnce(2)
    let [underWay, most] = [0, 0]
    const work = (number: number) =>
      few(async () => {
        underWay += 1
        most = Math.max(most, underWay)
        await nextTurn()
        underWay -= 1
        if (number === 3) throw new Error('this one fails')
        return number
      })
    const outcomes = await Promise.allSettled(Array.from({ length: 9 }, (_, number) => work(number)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(8)
    expect(most).toBe(2)
  })
})

describe('the full-text indexes of a file', () => {
  it('are over the table they name, or are called after', async () => {
    const database = await described(`${notes}
      CREATE VIRTUAL TABLE words USING fts5(text, content="note"); INSERT INTO words(words) VALUES ('rebuild');
      CREATE TABLE tower(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO tower VALUES (7, 'Turm');
      CREATE VIRTUAL TABLE tower_fts USING fts5(name); INSERT INTO tower_fts(rowid, name) VALUES (7, 'Turm')`)
    expect(await found(database, 'turm')).toEqual(['own://tower/7', 'own://note/b'])
  })

  it('find rows by another column where they say so', async () => {
    const database = await described(`
      CREATE TABLE note(id TEXT PRIMARY KEY, number INTEGER UNIQUE NOT NULL, text TEXT) WITHOUT ROWID;
      INSERT INTO note VALUES ('a', 70, 'Brunnen'), ('b', 60, 'Turm');
      CREATE VIRTUAL TABLE note_fts USING fts5(text, content='note', content_rowid='number');
      INSERT INTO note_fts(note_fts) VALUES ('rebuild')`)
    expect(await found(database, 'brunnen')).toEqual(['own://note/a'])
  })

  it('that hold their texts themselves are tables of their own', async () => {
    const database = await described(`
      CREATE VIRTUAL TABLE memo USING fts5(title, body);
      INSERT INTO memo(rowid, title, body) VALUES (5, 'Wasser', 'Der Brunnen ist trocken'), (6, 'Licht', 'Es brennt')`)
    expect(database.tables).toMatchObject([{ name: 'memo', key: ['rowid'] }])
    expect(await found(database, 'brunnen')).toEqual(['own://memo/5'])
    const [table] = database.tables
    if (table === undefined) throw new Error('memo is a table')
    const page = await pool.recordPage({
      database: database.path,
      plan: recordPlan(database, table),
      key: keyParameters(table, ['5']) ?? [],
      page: 1,
      pageBytes: 1000,
    })
    expect(page?.record).toEqual({ rowid: 5, title: 'Wasser', body: 'Der Brunnen ist trocken' })
  })

  it('are left out where their rows cannot be found: no rowids, no texts', async () => {
    const database = await described(`
      CREATE TABLE note(id TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID;
      CREATE VIRTUAL TABLE words USING fts5(text, content='note');
      CREATE VIRTUAL TABLE bare USING fts5(text, content='');`)
    expect([database.fullText, database.tables.map(({ name }) => name)]).toEqual([[], ['note']])
  })
})

describe('a key column without a type', () => {
  it.each([
    ['a number', '36', [36]],
    ['text', "'36'", ['36']],
  ])('is looked for as what it holds: %s', async (_, value, key) => {
    const database = await described(`CREATE TABLE t(id PRIMARY KEY, a); INSERT INTO t VALUES (${value}, 1)`)
    const [table] = database.tables
    expect(table === undefined ? undefined : keyParameters(table, ['36'])).toEqual(key)
  })
})

describe('an answer from a file that can be replaced', () => {
  const one = (n: number) => `CREATE TABLE t(a); INSERT INTO t VALUES (${n})`
  const rows = async (path: string) => {
    const answer = await pool.rows({
      database: path,
      sql: 'SELECT a FROM t',
      parameters: [],
      lane: 'query',
      maxRows: 9,
    })
    return answer.rows
  }
  const replace = (path: string, n: number): void => {
    fill(`${path}.new`, one(n))
    renameSync(`${path}.new`, path)
  }

  it('carries the version that was read, whatever the catalogue knows', async () => {
    const path = scratch()
    fill(path, one(1))
    const known = await describeFile(path)
    replace(path, 2)
    const { answer, database } = await readLabelled(known, () => rows(path))
    expect(answer).toEqual([[2]])
    expect(database).toMatchObject(fileVersionOf(path) ?? {})
    expect(database.version).not.toBe(known.version)
  })

  it('is read again where the file was replaced meanwhile', async () => {
    const path = scratch()
    fill(path, one(1))
    let readings = 0
    const { answer, database } = await readLabelled(await describeFile(path), async () => {
      readings += 1
      const read = await rows(path)
      if (readings === 1) replace(path, 2)
      return read
    })
    expect([readings, answer]).toEqual([2, [[2]]])
    expect(database.version).toBe(fileVersionOf(path)?.version)
  })

  it('comes to an end though the file is replaced all the time', async () => {
    const path = scratch()
    fill(path, one(0))
    let readings = 0
    await readLabelled(await describeFile(path), async () => {
      readings += 1
      replace(path, readings)
    })
    expect(readings).toBe(3)
  })

  it('of a snapshot of ours is labelled as it is known: its file never changes', async () => {
    const path = scratch()
    fill(path, one(1))
    const { foreign: _, ...known } = await describeFile(path)
    replace(path, 2)
    expect((await readLabelled(known, () => rows(path))).database).toBe(known)
  })
})
