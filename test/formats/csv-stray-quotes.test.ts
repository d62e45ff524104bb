import { describe, expect, it } from 'vitest'
import { withStrayQuotesDoubled } from '../../src/formats/csv-stray-quotes.ts'

const repaired = (text: string, trim = false): string | undefined =>
  withStrayQuotesDoubled(text, { delimiter: ',', trim })

describe('doubling stray quotes', () => {
  it.each([['a,b'], ['"a,b",c'], ['"say ""hi""",""'], ['"""",x'], ['']])('leaves %j as it is', (text) => {
    expect(repaired(text)).toBe(text)
  })

  it.each([
    ['5" pipe,x', '"5"" pipe",x'],
    ['x,5"', 'x,"5"""'],
    ['"the "Moon" street",x', '"the ""Moon"" street",x'],
    ['"a "b, c" d","e"', '"a ""b, c"" d","e"'],
    ['"a ""b"" "c"",d","e"', '"a ""b"" ""c"",d","e"'],
  ])('makes %j what RFC 4180 wants', (text, expected) => {
    expect(repaired(text)).toBe(expected)
  })

  it('passes over spaces around fields where the dialect drops them', () => {
    expect(repaired(' "a "b" c" , 5" ,x', true)).toBe(' "a ""b"" c" , "5""" ,x')
  })

  it.each([['"a'], ['x,"5" pipe'], ['"a""']])('says that a quote is still open: %j', (text) => {
    expect(repaired(text)).toBeUndefined()
  })
})
