/** Runs of pipelines that leave something to the delivery: tables, derived rows, references, validity, remarks. */
import { describe, expect, it } from 'vitest'
import type { PipelineDefinition, TableDefinition } from '../../src/pipeline/types.ts'
import { places } from '../pipeline/places.ts'
import { scratchStore } from '../store/scratch-store.ts'
import { current, delivery, ingest, keptIn, place, query } from './ingesting.ts'

const visitors: TableDefinition = {
  description: 'Who went to how many places',
  columns: { visitor: 'TEXT', places: 'INTEGER' },
  key: ['visitor'],
  derivedBy: 'SELECT visitor, count(DISTINCT place_id) FROM visit GROUP BY visitor',
}

const derived: PipelineDefinition = { ...places, tables: { ...places.tables, visitors } }

const failing = async (more: Partial<PipelineDefinition>): Promise<string | undefined> => {
  const store = scratchStore()
  const { outcome, reason } = await ingest(store, delivery([place('a')]), { definition: { ...places, ...more } })
  expect({ outcome, code: reason?.code, kept: keptIn(store) }).toEqual({
    outcome: 'failed',
    code: 'PIPELINE_INVALID',
    kept: [],
  })
  return reason?.message
}

describe('a table that is derived from others', () => {
  it('is counted and compared like any other', async () => {
    const store = scratchStore()
    const ada = place('a', 'A', { visits: [{ by: 'Ada' }, { by: 'Bo' }] })
    const first = await ingest(store, delivery([ada]), { definition: derived })
    expect(first.rows).toMatchObject({ visitors: 2 })
    const { digest } = current(store).tables.find(({ name }) => name === 'visitors') ?? {}
    expect(digest).toMatch(/^(?!0+$)[0-9a-f]{64}$/)
    const second = await ingest(store, delivery([ada, place('b', 'B', { visits: [{ by: 'Ada' }] })]), {
      definition: derived,
    })
    expect(second.changes).toMatchObject({ visitors: { added: 0, removed: 0, changed: 1 } })
    expect(query(store, 'SELECT visitor, places FROM visitors ORDER BY visitor')).toEqual([
      ['Ada', 2],
      ['Bo', 1],
    ])
  })

  it('fails the run by its name where its statement cannot be run', async () => {
    const tables = { ...places.tables, visitors: { ...visitors, derivedBy: 'SELECT nobody FROM visit' } }
    expect(await failing({ tables })).toContain('places: table visitors: no such column: nobody')
  })
})

describe('a shape', () => {
  it('sees what the inputs begin with, and its tables are those of the snapshot', async () => {
    const store = scratchStore()
    const seen: unknown[] = []
    const shape: PipelineDefinition['shape'] = (inputs) => {
      seen.push(...inputs)
      const more = Object.fromEntries((inputs[0]?.columns ?? []).map((column) => [column, 'TEXT' as const]))
      return {
        tables: { ...places.tables, sheet: { description: 'All of it', columns: more, key: [] } },
        warnings: ['told'],
      }
    }
    const definition: PipelineDefinition = {
      ...places,
      sources: [{ name: 'places.csv', url: 'http://127.0.0.1:9/places.csv', format: { type: 'csv' } }],
      shape,
      // A record of CSV is texts by column.
      map: (record, { emit }) => emit('sheet', { ...(record as Record<string, string | null>) }),
    }
    const { rows, outcome } = await ingest(store, delivery('one,two\n1,2\n', 'places.csv'), { definition })
    expect(seen).toEqual([{ source: 'places.csv', columns: ['one', 'two'] }])
    expect({ outcome, rows }).toEqual({ outcome: 'published', rows: { place: 0, visit: 0, sheet: 1 } })
    expect(current(store).warnings).toContain('told')
    expect(query(store, 'SELECT one, two FROM sheet')).toEqual([['1', '2']])
  })

  it('cannot take names that are reserved, or leave out what full text is about', async () => {
    const bad = { description: 'x', columns: { a: 'TEXT' as const }, key: [] }
    expect(await failing({ shape: () => ({ tables: { ...places.tables, meta: bad } }) })).toContain('meta is reserved')
    expect(await failing({ shape: () => ({ tables: { other: bad } }) })).toContain('fullText.place_fts: no table place')
  })

  it.each([
    ['with a key', ['c0']],
    ['without one', []],
  ])('may have as many columns as a table can %s, and delivers again; one more is refused by name', async (_, key) => {
    const names = Array.from({ length: 1999 }, (_each, index) => `c${index}`)
    const sheet = (columns: readonly string[]): TableDefinition => ({
      description: 'All of it',
      columns: Object.fromEntries(columns.map((column) => [column, 'TEXT' as const])),
      key: [...key],
    })
    const wide = (columns: readonly string[]): PipelineDefinition => ({
      ...places,
      sources: [{ name: 'places.csv', url: 'http://127.0.0.1:9/places.csv', format: { type: 'csv' } }],
      shape: () => ({ tables: { ...places.tables, sheet: sheet(columns) } }),
      // A record of CSV is texts by column.
      map: (record, { emit }) => emit('sheet', { ...(record as Record<string, string | null>) }),
    })
    const store = scratchStore()
    const file = (last: string, more: readonly string[] = []) =>
      delivery(
        `${[...names, ...more].join()}\n${[...names.slice(0, -1), last, ...more].join()}\nkept${','.repeat(1998 + more.length)}\n`,
        'places.csv',
      )
    await ingest(store, file('old'), { definition: wide(names) })
    const second = await ingest(store, file('new'), { definition: wide(names) })
    const changed = key.length > 0 ? { added: 0, removed: 0, changed: 1 } : { added: 1, removed: 1, changed: 0 }
    expect(second).toMatchObject({ outcome: 'published', changes: { sheet: changed } })
    const { outcome, reason } = await ingest(store, file('x', ['one_more']), {
      definition: wide([...names, 'one_more']),
    })
    expect({ outcome, ...reason }).toMatchObject({ outcome: 'failed', code: 'PIPELINE_INVALID' })
    expect(reason?.message).toContain('tables.sheet.columns: 2000 columns, but there can be at most 1999')
  })

  it('may leave an input out, which is told', async () => {
    const store = scratchStore()
    const shape: PipelineDefinition['shape'] = ([input]) => ({
      tables: places.tables,
      ignored: { [input?.source ?? '']: 'it is Monday' },
    })
    const { outcome, reason } = await ingest(store, delivery([place('a')]), { definition: { ...places, shape } })
    expect({ outcome, code: reason?.code }).toEqual({ outcome: 'refused', code: 'GUARD' })
  })
})

describe('what is said of a snapshot whole', () => {
  it('counts rows that refer to nothing, and days from and until which it holds', async () => {
    const store = scratchStore()
    const definition: PipelineDefinition = {
      ...places,
      references: [
        { table: 'visit', column: 'visitor', to: [{ table: 'place', column: 'name' }] },
        { table: 'visit', column: 'place_id', to: [{ table: 'place', column: 'id' }] },
      ],
      validity: `SELECT '2026-12-01', max(name) FROM place`,
      map: (record, context) => {
        context.remark('odd')
        places.map(record, context)
      },
    }
    const visits = [{ by: 'Ada' }, { by: 'Ada' }, { by: '2026-12-31' }]
    await ingest(store, delivery([place('a', '2026-12-31', { visits }), place('b', '2026-12-30')]), { definition })
    expect(current(store)).toMatchObject({
      validFrom: '2026-12-01',
      validUntil: '2026-12-31',
      warnings: [
        'places.jsonl.gz: odd (2 times, first in line 1)',
        'visit.visitor: 2 rows refer to what is not in place.name',
      ],
    })
  })

  it('fails the run where its statement cannot be run', async () => {
    expect(await failing({ validity: 'SELECT day FROM never' })).toContain('places: validity: no such table: never')
  })
})
