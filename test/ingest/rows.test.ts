import { describe, expect, it } from 'vitest'
import { rowReader } from '../../src/ingest/rows.ts'
import type { ColumnType, Row } from '../../src/pipeline/types.ts'
import { maxRowBytes } from '../../src/store/row-size.ts'

const read = (type: ColumnType, value: Row[string]): unknown =>
  rowReader('t', { description: 'a table', columns: { c: type }, key: [] })({ c: value })[0]

const place = rowReader('place', {
  description: 'places',
  surrogate: 'number',
  columns: { id: 'TEXT', part: { type: 'INTEGER', description: 'which' }, name: 'TEXT' },
  key: ['id', 'part'],
})

const invalid = (words: string): unknown =>
  expect.objectContaining({ code: 'RECORD_INVALID', message: expect.stringContaining(words) })

describe('a row', () => {
  it('becomes values in the order of the columns, NULL where it has none', () => {
    expect(place({ name: 'x', part: 1, id: 'a' })).toEqual(['a', 1, 'x'])
    expect(place({ id: 'a', part: 1 })).toEqual(['a', 1, null])
    expect(place({ id: 'a', part: 1, name: undefined })).toEqual(['a', 1, null])
  })

  it('with a column that the table does not have is invalid, also with the surrogate', () => {
    expect(() => place({ id: 'a', part: 1, nmae: 'x' })).toThrow(invalid('table place has no column nmae'))
    expect(() => place({ id: 'a', part: 1, number: 1 })).toThrow(invalid('has no column number'))
  })

  it.each([{ id: 'a' }, { id: 'a', part: null }, { part: 1 }])('without its whole key is invalid: %j', (row) => {
    expect(() => place(row)).toThrow(invalid('key column'))
  })

  it('may have an empty text in its key, which can be addressed', () => {
    expect(place({ id: '', part: 0 })).toEqual(['', 0, null])
  })
})

describe('a number with a decimal comma', () => {
  it.each(['1,5', '-1.234,50', '1 234,5'])('is not taken for %s, and the error says how it can be', (value) => {
    expect(() => read('REAL', value)).toThrow(invalid("text.replaceAll('.', '').replace(',', '.')"))
  })

  it.each(['many', '1,', ',', 'a1,5'])('is not seen in %s', (value) => {
    expect(() => read('REAL', value)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('comma') }),
    )
  })
})

describe('a value of a TEXT column', () => {
  it.each([
    ['text', 'text'],
    ['', ''],
    [' Müller ', ' Müller '],
    [1.5, '1.5'],
    [2n ** 60n, '1152921504606846976'],
    [null, null],
    [undefined, null],
  ])('%s is kept as %s', (value, kept) => {
    expect(read('TEXT', value)).toBe(kept)
  })

  it('has no lone surrogate: SQLite holds UTF-8, which has none', () => {
    expect(read('TEXT', 'a\ud800b')).toBe('a\ufffdb')
    expect(read('TEXT', '😀')).toBe('😀')
  })

  it.each([true, new Uint8Array([1])])('cannot be %s', (value) => {
    expect(() => read('TEXT', value)).toThrow(invalid('column c is TEXT'))
  })
})

describe('a value of an INTEGER column', () => {
  it.each([
    [7, 7],
    ['-42', -42],
    ['+7', 7],
    ['007', 7],
    [true, 1],
    [false, 0],
    [5n, 5],
    ['9007199254740993', 9007199254740993n],
    [2n ** 63n - 1n, 2n ** 63n - 1n],
    ['-9223372036854775808', -(2n ** 63n)],
  ])('%s is kept as %s', (value, kept) => {
    expect(read('INTEGER', value)).toBe(kept)
  })

  it.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, '1.5', '', ' 1', '1e3', 'x', new Uint8Array()])(
    'cannot be %j',
    (value) => {
      expect(() => read('INTEGER', value)).toThrow(invalid('column c is INTEGER'))
    },
  )

  it('cannot be a number that has lost digits, nor one that SQLite has no room for', () => {
    expect(() => read('INTEGER', 2 ** 53)).toThrow(invalid('column c is INTEGER'))
    expect(() => read('INTEGER', 2n ** 63n)).toThrow(invalid('column c is INTEGER'))
    expect(() => read('INTEGER', '9223372036854775808')).toThrow(invalid('column c is INTEGER'))
  })
})

describe('a value of a REAL column', () => {
  it.each([
    [1.25, 1.25],
    ['52.5200', 52.52],
    ['-1e3', -1000],
    [3, 3],
  ])('%s is kept as %s', (value, kept) => {
    expect(read('REAL', value)).toBe(kept)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 'NaN', 'Infinity', '', ' ', '1,5', 'x', true, 5n])(
    'cannot be %s',
    (value) => {
      expect(() => read('REAL', value)).toThrow(invalid('column c is REAL'))
    },
  )
})

describe('a value of a BLOB column', () => {
  it('is bytes and nothing else', () => {
    expect(read('BLOB', new Uint8Array([1, 2]))).toEqual(new Uint8Array([1, 2]))
    expect(read('BLOB', null)).toBeNull()
    for (const value of ['text', 1, true]) expect(() => read('BLOB', value)).toThrow(invalid('column c is BLOB'))
  })
})

describe('a row for readers', () => {
  /** What else the row of one column takes: its quotes, and room for a surrogate. */
  const beside = 2 + 8

  it.each([
    ['x', 1],
    ['ü', 2],
    ['€', 3],
    ['𝄞', 4],
  ])('is measured in bytes, not in characters: of %s', (letter, bytes) => {
    const most = Math.floor((maxRowBytes - beside) / bytes)
    expect(read('TEXT', letter.repeat(most))).toHaveLength(letter.length * most)
    expect(() => read('TEXT', letter.repeat(most + 1))).toThrow(invalid(`more than the ${maxRowBytes} bytes`))
  })

  it('has its bytes counted as they will be written', () => {
    expect(() => read('BLOB', new Uint8Array((maxRowBytes / 4) * 3))).toThrow(invalid('its column c has about'))
    expect(read('BLOB', new Uint8Array((maxRowBytes / 4) * 3 - 30))).toBeInstanceOf(Uint8Array)
  })
})

describe('a key', () => {
  it.each([
    { id: true, part: 1 },
    { id: 'a', part: true },
  ])('is never true or false: %j', (row) => {
    expect(() => place(row)).toThrow(invalid('but got boolean true'))
  })
})
