import { hash } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { Building } from '../../src/ingest/building.ts'
import { type FinishOptions, finish } from '../../src/ingest/finish.ts'
import { sharesOf } from '../../src/ingest/full-text-threads.ts'
import type { FullTextDefinition, PipelineDefinition, Row } from '../../src/pipeline/types.ts'
import { scratchFolder } from '../store/scratch-store.ts'
import { definitionOf } from './loaded-snapshot.ts'

const fullText: readonly FullTextDefinition[] = [
  { name: 'person_fts', table: 'person', columns: ['name', 'town'], german: true },
  { name: 'title_fts', table: 'book', columns: ['title'] },
  { name: 'author_fts', table: 'book', columns: ['author'], german: true },
]

const { person, book } = definitionOf({
  person: { columns: { name: 'TEXT', town: 'TEXT' }, key: ['name'] },
  // The key is the rowid, so that rows are not numbered one after the other.
  book: { columns: { number: 'INTEGER', title: 'TEXT', author: 'TEXT' }, key: ['number'] },
}).tables
if (person === undefined || book === undefined) throw new Error('no tables')

const library: PipelineDefinition = {
  ...definitionOf({}),
  tables: { person: { ...person, indexes: [['town']] }, book: { ...book, indexes: [['author'], ['title']] } },
  views: { title: { description: 'Titles', sql: 'SELECT title FROM book' } },
  fullText,
}

const syllables = ['Mül', 'ler', 'Groß', 'mann', 'Łódź', 'schö', 'ne', 'berg', 'tal']
const word = (index: number): string => `${syllables[index % 9]}${syllables[Math.floor(index / 9) % 9]}${index % 97}`

/** A loaded snapshot of which nothing is finished, with everything that a text may be. */
const loaded = (): Building => {
  const building = new Building(join(scratchFolder(), 'data.db'), library)
  const insert = (table: string, row: Row): void => building.insert(table, building.toValues(table, row))
  for (let index = 0; index < 3000; index++) {
    insert('person', { name: `${word(index)} ${index}`, town: index % 7 === 0 ? null : word(index * 31) })
    insert('book', { number: 5 * (3000 - index), title: `On ${word(index)}`, author: word(index * 7) })
  }
  insert('person', { name: 'a\0Ölberg', town: '' })
  insert('person', { name: 'Mu\u0308ller', town: '東京' })
  return building
}

interface Finished {
  readonly path: string
  readonly gaveUp: readonly string[]
}

/** Finishes a snapshot; with `everything` in threads, however little there is. */
const finished = async (building: Building, options: Partial<FinishOptions> = {}): Promise<Finished> => {
  const gaveUp: string[] = []
  try {
    await finish(building, library, {
      signal: new AbortController().signal,
      onStep: () => undefined,
      onGaveUp: (why) => void gaveUp.push(why),
      threadsFrom: 0,
      ...options,
    })
    building.close({})
  } finally {
    building.abandon()
  }
  return { path: building.path, gaveUp }
}

const inPlace: Partial<FinishOptions> = { threadsFrom: Number.POSITIVE_INFINITY }

/** All that a snapshot holds, by table; FTS5's own tables as the others. */
const contentOf = (path: string): Record<string, string> => {
  const database = new Database(path)
  try {
    for (const { name } of fullText) database.exec(`INSERT INTO ${name}(${name}) VALUES ('integrity-check')`)
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    const names = database.prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY 1",
    )
    const tables = ['sqlite_schema', ...names.pluck().all()]
    const rows = (table: string): unknown[] =>
      table === 'sqlite_schema'
        ? database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all()
        : database.prepare(`SELECT * FROM "${table}"`).raw().all()
    return Object.fromEntries(tables.map((table) => [table, hash('sha256', JSON.stringify(rows(table)))]))
  } finally {
    database.close()
  }
}

const found = (path: string, index: string, match: string): unknown[] => {
  const database = new Database(path, { readonly: true })
  try {
    return database.prepare(`SELECT rowid FROM ${index} WHERE ${index} MATCH ? ORDER BY rank, rowid`).pluck().all(match)
  } finally {
    database.close()
  }
}

const left = ({ path }: { readonly path: string }): string[] => readdirSync(dirname(path))

describe('full text built in threads', () => {
  it('is what it is when it is built in place, to the last byte', async () => {
    const inThreads = await finished(loaded())
    const reference = await finished(loaded(), inPlace)
    expect(inThreads.gaveUp).toEqual([])
    expect(contentOf(inThreads.path)).toEqual(contentOf(reference.path))
    expect(Object.keys(contentOf(reference.path))).toContain('person_fts_data')
  })

  it('finds the same, in the same order', async () => {
    const [inThreads, reference] = [await finished(loaded()), await finished(loaded(), inPlace)]
    const asked = [
      ['person_fts', 'mueller7'],
      ['person_fts', 'Mul*'],
      ['person_fts', 'town: grossmann* OR olberg'],
      ['person_fts', '"a oelberg"'],
      ['title_fts', 'on AND schoene*'],
      ['title_fts', 'schö*'],
      ['author_fts', 'schoene*'],
      ['author_fts', 'lodz*'],
    ] as const
    const answers = ({ path }: Finished) => asked.map(([index, match]) => [match, found(path, index, match)])
    expect(answers(inThreads)).toEqual(answers(reference))
    // Of an index without German spellings alone, nothing is found by one.
    expect(answers(reference).flatMap(([match, rows]) => (rows?.length === 0 ? [match] : []))).toEqual([
      'on AND schoene*',
    ])
  })

  it('leaves a file without a log, and nothing beside it', async () => {
    const inThreads = await finished(loaded())
    expect(left(inThreads)).toEqual(['data.db'])
    const database = new Database(inThreads.path, { readonly: true })
    expect(database.pragma('journal_mode', { simple: true })).toBe('delete')
    database.close()
  })

  it('is built in place where a thread fails, which says why', async () => {
    const building = loaded()
    writeFileSync(`${building.path}-full-text-1`, 'what a thread cannot write to'.repeat(100))
    const inThreads = await finished(building)
    expect(inThreads.gaveUp).toEqual([expect.stringContaining('file is not a database')])
    expect(left(inThreads)).toEqual(['data.db'])
    expect(contentOf(inThreads.path)).toEqual(contentOf((await finished(loaded(), inPlace)).path))
  })

  it('ends with the run', async () => {
    const abort = new AbortController()
    const building = loaded()
    const cancelled = finished(building, { signal: abort.signal, onStep: () => abort.abort() })
    await expect(cancelled).rejects.toThrow('abort')
    expect(left(building)).toEqual(['data.db'])
  })

  it('ends where an index cannot be made', async () => {
    const building = loaded()
    building.database.exec('DROP TABLE book')
    await expect(finished(building)).rejects.toThrow('book')
    expect(left(building)).toEqual(['data.db'])
  })
})

describe('the shares of threads', () => {
  const rows: Record<string, number> = { person: 100, book: 150 }
  const shares = (atLeast: number, threads: number): string[][] =>
    sharesOf(fullText, (table) => rows[table] ?? 0, { atLeast, threads }).map((share) => share.map(({ name }) => name))

  it('are of about as many texts', () => {
    expect(shares(0, 2)).toEqual([['person_fts'], ['title_fts', 'author_fts']])
  })

  it('are no more than there are indexes', () => {
    expect(shares(0, 9)).toEqual([['person_fts'], ['title_fts'], ['author_fts']])
    expect(sharesOf([], () => 0, { atLeast: 0, threads: 2 })).toEqual([])
  })

  it('are none where there are few texts, or one processor', () => {
    expect(shares(500, 2)).not.toEqual([])
    expect(shares(501, 2)).toEqual([])
    expect(shares(0, 1)).toEqual([])
  })
})
