import { describe, expect, it } from 'vitest'
import type { PipelineDefinition } from '../../src/pipeline/types.ts'
import { places } from '../pipeline/places.ts'
import { scratchStore } from '../store/scratch-store.ts'
import { current, delivery, ingest, keptIn, linesOf, manyPlaces, place, quarantined, query } from './ingesting.ts'

const forgiving: PipelineDefinition = { ...places, guards: { maxRejected: 0.5 } }
const good = manyPlaces(8)

const failure = (message: string, code = 'RECORD_INVALID'): object => ({
  outcome: 'failed',
  version: null,
  reason: { code, message: expect.stringContaining(message) },
})

describe('a record that cannot be taken, where the pipeline allows none such,', () => {
  it.each<[string, string, string]>([
    ['that is no JSON', `${linesOf(good)}{"id": "x", \n`, 'places: places.jsonl.gz line 9: not valid JSON'],
    ['that is no object', `${linesOf(good)}\n[1]\n`, 'places: places.jsonl.gz line 10: expected an object'],
    ['without its mandatory field', linesOf([...good, { id: '' }]), 'line 9: id is missing'],
    ['with a value of another type', linesOf([...good, place('x', 'X', { people: 'many' })]), 'line 9: column people'],
    ['with a key that is there already', linesOf([...good, place('p0', 'again')]), 'line 9: its key is already there'],
    ['that is not UTF-8', `${linesOf(good)}{"id":"x"}\n`, ''],
  ])('%s fails the run, by file and line', async (_, text, words) => {
    const store = scratchStore()
    const bytes = Buffer.from(text)
    if (words === '') bytes[bytes.length - 4] = 0xff
    const expected = words === '' ? 'line 9: not valid UTF-8' : words
    expect(await ingest(store, delivery(bytes))).toMatchObject(failure(expected))
    expect(keptIn(store)).toEqual([])
    expect(quarantined(store)).toEqual([])
  })
})

describe('records that cannot be taken, within what the pipeline allows,', () => {
  const text = `${linesOf(good)}{"id": "cut\n${linesOf([place('p0', 'again'), place('x', 'X', { people: 'many' })])}`

  it('are counted, and kept with file, line, reason and text', async () => {
    const store = scratchStore()
    const result = await ingest(store, delivery(text), { definition: forgiving })
    expect(result).toMatchObject({ outcome: 'published', rejected: 3, rows: { place: 8 } })
    expect(query(store, 'SELECT file, line, reason, raw FROM _rejected ORDER BY line')).toEqual([
      ['places.jsonl.gz', 9, expect.stringContaining('not valid JSON'), '{"id": "cut'],
      ['places.jsonl.gz', 10, expect.stringContaining('its key is already there'), '{"id":"p0","name":"again"}'],
      ['places.jsonl.gz', 11, expect.stringContaining('column people is INTEGER'), expect.stringContaining('many')],
    ])
  })

  it('leave read = mapped + rejected', async () => {
    const store = scratchStore()
    await ingest(store, delivery(text), { definition: forgiving })
    expect(current(store)).toMatchObject({ rejected: 3, sources: [{ records: { read: 11, mapped: 8, rejected: 3 } }] })
  })

  it('take their child rows with them', async () => {
    const store = scratchStore()
    const records = [
      place('a', 'A', { visits: [{ by: 'Ada' }] }),
      place('a', 'again', { visits: [{ by: 'B' }, { by: 'C' }] }),
    ]
    await ingest(store, delivery(records), { definition: forgiving })
    expect(query(store, 'SELECT visitor FROM visit')).toEqual([['Ada']])
    expect(query(store, 'SELECT name FROM place')).toEqual([['A']])
  })

  it('are no part of the content: one more of them changes nothing', async () => {
    const store = scratchStore()
    await ingest(store, delivery(text), { definition: forgiving })
    const result = await ingest(store, delivery(`${text}[]\n`), { definition: forgiving })
    expect(result.outcome).toBe('unchanged')
  })

  it('past that are refused, with examples', async () => {
    const store = scratchStore()
    const definition: PipelineDefinition = { ...places, guards: { maxRejected: 0.2 } }
    expect(await ingest(store, delivery(text), { definition })).toMatchObject({
      outcome: 'refused',
      reason: {
        code: 'GUARD',
        message: expect.stringMatching(/3 of 11 records were rejected.*line 9: not valid JSON/),
      },
    })
  })
})

describe('a record that JavaScript or a reader could not bear', () => {
  const nested = (depth: number): string => `{"id":"deep","x":${'['.repeat(depth)}${']'.repeat(depth)}}\n`
  const huge = `${JSON.stringify(place('huge', 'x'.repeat(8_000_001)))}\n`

  it.each<[string, string, string]>([
    ['that is nested six thousand deep', nested(6000), 'more than 1000 deep'],
    ['that is nested a hundred thousand deep', nested(100_000), 'more than 1000 deep'],
    ['with a field that no reader could be given', huge, 'of more than the 8000000 bytes that readers can be given'],
    ['with a number that is none', '{"id":"x","people":1e400}\n', 'column people is INTEGER'],
    ['with true for a key', '{"id":true}\n', 'id should be text, but is boolean'],
  ])('%s is one rejected record, with its line', async (_, line, reason) => {
    const store = scratchStore()
    const result = await ingest(store, delivery(`${linesOf(good)}${line}`), { definition: forgiving })
    expect(result).toMatchObject({ outcome: 'published', rejected: 1, rows: { place: 8 } })
    expect(query(store, 'SELECT line, reason FROM _rejected')).toEqual([[9, expect.stringContaining(reason)]])
  })

  it('may be as big as readers can be given, and as deep as can be written', async () => {
    const store = scratchStore()
    const big = `${JSON.stringify(place('big', 'x'.repeat(7_999_900)))}\n`
    expect((await ingest(store, delivery(`${big}${nested(999)}`))).outcome).toBe('published')
    expect(query(store, 'SELECT id, length(name) FROM place ORDER BY id')).toEqual([
      ['big', 7_999_900],
      ['deep', null],
    ])
  })

  it('has its date ignored where that is none, and warned of', async () => {
    const store = scratchStore()
    await ingest(store, delivery([place('a', 'A', { as_of: '2026-11-30' }), place('b', 'B', { as_of: 'zzzz' })]))
    expect(current(store)).toMatchObject({
      asOf: '2026-11-30',
      warnings: [expect.stringMatching(/^places.jsonl.gz: publisher's date "zzzz" is no ISO 8601 date/)],
    })
  })
})

describe('a mistake of the pipeline', () => {
  const withMap = (map: PipelineDefinition['map']): PipelineDefinition => ({ ...forgiving, map })

  it.each<[string, PipelineDefinition['map'], string]>([
    [
      'that throws',
      (record, context) => {
        if (JSON.stringify(record).includes('p3')) throw new TypeError('x is not a function')
        places.map(record, context)
      },
      'places: places.jsonl.gz line 4: mapping failed: x is not a function',
    ],
    [
      'that emits to a table it did not declare',
      (_record, context) => context.emit('trip', {}),
      'line 1: mapping failed: pipeline places emits to an undeclared table trip',
    ],
    [
      'that emits a child row twice',
      (record, context) => {
        places.map(record, context)
        context.emit('place', { id: 'always the same' })
      },
      'line 2: mapping failed: UNIQUE constraint failed',
    ],
    ['that is asynchronous', async () => undefined, 'line 1: mapping failed: map must not be async'],
  ])('%s fails the run by file and line, whatever may be rejected', async (_, map, words) => {
    const store = scratchStore()
    const result = await ingest(store, delivery(good), { definition: withMap(map) })
    expect(result).toMatchObject(failure(words, 'PIPELINE_INVALID'))
    expect(keptIn(store)).toEqual([])
  })

  it('in a view fails the run and names the view', async () => {
    const store = scratchStore()
    const definition = { ...places, views: { wrong: { sql: 'SELECT x FROM nowhere', description: 'x' } } }
    const result = await ingest(store, delivery(good), { definition })
    expect(result).toMatchObject(failure('places: view wrong: no such table', 'PIPELINE_INVALID'))
    expect(keptIn(store)).toEqual([])
  })
})

describe('keys beside a surrogate', () => {
  it('that are there twice fail the run, with an example', async () => {
    const store = scratchStore()
    const { place: table } = places.tables
    if (table === undefined) throw new Error('no table')
    const definition = { ...places, tables: { ...places.tables, place: { ...table, surrogate: 'number' } } }
    const result = await ingest(store, delivery([...good, place('p4', 'again')]), { definition })
    expect(result).toMatchObject(failure('table place has the key (id) = (p4) more than once'))
    expect(keptIn(store)).toEqual([])
  })

  it('leave the surrogate out of the content', async () => {
    const store = scratchStore()
    const visits = [{ by: 'Ada' }]
    await ingest(store, delivery([place('a', 'A', { visits }), place('b', 'B', { visits })]))
    const before = query(store, 'SELECT number, place_id FROM visit ORDER BY 1')
    const result = await ingest(store, delivery([place('b', 'B', { visits }), place('a', 'A', { visits })]))
    expect(result.outcome).toBe('unchanged')
    expect(query(store, 'SELECT number, place_id FROM visit ORDER BY 1')).toEqual(before)
  })
})

describe('fields that the mapping does not know', () => {
  it('are counted by name, and warned of', async () => {
    const store = scratchStore()
    await ingest(store, delivery([place('a', 'A', { colour: 'red' }), place('b', 'B', { colour: null, size: 1 })]))
    expect(current(store).sources[0]?.unknownFields).toEqual({ colour: 2, size: 1 })
    expect(current(store).warnings).toHaveLength(2)
  })
})

describe('a key that is there twice in an object', () => {
  it('is counted, with its line, and its last value taken', async () => {
    const store = scratchStore()
    const text = `{"id":"a","name":"A"}\n{"id":"b","name":"B","name":"C"}\n{"id":"d","visits":[{"by":"x","by":"y"}]}\n`
    expect(await ingest(store, delivery(text))).toMatchObject({ outcome: 'published', rejected: 0 })
    expect(query(store, 'SELECT name FROM place ORDER BY id')).toEqual([['A'], ['C'], [null]])
    expect(current(store).warnings).toEqual([
      'places.jsonl.gz: an object has a key twice, of which the last counts (2 times, first in line 2)',
    ])
  })
})

describe('a file that is not what it says', () => {
  it.each<[string, string | Buffer, string]>([
    ['an HTML page', '<!DOCTYPE html><html><body>Sorry</body></html>', 'NOT_WHAT_IT_SAYS'],
    ['an empty file', '', 'NOT_WHAT_IT_SAYS'],
    ['a gzip file that was cut', Buffer.from('1f8b0800000000000003abe6', 'hex'), 'DATA_CORRUPT'],
  ])('%s fails the run', async (_, content, code) => {
    const store = scratchStore()
    expect(await ingest(store, delivery(content))).toMatchObject({ outcome: 'failed', reason: { code } })
    expect(keptIn(store)).toEqual([])
  })
})
