import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { manifestFile, snapshotFolder, snapshotsFolder, statePath } from '../../src/store/layout.ts'
import { movePointer } from '../../src/store/pointer.ts'
import {
  currentSnapshot,
  currentVersion,
  databaseOf,
  datasetsOf,
  intactManifest,
  keptVersion,
  readManifest,
  readState,
  versionsOf,
  writeState,
} from '../../src/store/snapshots.ts'
import { emptyState } from '../../src/store/state.ts'
import { keepManifest, manifestExample } from './manifest-example.ts'
import { makeDatasetFolder, scratchStore, versionOf } from './scratch-store.ts'

const first = '20261201T030512Z-00000001'
const second = '20261202T030512Z-00000002'
const names = { database: 'one.db', aliases: [] }

describe('what a store holds', () => {
  it('is nothing where it does not exist', () => {
    const store = scratchStore()
    expect(datasetsOf(store)).toEqual([])
    expect(versionsOf(store, 'one')).toEqual([])
    expect(currentSnapshot(store, 'one')).toBeNull()
    expect(readState(store, 'one')).toEqual(emptyState('one'))
  })

  it('is the datasets that have a folder, not files and hidden folders that a system put there', () => {
    const store = scratchStore()
    makeDatasetFolder(store, 'two')
    makeDatasetFolder(store, 'one')
    mkdirSync(join(snapshotsFolder(store), '.snapshot'))
    writeFileSync(join(snapshotsFolder(store), '.DS_Store'), '')
    writeFileSync(join(snapshotsFolder(store), 'Thumbs.db'), '')
    expect(datasetsOf(store)).toEqual(['one', 'two'])
  })

  it('is the versions whose folder has its final name, oldest first', () => {
    const store = scratchStore()
    const folder = makeDatasetFolder(store, 'one')
    for (const name of [second, first, `.building-${first}`, 'lock', 'state.json', 'notes'])
      mkdirSync(join(folder, name))
    expect(versionsOf(store, 'one')).toEqual([first, second])
  })
})

describe('a manifest', () => {
  it('is read back', () => {
    const store = scratchStore()
    keepManifest(store, first)
    expect(readManifest(store, 'one', versionOf(first))).toEqual(manifestExample(first))
  })

  it('of a version that is not kept is an error that lists those that are', () => {
    const store = scratchStore()
    keepManifest(store, first)
    const unknown = expect.objectContaining({ code: 'UNKNOWN_VERSION', message: expect.stringContaining(first) })
    expect(() => readManifest(store, 'one', versionOf(second))).toThrow(unknown)
    expect(() => keptVersion(store, 'one', 'yesterday')).toThrow(unknown)
    expect(keptVersion(store, 'one', first)).toBe(first)
  })

  it.each([
    ['is missing', (path: string) => rmSync(path)],
    ['is cut', (path: string) => writeFileSync(path, readFileSync(path, 'utf8').slice(0, 100))],
    ['says something else', (path: string) => writeFileSync(path, '{"format": 2}')],
  ])('that %s is not intact, and hides nothing of the others', (_, damage) => {
    const store = scratchStore()
    keepManifest(store, first)
    keepManifest(store, second)
    movePointer(store, 'one', names, versionOf(second))
    damage(manifestFile(snapshotFolder(store, 'one', versionOf(second))))
    expect(() => readManifest(store, 'one', versionOf(second))).toThrow()
    expect(intactManifest(store, 'one', versionOf(second))).toBeNull()
    expect(databaseOf(store, 'one')).toBe('one.db')
    expect(currentSnapshot(store, 'one')).toBeNull()
    expect(currentVersion(store, 'one', 'one.db')).toBe(second)
  })
})

describe('the current snapshot', () => {
  it('is the one that the pointer names, not the newest', () => {
    const store = scratchStore()
    keepManifest(store, first)
    keepManifest(store, second)
    movePointer(store, 'one', names, versionOf(first))
    expect(currentVersion(store, 'one', 'one.db')).toBe(first)
    expect(currentSnapshot(store, 'one')?.version).toBe(first)
  })

  it('is none where a file of somebody’s own lies in the pointer’s place', () => {
    const store = scratchStore()
    keepManifest(store, first)
    writeFileSync(join(store.root, 'data', 'one.db'), '')
    expect(currentVersion(store, 'one', 'one.db')).toBeNull()
  })

  it('is none of this dataset where the pointer is another one’s', () => {
    const store = scratchStore()
    keepManifest(store, first, { dataset: 'two' })
    movePointer(store, 'two', names, versionOf(first))
    expect(currentVersion(store, 'one', 'one.db')).toBeNull()
  })
})

describe('state.json', () => {
  it('is read back as it was written', () => {
    const store = scratchStore()
    makeDatasetFolder(store, 'one')
    const state = {
      ...emptyState('one'),
      lastRun: {
        run: 'r',
        outcome: 'refused' as const,
        at: '2026-12-01T03:05:12Z',
        reason: { code: 'A', message: 'b' },
      },
      validators: { file: { url: 'https://example.org/file', sha256: '00', etag: '"1"' } },
      held: [{ contentDigest: '00', version: first, since: '2026-12-01T03:05:12Z' }],
      publishing: second,
    }
    writeState(store, state)
    expect(readState(store, 'one')).toEqual(state)
  })

  it('of another format is an error, not an empty state', () => {
    const store = scratchStore()
    makeDatasetFolder(store, 'one')
    writeFileSync(statePath(store, 'one'), '{"format": 2}')
    expect(() => readState(store, 'one')).toThrow()
  })
})
