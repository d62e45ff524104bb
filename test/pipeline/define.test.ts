import { describe, expect, it } from 'vitest'
import { StichtagError } from '../../src/errors.ts'
import { definePipeline } from '../../src/pipeline/define.ts'
import type { PipelineDefinition } from '../../src/pipeline/types.ts'
import { allowedTableFunctions } from '../../src/query/statement.ts'
import { places } from './places.ts'

/** What is said of a definition with these fields in place of those of a good one. */
const problemsOf = (over: Record<string, unknown>): unknown => {
  try {
    // Made wrong on purpose; that is what is tested.
    definePipeline({ ...places, ...over } as PipelineDefinition)
    return []
  } catch (error) {
    if (!(error instanceof StichtagError)) throw error
    expect(error.code).toBe('PIPELINE_INVALID')
    expect(error.message).toMatch(/^pipeline /)
    return error.data.problems
  }
}

const place = places.tables.place
const numbered = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, 'TEXT' as const]))
const withPlace = (over: Record<string, unknown>): Record<string, unknown> => ({
  tables: { ...places.tables, place: { ...place, ...over } },
})
const withFullText = (over: Record<string, unknown>): Record<string, unknown> => ({
  fullText: [{ name: 'place_fts', table: 'place', columns: ['name'], ...over }],
})
const source = places.sources[0]

describe('a definition', () => {
  it('that is right is given back as it is', () => {
    expect(definePipeline(places)).toBe(places)
  })

  it.each([
    ['an id that is no URI scheme', { id: 'Places' }, 'id: must match'],
    ['a title that is empty', { title: '' }, 'title:'],
    ['a homepage that is no URL', { homepage: 'example.org' }, 'homepage:'],
    ['a licence without attribution', { licence: { name: 'CC0', url: 'https://example.org' } }, 'licence.attribution:'],
    ['a database in another folder', { database: '../places.db' }, 'database: must match'],
    ['a database that is the ledger', { database: 'runs.db' }, 'the name runs.db is reserved'],
    ['an alias that is the database', { aliases: ['places.db'] }, 'places.db is there twice'],
    ['an alias twice', { aliases: ['a.db', 'a.db'] }, 'a.db is there twice'],
    ['a time zone that is none', { schedule: { cron: '0 4 * * *', timeZone: 'Mars/Olympus' } }, 'schedule.timeZone:'],
    ['a licence in one word', { licence: 'CC0' }, 'licence: must be { name, url, attribution }'],
    [
      'a licence whose URL is a word',
      { licence: { name: 'CC0', url: 'CC0', attribution: 'A' } },
      'licence.url: must be a URL such as https://example.org/, not "CC0"',
    ],
    ['a title that is missing', { title: undefined }, 'title: is missing: it must be a text'],
    ['a list that is an object', { fullText: {} }, 'fullText: must be a list'],
    [
      'a column of an unknown type',
      withPlace({ columns: { ...place?.columns, id: 'NUMERIC' } }),
      'tables.place.columns.id: must be one of TEXT, INTEGER, REAL, BLOB, or { type, description }',
    ],
    [
      'an unknown format',
      { sources: [{ ...source, format: { type: 'pdf' } }] },
      'sources.0.format.type: must be one of "jsonl", "json", "csv", "xml", "either"',
    ],
    [
      'a format in one word',
      { sources: [{ ...source, format: 'csv' }] },
      'sources.0.format: must be an object such as',
    ],
    [
      'a misspelt option of a format',
      { sources: [{ ...source, format: { type: 'csv', delimeter: ';' } }] },
      'sources.0.format: does not know delimeter',
    ],
    ['no source', { sources: [] }, 'sources:'],
    ['no source that must be there', { sources: [{ ...source, optional: true }] }, 'sources: must have one'],
    [
      'every member and one of them',
      { sources: [{ ...source, archive: { member: 'a.csv', every: ['*.csv'] } }] },
      'cannot be there beside member',
    ],
    [
      'a reference from nowhere',
      { references: [{ table: 'place', column: 'nope', to: [{ table: 'place', column: 'id' }] }] },
      'references: place has no column nope',
    ],
    ['a reference to nothing', { references: [{ table: 'place', column: 'id', to: [] }] }, 'references.0.to:'],
    ['a source in a folder', { sources: [{ ...source, name: 'a/b.jsonl' }] }, 'sources.0.name: must be a file name'],
    ['a hidden source', { sources: [{ ...source, name: '.jsonl' }] }, 'sources.0.name: must be a file name'],
    ['a source twice', { sources: [source, source] }, 'sources: places.jsonl.gz is there twice'],
    ['a format that nobody reads', { sources: [{ ...source, format: { type: 'pdf' } }] }, 'sources.0.format'],
    ['no table', { tables: {} }, 'tables: must have a table'],
    ['a table without columns', withPlace({ columns: {} }), 'tables.place.columns: must have a column'],
    ['a column of a type that SQLite lacks', withPlace({ columns: { id: 'DATE' } }), 'tables.place.columns.id:'],
    ['a column whose name needs quoting', withPlace({ columns: { ...place?.columns, 'a b': 'TEXT' } }), 'a b'],
    ['a key that is no column', withPlace({ key: ['number'] }), 'tables.place.key: place has no column number'],
    ['a key column twice', withPlace({ key: ['id', 'id'] }), 'tables.place.key: id is there twice'],
    [
      'a key that is a surrogate',
      withPlace({ surrogate: 'row', key: ['row'] }),
      'the surrogate row identifies no record',
    ],
    ['a surrogate that is a column', withPlace({ surrogate: 'name' }), 'tables.place.columns: name is there twice'],
    ['columns told apart by capitals', withPlace({ columns: { ...place?.columns, ID: 'TEXT' } }), 'ID is there twice'],
    ['a column that SQLite keeps', withPlace({ columns: { ...place?.columns, rowid: 'TEXT' } }), 'rowid is reserved'],
    ['a title that is no column', withPlace({ title: 'label' }), 'tables.place.title: place has no column label'],
    ['an index on no column', withPlace({ indexes: [['label']] }), 'tables.place.indexes: place has no column label'],
    ['an index of nothing', withPlace({ indexes: [[]] }), 'tables.place.indexes.0:'],
    ['an index twice', withPlace({ indexes: [['name'], ['name']] }), 'tables.place.indexes: name is there twice'],
    [
      'related rows of no table',
      withPlace({ related: [{ name: 'r', table: 'trip', on: { id: 'id' }, orderBy: [] }] }),
      'tables.place.related.r: no table trip',
    ],
    [
      'related rows by no column of theirs',
      withPlace({ related: [{ name: 'r', table: 'visit', on: { place: 'id' }, orderBy: [] }] }),
      'tables.place.related.r: visit has no column place',
    ],
    [
      'related rows by no column of its own',
      withPlace({ related: [{ name: 'r', table: 'visit', on: { place_id: 'number' }, orderBy: [] }] }),
      'tables.place.related.r.on: place has no column number',
    ],
    [
      'related rows that are all rows',
      withPlace({ related: [{ name: 'r', table: 'visit', on: {}, orderBy: [] }] }),
      'tables.place.related.0.on: must name a column',
    ],
    ['a table of SQLite’s own', { tables: { ...places.tables, sqlite_x: place } }, 'the name sqlite_x is reserved'],
    [
      'a table of more columns than can be compared',
      { tables: { ...places.tables, wide: { description: 'x', columns: numbered(2000), key: [] } } },
      'tables.wide.columns: 2000 columns, but there can be at most 1999',
    ],
    [
      'a table that has them with its surrogate',
      { tables: { ...places.tables, wide: { description: 'x', columns: numbered(1999), key: [], surrogate: 'n' } } },
      'tables.wide.columns: 2000 columns, but there can be at most 1999',
    ],
    ['a table that every snapshot has', { tables: { ...places.tables, meta: place } }, 'the name meta is reserved'],
    ['a table that SQLite keeps', { tables: { ...places.tables, sqlite_x: place } }, 'the name sqlite_x is reserved'],
    ['a view named as a table', { views: { Place: { sql: 'SELECT 1', description: 'x' } } }, 'Place is there twice'],
    ['full text named as a table', withFullText({ name: 'place' }), 'place is there twice'],
    [
      'a table where full text keeps its own',
      { tables: { ...places.tables, place_fts_data: place } },
      'place_fts_data is there twice',
    ],
    ['full text of no table', withFullText({ table: 'trip' }), 'fullText.place_fts: no table trip'],
    ['full text of no column', withFullText({ columns: ['label'] }), 'fullText.place_fts: place has no column label'],
    ['full text of nothing', withFullText({ columns: [] }), 'fullText.0.columns:'],
    ['a share above one', { guards: { maxShrink: 20 } }, 'guards.maxShrink:'],
    ['a share above one of a table', { guards: { maxShrink: { place: 20 } } }, 'guards.maxShrink'],
    ['a largest shrinking of no table', { guards: { maxShrink: { trip: 0.1 } } }, 'guards.maxShrink: no table trip'],
    ['least rows of no table', { guards: { minRows: { trip: 1 } } }, 'guards.minRows: no table trip'],
    ['a map that is no function', { map: {} }, 'map: must be a function'],
    ['no kept version', { keep: 0 }, 'keep:'],
    ['a field that is misspelt', { license: {} }, 'license'],
  ])('with %s is refused, and the field is named', (_, over, problem) => {
    expect(problemsOf(over)).toEqual([expect.stringContaining(problem)])
  })

  it.each([...allowedTableFunctions])('with a table that hides the function %s is refused', (name) => {
    expect(problemsOf({ tables: { ...places.tables, [name]: place } })).toEqual([
      `tables, views and fullText: the name ${name} is reserved`,
    ])
  })

  it('with more columns in a list than a condition can have is refused, and each list is named', () => {
    const columns = numbered(101)
    const names = Object.keys(columns)
    const related = [
      { name: 'parts', table: 'wide', on: Object.fromEntries(names.map((each) => [each, each])), orderBy: names },
    ]
    const wide = { description: 'x', columns, key: names, indexes: [names], related }
    const fullText = [{ name: 'wide_fts', table: 'wide', columns: names }]
    expect(problemsOf({ tables: { ...places.tables, wide }, fullText })).toEqual(
      [
        'tables.wide.key',
        'tables.wide.indexes',
        'tables.wide.related.parts.on',
        'tables.wide.related.parts.orderBy',
        'fullText.wide_fts.columns',
      ].map((at) => `${at}: 101 columns, but there can be at most 100`),
    )
  })

  it('has all its mistakes named at once', () => {
    expect(problemsOf({ title: '', database: 'x' })).toHaveLength(2)
    expect(problemsOf(withPlace({ key: ['a', 'b'] }))).toHaveLength(2)
  })

  it('that is nothing of the kind is refused too', () => {
    // Files of strangers can give anything.
    for (const value of [undefined, null, 'text', []]) {
      expect(() => definePipeline(value as unknown as PipelineDefinition)).toThrow(
        expect.objectContaining({ code: 'PIPELINE_INVALID' }),
      )
    }
  })
})
