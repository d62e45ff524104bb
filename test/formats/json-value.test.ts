import { describe, expect, it } from 'vitest'
import { parseJson } from '../../src/formats/json-value.ts'

describe('a JSON value', () => {
  it('keeps the digits of integers that JavaScript would round', () => {
    expect(parseJson('{"a":12345678901234567890,"b":[-9007199254740993],"c":9007199254740991,"d":1}')).toEqual({
      a: '12345678901234567890',
      b: ['-9007199254740993'],
      c: 9007199254740991,
      d: 1,
    })
  })

  it('is otherwise what JSON.parse makes of it', () => {
    const text = '{"a":1.2345678901234567890,"b":1e300,"c":"12345678901234567890","__proto__":1,"":[true,null]}'
    expect(Object.entries(parseJson(text) ?? {})).toEqual(Object.entries(JSON.parse(text)))
  })

  it('is refused where it is none', () => {
    expect(() => parseJson('{"a":12345678901234567890')).toThrow(SyntaxError)
  })
})
