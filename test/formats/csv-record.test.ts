import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { type RecordSyntax, splitRecord } from '../../src/formats/csv-record.ts'

const strict: RecordSyntax = { delimiter: ',', quotes: 'strict', trim: false }
const lenient: RecordSyntax = { ...strict, quotes: 'lenient' }

describe('splitting a record', () => {
  it.each([
    ['a,b,c', ['a', 'b', 'c']],
    ['a,,', ['a', '', '']],
    ['', ['']],
    ['"a","b"', ['a', 'b']],
    ['"a,b",c', ['a,b', 'c']],
    ['"say ""hi""",""', ['say "hi"', '']],
    ['"""",x', ['"', 'x']],
    ['"a\r\nb",c', ['a\r\nb', 'c']],
    ['"a",', ['a', '']],
    [' a , b', [' a ', ' b']],
  ])('follows RFC 4180: %j', (text, fields) => {
    expect(splitRecord(text, strict)).toEqual({ fields })
  })

  it('agrees with csv-parse on whatever fields, quoted and not', () => {
    const values = ['', 'a', 'b c', ',', '"', '""', 'a"b', 'ä\nö', '\r', ' x ', ',",']
    for (const first of values) {
      for (const second of values) {
        for (const third of values) {
          const text = [first, second, third].map((value) => `"${value.replaceAll('"', '""')}"`).join(',')
          expect(splitRecord(text, strict)).toEqual({ fields: parse(text)[0] })
        }
      }
    }
  })

  it.each([['"a'], ['x,"a,b'], ['"a""'], ['"']])('says that a quote is still open: %j', (text) => {
    expect(splitRecord(text, strict)).toBe('open')
  })

  it.each([
    ['a"b,c', 'a quote inside an unquoted field (1)'],
    ['x, "b"', 'a quote inside an unquoted field (2)'],
    ['"a"b,c', 'text after a closing quote'],
  ])('says what is wrong with %j', (text, problem) => {
    expect(splitRecord(text, strict)).toEqual({ problem })
  })

  it.each([
    ['5" pipe,x', ['5" pipe', 'x']],
    ['"the "Moon" street",x', ['the "Moon" street', 'x']],
    ['"a"b,c', 'open'],
  ])('takes stray quotes as characters where it is lenient: %j', (text, expected) => {
    expect(splitRecord(text, lenient)).toEqual(expected === 'open' ? 'open' : { fields: expected })
  })

  it('knows no quotes where there are none', () => {
    expect(splitRecord('"a\tb"', { delimiter: '\t', quotes: 'none', trim: false })).toEqual({ fields: ['"a', 'b"'] })
  })

  it('drops spaces around values where it is told to, and none inside quotes', () => {
    expect(splitRecord(' a , "b" ," c "', { ...strict, trim: true })).toEqual({ fields: ['a', 'b', ' c '] })
  })
})
