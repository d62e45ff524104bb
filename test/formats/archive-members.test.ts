import { describe, expect, it } from 'vitest'
import { fits, folderInUse, isJunk } from '../../src/formats/archive-members.ts'

const folderOf = (declared: string | undefined, ...paths: readonly string[]): string =>
  folderInUse(
    paths.map((path) => ({ path })),
    'a.zip',
    declared,
  )

describe('junk in archives', () => {
  it.each([
    ['a/'],
    ['__MACOSX/._a.txt'],
    ['__MACOSX/a.txt'],
    ['._a.txt'],
    ['x/.DS_Store'],
    ['desktop.ini'],
    ['x/Thumbs.db'],
  ])('is %s', (path) => {
    expect(isJunk(path)).toBe(true)
  })

  it.each([['a.txt'], ['x/a._txt'], ['mydesktop.ini'], ['MACOSX/a.txt']])('is not %s', (path) => {
    expect(isJunk(path)).toBe(false)
  })
})

describe('a pattern', () => {
  it.each([
    ['a.csv', '*.csv'],
    ['x/y/a.csv', '*.csv'],
    ['x/a.CSV', '*.csv'],
    ['BasicCompanyData-2026-12-01-part1_7.csv', 'BasicCompanyData-*-part1_7.csv'],
    ['x/a.csv', 'x/*.csv'],
    ['x/y/a.csv', 'x/*'],
    ['Größe [1].csv', 'größe [1].csv'],
  ])('takes %s for %s', (path, pattern) => {
    expect(fits(path, pattern)).toBe(true)
  })

  it.each([
    ['a.csv.txt', '*.csv'],
    ['acsv', '*.csv'],
    ['y/a.csv', 'x/*.csv'],
    ['b.csv', 'a.csv'],
  ])('does not take %s for %s', (path, pattern) => {
    expect(fits(path, pattern)).toBe(false)
  })
})

describe('the folder in use', () => {
  it.each([
    ['the root, where files lie there', '', ['a.txt', 'docs/b.pdf']],
    ['the one folder that holds all', 'feed/', ['feed/a.txt', 'feed/b.txt', 'feed/more/c.txt']],
    ['the one folder in one folder', 'x/feed/', ['x/feed/a.txt', 'x/feed/more/c.txt']],
  ])('is %s', (_which, folder, paths) => {
    expect(folderOf(undefined, ...paths)).toBe(folder)
  })

  it('is not guessed where several hold files', () => {
    expect(() => folderOf(undefined, 'x/one/a.txt', 'x/two/a.txt')).toThrow(
      expect.objectContaining({
        code: 'NOT_WHAT_IT_SAYS',
        message: 'a.zip: more than one folder of the archive could be meant: x/one/, x/two/',
      }),
    )
  })

  it('is the declared one', () => {
    expect(folderOf('x/two', 'x/one/a.txt', 'x/two/a.txt')).toBe('x/two/')
    expect(folderOf('', 'x/one/a.txt')).toBe('')
    expect(() => folderOf('two', 'x/two/a.txt')).toThrow('a.zip: the archive has no folder two (it has: x/two/a.txt)')
  })
})
