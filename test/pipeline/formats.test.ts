import { describe, expect, it } from 'vitest'
import { archiveSchema, formatSchema } from '../../src/pipeline/formats.ts'

const isGood = (format: unknown): boolean => formatSchema.safeParse(format).success

describe('the format of a source', () => {
  it.each([
    [{ type: 'jsonl' }],
    [{ type: 'json' }],
    [{ type: 'json', records: '$.records[*]', maxRecordBytes: 1000 }],
    [{ type: 'csv' }],
    [{ type: 'csv', delimiter: ';', encoding: 'windows-1252', preambleLines: 1, quotes: 'lenient', trim: true }],
    [{ type: 'csv', requires: ['id'], knows: ['name'], unknownColumns: 'report', names: 'safe' }],
    [{ type: 'xml', records: 'entry' }],
    [{ type: 'either', formats: [{ type: 'csv' }, { type: 'jsonl' }, { type: 'xml', records: 'entry' }] }],
    [{ type: 'xml', records: ['/list/entry', 'other'], root: 'list', encoding: 'iso-8859-1' }],
  ])('may be %j', (format) => {
    expect(isGood(format)).toBe(true)
  })

  it.each([
    ['nothing', undefined],
    ['a type that nobody reads', { type: 'pdf' }],
    ['a field that is misspelt', { type: 'csv', delimeter: ';' }],
    ['a field of another format', { type: 'jsonl', delimiter: ';' }],
    ['a path to no array', { type: 'json', records: 'records' }],
    ['a delimiter of two characters', { type: 'csv', delimiter: '||' }],
    ['a quote for a delimiter', { type: 'csv', delimiter: '"' }],
    ['an encoding that nobody reads', { type: 'csv', encoding: 'klingon' }],
    ['unknown columns reported, and no word on which are known', { type: 'csv', unknownColumns: 'report' }],
    ['no element of records', { type: 'xml' }],
    ['a list of no element', { type: 'xml', records: [] }],
    ['a choice of one', { type: 'either', formats: [{ type: 'csv' }] }],
    ['a choice that nothing tells apart', { type: 'either', formats: [{ type: 'json' }, { type: 'jsonl' }] }],
    ['a path that is none', { type: 'xml', records: 'list/entry' }],
  ])('is refused with %s', (_what, format) => {
    expect(isGood(format)).toBe(false)
  })
})

describe('the archive of a source', () => {
  it('may name a member and a folder', () => {
    expect(archiveSchema.safeParse({}).success).toBe(true)
    expect(archiveSchema.safeParse({ member: '*.csv', folder: 'x' }).success).toBe(true)
    expect(archiveSchema.safeParse({ members: '*.csv' }).success).toBe(false)
  })
})
