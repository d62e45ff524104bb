import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { changesFile, dataFile, manifestFile, pointerPath, snapshotFolder } from '../../src/store/layout.ts'
import { manifestSchema } from '../../src/store/manifest.ts'
import { readState } from '../../src/store/snapshots.ts'
import { places } from '../pipeline/places.ts'
import { scratchStore, treeOf, versionOf } from '../store/scratch-store.ts'
import { current, delivery, ingest, keptIn, linesOf, nextRun, place, query } from './ingesting.ts'

const aachen = place('a', 'Aachen', { people: 250_000, visits: [{ by: 'Ada' }, { by: 'Bob' }] })
const bonn = place('b', 'Bonn', { people: 330_000 })
const muehl = place('m', 'Mühlstraße', { people: 12 })

describe('the first run of a dataset', () => {
  it('publishes, with nothing before and no changes', async () => {
    const store = scratchStore()
    const result = await ingest(store, delivery([aachen, bonn]))
    expect(result).toEqual({
      dataset: 'places',
      outcome: 'published',
      version: keptIn(store)[0],
      previous: null,
      rows: { place: 2, visit: 2 },
      rejected: 0,
      changes: {},
      seconds: expect.any(Number),
    })
  })

  it('leaves the data where pointer and aliases find it', async () => {
    const store = scratchStore()
    await ingest(store, delivery([aachen, bonn]))
    expect(query(store, 'SELECT id, name, people FROM place ORDER BY id')).toEqual([
      ['a', 'Aachen', 250_000],
      ['b', 'Bonn', 330_000],
    ])
    expect(query(store, 'SELECT place_id, ordinal, visitor FROM visit ORDER BY 1, 2', 'further-places.db')).toEqual([
      ['a', 1, 'Ada'],
      ['a', 2, 'Bob'],
    ])
    expect(readlinkSync(pointerPath(store, 'further-places.db'))).toBe('places.db')
  })

  it('leaves a file that nobody may write, in a folder that nobody may write', async () => {
    const store = scratchStore()
    const { version } = await ingest(store, delivery([aachen]))
    const folder = snapshotFolder(store, 'places', versionOf(version ?? ''))
    const modes = [folder, dataFile(folder), manifestFile(folder), changesFile(folder)].map(
      (path) => statSync(path).mode & 0o777,
    )
    expect(modes).toEqual([0o555, 0o444, 0o444, 0o444])
  })

  it('leaves a sound SQLite file of 8192-byte pages, analyzed, without a write-ahead log', async () => {
    const store = scratchStore()
    await ingest(store, delivery([aachen, bonn, muehl]))
    const pragmas = ['page_size', 'journal_mode', 'integrity_check'].map((name) => query(store, `PRAGMA ${name}`))
    expect(pragmas).toEqual([[[8192]], [['delete']], [['ok']]])
    expect(query(store, "SELECT tbl, idx, stat FROM sqlite_stat1 WHERE tbl = 'place' AND idx LIKE '%name%'")).toEqual([
      ['place', 'place.name', '3 1'],
    ])
  })

  it('leaves a full-text index in which German names are found by a raw MATCH, and a view', async () => {
    const store = scratchStore()
    await ingest(store, delivery([aachen, muehl]))
    for (const match of ['Mühlstraße', 'muehlstrasse', 'Muhlstrasse', 'mue*']) {
      const sql = `SELECT p.id FROM place_fts f JOIN place p ON p.rowid = f.rowid WHERE place_fts MATCH '${match}'`
      expect([match, query(store, sql)]).toEqual([match, [['m']]])
    }
    expect(query(store, "SELECT name FROM place WHERE id = 'm'")).toEqual([['Mühlstraße']])
    expect(query(store, 'SELECT id FROM large')).toEqual([['a']])
  })

  it('says in `meta` what the snapshot is', async () => {
    const store = scratchStore()
    const { version } = await ingest(store, delivery([{ ...aachen, as_of: '2026-11-30' }]))
    const meta = Object.fromEntries(
      query(store, 'SELECT key, value FROM meta').map((row) => [...(row as [string, string])]),
    )
    const manifest = current(store)
    expect(meta).toEqual({
      dataset: 'places',
      version,
      title: 'Places',
      publisher: 'Nobody',
      licence: 'CC0',
      licenceUrl: 'https://example.org/licence',
      attribution: 'nobody',
      homepage: 'https://example.org/',
      sourceUrl: 'file:places.jsonl',
      sourceHash: `sha256:${manifest.sources[0]?.sha256}`,
      retrievedAt: manifest.retrievedAt,
      publisherDate: '2026-11-30',
      rowCounts: '{"place":1,"visit":2}',
      buildDate: manifest.buildDate,
      converterVersion: manifest.converterVersion,
      contentDigest: manifest.contentDigest,
    })
  })

  it('says in the manifest, which fits its schema, what the snapshot is', async () => {
    const store = scratchStore()
    const { version } = await ingest(
      store,
      delivery([
        { ...aachen, as_of: '2026-11-30' },
        { ...bonn, colour: 'red' },
      ]),
    )
    const folder = snapshotFolder(store, 'places', versionOf(version ?? ''))
    const text: unknown = JSON.parse(readFileSync(manifestFile(folder), 'utf8'))
    const manifest = manifestSchema.parse(text)
    expect(text).toEqual(manifest)
    expect(manifest).toMatchObject({
      dataset: 'places',
      version,
      database: 'places.db',
      aliases: ['further-places.db'],
      publisherDate: '2026-11-30',
      asOf: '2026-11-30',
      fingerprint: 'f1',
      base: null,
      sample: false,
      schedule: { cron: '0 4 * * *', timeZone: 'UTC' },
      sources: [
        { name: 'places.jsonl.gz', records: { read: 2, mapped: 2, rejected: 0 }, unknownFields: { colour: 1 } },
      ],
      fullText: [{ name: 'place_fts', table: 'place', columns: ['name'] }],
      changes: {},
    })
    expect(manifest.warnings).toEqual([expect.stringContaining('field colour is not known to the mapping (1 times)')])
    expect(manifest.tables.map(({ name, rows, key }) => ({ name, rows, key }))).toEqual([
      { name: 'place', rows: 2, key: ['id'] },
      { name: 'visit', rows: 2, key: ['place_id', 'ordinal'] },
    ])
    expect(manifest.tables[1]?.columns[0]).toMatchObject({ name: 'number', surrogate: true })
    expect(manifest.file.bytes).toBe(statSync(dataFile(folder)).size)
    expect(manifest.contentDigest.slice(0, 8)).toBe(version?.slice(-8))
  })

  it('notes what it did, and when the next run is due', async () => {
    const store = scratchStore()
    const { version } = await ingest(store, delivery([aachen]))
    expect(readState(store, 'places')).toMatchObject({
      lastRun: { outcome: 'published' },
      nextRun: nextRun.toISOString(),
      refused: null,
      held: [],
      history: [{ version, by: 'publish' }],
      validators: { 'places.jsonl.gz': { sha256: current(store).sources[0]?.sha256 } },
    })
    expect(readState(store, 'places').publishing).toBeUndefined()
  })

  it('leaves nothing else behind', async () => {
    const store = scratchStore()
    const { version } = await ingest(store, delivery([aachen]))
    const names = Object.keys(treeOf(store.root)).filter((name) => name !== '')
    expect(names.sort()).toEqual(
      [
        'data',
        'data/further-places.db',
        'data/places.db',
        'data/runs.db',
        'data/snapshots',
        'data/snapshots/places',
        `data/snapshots/places/${version}`,
        ...['changes.db', 'data.db', 'manifest.json'].map((name) => `data/snapshots/places/${version}/${name}`),
        'data/snapshots/places/lock',
        'data/snapshots/places/state.json',
      ].sort(),
    )
  })
})

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
