import { describe, expect, it } from 'vitest'
import { answerValue, bindable, bytesOf } from '../../src/query/values.ts'

describe('values of answers', () => {
  it('are numbers as long as they are exact, else decimal text', () => {
    expect(answerValue(9007199254740991n)).toBe(9007199254740991)
    expect(answerValue(9007199254740993n)).toBe('9007199254740993')
    expect(answerValue(-9223372036854775808n)).toBe('-9223372036854775808')
    expect(answerValue(0.1)).toBe(0.1)
  })

  it('are text where JSON has no such number', () => {
    expect([answerValue(Infinity), answerValue(-Infinity)]).toEqual(['Infinity', '-Infinity'])
  })

  it('are base64 for bytes', () => {
    expect(answerValue(new Uint8Array([1, 2, 255]))).toEqual({ base64: 'AQL/' })
    expect(answerValue(new Uint8Array([0, 1, 2, 3]).subarray(1, 3))).toEqual({ base64: 'AQI=' })
  })

  it('keep text and NULL', () => {
    expect([answerValue('007'), answerValue(null)]).toEqual(['007', null])
  })
})

describe('the bytes of a value', () => {
  it('are those of its JSON, told without making it', () => {
    const stored = ['Müller', '', null, 12345678n, new Uint8Array(10), new Uint8Array(0)]
    expect(stored.map(bytesOf)).toEqual(stored.map((value) => Buffer.byteLength(JSON.stringify(answerValue(value)))))
  })
})

describe('values for binding', () => {
  it('are integers where they are whole, so that 36 finds the text 36', () => {
    expect([bindable(36), bindable(1.5), bindable(2 ** 53), bindable('36')]).toEqual([36n, 1.5, 2 ** 53, '36'])
  })
})
