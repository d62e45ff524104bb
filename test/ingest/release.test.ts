import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diffRange, eachChange } from '../../src/ingest/diff.ts'
import { type Move, release, rollback } from '../../src/ingest/rollback.ts'
import type { Change } from '../../src/store/changes.ts'
import { dataFile, pointerPath, quarantineFolder, type Store, snapshotFolder } from '../../src/store/layout.ts'
import { currentVersion, readState } from '../../src/store/snapshots.ts'
import { treeOf, versionOf } from '../store/scratch-store.ts'
import { current, delivery, ingest, keptIn, manyPlaces, place, quarantined, query, storeOf } from './ingesting.ts'

const now = () => new Date('2026-12-05T06:07:08Z')

const back = (store: Store, version?: string): Promise<Move> => rollback(store, 'places', version, now)
const withCode = (code: string): unknown => expect.objectContaining({ code })

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

  it('is the end of the refusal: the dataset does not count as failing any more', async () => {
    const { store, refused } = await withRefused()
    expect(readState(store, 'places').lastRun?.outcome).toBe('refused')
    await release(store, 'places', refused, now)
    expect(readState(store, 'places')).toMatchObject({
      lastRun: { outcome: 'published', at: now().toISOString() },
      confirmedAt: now().toISOString(),
      refused: null,
    })
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
