import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dataFile, dataFolder, pointerPath, pointerTarget, type Store, snapshotFolder } from '../../src/store/layout.ts'
import { adoptOccupied, checkPointerFree, ensureAliases, movePointer, occupiedPaths } from '../../src/store/pointer.ts'
import { startScript } from './child.ts'
import { scratchStore, versionOf } from './scratch-store.ts'

const first = versionOf('20261201T030512Z-00000001')
const second = versionOf('20261202T030512Z-00000002')
const names = { database: 'd.db', aliases: ['further.db', 'old-name.db'] }

const storeWith = (...versions: (typeof first)[]): Store => {
  const store = scratchStore()
  for (const version of versions) {
    mkdirSync(snapshotFolder(store, 'one', version), { recursive: true })
    writeFileSync(dataFile(snapshotFolder(store, 'one', version)), version)
  }
  mkdirSync(dataFolder(store), { recursive: true })
  return store
}

const at = (store: Store, name: string): string => pointerPath(store, name)
const occupied = expect.objectContaining({ code: 'POINTER_OCCUPIED' })

describe('the pointer', () => {
  it('names the data of a version, relatively, and so do its aliases through it', () => {
    const store = storeWith(first)
    movePointer(store, 'one', names, first)
    expect(readlinkSync(at(store, 'd.db'))).toBe(pointerTarget('one', first))
    expect(names.aliases.map((alias) => readlinkSync(at(store, alias)))).toEqual(['d.db', 'd.db'])
    expect(names.aliases.map((alias) => readFileSync(at(store, alias), 'utf8'))).toEqual([first, first])
  })

  it('moves, and its aliases with it', () => {
    const store = storeWith(first, second)
    movePointer(store, 'one', names, first)
    movePointer(store, 'one', names, second)
    expect(readFileSync(at(store, 'd.db'), 'utf8')).toBe(second)
    expect(readFileSync(at(store, 'further.db'), 'utf8')).toBe(second)
    expect(readdirSync(dataFolder(store)).sort()).toEqual(['d.db', 'further.db', 'old-name.db', 'snapshots'])
  })

  it('is there at every moment while it moves', async () => {
    const store = storeWith(first, second)
    movePointer(store, 'one', names, first)
    const reader = startScript(new URL('./pointer-reader.ts', import.meta.url), [
      at(store, 'd.db'),
      at(store, 'further.db'),
    ])
    const seen = [await reader.line()]
    for (let turn = 0; seen.length < 30; turn += 1) {
      // Several moves for each look that is waited for: the reader must not be in step with them.
      for (const version of turn % 2 === 0 ? [second, first, second] : [first, second, first]) {
        movePointer(store, 'one', names, version)
      }
      seen.push(await reader.line())
    }
    expect(new Set(seen)).toEqual(new Set([first, second].map((version) => `${pointerTarget('one', version)} whole`)))
  })

  it.each(['d.db', 'further.db'])('never replaces a regular file at %s', (name) => {
    const store = storeWith(first)
    writeFileSync(at(store, name), 'somebody’s own')
    expect(() => movePointer(store, 'one', names, first)).toThrow(occupied)
    expect(readFileSync(at(store, name), 'utf8')).toBe('somebody’s own')
    expect(lstatSync(at(store, name)).isSymbolicLink()).toBe(false)
    // All or nothing: the other names were not made either.
    expect(readdirSync(dataFolder(store)).sort()).toEqual([name, 'snapshots'])
  })

  it('never replaces a folder', () => {
    const store = storeWith(first)
    mkdirSync(at(store, 'd.db'))
    expect(() => checkPointerFree(store, 'one', names)).toThrow(occupied)
  })

  it.each([
    ['elsewhere', '/data/my-own.db'],
    ['another dataset', 'snapshots/onety/20261201T030512Z-00000001/data.db'],
    ['another dataset’s pointer', 'other.db'],
  ])('never replaces a symlink to %s, even one that leads nowhere', (_, target) => {
    const store = storeWith(first)
    symlinkSync(target, at(store, 'd.db'))
    expect(() => movePointer(store, 'one', names, first)).toThrow(occupied)
    expect(readlinkSync(at(store, 'd.db'))).toBe(target)
  })

  it('replaces one of its own that leads nowhere any more', () => {
    const store = storeWith(second)
    symlinkSync(pointerTarget('one', first), at(store, 'd.db'))
    movePointer(store, 'one', names, second)
    expect(readFileSync(at(store, 'd.db'), 'utf8')).toBe(second)
  })

  it('says of what is in its way where it lies, that nothing was downloaded, and the way out', () => {
    const store = storeWith(first)
    writeFileSync(at(store, 'd.db'), 'own')
    writeFileSync(at(store, 'further.db'), 'own')
    expect(() => checkPointerFree(store, 'one', names)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/d\.db and .*further\.db.*Nothing was downloaded.*--adopt/),
        data: { dataset: 'one', paths: [at(store, 'd.db'), at(store, 'further.db')] },
      }),
    )
  })
})

describe('adopting', () => {
  it('moves what is in the way aside, keeps it whole, and leaves what is ours', () => {
    const store = storeWith(first)
    movePointer(store, 'one', { ...names, aliases: ['further.db'] }, first)
    writeFileSync(at(store, 'old-name.db'), 'own')
    const aside = adoptOccupied(store, 'one', names, new Date('2026-12-03T04:05:06Z'))
    expect(aside).toEqual([`${at(store, 'old-name.db')}.adopted-20261203T040506Z`])
    expect(aside.map((path) => readFileSync(path, 'utf8'))).toEqual(['own'])
    expect(existsSync(at(store, 'old-name.db'))).toBe(false)
    expect(readFileSync(at(store, 'd.db'), 'utf8')).toBe(first)
    expect(occupiedPaths(store, 'one', names)).toEqual([])
  })

  it('keeps a symlink of somebody’s own as it is', () => {
    const store = storeWith(first)
    symlinkSync('my-own.db', at(store, 'd.db'))
    const [aside = ''] = adoptOccupied(store, 'one', names, new Date())
    expect(readlinkSync(aside)).toBe('my-own.db')
  })

  it('moves nothing where nothing is in the way', () => {
    expect(adoptOccupied(storeWith(first), 'one', names, new Date())).toEqual([])
  })
})

describe('aliases', () => {
  it('that are there stay untouched; missing ones are made', () => {
    const store = storeWith(first)
    movePointer(store, 'one', { ...names, aliases: ['further.db'] }, first)
    const before = lstatSync(at(store, 'further.db'), { bigint: true })
    ensureAliases(store, names)
    expect(lstatSync(at(store, 'further.db'), { bigint: true }).ino).toBe(before.ino)
    expect(readFileSync(at(store, 'old-name.db'), 'utf8')).toBe(first)
  })

  it('are names in the data folder', () => {
    const store = storeWith(first)
    movePointer(store, 'one', names, first)
    expect(at(store, 'further.db')).toBe(join(store.root, 'data', 'further.db'))
  })
})
