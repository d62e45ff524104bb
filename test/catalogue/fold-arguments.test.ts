import { describe, expect, it } from 'vitest'
import { argumentsInWords } from '../../src/catalogue/tools/fold-arguments.ts'
import { parametersInWords } from '../../src/schema/arguments.ts'
import type { SchemaParameter } from '../../src/schema/types.ts'

const text = (name: string, description: string, over: Partial<SchemaParameter> = {}): SchemaParameter => ({
  name,
  type: 'string',
  required: true,
  description,
  ...over,
})

const limit = (rows: number, description: string): SchemaParameter => ({
  name: 'limit',
  type: 'number',
  required: false,
  default: rows,
  description,
})

const query = (name: string, ...parameters: readonly SchemaParameter[]) => {
  const values = parameters.filter((each) => each.name !== 'limit').map(() => '?')
  const sql = `SELECT ${values.join(', ') || '1'}${values.length < parameters.length ? ' LIMIT ?' : ''}`
  return { name, parameters: parametersInWords({ name, description: name, sql, parameters }) }
}

describe('the arguments of folded queries', () => {
  it('are told with type, limits, choices, description and default, what several share once', () => {
    const date = text('date', 'The day: YYYY-MM-DD.')
    const told = argumentsInWords([
      query(
        'departures',
        date,
        text('from', 'Earliest, HH:MM.', { required: false, default: '00:00' }),
        limit(50, 'Most departures.'),
      ),
      query('trips', date, text('kind', 'Which.', { enum: ['bus', 'tram'] }), limit(100, 'Most trips.')),
      query('lines', text('from', 'A stop.', { min: 2, max: 9 })),
    ])
    expect(told.split('\n')).toEqual([
      'Arguments:',
      '- date (string) The day: YYYY-MM-DD.',
      '- from of departures (string) Earliest, HH:MM. Unless given: "00:00".',
      '- from of lines (string of 2 to 9 characters) A stop.',
      '- limit (number) Most rows. Unless given: 50 in departures; 100 in trips.',
      '- kind (one of bus, tram) Which.',
      '',
    ])
  })

  it('keep within a size by shorter descriptions, never by leaving one out', () => {
    const long = Array.from({ length: 40 }, (_, index) => query(`q${index}`, text(`a${index}`, 'word '.repeat(100))))
    const told = argumentsInWords(long)
    expect(told.length).toBeLessThan(4000)
    for (const { parameters } of long) expect(told).toContain(`- ${parameters[0]?.name} (string)`)
    expect(told).toContain('word …')
  })

  it('are not mentioned where there are none', () => {
    expect(argumentsInWords([query('all')])).toBe('')
  })
})
