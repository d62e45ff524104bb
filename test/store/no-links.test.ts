import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pruneRaw } from '../../src/ingest/raw-files.ts'
import { removeFolder } from '../../src/ingest/remove-folder.ts'
import {
  buildingFolder,
  datasetFolder,
  downloadsFolder,
  ledgerPath,
  lockPath,
  quarantineFolder,
  type Store,
  snapshotFolder,
  statePath,
} from '../../src/store/layout.ts'
import { emptyState } from '../../src/store/state.ts'
import { delivery, ingest, manyPlaces, storeOf } from '../ingest/ingesting.ts'
import { scratchFolder, scratchStore, treeOf, versionOf } from './scratch-store.ts'

/** A person's own folder, with a file in it. */
const foreign = (): { readonly folder: string; readonly file: string } => {
  const folder = scratchFolder()
  const file = join(folder, 'mine.txt')
  writeFileSync(file, 'mine')
  return { folder, file }
}

const link = (target: string, path: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}

describe.each<[string, (store: Store) => string, 'folder' | 'file']>([
  ['the dataset’s downloads', (store) => downloadsFolder(store, 'places'), 'folder'],
  ['the dataset’s snapshots', (store) => datasetFolder(store, 'places'), 'folder'],
  ['the dataset’s quarantine', (store) => quarantineFolder(store, 'places'), 'folder'],
  ['the lock', (store) => lockPath(store, 'places'), 'file'],
  ['state.json', (store) => statePath(store, 'places'), 'file'],
  ['the ledger', ledgerPath, 'file'],
])('a link in the place of %s', (_words, pathIn, kind) => {
  it('stops the run before it writes, names the link, and nothing of where it leads is touched', async () => {
    const store = scratchStore()
    const mine = foreign()
    const before = treeOf(mine.folder)
    link(mine[kind], pathIn(store))
    const result = await ingest(store, delivery(manyPlaces(3)))
    expect(result).toMatchObject({ outcome: 'failed', version: null, reason: { code: 'STORE_UNWRITABLE' } })
    expect(result.reason?.message).toContain(`places: ${pathIn(store)} is a symbolic link`)
    expect(treeOf(mine.folder)).toEqual(before)
  })
})

describe('a link among what a store removes', () => {
  it('goes by itself where it lies among raw files', async () => {
    const store = scratchStore()
    const mine = foreign()
    const downloads = downloadsFolder(store, 'places')
    for (const name of ['whole.jsonl', 'left.jsonl.part', '0123456789abcdef']) {
      link(name === '0123456789abcdef' ? mine.folder : mine.file, join(downloads, name))
    }
    const before = treeOf(mine.folder)
    expect(pruneRaw(store, 'places', emptyState('places'), new Date()).sort()).toEqual(
      ['0123456789abcdef', 'left.jsonl.part', 'whole.jsonl'].map((name) => join(downloads, name)),
    )
    expect(treeOf(mine.folder)).toEqual(before)
  })

  it.each<[string, (store: Store) => string]>([
    ['a work area', (store) => buildingFolder(store, 'places', 'dead')],
    ['a version', (store) => snapshotFolder(store, 'places', versionOf('20200101T000000Z-00000000'))],
  ])('goes by itself where it stands for %s', (_words, pathIn) => {
    const store = scratchStore()
    const mine = foreign()
    const before = treeOf(mine.folder)
    link(mine.folder, pathIn(store))
    removeFolder(pathIn(store))
    expect(treeOf(mine.folder)).toEqual(before)
    expect(Object.values(treeOf(store.root)).filter((entry) => entry.startsWith('->'))).toEqual([])
  })
})

it('folders right below data may be links: which disk they lie on is for people to say', async () => {
  const store = scratchStore()
  const elsewhere = foreign().folder
  link(elsewhere, dirname(downloadsFolder(store, 'places')))
  expect((await ingest(store, delivery(manyPlaces(3)))).outcome).toBe('published')
  const { store: plain } = await storeOf(() => delivery(manyPlaces(3)))
  expect(Object.keys(treeOf(plain.root)).filter((name) => name.includes('places.db'))).toEqual(
    Object.keys(treeOf(store.root)).filter((name) => name.includes('places.db')),
  )
})
