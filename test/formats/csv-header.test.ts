import { describe, expect, it } from 'vitest'
import { type CsvDialect, fullDialect } from '../../src/formats/csv-dialect.ts'
import { type CsvHeader, headerOf } from '../../src/formats/csv-header.ts'

const header = (columns: readonly string[], dialect: Partial<CsvDialect> = {}): CsvHeader =>
  headerOf(columns, fullDialect({ type: 'csv', ...dialect }), 'a.csv')

describe('the header of a CSV file', () => {
  it('names the fields of records as it has them', () => {
    expect(header(['id', ' name'])).toEqual({ columns: ['id', ' name'], names: ['id', ' name'], warnings: [] })
  })

  it('gives columns safe names where the dialect asks for them, and says which', () => {
    expect(header(['id', 'order', 'a.b'], { names: 'safe' })).toEqual({
      columns: ['id', 'order', 'a.b'],
      names: ['id', 'order_', 'a_b'],
      warnings: [
        'columns whose name cannot stay as it is are read as: column 2 "order" as order_, column 3 "a.b" as a_b',
      ],
    })
  })

  it('that lacks required columns is refused, with all that it has', () => {
    expect(() => header(['id', 'Name'], { requires: ['id', 'name', 'city'] })).toThrow(
      expect.objectContaining({
        code: 'RECORD_INVALID',
        message: 'a.csv: the header lacks name, city (it has: id, Name)',
      }),
    )
  })

  it('of very many columns is not repeated whole', () => {
    const columns = Array.from({ length: 60 }, (_, index) => `c${index}`)
    expect(() => header(columns, { requires: ['id'] })).toThrow('c48, c49, and 10 more)')
  })

  it('keeps columns that nobody knows, unless the dialect has them reported', () => {
    const dialect = { requires: ['id'], knows: ['name', 'city'] }
    const columns = ['id', 'colour', 'name', 'size']
    expect(header(columns, dialect)).toMatchObject({ names: columns, warnings: [] })
    expect(header(columns, { ...dialect, unknownColumns: 'report' })).toEqual({
      columns,
      names: ['id', undefined, 'name', undefined],
      warnings: ['columns that are not known and not read: colour, size'],
    })
  })

  it('of more columns than a table can have is refused, unless the dialect allows them', () => {
    const columns = Array.from({ length: 2001 }, (_, index) => `c${index}`)
    expect(() => header(columns)).toThrow(
      expect.objectContaining({
        code: 'RECORD_INVALID',
        message: 'a.csv: 2001 columns, but a table has at most 2000',
      }),
    )
    expect(header(columns, { maxColumns: 3000 }).names).toEqual(columns)
  })
})
