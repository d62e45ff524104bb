import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diffRange } from '../../src/ingest/diff.ts'
import { dataFile, manifestFile, pointerPath, type Store, snapshotFolder } from '../../src/store/layout.ts'
import { currentVersion, readState } from '../../src/store/snapshots.ts'
import { places } from '../pipeline/places.ts'
import { emptied, garbled, overwritten, removed, truncated } from '../store/damage.ts'
import { manifestExample } from '../store/manifest-example.ts'
import { scratchFolder, scratchStore, versionOf } from '../store/scratch-store.ts'
import { current, delivery, ingest, keptIn, manyPlaces, place, quarantined, query, storeOf } from './ingesting.ts'

const ten = delivery.bind(null, manyPlaces(10))
const eleven = delivery.bind(null, manyPlaces(11))
const five = delivery.bind(null, manyPlaces(5))
const dated = (records: number, date: string): string =>
  delivery(manyPlaces(records).map((each) => ({ ...each, as_of: date })))

const currentFolder = (store: Store): string =>
  snapshotFolder(store, 'places', versionOf(currentVersion(store, 'places', 'places.db') ?? ''))

const otherManifest = (path: string): void => {
  chmodSync(path, 0o644)
  writeFileSync(path, JSON.stringify(manifestExample('20261201T030512Z-00000001')))
}

const anotherVersions = (path: string): void => {
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as object
  chmodSync(path, 0o644)
  writeFileSync(path, JSON.stringify({ ...manifest, version: '20261201T030512Z-00000001' }))
}

const manifestDamages: readonly (readonly [string, (path: string) => void])[] = [
  ['truncated', truncated],
  ['empty', emptied],
  ['garbage', overwritten],
  ['missing', removed],
  ['that of another dataset', otherManifest],
  ['that of another version', anotherVersions],
]

const dataDamages: readonly (readonly [string, (path: string) => void])[] = [
  ['truncated', truncated],
  ['empty', emptied],
  ['garbage', overwritten],
  ['garbage of the same size', garbled],
  ['missing', removed],
]

/** What must hold after a run that published over a damaged current: a whole snapshot that says what is not known. */
const expectHealthy = (store: Store, count: number, damaged: string): void => {
  expect(query(store, 'SELECT count(*) FROM place')).toEqual([[count]])
  expect(query(store, 'PRAGMA integrity_check')).toEqual([['ok']])
  const manifest = current(store)
  expect(manifest).toMatchObject({ base: null, changes: {} })
  expect(manifest.warnings).toEqual([expect.stringMatching(`^what changed since ${damaged} is not known: `)])
  expect(manifest.warnings.join()).not.toContain(store.root)
  expect(diffRange(store, 'places')).toBeNull()
}

describe.each(manifestDamages)('where the manifest of current is %s,', (_, damage) => {
  const damagedStore = async () => {
    const { store, versions } = await storeOf(ten)
    damage(manifestFile(currentFolder(store)))
    return { store, version: versions[0] ?? '' }
  }

  it('a shrunken delivery is refused by what its data.db says', async () => {
    const { store, version } = await damagedStore()
    const result = await ingest(store, five())
    expect(result).toMatchObject({
      outcome: 'refused',
      version,
      previous: version,
      rows: { place: 10 },
      reason: { code: 'GUARD', message: expect.stringContaining('place shrank from 10 to 5 rows') },
    })
    expect(currentVersion(store, 'places', 'places.db')).toBe(version)
    expect(quarantined(store)).toHaveLength(1)
  })

  it('a delivery that did not shrink is published, and the same one is too', async () => {
    const { store, version } = await damagedStore()
    expect(await ingest(store, ten())).toMatchObject({ outcome: 'published', previous: version })
    expectHealthy(store, 10, version)
    expect(await ingest(store, eleven())).toMatchObject({
      outcome: 'published',
      changes: { place: { added: 1, removed: 0, changed: 0 } },
    })
  })
})

describe.each(dataDamages)('where data.db of current is %s,', (_, damage) => {
  const damagedStore = async () => {
    const { store, versions } = await storeOf(ten)
    damage(dataFile(currentFolder(store)))
    return { store, version: versions[0] ?? '' }
  }

  it.each([{}, { force: true }])('the same delivery (%o) makes a healthy snapshot', async (options) => {
    const { store, version } = await damagedStore()
    expect(await ingest(store, ten(), { options })).toMatchObject({ outcome: 'published', previous: version })
    expectHealthy(store, 10, version)
    expect((await ingest(store, ten())).outcome).toBe('unchanged')
  })

  it('another delivery is published, and says that nobody knows what changed', async () => {
    const { store, version } = await damagedStore()
    expect(await ingest(store, eleven())).toMatchObject({ outcome: 'published', previous: version, changes: {} })
    expectHealthy(store, 11, version)
  })

  it('a shrunken delivery is refused by what its manifest says', async () => {
    const { store, version } = await damagedStore()
    expect(await ingest(store, five())).toMatchObject({ outcome: 'refused', version, reason: { code: 'GUARD' } })
  })

  it('and its manifest as well, nothing is published until a person has decided', async () => {
    const { store, version } = await damagedStore()
    truncated(manifestFile(currentFolder(store)))
    const refused = await ingest(store, ten())
    expect(refused).toMatchObject({
      outcome: 'refused',
      version,
      reason: { code: 'GUARD', message: expect.stringContaining('--accept-shrink') },
    })
    // Not `unchanged` either, however often it is tried; and the way out works as it is told.
    expect((await ingest(store, ten())).outcome).toBe('refused')
    expect((await ingest(store, ten(), { options: { acceptShrink: true } })).outcome).toBe('published')
    expectHealthyAfterAccepting(store)
  })
})

const expectHealthyAfterAccepting = (store: Store): void => {
  expect(query(store, 'SELECT count(*) FROM place')).toEqual([[10]])
  expect(quarantined(store)).toEqual([])
  expect(readState(store, 'places').refused).toBeNull()
}

describe('damage that neither size nor time of the file gives away', () => {
  const quietly = async () => {
    const { store, versions } = await storeOf(ten)
    const path = dataFile(currentFolder(store))
    garbled(path)
    utimesSync(path, new Date(0), new Date(0))
    return { store, version: versions[0] ?? '' }
  }

  it('is met by --force, which reads the file whole', async () => {
    const { store, version } = await quietly()
    expect((await ingest(store, ten(), { options: { force: true } })).outcome).toBe('published')
    expectHealthy(store, 10, version)
  })

  it('is met by the comparison with another delivery, which is published all the same', async () => {
    const { store, version } = await quietly()
    expect(await ingest(store, eleven())).toMatchObject({ outcome: 'published', previous: version, changes: {} })
    expectHealthy(store, 11, version)
  })
})

describe('where the pointer is lost,', () => {
  it.each<[string, (store: Store) => void]>([
    ['removed', (store) => rmSync(pointerPath(store, 'places.db'))],
    [
      'of another form',
      (store) => {
        rmSync(pointerPath(store, 'places.db'))
        symlinkSync('snapshots/places/nowhere/data.db', pointerPath(store, 'places.db'))
      },
    ],
  ])('%s, a shrunken delivery is refused by what was current last, and a whole one is published', async (_, lose) => {
    const { store, versions } = await storeOf(ten)
    lose(store)
    expect(await ingest(store, five())).toMatchObject({ outcome: 'refused', reason: { code: 'GUARD' } })
    expect(await ingest(store, ten())).toMatchObject({ outcome: 'published', previous: versions[0] })
    expect(query(store, 'SELECT count(*) FROM place')).toEqual([[10]])
    expect(keptIn(store)).toHaveLength(2)
  })

  it('leading to a version that is gone, nothing is published until a person has decided', async () => {
    const { store } = await storeOf(ten)
    rmSync(pointerPath(store, 'places.db'))
    symlinkSync('snapshots/places/20200101T000000Z-00000000/data.db', pointerPath(store, 'places.db'))
    expect(await ingest(store, ten())).toMatchObject({
      outcome: 'refused',
      reason: { message: expect.stringContaining('--accept-shrink') },
    })
    expect((await ingest(store, ten(), { options: { acceptShrink: true } })).outcome).toBe('published')
  })
})

describe('the publisher’s date of a damaged current', () => {
  const declared = (url: string) => ({
    ...places,
    sources: places.sources.map((source) => ({ ...source, url })),
  })

  it.each(manifestDamages)('is known from data.db where the manifest is %s', async (_, damage) => {
    const store = scratchStore()
    await ingest(store, undefined, { definition: declared(`file://${dated(3, '2026-11-02')}`) })
    damage(manifestFile(currentFolder(store)))
    expect(await ingest(store, undefined, { definition: declared(`file://${dated(3, '2026-11-01')}`) })).toMatchObject({
      outcome: 'refused',
      reason: { message: expect.stringContaining('earlier than the current one') },
    })
  })
})

it('a sample never takes the place of a current snapshot that nobody can tell about', async () => {
  const folder = scratchFolder()
  const { store } = await storeOf(ten)
  overwritten(manifestFile(currentFolder(store)))
  overwritten(dataFile(currentFolder(store)))
  const sample = join(folder, 'data', '2026-10-01')
  mkdirSync(sample, { recursive: true })
  writeFileSync(join(sample, 'places.jsonl'), `${JSON.stringify(place('s', 'Invented'))}\n`)
  const result = await ingest(store, undefined, { folder, options: { sample: true, acceptShrink: true } })
  expect(result).toMatchObject({ outcome: 'refused', reason: { code: 'SAMPLE_OVER_REAL' } })
})
