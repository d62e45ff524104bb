/** Deliveries that hold only what changed: they come out as if one whole file had held the union. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { release } from '../../src/ingest/release.ts'
import { rollback } from '../../src/ingest/rollback.ts'
import { dataFile, manifestFile, type Store, snapshotFolder } from '../../src/store/layout.ts'
import { readState } from '../../src/store/snapshots.ts'
import { zipOf } from '../formats/zip-builder.ts'
import { startScript } from '../store/child.ts'
import { garbled, overwritten, removed } from '../store/damage.ts'
import { scratchFolder, scratchStore, treeOf, versionOf } from '../store/scratch-store.ts'
import { current, delivery, type Given, ingest, keptIn, quarantined, query } from './ingesting.ts'
import { type Town, type TownRecord, townLines, towns } from './towns.ts'

const definition = towns
const given = { definition }
const file = (name: string, ...records: readonly TownRecord[]): string => delivery(townLines(...records), name)
const whole = (...records: readonly TownRecord[]): string => file('towns.jsonl', ...records)
const update = (...records: readonly TownRecord[]): string => file('towns-update.jsonl', ...records)

const aachen: Town = {
  town: 'Aachen',
  size: 250_000,
  tags: ['spa', 'spa', 'old'],
  visits: { '1': ['fine', 'fine'], '2': [] },
}
const bonn: Town = { town: 'Bonn', size: 330_000, tags: ['spa'], visits: { '1': ['wet'] } }
const celle: Town = { town: 'Celle', visits: { '3': ['dry'] } }
const ada = { person: 'Ada', lives: 'Aachen' }
const bo = { person: 'Bo', lives: 'Bonn' }
const base = [aachen, bonn, celle, ada, bo]

const newAachen: Town = { town: 'Aachen', size: 9_007_199_254, tags: ['old', 'new'], visits: { '2': ['loud'] } }
const emden: Town = { town: 'Emden', size: 49_913, tags: ['sea'], visits: { '1': ['windy'] } }
const changed = [newAachen, emden]
const union = [newAachen, bonn, celle, ada, bo, emden]

/** A store with the base published. */
const storeOfBase = async (more: Given = given): Promise<{ readonly store: Store; readonly version: string }> => {
  const store = scratchStore()
  const { version } = await ingest(store, whole(...base), more)
  return { store, version: version ?? '' }
}

const counts = (added: number, gone: number, other: number) => ({ added, removed: gone, changed: other })

/** All rows of all tables, without the loader's numbers. */
const rowsIn = (store: Store): unknown[] =>
  Object.entries(towns.tables).map(([name, { columns }]) =>
    query(store, `SELECT ${Object.keys(columns).join(', ')} FROM ${name} ORDER BY ${Object.keys(columns).join(', ')}`),
  )

describe('a delta', () => {
  it('gives the snapshot that a whole file of the union gives, with the changes of its records alone', async () => {
    const { store, version } = await storeOfBase()
    const laidOver = await ingest(store, update(...changed), given)
    const manifest = current(store)

    const other = (await storeOfBase()).store
    const asWhole = await ingest(other, whole(...union), given)
    const reference = current(other)

    expect(laidOver).toMatchObject({ outcome: 'published', previous: version, rows: asWhole.rows })
    expect(manifest.contentDigest).toBe(reference.contentDigest)
    expect(manifest.tables).toEqual(reference.tables)
    expect(laidOver.changes).toEqual(asWhole.changes)
    expect(laidOver.changes).toEqual({
      town: counts(1, 0, 1),
      visit: counts(1, 1, 0),
      remark: counts(2, 2, 0),
      tag: counts(2, 2, 0),
      person: counts(0, 0, 0),
      visited: counts(1, 0, 1),
    })
    expect(rowsIn(store)).toEqual(rowsIn(other))
    expect(query(store, 'PRAGMA integrity_check')).toEqual([['ok']])
    const schema = 'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name'
    expect(query(store, schema)).toEqual(query(other, schema))
    expect(query(store, `SELECT town FROM town_fts WHERE town_fts MATCH 'emden'`)).toEqual([['Emden']])
  })

  it('leaves the rows of current before its own, numbered anew', async () => {
    const { store } = await storeOfBase()
    await ingest(store, update(...changed), given)
    expect(query(store, 'SELECT town FROM town ORDER BY rowid').flat()).toEqual(['Bonn', 'Celle', 'Aachen', 'Emden'])
    expect(query(store, 'SELECT number, town FROM visit ORDER BY number')).toEqual([
      [1, 'Bonn'],
      [2, 'Celle'],
      [3, 'Aachen'],
      [4, 'Emden'],
    ])
  })

  it('says what it was laid over, and lists no other file than its own', async () => {
    const { store, version } = await storeOfBase()
    await ingest(store, update(...changed), given)
    const manifest = current(store)
    expect(manifest).toMatchObject({
      base: version,
      delta: { files: ['towns-update.jsonl'], over: version, partial: false },
      sources: [{ url: 'file:towns-update.jsonl', records: { read: 2 } }],
    })
    expect(manifest.warnings).toEqual([
      `towns-update.jsonl: a delta, by its name; laid over ${version}, and what it does not hold is as in that version`,
    ])
  })

  it('leaves newer records as they are, with their parts, and says so; what is left out is kept', async () => {
    const { store, version } = await storeOfBase()
    const late = { ...bonn, asOf: '2026-06-01T01:00:00+02:00', size: 5 }
    const fresh = { ...aachen, asOf: '2026-06-01T00:30:00+02:00', size: 6 }
    await ingest(
      store,
      whole({ ...late, size: 4, asOf: '2026-05-31T23:30:00Z' }, { ...fresh, asOf: '2026-05-31' }, celle, ada, bo),
      given,
    )
    const newest = current(store).version
    await ingest(store, update({ ...late, tags: ['late'], visits: { '9': ['late'] } }, fresh, emden), given)
    expect(query(store, 'SELECT town, size FROM town ORDER BY town')).toEqual([
      ['Aachen', 6],
      ['Bonn', 4],
      ['Celle', null],
      ['Emden', 49_913],
    ])
    expect(query(store, `SELECT day FROM visit WHERE town = 'Bonn'`)).toEqual([['1']])
    expect(query(store, `SELECT tag FROM tag WHERE of = 'Bonn'`)).toEqual([['spa']])
    expect(current(store).warnings).toContain(
      `town: 1 records of the delta are older than those of ${newest}, which stay`,
    )
    expect(query(store, 'SELECT file, raw FROM _rejected')).toEqual([
      ['towns-update.jsonl', expect.stringContaining('"town":"Bonn","size":5')],
    ])
    expect(version).not.toBe(newest)
  })

  it('keeps what comes in records of its own, however related to those that it brings', async () => {
    const { store } = await storeOfBase()
    await ingest(store, update(newAachen), given)
    expect(query(store, 'SELECT person FROM person ORDER BY 1').flat()).toEqual(['Ada', 'Bo'])
    await ingest(store, update({ person: 'Ada', lives: 'Bonn' }), given)
    expect(query(store, 'SELECT person, lives FROM person ORDER BY 1')).toEqual([
      ['Ada', 'Bonn'],
      ['Bo', 'Bonn'],
    ])
    expect(current(store).changes).toMatchObject({
      person: counts(0, 0, 1),
      town: counts(0, 0, 0),
      tag: counts(0, 0, 0),
    })
  })

  it('is unchanged when it comes again, alone or after others, or with nothing new in it', async () => {
    const { store } = await storeOfBase()
    const { version } = await ingest(store, update(...changed), given)
    expect(await ingest(store, update(...changed), given)).toMatchObject({ outcome: 'unchanged', version })
    expect(await ingest(store, update(...changed), { ...given, options: { force: true } })).toMatchObject({
      outcome: 'unchanged',
    })
    expect(await ingest(store, update(emden, bonn), given)).toMatchObject({ outcome: 'unchanged', version })
    expect(await ingest(store, whole(...union), given)).toMatchObject({ outcome: 'unchanged', version })
    expect(keptIn(store)).toHaveLength(2)
  })

  it('is followed by others, and by a whole file that takes the place of all of it', async () => {
    const { store } = await storeOfBase()
    await ingest(store, update(emden), given)
    await ingest(store, update(newAachen), given)
    expect(current(store).tables.find(({ name }) => name === 'town')?.rows).toBe(4)
    const result = await ingest(store, whole(aachen, bonn, emden, ada, bo), {
      ...given,
      options: { acceptShrink: true },
    })
    expect(result).toMatchObject({ outcome: 'published', rows: { town: 3 }, changes: { town: counts(0, 1, 1) } })
    expect(current(store).delta).toBeUndefined()
  })

  it('counts what it could not read of itself, and guards judge the union', async () => {
    const { store } = await storeOfBase()
    const unlucky: Town = { town: 'Ulm', size: 13 }
    const result = await ingest(store, update(emden, unlucky), given)
    expect(result).toMatchObject({ outcome: 'published', rejected: 1, rows: { town: 4 } })
    expect(query(store, 'SELECT file, reason FROM _rejected')).toEqual([['towns.jsonl.zip', 'unlucky']])
    expect(await ingest(store, update({ town: 'X' }, { town: 'Y' }, { town: 'Z' }), given)).toMatchObject({
      outcome: 'published',
    })
    expect(current(store).warnings.join()).toContain('town.size is filled in 3 of 7 rows')
  })

  it('may replace a record by itself many times and in many parts', async () => {
    const { store } = await storeOfBase()
    const many = Array.from(
      { length: 300 },
      (_, index): Town => ({ town: `T${index}`, tags: ['a'], visits: { d: ['x'] } }),
    )
    await ingest(store, update(...many), given)
    await ingest(store, update(...many.map((each) => ({ ...each, tags: ['b', 'b'] }))), given)
    expect(query(store, `SELECT tag, count(*) FROM tag WHERE of GLOB 'T*' GROUP BY tag`)).toEqual([['b', 600]])
    expect(query(store, `SELECT count(*) FROM remark WHERE town GLOB 'T*'`)).toEqual([[300]])
  })
})

describe('a delta in several files', () => {
  const several: Given = {
    definition: {
      ...towns,
      sources: ['towns', 'people'].map((name) => ({
        name: `${name}.jsonl.zip`,
        url: `http://127.0.0.1:9/${name}.jsonl.zip`,
        format: { type: 'jsonl' },
        archive: {},
      })),
    },
  }
  /** A folder with an archive of each source, whose files are called so. */
  const folderOf = (files: Readonly<Record<string, readonly [string, readonly TownRecord[]]>>): string => {
    const folder = scratchFolder()
    for (const [name, [member, records]] of Object.entries(files)) {
      writeFileSync(join(folder, `${name}.jsonl.zip`), zipOf({ name: member, content: townLines(...records) }))
    }
    return folder
  }
  const wholeFolder = () => folderOf({ towns: ['t.jsonl', [aachen, bonn, celle]], people: ['p.jsonl', [ada, bo]] })

  it('is laid over as one', async () => {
    const store = scratchStore()
    await ingest(store, wholeFolder(), several)
    const folder = folderOf({ towns: ['t-update.jsonl', changed], people: ['p-update.jsonl', [{ person: 'Cy' }]] })
    expect(await ingest(store, folder, several)).toMatchObject({
      outcome: 'published',
      rows: { town: 4, person: 3 },
      changes: { town: counts(1, 0, 1), person: counts(1, 0, 0) },
    })
    expect(current(store).delta?.files).toEqual(['t-update.jsonl', 'p-update.jsonl'])
  })

  it('fails where another of them is whole: what that does not hold any more would stay', async () => {
    const store = scratchStore()
    const { version } = await ingest(store, wholeFolder(), several)
    const folder = folderOf({ towns: ['t-update.jsonl', changed], people: ['p.jsonl', [ada]] })
    expect(await ingest(store, folder, several)).toMatchObject({
      outcome: 'failed',
      version,
      reason: {
        code: 'USAGE',
        message:
          'places: t-update.jsonl holds only what changed, people.jsonl.zip all there is: give them one after the other, what is whole first',
      },
    })
  })
})

it('a delta that threads load comes out like one that they do not', async () => {
  const folder = join(scratchFolder(), 'places')
  mkdirSync(folder)
  const module = new URL('./towns.ts', import.meta.url).href
  writeFileSync(
    join(folder, 'index.mjs'),
    `import { towns } from ${JSON.stringify(module)}\nexport default () => ({ ...towns, independent: true })`,
  )
  const inThreads: Given = { definition: { ...towns, independent: true }, folder }
  const long = 'x'.repeat(400)
  const many = Array.from({ length: 5000 }, (_, index): Town => ({ town: `T${index}`, tags: [long] }))
  const stores = await Promise.all([storeOfBase(inThreads), storeOfBase(given)])
  await ingest(stores[0].store, update(...many), inThreads)
  await ingest(stores[1].store, update(...many), given)
  expect(current(stores[0].store).tables).toEqual(current(stores[1].store).tables)
})

describe('a delta is told by a name:', () => {
  const zip = (name: string, member: string): string =>
    delivery(zipOf({ name: member, content: townLines(...changed) }), name)

  it.each([
    ['packed', () => delivery(gzipSync(townLines(...changed)), 'UPDATE.jsonl.gz'), 'UPDATE.jsonl.gz'],
    ['an archive', () => zip('update.zip', 'towns.jsonl'), 'update.zip'],
    ['the one file in an archive', () => zip('towns.zip', 'in/towns-update-1.jsonl'), 'towns-update-1.jsonl'],
  ])('%s', async (_, deliver, name) => {
    const { store, version } = await storeOfBase()
    expect(await ingest(store, deliver(), given)).toMatchObject({ outcome: 'published', rows: { town: 4 } })
    expect(current(store).delta).toEqual({ files: [name], over: version, partial: false })
  })

  it('that of the file which a setting names', async () => {
    const { store, version } = await storeOfBase()
    vi.stubEnv('STICHTAG_SOURCE_PLACES', update(...changed))
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await ingest(store, undefined, given)).toMatchObject({ outcome: 'published', rows: { town: 4 } })
    expect(current(store).delta).toEqual({ files: ['towns-update.jsonl'], over: version, partial: false })
  })

  it('never that of a declared source, which is whole, or of a folder', async () => {
    const { store, version } = await storeOfBase()
    const sources = towns.sources.map((source) => ({ ...source, url: `file://${update(...changed)}` }))
    const declared = await ingest(store, undefined, {
      definition: { ...definition, sources },
      options: { acceptShrink: true },
    })
    expect(declared).toMatchObject({ outcome: 'published', rows: { town: 2 }, previous: version })
    const folder = join(scratchFolder(), 'update')
    mkdirSync(folder)
    writeFileSync(join(folder, 'towns.jsonl'), townLines(...base))
    expect(await ingest(store, folder, given)).toMatchObject({ outcome: 'published', rows: { town: 3 } })
    expect(current(store).delta).toBeUndefined()
  })
})

describe('where there is nothing to lay a delta over,', () => {
  it('it is loaded as it is, and the manifest says that there is no more', async () => {
    const store = scratchStore()
    expect(await ingest(store, update(...changed), given)).toMatchObject({
      outcome: 'published',
      rows: { town: 2, person: 0 },
    })
    expect(current(store).delta).toEqual({ files: ['towns-update.jsonl'], over: null, partial: true })
    const nothingElse = 'there is nothing here but what deltas held: no whole file was ingested before them'
    expect(current(store).warnings).toEqual([
      'towns-update.jsonl: a delta, by its name; there was no snapshot to lay it over',
      nothingElse,
    ])
    expect(await ingest(store, update(...changed), given)).toMatchObject({ outcome: 'unchanged' })
    // One that is laid over it does not make it whole; a whole file does.
    await ingest(store, update(bonn), given)
    expect(current(store).delta).toMatchObject({ partial: true })
    expect(current(store).warnings).toContain(nothingElse)
    await ingest(store, whole(...base), given)
    await ingest(store, update(emden), given)
    expect(current(store).delta).toMatchObject({ partial: false })
  })

  it('as current is invented, no record of it stays', async () => {
    const folder = scratchFolder()
    mkdirSync(join(folder, 'data', '2026-10-01'), { recursive: true })
    writeFileSync(join(folder, 'data', '2026-10-01', 'towns.jsonl'), townLines(...base))
    const store = scratchStore()
    await ingest(store, undefined, { ...given, folder, options: { sample: true } })
    expect(await ingest(store, update(...changed), { ...given, folder })).toMatchObject({
      outcome: 'published',
      rows: { town: 2 },
    })
    expect(current(store)).toMatchObject({ sample: false, delta: { over: null } })
  })

  const quietlyGarbled = (path: string): void => {
    garbled(path)
    utimesSync(path, new Date(0), new Date(0))
  }

  it.each<[string, (folder: string) => void]>([
    ['data.db is missing', (folder) => removed(dataFile(folder))],
    ['its bytes are others', (folder) => garbled(dataFile(folder))],
    ['its bytes are others, and nothing gives that away', (folder) => quietlyGarbled(dataFile(folder))],
    ['its manifest is damaged', (folder) => overwritten(manifestFile(folder))],
  ])('as %s, the run fails, says so, and current stays', async (_, damage) => {
    const { store, version } = await storeOfBase()
    damage(snapshotFolder(store, 'places', versionOf(version)))
    const result = await ingest(store, update(...changed), given)
    expect(result).toMatchObject({
      outcome: 'failed',
      reason: {
        code: 'BASE_UNUSABLE',
        message: expect.stringContaining('Ingest a whole file first, with --force, then this one'),
      },
    })
    expect(result.reason?.message).toContain(`cannot be laid over the current snapshot ${version}: `)
    expect(keptIn(store)).toEqual([version])
    const options = { force: true }
    expect(await ingest(store, whole(...base), { ...given, options })).toMatchObject({ outcome: 'published' })
    expect(await ingest(store, update(...changed), given)).toMatchObject({ outcome: 'published', rows: { town: 4 } })
  })

  it('as current was built by an earlier mapping, the run fails, says so, and current stays', async () => {
    const { store, version } = await storeOfBase()
    const later = { ...given, fingerprint: 'f2' }
    expect(await ingest(store, update(...changed), later)).toMatchObject({
      outcome: 'failed',
      version,
      reason: { code: 'BASE_UNUSABLE', message: expect.stringContaining('built by an earlier mapping') },
    })
    expect(await ingest(store, whole(...base), later)).toMatchObject({ outcome: 'published' })
    expect(await ingest(store, update(...changed), later)).toMatchObject({ outcome: 'published' })
  })
})

describe('a delta that does not become current', () => {
  it('leaves everything as it was where a record of it cannot be read', async () => {
    const strict: Given = { definition: { ...definition, guards: {} } }
    const { store, version } = await storeOfBase(strict)
    const before = treeOf(snapshotFolder(store, 'places', versionOf(version)))
    expect(await ingest(store, update(emden, { town: 'Ulm', size: 13 }), strict)).toMatchObject({
      outcome: 'failed',
      reason: { code: 'RECORD_INVALID' },
    })
    expect(keptIn(store)).toEqual([version])
    expect(treeOf(snapshotFolder(store, 'places', versionOf(version)))).toEqual(before)
  })

  it('is cancelled while it is laid over', async () => {
    const many = Array.from({ length: 25_000 }, (_, index) => ({ person: `p${index}` }))
    const store = scratchStore()
    const { version } = await ingest(store, whole(...base, ...many), given)
    const ended = new AbortController()
    const result = await ingest(store, update(emden), {
      ...given,
      signal: ended.signal,
      onProgress: ({ file: name }) => {
        if (name === version) ended.abort()
      },
    })
    expect(result).toMatchObject({ outcome: 'failed', reason: { code: 'CANCELLED' } })
    expect(keptIn(store)).toEqual([version])
  })

  it('is in quarantine where a guard refuses it, refused again when it comes again, and can be released', async () => {
    const guards = { maxRejected: 0.1 }
    const strict: Given = { definition: { ...definition, guards } }
    const { store, version } = await storeOfBase(strict)
    const bad = update(emden, { town: 'Ulm', size: 13 })
    const refused = await ingest(store, bad, strict)
    expect(refused).toMatchObject({ outcome: 'refused', version, reason: { code: 'GUARD' } })
    expect(await ingest(store, bad, strict)).toMatchObject({ outcome: 'refused' })
    const [quarantinedVersion = ''] = quarantined(store)
    await release(store, 'places', quarantinedVersion, () => new Date())
    expect(query(store, 'SELECT count(*) FROM town')).toEqual([[4]])
  })

  it('is held after a rollback', async () => {
    const { store, version } = await storeOfBase()
    await ingest(store, update(...changed), given)
    await rollback(store, 'places', undefined, () => new Date())
    expect(await ingest(store, update(...changed), given)).toMatchObject({
      outcome: 'refused',
      version,
      reason: { code: 'HELD' },
    })
  })

  it('leaves a whole current where its process is killed, and is laid over by the next run', async () => {
    const script = new URL('./dying-run.ts', import.meta.url)
    const path = update(...changed)
    const seen = new Set<unknown>()
    let deaths = 0
    // Some of the points; the crash tests meet all of them.
    for (let point = 3; ; point += 4) {
      const { store } = await storeOfBase()
      const ended = await startScript(script, [store.root, String(point), 'delta', path]).ended()
      seen.add(query(store, 'SELECT count(*) FROM town').flat()[0])
      if (ended === 0) break
      deaths += 1
      expect((await ingest(store, path, given)).reason).toBeUndefined()
      expect(query(store, 'SELECT count(*) FROM town')).toEqual([[4]])
      expect(keptIn(store)).toHaveLength(2)
      expect(readState(store, 'places').history).toHaveLength(2)
    }
    expect(seen).toEqual(new Set([3, 4]))
    expect(deaths).toBeGreaterThan(3)
  }, 60_000)
})
