import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import {
  isOpen,
  isPlain,
  type RecordSyntax,
  splitPlain,
  splitRecords,
  splitSimple,
} from '../../src/formats/csv-split.ts'
import { seeded, textFrom } from './random.ts'

const strict: RecordSyntax = { delimiter: ',', quotes: 'strict', trim: false }
const lenient: RecordSyntax = { ...strict, quotes: 'lenient' }
const split = (texts: readonly string[], syntax: RecordSyntax = strict): unknown[] => [...splitRecords(texts, syntax)]

describe('splitting records', () => {
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
    [`"${'x'.repeat(300_000)}"`, ['x'.repeat(300_000)]],
  ])('follows RFC 4180: %j', (text, fields) => {
    expect(split([text])).toEqual([{ fields }])
  })

  it.each([
    ['a"b",c', 'a quote inside an unquoted field (1)'],
    ['x, "b"', 'a quote inside an unquoted field (2)'],
    ['"a"b,"c"', 'text after a closing quote'],
  ])('says what is wrong with %j, and reads those before and after it', (text, problem) => {
    const good = { fields: ['1', '2'] }
    expect(split(['"1",2', '1,2', text, text, '1,"2"', '1,2'])).toEqual([
      good,
      good,
      { problem },
      { problem },
      good,
      good,
    ])
  })

  it.each([
    ['5" pipe,x', ['5" pipe', 'x']],
    ['"the "Moon" street",x', ['the "Moon" street', 'x']],
    ['"a "b, c" d, ""e""",x', ['a "b, c" d, "e"', 'x']],
  ])('takes stray quotes as characters where it is lenient: %j', (text, fields) => {
    expect(split(['"1"', text, '"2"'], lenient)).toEqual([{ fields: ['1'] }, { fields }, { fields: ['2'] }])
  })

  it('knows no quotes where there are none', () => {
    expect(split(['"a\tb"'], { delimiter: '\t', quotes: 'none', trim: false })).toEqual([{ fields: ['"a', 'b"'] }])
  })

  it('drops spaces around values where it is told to, and none inside quotes', () => {
    expect(split([' a , "b" ," c "'], { ...strict, trim: true })).toEqual([{ fields: ['a', 'b', ' c '] }])
    expect(split([' 5" , "a "b" c" '], { ...lenient, trim: true })).toEqual([{ fields: ['5"', 'a "b" c'] }])
  })
})

describe('a record', () => {
  it.each([['"a'], ['x,"a,b'], ['"a""'], ['"'], ['"a\n"",b']])('is open while a quote is: %j', (text) => {
    expect([isOpen(text, strict), isOpen(text, lenient), isOpen(text, { ...strict, quotes: 'none' })]).toEqual([
      true,
      true,
      false,
    ])
  })

  it.each([['a,b'], ['"a",b'], ['"a\nb"'], ['"a""b"']])('is whole otherwise: %j', (text) => {
    expect([isOpen(text, strict), isOpen(text, lenient)]).toEqual([false, false])
  })

  it('is whole in a lenient dialect where a stray quote does not open a field', () => {
    expect(isOpen('5" pipe', lenient)).toBe(false)
    expect(isOpen('"5" pipe', lenient)).toBe(true)
  })
})

describe('the quick reader of plain records', () => {
  const pieces = ['a', 'ä', '€', '𝄞', ' ', '\t', '\u00a0', '\ufeff', '\r', "'", ',', ';', '|', '\\', '\x1a', '#']

  it.each(
    [',', ';', '\t', '|'].flatMap((delimiter) =>
      [false, true].flatMap((trim) => (['strict', 'none'] as const).map((quotes) => ({ delimiter, trim, quotes }))),
    ),
  )('gives what csv-parse gives, on random records: %j', (syntax) => {
    const random = seeded(1)
    const all = [...pieces, syntax.delimiter, ...(syntax.quotes === 'none' ? ['"'] : [])]
    const texts = Array.from({ length: 2000 }, () => textFrom(all, 12, random))
    expect(texts.every((text) => isPlain(text, syntax))).toBe(true)
    const expected = parse(`${texts.join('\n')}\n`, {
      delimiter: syntax.delimiter,
      trim: syntax.trim,
      record_delimiter: '\n',
      relax_column_count: true,
      ...(syntax.quotes === 'none' ? { quote: false } : {}),
    })
    expect(texts.map((text) => splitPlain(text, syntax))).toEqual(expected.map((fields) => ({ fields })))
  })
})

describe('the quick reader of quoted records', () => {
  const pieces = ['a', 'ä', ' ', '"', '""', ',', '","', '"a"', '\n', '\r', '\t']

  it.each([false, true])('gives what csv-parse gives, or leaves the record to it (trim: %s)', (trim) => {
    const random = seeded(2)
    const texts = Array.from({ length: 20_000 }, () => textFrom(pieces, 8, random))
    const read = texts.map((text) => [text, splitSimple(text, { ...strict, trim })] as const)
    const taken = read.filter(([text, split]) => split !== undefined && text.includes('"'))
    expect(taken.length).toBeGreaterThan(1000)
    for (const [text, split] of taken) {
      const [fields] = parse(text, { trim, record_delimiter: '\u0001', relax_column_count: true })
      expect([text, split]).toEqual([text, { fields }])
    }
  })

  it.each(['5" pipe', '"a"b', '"a', 'a,"b" ,c', ' "a"', '"a""'])('leaves %j to csv-parse', (text) => {
    expect(splitSimple(text, strict)).toBeUndefined()
  })
})
