import { describe, expect, it } from 'vitest'
import { isRecordsPath, keysOf } from '../../src/formats/json-format.ts'

describe('a path to an array of records', () => {
  it.each([
    ['$[*]', []],
    ['$.records[*]', ['records']],
    ["$.data['a b']['ü'].x-y[*]", ['data', 'a b', 'ü', 'x-y']],
  ])('leads by keys: %s', (path, keys) => {
    expect(isRecordsPath(path)).toBe(true)
    expect(keysOf(path)).toEqual(keys)
  })

  it.each([['$'], ['records[*]'], ['$.records'], ['$.a[0].b[*]'], ['$..a[*]'], ['$.[*]'], ["$['a'b'][*]"], ['$[*].a']])(
    'is not %s',
    (path) => {
      expect(isRecordsPath(path)).toBe(false)
    },
  )
})
