import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { changesFile, dataFile, manifestFile, pointerPath, snapshotFolder } from '../../src/store/layout.ts'
import { manifestSchema } from '../../src/store/manifest.ts'
import { readState } from '../../src/store/snapshots.ts'
import { scratchStore, treeOf, versionOf } from '../store/scratch-store.ts'
import { current, delivery, ingest, keptIn, nextRun, place, query } from './ingesting.ts'

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
    const manifest = current(store)
    const meta = {
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
    }
    expect(query(store, 'SELECT key, value FROM meta ORDER BY key')).toEqual(Object.entries(meta).sort())
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
