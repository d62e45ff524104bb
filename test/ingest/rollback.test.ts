import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { Move } from '../../src/ingest/move.ts'
import { release } from '../../src/ingest/release.ts'
import { rollback } from '../../src/ingest/rollback.ts'
import { ledgerPath, manifestFile, type Store, snapshotFolder } from '../../src/store/layout.ts'
import { takeLock } from '../../src/store/lock.ts'
import { readState } from '../../src/store/snapshots.ts'
import { scratchStore, versionOf } from '../store/scratch-store.ts'
import { current, delivery, ingest, keptIn, place, query, storeOf } from './ingesting.ts'

const now = () => new Date('2026-12-05T06:07:08Z')
const one = delivery.bind(null, [place('a', 'One')])
const two = delivery.bind(null, [place('a', 'Two')])
const three = delivery.bind(null, [place('a', 'Three')])

const back = (store: Store, version?: string): Promise<Move> => rollback(store, 'places', version, now)
const name = (store: Store): unknown => query(store, 'SELECT name FROM place').flat()[0]
const withCode = (code: string): unknown => expect.objectContaining({ code })

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

  it.each<[string, (store: Store) => Promise<Move>, string]>([
    ['without an older version', (store) => back(store), 'UNKNOWN_VERSION'],
    ['to a version that is not kept', (store) => back(store, '20200101T000000Z-00000000'), 'UNKNOWN_VERSION'],
    ['of a dataset that was never ingested', (store) => rollback(store, 'others', undefined, now), 'UNKNOWN_DATASET'],
  ])('%s is an error, and moves nothing', async (_, move, code) => {
    const { store, versions } = await storeOf(one)
    await expect(move(store)).rejects.toThrow(withCode(code))
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
    // Whoever reads this sees versions kept, and must be told why none of them will do.
    await expect(back(store)).rejects.toThrow(`${invented.version}. They are invented samples`)
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
