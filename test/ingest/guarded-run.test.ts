import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { PipelineDefinition } from '../../src/pipeline/types.ts'
import { ledgerPath, quarantineFolder, type Store } from '../../src/store/layout.ts'
import { places } from '../pipeline/places.ts'
import { scratchStore } from '../store/scratch-store.ts'
import { fileServer, serve } from './download-server.ts'
import { current, delivery, ingest, linesOf, manyPlaces, place, quarantined, query } from './ingesting.ts'

const guarded = (guards: PipelineDefinition['guards']): PipelineDefinition =>
  guards === undefined ? places : { ...places, guards }

const reasonOf = (store: Store): { findings: unknown } =>
  JSON.parse(readFileSync(join(quarantineFolder(store, 'places'), quarantined(store)[0] ?? '', 'reason.json'), 'utf8'))

const lastRow = (store: Store): unknown => {
  const ledger = new Database(ledgerPath(store), { readonly: true })
  try {
    return ledger.prepare('SELECT command, user, overrides FROM run ORDER BY rowid DESC').get()
  } finally {
    ledger.close()
  }
}

/** Runs the pipeline on the publisher's own delivery, where absolute guards refuse. */
const ingestOwn = async (store: Store, text: string, definition: PipelineDefinition, given = {}) => {
  await using server = await serve(fileServer(text, {}))
  const sources = definition.sources.map((source) => ({ ...source, url: server.url }))
  return await ingest(store, undefined, { definition: { ...definition, sources }, ...given })
}

describe('a column that must be filled', () => {
  const definition = guarded({ minFilled: { place: { name: 0.75 } } })
  const names = (...list: (string | null)[]): string => linesOf(list.map((name, index) => place(`p${index}`, name)))

  it('passes where enough rows have a value', async () => {
    expect((await ingestOwn(scratchStore(), names('a', 'b', 'c', null), definition)).outcome).toBe('published')
  })

  it('refuses where too few have: NULL and the empty text are none', async () => {
    const store = scratchStore()
    expect(await ingestOwn(store, names('a', 'b', '', null), definition)).toMatchObject({
      outcome: 'refused',
      reason: { message: expect.stringContaining('place.name is filled in 2 of 4 rows') },
    })
    expect(reasonOf(store).findings).toMatchObject([{ guard: 'min-filled', figures: { rows: 4, found: 2 } }])
  })
})

describe('rows with a broken key', () => {
  const twice = [place('a', 'First'), place('b'), place('a', 'Second', { visits: [{ by: 'Ada' }] })]
  const rejected = (store: Store): unknown[] => query(store, 'SELECT line, reason FROM _rejected')

  it('are left out where the pipeline says so, with all of their record, kept in _rejected, and warned of', async () => {
    const store = scratchStore()
    const result = await ingest(store, delivery(twice), { definition: guarded({ keys: { place: 'reject' } }) })
    expect(result).toMatchObject({ outcome: 'published', rows: { place: 2, visit: 0 }, rejected: 1 })
    expect(query(store, 'SELECT name FROM place ORDER BY id')).toEqual([['First'], ['B']])
    expect(rejected(store)).toEqual([[3, expect.stringContaining('table place: its key is already there')]])
    expect(current(store)).toMatchObject({
      sources: [{ records: { read: 3, mapped: 2, rejected: 1 } }],
      warnings: [expect.stringContaining('place: 1 rows were left out')],
    })
  })

  it('refuse the snapshot where the pipeline says so, with the count in reason.json', async () => {
    const store = scratchStore()
    const definition = guarded({ keys: { place: 'refuse' } })
    expect((await ingest(store, delivery(twice), { definition })).outcome).toBe('refused')
    expect(reasonOf(store).findings).toMatchObject([{ guard: 'keys', figures: { table: 'place', leftOut: 1 } }])
  })

  it('of a further table are left out alone, beside a surrogate too; empty ones as well', async () => {
    const store = scratchStore()
    const definition: PipelineDefinition = {
      ...guarded({ keys: { visit: 'reject' } }),
      map: (record, context) =>
        places.map(record, {
          ...context,
          // All second visits come under the number of the first, all third ones without one.
          emit: (table, { ordinal, ...row }) =>
            context.emit(table, table === 'place' ? row : { ...row, ordinal: ordinal === 3 ? null : 1 }),
        }),
    }
    const visits = ['Ada', 'Bob', 'Cy'].map((by) => ({ by }))
    const result = await ingest(store, delivery([place('a', 'A', { visits })]), { definition })
    expect(result).toMatchObject({ outcome: 'published', rows: { place: 1, visit: 1 }, rejected: 0 })
    expect(query(store, 'SELECT visitor FROM visit')).toEqual([['Ada']])
    expect(rejected(store)).toHaveLength(1)
  })

  it('without a word of the pipeline fail the run, as ever', async () => {
    expect(await ingest(scratchStore(), delivery(twice))).toMatchObject({
      outcome: 'failed',
      reason: { code: 'RECORD_INVALID', message: expect.stringContaining('line 3') },
    })
  })
})

describe('the publisher’s date', () => {
  const dated = (asOf: string, id = 'x'): string => linesOf([place(id, 'X', { as_of: asOf })])
  const now = () => new Date('2026-12-01T12:00:00Z')

  it('that goes back refuses the publisher’s own delivery, and with another one only warns', async () => {
    const store = scratchStore()
    await ingestOwn(store, dated('2026-11-02'), places, { now })
    expect(await ingestOwn(store, dated('2026-11-01', 'y'), places, { now })).toMatchObject({
      outcome: 'refused',
      reason: { message: expect.stringContaining('2026-11-01, which is earlier than the current one') },
    })
    expect((await ingest(store, delivery(dated('2026-11-01', 'z')), { now })).outcome).toBe('published')
    expect(current(store).warnings).toEqual([expect.stringContaining('earlier')])
  })

  it('that lies ahead refuses the first delivery too', async () => {
    expect(await ingestOwn(scratchStore(), dated('2062-11-02'), places, { now })).toMatchObject({
      outcome: 'refused',
      reason: { message: expect.stringContaining('in the future') },
    })
  })

  it('that another mapping reads out of the same delivery is not compared', async () => {
    const store = scratchStore()
    await ingestOwn(store, dated('2026-11-02'), places, { now })
    expect((await ingestOwn(store, dated('2026-11-01'), places, { now, fingerprint: 'f2' })).outcome).toBe('published')
  })
})

describe('a guard that somebody accepts by name', () => {
  it('lets the delivery through, warns, and stands in the ledger with who it was', async () => {
    const store = scratchStore()
    const definition = guarded({ minRows: { place: 100 }, minFilled: { place: { people: 1 } } })
    expect((await ingestOwn(store, linesOf(manyPlaces(3)), definition)).outcome).toBe('refused')
    const options = { accept: ['min-rows', 'min-filled'] } as const
    expect((await ingestOwn(store, linesOf(manyPlaces(3)), definition, { options })).outcome).toBe('published')
    expect(current(store).warnings).toHaveLength(2)
    expect(lastRow(store)).toEqual({
      command: 'ingest --accept min-rows,min-filled',
      user: expect.any(String),
      overrides: '["accept min-rows","accept min-filled"]',
    })
  })

  it('does not cover another one', async () => {
    const definition = guarded({ minRows: { place: 100 }, minFilled: { place: { people: 1 } } })
    const options = { accept: ['min-rows'] } as const
    expect(await ingestOwn(scratchStore(), linesOf(manyPlaces(3)), definition, { options })).toMatchObject({
      outcome: 'refused',
      reason: { message: expect.not.stringContaining('place has 3 rows') },
    })
  })
})
