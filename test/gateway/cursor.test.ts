import { describe, expect, it } from 'vitest'
import { pageOf } from '../../src/gateway/cursor.ts'

const page = (items: string[], cursor?: string) => pageOf(items, (item) => item, 'resources', 2, cursor)

describe('pages of a list', () => {
  it('cover the list, each entry once, and the last has no cursor', () => {
    const list = ['a', 'b', 'c', 'd', 'e']
    const first = page(list)
    const second = page(list, first.nextCursor)
    const third = page(list, second.nextCursor)
    expect([first.items, second.items, third.items]).toEqual([['a', 'b'], ['c', 'd'], ['e']])
    expect(third.nextCursor).toBeUndefined()
    expect(page(['a', 'b']).nextCursor).toBeUndefined()
    expect(page([])).toEqual({ items: [] })
  })

  it('follow the entry that came last when the list has changed', () => {
    const { nextCursor } = page(['a', 'b', 'c', 'd'])
    expect(page(['0', 'a', 'b', 'c', 'd'], nextCursor).items).toEqual(['c', 'd'])
    expect(page(['b', 'c'], nextCursor).items).toEqual(['c'])
  })

  it.each([
    ['nonsense', 'nonsense'],
    ['an empty one', ''],
    ['one that is JSON of another shape', Buffer.from('{"offset":2}').toString('base64url')],
    ['one of another list', pageOf(['a', 'b', 'c'], (item) => item, 'tools', 2, undefined).nextCursor],
    ['one whose entry is gone', page(['x', 'y', 'z']).nextCursor],
  ])('refuse %s', (_name, cursor) => {
    expect(cursor).toBeDefined()
    expect(() => page(['a', 'b', 'c'], cursor)).toThrow(expect.objectContaining({ code: 'USAGE' }))
  })
})
