import { describe, expect, it } from 'vitest'
import { isElementPath, recordTest } from '../../src/formats/xml-format.ts'

describe('the elements that are records', () => {
  it.each([['entry'], ['sanctions-program'], ['/list/entry'], ['größe']])('may be named by %s', (path) => {
    expect(isElementPath(path)).toBe(true)
  })

  it.each([[''], ['/'], ['list/entry'], ['/list/'], ['//entry'], ['a b'], ['<a>']])('are not named by %j', (path) => {
    expect(isElementPath(path)).toBe(false)
  })

  it('are found by name anywhere, and by path there alone', () => {
    const byName = recordTest('entry')
    expect([byName(['entry']), byName(['list', 'entry']), byName(['entry', 'list'])]).toEqual([true, true, false])
    const byPath = recordTest(['/list/entry', 'other'])
    expect([['list', 'entry'], ['entry'], ['x', 'list', 'entry'], ['x', 'other']].map(byPath)).toEqual([
      true,
      false,
      false,
      true,
    ])
  })
})
