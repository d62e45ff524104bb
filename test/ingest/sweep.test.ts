import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { removeFolder } from '../../src/ingest/remove-folder.ts'
import { reconcile, sweep } from '../../src/ingest/sweep.ts'
import { dataFolder, datasetFolder, quarantineFolder, type Store, snapshotFolder } from '../../src/store/layout.ts'
import { movePointer } from '../../src/store/pointer.ts'
import { emptyState, type State } from '../../src/store/state.ts'
import { keepManifest } from '../store/manifest-example.ts'
import { scratchFolder, scratchStore, treeOf, versionOf } from '../store/scratch-store.ts'

const names = { database: 'one.db', aliases: ['further.db'] }
const first = '20261201T030000Z-00000000'
const second = '20261202T030000Z-00000000'
const third = '20261203T030000Z-00000000'

const state = (over: Partial<State> = {}): State => ({ ...emptyState('one'), ...over })

/** A store of three versions, the second of which is current. */
const storeOfThree = (): Store => {
  const store = scratchStore()
  for (const version of [first, second, third]) keepManifest(store, version)
  movePointer(store, 'one', names, versionOf(second))
  return store
}

const put = (path: string): string => {
  writeFileSync(path, 'left behind')
  return path
}

describe('sweeping', () => {
  it('removes work areas, also read-only ones, and half-written names', () => {
    const store = storeOfThree()
    const before = treeOf(store.root)
    const folder = datasetFolder(store, 'one')
    const areas = ['.building-run', '.building-sealed'].map((name) => join(folder, name))
    for (const area of areas) mkdirSync(join(area, 'inner'), { recursive: true })
    put(join(areas[0] ?? '', 'data.db'))
    mkdirSync(join(quarantineFolder(store, 'one'), '.building-half-removed'), { recursive: true })
    const files = [put(join(folder, '.state.json.0a1b2c3d'))]
    for (const name of ['.one.db.0a1b2c3d', '.further.db.ffffffff']) {
      symlinkSync('x', join(dataFolder(store), name))
      files.push(join(dataFolder(store), name))
    }
    const swept = sweep(store, 'one', names, state())
    expect(swept.sort()).toEqual(
      [...areas, join(quarantineFolder(store, 'one'), '.building-half-removed'), ...files].sort(),
    )
    const { 'data/quarantine': _, 'data/quarantine/one': __, ...after } = treeOf(store.root)
    expect(after).toEqual(before)
  })

  it('removes the version that was about to be published, where the pointer never came to it', () => {
    const store = storeOfThree()
    const swept = sweep(store, 'one', names, state({ publishing: third }))
    expect(swept).toEqual([snapshotFolder(store, 'one', versionOf(third))])
    expect(existsSync(snapshotFolder(store, 'one', versionOf(third)))).toBe(false)
    expect(existsSync(snapshotFolder(store, 'one', versionOf(second)))).toBe(true)
  })

  it('keeps it where the pointer did come to it', () => {
    const store = storeOfThree()
    expect(sweep(store, 'one', names, state({ publishing: second }))).toEqual([])
    expect(existsSync(snapshotFolder(store, 'one', versionOf(second)))).toBe(true)
  })

  it('keeps every other version, whatever the history says: nobody knows how it came there', () => {
    const store = storeOfThree()
    const before = treeOf(store.root)
    const history = [{ version: second, at: '', by: 'publish' as const }]
    const lastRun = { run: 'r', outcome: 'published' as const, at: '' }
    expect(sweep(store, 'one', names, state({ history, lastRun }))).toEqual([])
    expect(treeOf(store.root)).toEqual(before)
  })

  it('keeps what is not its own: other datasets, downloads, people’s files', () => {
    const store = storeOfThree()
    mkdirSync(join(datasetFolder(store, 'two'), '.building-run'), { recursive: true })
    mkdirSync(join(dataFolder(store), 'downloads', 'one'), { recursive: true })
    for (const path of [
      join(datasetFolder(store, 'one'), 'notes.txt'),
      join(datasetFolder(store, 'one'), '.state.json.backup'),
      join(dataFolder(store), 'one.db.adopted-20261201T000000Z'),
      join(dataFolder(store), '.two.db.0a1b2c3d'),
      join(dataFolder(store), 'downloads', 'one', 'file.part'),
    ]) {
      put(path)
    }
    const before = treeOf(store.root)
    expect(sweep(store, 'one', names, state())).toEqual([])
    expect(treeOf(store.root)).toEqual(before)
  })
})

describe('removing a folder', () => {
  it('takes its name away before its content: half a version is no version', () => {
    const folder = join(scratchFolder(), first)
    mkdirSync(join(folder, 'inner'), { recursive: true })
    removeFolder(folder)
    expect(existsSync(folder)).toBe(false)
    expect(existsSync(join(folder, '..', `.building-${first}`))).toBe(false)
  })
})

describe('a state that was found', () => {
  const now = new Date('2026-12-05T00:00:00Z')
  const validators = { file: { url: 'https://example.org/', sha256: '00' } }
  const history = [{ version: first, at: '', by: 'publish' as const }]

  it('stays where the pointer is where it was moved last', () => {
    const found = state({ history, validators })
    expect(reconcile(found, first, now)).toEqual(found)
    expect(reconcile(state(), null, now)).toEqual(state())
  })

  it('learns of a move that was not noted, and forgets validators that are not of it', () => {
    expect(reconcile(state({ history, validators }), second, now)).toEqual(
      state({ validators: {}, history: [...history, { version: second, at: now.toISOString(), by: 'publish' }] }),
    )
  })

  it('is about to publish nothing', () => {
    expect(reconcile(state({ history, publishing: second }), first, now)).toEqual(state({ history }))
  })

  it('remembers a hundred moves', () => {
    const long = Array.from({ length: 100 }, () => ({ version: first, at: '', by: 'rollback' as const }))
    const { history: kept } = reconcile(state({ history: long }), second, now)
    expect(kept).toHaveLength(100)
    expect(kept.at(-1)?.version).toBe(second)
  })
})
