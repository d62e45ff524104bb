import { mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { StichtagError } from '../../src/errors.ts'
import { makeFolder, replaceSymlink, storeError, writeFileDurably } from '../../src/store/durable.ts'
import { startScript } from './child.ts'
import { scratchFolder } from './scratch-store.ts'

const systemError = (code: string): Error => Object.assign(new Error(code), { code })

describe('making a folder', () => {
  it('makes those above it, and leaves one that is there', () => {
    const folder = join(scratchFolder(), 'a', 'b', 'c')
    makeFolder(folder)
    writeFileSync(join(folder, 'kept'), '')
    makeFolder(folder)
    expect(readdirSync(folder)).toEqual(['kept'])
  })

  it('goes through links, and says where one leads nowhere', () => {
    const folder = scratchFolder()
    mkdirSync(join(folder, 'there'))
    symlinkSync(join(folder, 'there'), join(folder, 'link'))
    makeFolder(join(folder, 'link', 'in'))
    expect(readdirSync(join(folder, 'there'))).toEqual(['in'])
    symlinkSync(join(folder, 'never'), join(folder, 'dead'))
    expect(() => makeFolder(join(folder, 'dead', 'in'))).toThrow(
      expect.objectContaining({ code: 'STORE_UNWRITABLE', message: expect.stringContaining('leads nowhere') }),
    )
  })

  it('fails where a file is in the way', () => {
    const folder = scratchFolder()
    writeFileSync(join(folder, 'file'), '')
    for (const path of [join(folder, 'file'), join(folder, 'file', 'in', 'it')]) {
      expect(() => makeFolder(path)).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^E(EXIST|NOTDIR)$/) }),
      )
    }
  })

  it.runIf(process.platform === 'linux')('ends where the file system makes none', () => {
    for (const path of ['/proc/data', '/proc/data/snapshots/x']) {
      expect(() => makeFolder(path)).toThrow(
        expect.objectContaining({
          code: 'STORE_UNWRITABLE',
          message:
            'cannot write /proc/data: the file system of /proc makes no folders. The current snapshot is unchanged.',
        }),
      )
    }
  })
})

describe('writing a file durably', () => {
  it('leaves the new text and nothing beside it', () => {
    const folder = scratchFolder()
    writeFileDurably(join(folder, 'state.json'), 'old')
    writeFileDurably(join(folder, 'state.json'), 'new ä')
    expect(readFileSync(join(folder, 'state.json'), 'utf8')).toBe('new ä')
    expect(readdirSync(folder)).toEqual(['state.json'])
  })

  it('never shows a reader in another process a torn file, nor none', async () => {
    const folder = scratchFolder()
    const path = join(folder, 'state.json')
    const texts = ['a'.repeat(1_000_000), 'b'.repeat(900_000)] as const
    writeFileDurably(path, texts[0])
    const reader = startScript(new URL('./file-reader.ts', import.meta.url), [path])
    const seen = [await reader.line()]
    for (let turn = 0; seen.length < 20; turn += 1) {
      // Several writes for each look that is waited for: the reader must not be in step with them.
      for (let write = 1; write <= 3; write += 1) writeFileDurably(path, texts[(turn + write) % 2 === 0 ? 0 : 1])
      seen.push(await reader.line())
    }
    expect(new Set(seen)).toEqual(new Set(['a 1000000', 'b 900000']))
  })

  it('leaves nothing behind where it fails, and keeps what was there', () => {
    const folder = scratchFolder()
    mkdirSync(join(folder, 'taken', 'full'), { recursive: true })
    expect(() => writeFileDurably(join(folder, 'taken'), 'text')).toThrow(/a folder lies|something else lies/)
    expect(readdirSync(folder)).toEqual(['taken'])
  })

  it('says STORE_UNWRITABLE where the system refuses', () => {
    // No user can make a file there, root neither.
    expect(() => writeFileDurably('/sys/stichtag.json', 'text')).toThrow(
      expect.objectContaining({ code: 'STORE_UNWRITABLE' }),
    )
  })
})

describe('replacing a symlink', () => {
  it('moves it to the new target and leaves nothing beside it', () => {
    const folder = scratchFolder()
    replaceSymlink('one', join(folder, 'link'))
    replaceSymlink('two', join(folder, 'link'))
    expect(readlinkSync(join(folder, 'link'))).toBe('two')
    expect(readdirSync(folder)).toEqual(['link'])
  })

  it('does not follow the link that was there', () => {
    const folder = scratchFolder()
    writeFileSync(join(folder, 'one'), 'content')
    replaceSymlink('one', join(folder, 'link'))
    replaceSymlink('two', join(folder, 'link'))
    expect(statSync(join(folder, 'one')).size).toBe(7)
  })
})

describe('an error met while writing to a store', () => {
  it.each([
    ['ENOSPC', 'the disk is full'],
    ['EDQUOT', 'quota'],
    ['EROFS', 'read-only'],
    ['EACCES', 'permission denied'],
    ['EPERM', 'not permitted'],
    ['EIO', 'the disk reports an error'],
    ['SQLITE_FULL', 'the disk is full'],
    ['SQLITE_READONLY', 'read-only'],
    ['SQLITE_CANTOPEN', 'cannot be opened'],
    ['SQLITE_IOERR_WRITE', 'the disk reports an error'],
  ])('%s is STORE_UNWRITABLE, in words and with the path', (code, words) => {
    const cause = systemError(code)
    const error = storeError(cause, '/store/data')
    expect(error).toBeInstanceOf(StichtagError)
    expect(error).toMatchObject({ code: 'STORE_UNWRITABLE', cause, data: { path: '/store/data', system: code } })
    expect(String(error)).toContain(words)
    expect(String(error)).toContain('/store/data')
  })

  it.each([systemError('ENOENT'), systemError('SQLITE_CONSTRAINT_UNIQUE'), new Error('plain'), 'a text', undefined])(
    'stays what it is otherwise: %s',
    (thrown) => {
      expect(storeError(thrown, '/store')).toBe(thrown)
    },
  )
})
