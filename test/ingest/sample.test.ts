import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { diffRange } from '../../src/ingest/diff.ts'
import { manifestFile, snapshotFolder } from '../../src/store/layout.ts'
import { currentVersion } from '../../src/store/snapshots.ts'
import { scratchFolder, scratchStore, treeOf, versionOf } from '../store/scratch-store.ts'
import { current, delivery, ingest, keptIn, linesOf, manyPlaces, place, query } from './ingesting.ts'

const older = linesOf([place('s1', 'Invented'), place('s2', 'Made up')])
const newer = linesOf([place('s1', 'Invented'), place('s3', 'Thought out')])

/** A pipeline's folder with two dated samples. */
const folderWithSamples = (): string => {
  const folder = scratchFolder()
  for (const [date, text] of [
    ['2026-10-01', older],
    ['2026-11-01', newer],
  ] as const) {
    mkdirSync(join(folder, 'data', date), { recursive: true })
    writeFileSync(join(folder, 'data', date, 'places.jsonl.gz'), gzipSync(text))
  }
  return folder
}

const sample = { sample: true }

describe('a sample', () => {
  it('is the newest bundled one, and is said to be invented everywhere', async () => {
    const store = scratchStore()
    const result = await ingest(store, undefined, { folder: folderWithSamples(), options: sample })
    expect(result).toMatchObject({ outcome: 'published', rows: { place: 2 } })
    expect(query(store, 'SELECT name FROM place ORDER BY id')).toEqual([['Invented'], ['Thought out']])
    expect(current(store)).toMatchObject({ sample: true, sources: [{ url: 'sample:2026-11-01' }] })
    expect(query(store, "SELECT value FROM meta WHERE key = 'sample'")).toEqual([[expect.stringContaining('invented')]])
  })

  it('is one however it comes: by --from too', async () => {
    const store = scratchStore()
    const folder = folderWithSamples()
    await ingest(store, join(folder, 'data', '2026-10-01'), { folder })
    expect(current(store).sample).toBe(true)
  })

  it('that is not there is an error', async () => {
    const store = scratchStore()
    expect(await ingest(store, undefined, { options: sample })).toMatchObject({
      outcome: 'failed',
      reason: { code: 'FILE_NOT_FOUND' },
    })
  })
})

describe('invented and real data', () => {
  it('a sample never replaces real data, by whatever option', async () => {
    const store = scratchStore()
    const folder = folderWithSamples()
    await ingest(store, delivery(manyPlaces(2)), { folder })
    const before = current(store)
    for (const given of [
      { options: sample },
      { options: { ...sample, force: true, acceptShrink: true } },
      { options: { from: join(folder, 'data', '2026-11-01') } },
    ]) {
      expect(await ingest(store, undefined, { folder, ...given })).toMatchObject({
        outcome: 'refused',
        version: before.version,
        reason: { code: 'SAMPLE_OVER_REAL', message: expect.stringContaining('STICHTAG_HOME') },
      })
    }
    expect(current(store)).toEqual(before)
    expect(keptIn(store)).toEqual([before.version])
  })

  it('a sample does not replace what may be real, where the manifest that says so is damaged', async () => {
    const store = scratchStore()
    const folder = folderWithSamples()
    const { version } = await ingest(store, delivery(manyPlaces(2)), { folder })
    const manifest = manifestFile(snapshotFolder(store, 'places', versionOf(version ?? '')))
    chmodSync(manifest, 0o644)
    writeFileSync(manifest, 'damaged')
    expect(await ingest(store, undefined, { folder, options: sample })).toMatchObject({
      outcome: 'refused',
      reason: { code: 'SAMPLE_OVER_REAL' },
    })
    expect(currentVersion(store, 'places', 'places.db')).toBe(version)
  })

  it('real data replace a sample, whatever its size, and are compared with nothing: what is invented says nothing', async () => {
    const store = scratchStore()
    const folder = folderWithSamples()
    await ingest(store, undefined, { folder, options: sample })
    const sampled = current(store).version
    const result = await ingest(store, delivery([place('r1', 'Real')]), { folder })
    expect(result).toMatchObject({ outcome: 'published', previous: sampled, changes: {} })
    expect(current(store)).toMatchObject({
      sample: false,
      base: null,
      changes: {},
      warnings: [expect.stringContaining(`${sampled}, current until then, is an invented sample`)],
    })
    expect(diffRange(store, 'places')).toBeNull()
    const second = await ingest(store, delivery([place('r1', 'Real'), place('r2', 'Real too')]), { folder })
    expect(second.changes).toMatchObject({ place: { added: 1, removed: 0, changed: 0 } })
    expect(query(store, "SELECT count(*) FROM meta WHERE key = 'sample'")).toEqual([[0]])
  })

  it('real data that read as a sample does are published all the same: they are real', async () => {
    const store = scratchStore()
    const folder = folderWithSamples()
    await ingest(store, undefined, { folder, options: sample })
    expect((await ingest(store, delivery(newer), { folder })).outcome).toBe('published')
    expect(current(store).sample).toBe(false)
  })

  it('a sample replaces a sample', async () => {
    const store = scratchStore()
    const folder = folderWithSamples()
    await ingest(store, join(folder, 'data', '2026-10-01'), { folder })
    expect(await ingest(store, undefined, { folder, options: sample })).toMatchObject({
      outcome: 'published',
      changes: { place: { added: 1, removed: 1, changed: 0 } },
    })
    expect((await ingest(store, undefined, { folder, options: sample })).outcome).toBe('unchanged')
    expect(Object.keys(treeOf(store.root)).some((name) => name.includes('.building-'))).toBe(false)
  })
})
