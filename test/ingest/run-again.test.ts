import { gzipSync, zstdCompressSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { changesFile, pointerPath, snapshotFolder } from '../../src/store/layout.ts'
import { readState } from '../../src/store/snapshots.ts'
import { places } from '../pipeline/places.ts'
import { scratchStore, treeOf, versionOf } from '../store/scratch-store.ts'
import { current, delivery, ingest, keptIn, linesOf, place, query } from './ingesting.ts'

const aachen = place('a', 'Aachen', { people: 250_000, visits: [{ by: 'Ada' }, { by: 'Bob' }] })
const bonn = place('b', 'Bonn', { people: 330_000 })
const muehl = place('m', 'Mühlstraße', { people: 12 })

describe('a run that finds the same data', () => {
  const lines = linesOf([aachen, bonn, muehl])
  const turned = linesOf([muehl, aachen, bonn])

  it.each<[string, () => string]>([
    ['in the very same file', () => delivery(lines)],
    ['in another order', () => delivery(turned)],
    ['packed by gzip', () => delivery(gzipSync(lines), 'places.jsonl.gz')],
    ['packed by zstd, in another order', () => delivery(zstdCompressSync(turned), 'places.jsonl.zst')],
    ['with blank lines between', () => delivery(lines.replaceAll('\n', '\r\n\r\n'))],
  ])('%s is unchanged, and leaves every file of every version as it was', async (_, again) => {
    const store = scratchStore()
    const first = await ingest(store, delivery(lines))
    const { 'data/runs.db': _runs, 'data/snapshots/places/state.json': _state, ...before } = treeOf(store.root)
    const result = await ingest(store, again())
    expect(result).toMatchObject({
      outcome: 'unchanged',
      version: first.version,
      previous: first.version,
      rows: { place: 3, visit: 2 },
      changes: {},
    })
    expect(result.reason).toBeUndefined()
    expect(treeOf(store.root)).toMatchObject(before)
    expect(keptIn(store)).toEqual([first.version])
    expect(readState(store, 'places').lastRun?.outcome).toBe('unchanged')
  })

  it('in a file of another shape is not built a second time', async () => {
    const store = scratchStore()
    await ingest(store, delivery(lines))
    const steps: string[] = []
    const onProgress = ({ step }: { step: string }) => void steps.push(step)
    const packed = delivery(gzipSync(turned), 'places.jsonl.gz')
    await ingest(store, packed, { onProgress })
    expect(steps).toContain('load')
    steps.length = 0
    expect((await ingest(store, packed, { onProgress })).outcome).toBe('unchanged')
    expect(steps).not.toContain('load')
  })

  it('makes an alias that the pipeline has got since', async () => {
    const store = scratchStore()
    await ingest(store, delivery(lines))
    const definition = { ...places, aliases: ['further-places.db', 'newest-name.db'] }
    expect((await ingest(store, delivery(lines), { definition })).outcome).toBe('unchanged')
    expect(query(store, 'SELECT count(*) FROM place', 'newest-name.db')).toEqual([[3]])
  })
})

describe('a run that finds other data', () => {
  const rest = [place('x'), place('y'), place('z'), place('v'), place('w')]

  it('publishes them, with exactly what changed', async () => {
    const store = scratchStore()
    const first = await ingest(store, delivery([aachen, bonn, ...rest]))
    const second = await ingest(
      store,
      delivery([...rest, { ...aachen, visits: [{ by: 'Ada' }, { by: 'Cy' }, { by: 'Di' }] }, muehl]),
    )
    expect(second).toMatchObject({
      outcome: 'published',
      previous: first.version,
      rows: { place: 7, visit: 3 },
      changes: { place: { added: 1, removed: 1, changed: 0 }, visit: { added: 1, removed: 0, changed: 1 } },
    })
    expect(keptIn(store)).toEqual([first.version, second.version])
    expect(current(store)).toMatchObject({ version: second.version, base: first.version, changes: second.changes })
    const changes = new Database(changesFile(snapshotFolder(store, 'places', versionOf(second.version ?? ''))), {
      readonly: true,
    })
    expect(changes.prepare('SELECT "table", op, key, fields FROM change ORDER BY id').raw().all()).toEqual([
      ['place', 'added', '["m"]', null],
      ['place', 'removed', '["b"]', null],
      ['visit', 'added', '["a",3]', null],
      ['visit', 'changed', '["a",2]', '{"visitor":["Bob","Cy"]}'],
    ])
    changes.close()
  })

  it('shows them to whoever opens the pointer now, and the old ones to whoever has it open', async () => {
    const store = scratchStore()
    await ingest(store, delivery([aachen]))
    const before = new Database(pointerPath(store, 'places.db'), { readonly: true })
    await ingest(store, delivery([aachen, bonn]))
    const after = new Database(pointerPath(store, 'places.db'), { readonly: true })
    const ids = 'SELECT group_concat(id) FROM place'
    expect([before, after].map((connection) => connection.prepare(ids).pluck().get())).toEqual(['a', 'a,b'])
    for (const connection of [before, after]) connection.close()
  })

  it('names it later than the one before, within a second and with a clock that goes backwards', async () => {
    const store = scratchStore()
    const versions: (string | null)[] = []
    for (const [time, records] of [
      ['2026-12-01T03:00:00Z', [aachen]],
      ['2026-12-01T03:00:00Z', [aachen, bonn]],
      ['2020-01-01T00:00:00Z', [aachen, bonn, muehl]],
    ] as const) {
      versions.push((await ingest(store, delivery(records), { now: () => new Date(time) })).version)
    }
    expect(versions.map((version) => version?.slice(0, 16))).toEqual([
      '20261201T030000Z',
      '20261201T030001Z',
      '20261201T030002Z',
    ])
  })

  it('also where only text differs in capitals or by a space at its end', async () => {
    const store = scratchStore()
    await ingest(store, delivery([aachen]))
    expect((await ingest(store, delivery([{ ...aachen, name: 'AACHEN' }]))).changes.place?.changed).toBe(1)
    expect((await ingest(store, delivery([{ ...aachen, name: 'AACHEN ' }]))).changes.place?.changed).toBe(1)
  })
})

describe('a run of a pipeline that was changed', () => {
  it('builds and publishes again, though the source is the same', async () => {
    const store = scratchStore()
    const from = delivery([aachen, bonn])
    const first = await ingest(store, from)
    const second = await ingest(store, from, { fingerprint: 'f2', definition: { ...places, title: 'Better places' } })
    expect(second).toMatchObject({
      outcome: 'published',
      previous: first.version,
      changes: { place: { added: 0, removed: 0, changed: 0 } },
    })
    expect(current(store)).toMatchObject({ title: 'Better places', fingerprint: 'f2' })
    expect((await ingest(store, from, { fingerprint: 'f2' })).outcome).toBe('unchanged')
  })

  it('publishes what a corrected mapping makes of the same file', async () => {
    const store = scratchStore()
    const from = delivery([aachen, bonn])
    await ingest(store, from)
    const definition: typeof places = {
      ...places,
      map: (record, context) =>
        places.map(record, {
          ...context,
          emit: (table, row) => context.emit(table, table === 'place' ? { ...row, name: 'x' } : row),
        }),
    }
    const { changes } = await ingest(store, from, { definition, fingerprint: 'f2' })
    expect(changes).toEqual({
      place: { added: 0, removed: 0, changed: 2 },
      visit: { added: 0, removed: 0, changed: 0 },
    })
  })

  it('publishes without a table that it declares no more', async () => {
    const store = scratchStore()
    const from = delivery([aachen])
    await ingest(store, from)
    const { place: table } = places.tables
    if (table === undefined) throw new Error('the pipeline has no places')
    const definition: typeof places = {
      ...places,
      tables: { place: { ...table, related: [] } },
      map: (record, context) =>
        places.map(record, {
          ...context,
          emit: (name, row) => (name === 'place' ? context.emit(name, row) : undefined),
        }),
    }
    const result = await ingest(store, from, { definition, fingerprint: 'f2' })
    expect(result).toMatchObject({
      outcome: 'published',
      rows: { place: 1 },
      changes: { place: { added: 0, removed: 0, changed: 0 }, visit: { added: 0, removed: 2, changed: 0 } },
    })
  })
})
