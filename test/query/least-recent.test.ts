import { describe, expect, it } from 'vitest'
import { LeastRecentMap } from '../../src/query/least-recent.ts'

describe('a map of bounded size', () => {
  it('lets go of what was not asked for longest', () => {
    const released: number[] = []
    const map = new LeastRecentMap<string, number>(2, (item) => released.push(item))
    map.set('a', 1)
    map.set('b', 2)
    map.get('a')
    map.set('c', 3)
    expect(map.keys()).toEqual(['a', 'c'])
    expect(released).toEqual([2])
  })

  it('releases an item that another replaces', () => {
    const released: number[] = []
    const map = new LeastRecentMap<string, number>(2, (item) => released.push(item))
    map.set('a', 1)
    map.set('a', 2)
    expect(released).toEqual([1])
    expect(map.get('a')).toBe(2)
  })

  it('counts the size of items where it is told one', () => {
    const map = new LeastRecentMap<string, string>(5, undefined, ({ length }) => length)
    map.set('a', 'two')
    map.set('b', 'to')
    expect(map.keys()).toEqual(['a', 'b'])
    map.set('a', 'one')
    map.set('c', 'c')
    expect(map.keys()).toEqual(['a', 'c'])
    map.set('d', 'more than there is room for')
    expect(map.keys()).toEqual([])
  })
})
