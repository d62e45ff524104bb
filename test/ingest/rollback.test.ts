import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { diffRange, eachChange } from '../../src/ingest/diff.ts'
import { type Move, release, rollback } from '../../src/ingest/rollback.ts'
import { removeFolder } from '../../src/ingest/sweep.ts'
import type { Change } from '../../src/store/changes.ts'
import {
  dataFile,
  ledgerPath,
  manifestFile,
  pointerPath,
  quarantineFolder,
  type Store,
  snapshotFolder,
} from '../../src/store/layout.ts'
import { takeLock } from '../../src/store/lock.ts'
import { currentVersion, readState } from '../../src/store/snapshots.ts'
import { scratchStore, treeOf, versionOf } from '../store/scratch-store.ts'
import { current, delivery, ingest, keptIn, manyPlaces, place, quarantined, query } from './ingesting.ts'

const now = () => new Date('2026-12-05T06:07:08Z')
const one = delivery.bind(null, [place('a', 'One')])
const two = delivery.bind(null, [place('a', 'Two')])
const three = delivery.bind(null, [place('a', 'Three')])

const back = (store: Store, version?: string): Promise<Move> => rollback(store, 'places', version, now)
const name = (store: Store): unknown => query(store, 'SELECT name FROM place').flat()[0]
const withCode = (code: string): unknown => expect.objectContaining({ code })

/** A store with these deliveries published, one after the other; gives their versions. */
const storeOf = async (...deliveries: (() => string)[]): Promise<{ store: Store; versions: string[] }> => {
  const store = scratchStore()
  const versions: string[] = []
  for (const each of deliveries) versions.push((await ingest(store, each())).version ?? '')
  return { store, versions }
}

describe('a rollback', () => {
  it('moves the pointer to the version before, and keeps the one that it left', async () => {
    const { store, versions } = await storeOf(one, two, three)
    expect(await back(store)).toEqual({ dataset: 'places', version: versions[1], previous: versions[2] })
    expect(name(store)).toBe('Two')
    expect(keptIn(store)).toEqual(versions)
    expect(readState(store, 'places')).toMatchObject({
      held: [{ version: versions[2], since: now().toISOString() }],
      history: [{ by: 'publish' }, { by: 'publish' }, { by: 'publish' }, { version: versions[1], by: 'rollback' }],
    })
  })

  it('moves it to a version by name, back and forth', async () => {
    const { store, versions } = await storeOf(one, two, three)
    await back(store, versions[0])
    expect(name(store)).toBe('One')
    await back(store, versions[2])
    expect(name(store)).toBe('Three')
    expect(readState(store, 'places').held).toEqual([])
    expect(await back(store, versions[2])).toMatchObject({ version: versions[2], previous: versions[2] })
  })

  it('holds the rejected delivery: the next run of it is refused, unbuilt, however it comes', async () => {
    const { store, versions } = await storeOf(one, two)
    await back(store)
    const steps: string[] = []
    const held = { outcome: 'refused', version: versions[0], reason: { code: 'HELD' } }
    const onProgress = ({ step }: { step: string }) => void steps.push(step)
    expect(await ingest(store, two(), { onProgress })).toMatchObject(held)
    expect(await ingest(store, two(), { onProgress })).toMatchObject(held)
    expect(steps).not.toContain('load')
    // In a file of another shape, and where validators are ignored, the content tells.
    expect(await ingest(store, delivery('\n{"name":"Two", "id":"a"}'))).toMatchObject(held)
    expect(await ingest(store, two(), { options: { force: true } })).toMatchObject(held)
    expect(name(store)).toBe('One')
    expect(keptIn(store)).toEqual(versions)
  })

  it('says of a held delivery how to let it through', async () => {
    const { store, versions } = await storeOf(one, two)
    await back(store)
    const { reason } = await ingest(store, two())
    expect(reason?.message).toContain(`stichtag release places ${versions[1]}`)
  })

  it('is over with a new delivery', async () => {
    const { store, versions } = await storeOf(one, two)
    await back(store)
    await ingest(store, two())
    const result = await ingest(store, three())
    expect(result).toMatchObject({ outcome: 'published', previous: versions[0] })
    expect(readState(store, 'places').held).toEqual([])
    expect((await ingest(store, two())).outcome).toBe('published')
  })

  it('is over with a release of the held version', async () => {
    const { store, versions } = await storeOf(one, two)
    await back(store)
    await ingest(store, two())
    expect(await release(store, 'places', versions[1] ?? '', now)).toMatchObject({ version: versions[1] })
    expect(name(store)).toBe('Two')
    expect(readState(store, 'places')).toMatchObject({ held: [], refused: null })
    expect((await ingest(store, two())).outcome).toBe('unchanged')
  })

  it('leaves the delivery of the version that is current now unchanged', async () => {
    const { store } = await storeOf(one, two)
    await back(store)
    expect((await ingest(store, one())).outcome).toBe('unchanged')
  })

  it.each<[string, (store: Store, versions: string[]) => Promise<Move>, string]>([
    ['without an older version', (store) => back(store), 'UNKNOWN_VERSION'],
    ['to a version that is not kept', (store) => back(store, '20200101T000000Z-00000000'), 'UNKNOWN_VERSION'],
    ['of a dataset that was never ingested', (store) => rollback(store, 'others', undefined, now), 'UNKNOWN_DATASET'],
  ])('%s is an error, and moves nothing', async (_, move, code) => {
    const { store, versions } = await storeOf(one)
    await expect(move(store, versions)).rejects.toThrow(withCode(code))
    expect(current(store).version).toBe(versions[0])
    expect(readState(store, 'places').history).toHaveLength(1)
  })

  it('waits for no run: it is busy while one holds the lock', async () => {
    const { store, versions } = await storeOf(one, two)
    const lock = takeLock(store, 'places')
    await expect(back(store)).rejects.toThrow(withCode('BUSY'))
    lock.release()
    expect(current(store).version).toBe(versions[1])
  })

  it('gets away from a current version whose manifest is damaged', async () => {
    const { store, versions } = await storeOf(one, two)
    const manifest = manifestFile(snapshotFolder(store, 'places', versionOf(versions[1] ?? '')))
    chmodSync(manifest, 0o644)
    writeFileSync(manifest, '{')
    expect(await back(store)).toMatchObject({ version: versions[0], previous: versions[1] })
    expect(name(store)).toBe('One')
  })

  it('never goes from real data to an invented sample', async () => {
    const store = scratchStore()
    const folder = scratchStore().root
    const sample = join(folder, 'data', '2026-10-01')

    mkdirSync(sample, { recursive: true })
    writeFileSync(join(sample, 'places.jsonl'), '{"id":"s","name":"Invented"}')
    const invented = await ingest(store, undefined, { folder, options: { sample: true } })
    const real = await ingest(store, one(), { folder })
    await expect(back(store)).rejects.toThrow(withCode('UNKNOWN_VERSION'))
    await expect(back(store, invented.version ?? '')).rejects.toThrow(withCode('SAMPLE_OVER_REAL'))
    expect(current(store).version).toBe(real.version)
  })

  it('is written down', async () => {
    const { store, versions } = await storeOf(one, two)
    await back(store)
    await back(store).catch(() => undefined)
    const ledger = new Database(ledgerPath(store), { readonly: true })
    const rows = ledger
      .prepare("SELECT command, outcome, version, code FROM run WHERE command LIKE 'rollback%'")
      .raw()
      .all()
    ledger.close()
    expect(rows).toEqual([
      ['rollback', 'published', versions[0], null],
      ['rollback', 'failed', null, 'UNKNOWN_VERSION'],
    ])
  })
})

describe('a release from quarantine', () => {
  const ten = delivery.bind(null, manyPlaces(10))
  const five = delivery.bind(null, manyPlaces(5))

  const withRefused = async () => {
    const { store, versions } = await storeOf(ten)
    await ingest(store, five())
    return { store, before: versions[0] ?? '', refused: quarantined(store)[0] ?? '' }
  }

  it('publishes the refused version, sealed, with its changes, and empties quarantine', async () => {
    const { store, before, refused } = await withRefused()
    expect(await release(store, 'places', refused, now)).toEqual({
      dataset: 'places',
      version: refused,
      previous: before,
    })
    expect(query(store, 'SELECT count(*) FROM place')).toEqual([[5]])
    expect(keptIn(store)).toEqual([before, refused])
    expect(quarantined(store)).toEqual([])
    expect(current(store)).toMatchObject({ version: refused, base: before, changes: { place: { removed: 5 } } })
    const folder = snapshotFolder(store, 'places', versionOf(refused))
    expect(
      Object.entries(treeOf(folder)).map(([path, content]) => [
        path,
        content.split(' ')[content.startsWith('folder') ? 1 : 0],
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['', '555'],
        ['data.db', '444'],
        ['manifest.json', '444'],
        ['changes.db', '444'],
      ]),
    )
    expect((await ingest(store, five())).outcome).toBe('unchanged')
  })

  it('compares with what is current by now', async () => {
    const { store, refused } = await withRefused()
    const newer = await ingest(store, delivery([...manyPlaces(10), place('new')]))
    await release(store, 'places', refused, now)
    expect(current(store)).toMatchObject({
      base: newer.version,
      changes: { place: { added: 0, removed: 6, changed: 0 } },
    })
    const changes: Change[] = []
    const range = diffRange(store, 'places')
    if (range !== null) eachChange(store, 'places', range, (change) => changes.push(change))
    expect(changes.map(({ key }) => key[0])).toEqual(['new', 'p5', 'p6', 'p7', 'p8', 'p9'])
  })

  it.each(['20200101T000000Z-00000000', '..', 'yesterday'])('of %s is an error', async (version) => {
    const { store, before } = await withRefused()
    await expect(release(store, 'places', version, now)).rejects.toThrow(withCode('UNKNOWN_VERSION'))
    expect(current(store).version).toBe(before)
  })

  it('that fails leaves quarantine, pointer and versions as they were', async () => {
    const { store, before, refused } = await withRefused()
    const base = dataFile(snapshotFolder(store, 'places', versionOf(before)))
    await ingest(store, delivery([...manyPlaces(10), place('new')]))
    const { version } = current(store)
    const damaged = dataFile(snapshotFolder(store, 'places', versionOf(version)))
    chmodSync(damaged, 0o644)
    writeFileSync(damaged, 'no database at all')
    await expect(release(store, 'places', refused, now)).rejects.toThrow()
    expect(quarantined(store)).toEqual([refused])
    expect(currentVersion(store, 'places', 'places.db')).toBe(version)
    expect(keptIn(store)).toEqual([before, version])
    expect(readFileSync(base).length).toBeGreaterThan(0)
    // Away from the damaged version it works.
    await back(store, before)
    expect(await release(store, 'places', refused, now)).toMatchObject({ version: refused })
  })

  it('never replaces somebody’s own file', async () => {
    const { store, refused } = await withRefused()

    rmSync(pointerPath(store, 'places.db'))
    writeFileSync(pointerPath(store, 'places.db'), 'own')
    await expect(release(store, 'places', refused, now)).rejects.toThrow(withCode('POINTER_OCCUPIED'))
    expect(readFileSync(pointerPath(store, 'places.db'), 'utf8')).toBe('own')
    expect(quarantined(store)).toEqual([refused])
  })

  it('finds the version again where an earlier release died before the pointer moved', async () => {
    const { store, before, refused } = await withRefused()
    // What such a release leaves: the version kept, and in quarantine still.

    cpSync(join(quarantineFolder(store, 'places'), refused), snapshotFolder(store, 'places', versionOf(refused)), {
      recursive: true,
    })
    expect(await release(store, 'places', refused, now)).toMatchObject({ version: refused, previous: before })
    expect(query(store, 'SELECT count(*) FROM place')).toEqual([[5]])
    expect(quarantined(store)).toEqual([])
  })
})

describe('the range of a diff', () => {
  it('is from the base of current to current, where nothing is said', async () => {
    const { store, versions } = await storeOf(one, two, three)
    expect(diffRange(store, 'places')).toEqual({ from: versions[1], to: versions[2] })
    expect(diffRange(store, 'places', versions[0])).toEqual({ from: versions[0], to: versions[2] })
    expect(diffRange(store, 'places', undefined, versions[1])).toEqual({ from: versions[0], to: versions[1] })
    expect(diffRange(store, 'places', undefined, versions[0])).toBeNull()
  })

  it('is an error for versions that are not kept, and for a dataset that was never ingested', async () => {
    const { store } = await storeOf(one)
    expect(() => diffRange(store, 'places', 'x')).toThrow(withCode('UNKNOWN_VERSION'))
    expect(() => diffRange(store, 'places', undefined, 'x')).toThrow(withCode('UNKNOWN_VERSION'))
    expect(() => diffRange(store, 'others')).toThrow(withCode('UNKNOWN_DATASET'))
  })

  it('reaches over several versions, backwards too, and to a base that is not kept any more', async () => {
    const { store, versions } = await storeOf(one, two, three)
    const names = (from?: string, to?: string): unknown[] => {
      const range = diffRange(store, 'places', from, to)
      const found: unknown[] = []
      if (range !== null) eachChange(store, 'places', range, ({ fields }) => found.push(fields?.name))
      return found
    }
    expect(names(versions[0], versions[2])).toEqual([['One', 'Three']])
    expect(names(versions[2], versions[0])).toEqual([['Three', 'One']])

    removeFolder(snapshotFolder(store, 'places', versionOf(versions[1] ?? '')))
    expect(names()).toEqual([['Two', 'Three']])
    expect(names(versions[1])).toEqual([['Two', 'Three']])
  })
})
