import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { StichtagError } from '../../src/errors.ts'
import { isDamage, replaceSymlink, storeError, writeFileDurably } from '../../src/store/durable.ts'
import { ledgerPath, lockPath, type Store } from '../../src/store/layout.ts'
import { openLedger } from '../../src/store/ledger.ts'
import { takeLock } from '../../src/store/lock.ts'
import { scratchFolder, scratchStore } from './scratch-store.ts'

const systemCodes = [
  'ENOSPC',
  'EROFS',
  'EACCES',
  'ELOOP',
  'ENOTDIR',
  'EISDIR',
  'ENAMETOOLONG',
  'EMFILE',
  'ENFILE',
  'EEXIST',
]
const sqliteCodes = [
  'SQLITE_FULL',
  'SQLITE_READONLY',
  'SQLITE_READONLY_DIRECTORY',
  'SQLITE_READONLY_DBMOVED',
  'SQLITE_CANTOPEN',
  'SQLITE_CANTOPEN_ISDIR',
  'SQLITE_CANTOPEN_SYMLINK',
  'SQLITE_IOERR',
  'SQLITE_IOERR_WRITE',
  'SQLITE_IOERR_FSYNC',
  'SQLITE_NOTADB',
  'SQLITE_CORRUPT',
  'SQLITE_CORRUPT_INDEX',
  'SQLITE_BUSY_TIMEOUT',
]

describe('an error of the storage', () => {
  it.each([
    ...systemCodes.map((code) => [code, Object.assign(new Error(code), { code })] as const),
    ...sqliteCodes.map((code) => [code, new Database.SqliteError(code, code)] as const),
  ])('%s is said in words, with the file', (code, error) => {
    const told = storeError(error, 'the/file')
    expect(told).toMatchObject({ code: 'STORE_UNWRITABLE', data: { path: 'the/file', system: code }, cause: error })
    expect(told).toHaveProperty('message', expect.stringMatching(/^cannot write the\/file: [a-z]/))
  })

  it.each([
    new Error('a defect'),
    new Database.SqliteError('no such table: place', 'SQLITE_ERROR'),
    new Database.SqliteError('UNIQUE constraint failed', 'SQLITE_CONSTRAINT_UNIQUE'),
    new StichtagError('BUSY', 'somebody else'),
  ])('is nothing else: %s', (error) => {
    expect(storeError(error, 'the/file')).toBe(error)
  })

  it('is damage where SQLite says so of the file, and not where the disk is at fault', () => {
    const damaged = sqliteCodes.filter((code) => isDamage(new Database.SqliteError(code, code)))
    expect(damaged).toEqual(['SQLITE_NOTADB', 'SQLITE_CORRUPT', 'SQLITE_CORRUPT_INDEX'])
    expect(isDamage(new Error('a defect'))).toBe(false)
  })
})

/** What may lie where a file of the store's own must be. */
const obstacles: readonly (readonly [string, (path: string) => void])[] = [
  ['garbage', (path) => writeFileSync(path, 'no database at all, '.repeat(1000))],
  ['a line of text', (path) => writeFileSync(path, 'hello, this is not a database\n'.repeat(20))],
  ['a folder', (path) => mkdirSync(path)],
  ['a link in a circle', (path) => symlinkSync(path, path)],
]

const told = (work: () => unknown): unknown => {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

describe.each<[string, (store: Store) => string, (store: Store) => void]>([
  ['the lock', (store) => lockPath(store, 'one'), (store) => takeLock(store, 'one').release()],
  ['the ledger', ledgerPath, (store) => openLedger(store).close()],
])('in the place of %s', (_, pathIn, use) => {
  it.each(obstacles)('%s is a storage error that names it and the way out, which works', (_what, put) => {
    const store = scratchStore()
    const path = pathIn(store)
    mkdirSync(dirname(path), { recursive: true })
    put(path)
    expect(told(() => use(store))).toMatchObject({
      code: 'STORE_UNWRITABLE',
      message: expect.stringMatching(/Move it away: the next command/),
      data: { path },
    })
    rmSync(path, { recursive: true, force: true })
    use(store)
  })

  it.each<[string, (path: string) => void]>([
    ['a file', (path) => writeFileSync(path, '')],
    ['a link to nowhere', (path) => symlinkSync('nowhere', path)],
    ['a link in a circle', (path) => symlinkSync(path, path)],
  ])('%s where its folder must be is a storage error', (_what, put) => {
    const store = scratchStore()
    const folder = dirname(pathIn(store))
    mkdirSync(dirname(folder), { recursive: true })
    put(folder)
    expect(told(() => use(store))).toMatchObject({ code: 'STORE_UNWRITABLE' })
  })
})

it('a name that no file system takes is a storage error for files and links alike', () => {
  const path = join(scratchFolder(), 'x'.repeat(300))
  expect(told(() => writeFileDurably(path, ''))).toMatchObject({ code: 'STORE_UNWRITABLE' })
  expect(told(() => replaceSymlink('x', path))).toMatchObject({ code: 'STORE_UNWRITABLE' })
})
