import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diffRange, eachChange } from '../../src/ingest/diff.ts'
import { examine } from '../../src/ingest/doctor.ts'
import type { Move } from '../../src/ingest/move.ts'
import { release } from '../../src/ingest/release.ts'
import { rollback } from '../../src/ingest/rollback.ts'
import type { Change } from '../../src/store/changes.ts'
import {
  dataFile,
  manifestFile,
  pointerPath,
  quarantineFolder,
  type Store,
  snapshotFolder,
} from '../../src/store/layout.ts'
import { readState } from '../../src/store/snapshots.ts'
import { garbled, overwritten, removed, truncated } from '../store/damage.ts'
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
      // Nobody has asked the publisher.
      confirmedAt: null,
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

  it.each<[string, (path: string) => void, (folder: string) => string]>([
    ['data.db is truncated', truncated, dataFile],
    ['data.db is garbage of the same size', garbled, dataFile],
    ['data.db is missing', removed, dataFile],
    ['manifest is garbage', overwritten, manifestFile],
    ['manifest is missing', removed, manifestFile],
  ])('whose %s is an error that says what to do, and moves nothing', async (_, damage, fileIn) => {
    const { store, before, refused } = await withRefused()
    const folder = join(quarantineFolder(store, 'places'), refused)
    damage(fileIn(folder))
    await expect(release(store, 'places', refused, now)).rejects.toThrow(
      expect.objectContaining({ code: 'SNAPSHOT_INVALID', message: expect.stringContaining(`Remove ${folder}`) }),
    )
    expect(quarantined(store)).toEqual([refused])
    expect(keptIn(store)).toEqual([before])
    expect(current(store).version).toBe(before)
    rmSync(folder, { recursive: true })
    const accepted = await ingest(store, five(), { options: { force: true, accept: ['max-shrink'] } })
    expect(accepted.outcome).toBe('published')
  })

  it('over a current snapshot that is damaged works, and says that nobody knows what changed', async () => {
    const { store, before, refused } = await withRefused()
    overwritten(dataFile(snapshotFolder(store, 'places', versionOf(before))))
    expect(await release(store, 'places', refused, now)).toMatchObject({ version: refused, previous: before })
    expect(query(store, 'SELECT count(*) FROM place')).toEqual([[5]])
    expect(current(store)).toMatchObject({
      base: null,
      changes: {},
      warnings: [expect.stringContaining(`what changed since ${before} is not known`)],
    })
  })

  it('of one that is older than a kept version gets a later version, everywhere where a version stands', async () => {
    const { store, before, refused } = await withRefused()
    const newer = await ingest(store, delivery([...manyPlaces(10), place('new')]))
    const { version, previous } = await release(store, 'places', refused, now)
    expect(previous).toBe(newer.version)
    expect(keptIn(store)).toEqual([before, newer.version, version])
    expect(current(store)).toMatchObject({ version, base: newer.version })
    expect(query(store, "SELECT value FROM meta WHERE key = 'version'")).toEqual([[version]])
    expect(readState(store, 'places').history.at(-1)).toMatchObject({ version, by: 'release' })
    expect(await examine(store, [], new AbortController().signal)).toEqual([])
    // What was current before it is what a rollback goes back to, and the released delivery is what it holds.
    expect(await back(store)).toMatchObject({ version: newer.version, previous: version })
    expect(await ingest(store, five())).toMatchObject({ outcome: 'refused', reason: { code: 'HELD' } })
    expect(await release(store, 'places', version, now)).toMatchObject({ version, previous: newer.version })
    expect(quarantined(store)).toEqual([])
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
