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

  it('keeps them wherever they stand in the text', () => {
    for (let before = 0; before < 40; before++) {
      const text = `{"${'9'.repeat(before % 16)}":"${'x'.repeat(before)}","n":9007199254740993}`
      expect(parseJson(text)).toMatchObject({ n: '9007199254740993' })
    }
  })

  it('keeps the text of numbers that are too big or too small for JavaScript', () => {
    expect(parseJson('[1e400,-1E+999,2.5e-400,0e999,0.0,1e-300]')).toEqual([
      '1e400',
      '-1E+999',
      '2.5e-400',
      0,
      0,
      1e-300,
    ])
  })

  it.each([
    ['arrays', '['.repeat(1001), ']'.repeat(1001)],
    ['objects', '{"a":'.repeat(1001), `0${'}'.repeat(1001)}`],
    [
      'both, after some that are closed',
      `[[],{},"${'['.repeat(9)}\\"",${'[{"a":'.repeat(500)}`,
      `0${'}]'.repeat(500)}]`,
    ],
  ])('is refused where its %s are more than 1000 deep', (_, opening, closing) => {
    expect(() => parseJson(opening + closing)).toThrow('more than 1000 deep')
  })

  it('may have any number of brackets beside each other, and in texts', () => {
    const text = `[${'[],'.repeat(5000)}"${'[{'.repeat(5000)}"]`
    expect(parseJson(text)).toEqual(JSON.parse(text))
  })

  it('is otherwise what JSON.parse makes of it', () => {
    const text = '{"a":1.2345678901234567890,"b":1e300,"c":"12345678901234567890","__proto__":1,"":[true,null]}'
    expect(Object.entries(parseJson(text) ?? {})).toEqual(Object.entries(JSON.parse(text)))
  })

  it('is refused where it is none', () => {
    expect(() => parseJson('{"a":12345678901234567890')).toThrow(SyntaxError)
  })
})
