import { describe, expect, it } from 'vitest'
import { boundValues, jsonSchemaOf } from '../../src/schema/arguments.ts'
import type { ParameterFormat, SchemaQuery } from '../../src/schema/types.ts'

const queryOf = (format: ParameterFormat): SchemaQuery => ({
  name: 'find',
  description: 'Find.',
  sql: 'SELECT ?',
  parameters: [{ name: 'when', type: 'string', required: true, description: 'When.', format }],
})

describe('a day', () => {
  it.each(['2026-12-01', '20261201', '01.12.2026', '2024-02-29'])('may be written as %s', (when) => {
    expect(boundValues(queryOf('date'), { when })).toEqual([when])
  })

  it.each([
    '2021-06-31',
    '2021-02-29',
    '20210631',
    '31.06.2021',
    '2021-13-01',
    'tomorrow',
    '9.6.2021',
    '2021-6-9',
    '2021-06-01T00:00',
    '',
  ])('is refused where there is none or it cannot be read: %j', (when) => {
    expect(() => boundValues(queryOf('date'), { when })).toThrow(
      expect.objectContaining({
        code: 'ARGUMENTS_INVALID',
        message: expect.stringContaining(
          `when: must be a day that exists, as YYYY-MM-DD, YYYYMMDD or DD.MM.YYYY, not "${when}"`,
        ),
      }),
    )
  })
})

describe('a time', () => {
  it.each(['08:30', '8:30', '23:59', '24:30', '08:30:00'])('may be written as %s', (when) => {
    expect(boundValues(queryOf('time'), { when })).toEqual([when])
  })

  it.each(['8:30pm', '8', '08:61', '99:00', '08.30', 'noon', ' 08:30'])('is refused as %j', (when) => {
    expect(() => boundValues(queryOf('time'), { when })).toThrow(/when: must be a time of day as HH:MM/)
  })
})

it('hosts are shown how days and times are written', () => {
  const shown = (format: ParameterFormat) => JSON.stringify(jsonSchemaOf(queryOf(format)))
  expect(shown('date')).toContain('"pattern":"^(?:\\\\d{4}-')
  expect(shown('time')).toContain('"pattern":')
})
