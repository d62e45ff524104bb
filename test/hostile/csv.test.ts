/** Hand-made bad CSV files, each with the outcome that its README asks for. */
import { beforeAll, describe, expect, it } from 'vitest'
import { hasSharedData } from '../real/shared-data.ts'
import { csv, type Outcome, readHostile } from './hostile.ts'

const ids = ({ records }: Outcome): unknown[] => records.map((record) => record.id)
const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index))

describe.skipIf(!hasSharedData)('hostile CSV', () => {
  let control: Outcome
  beforeAll(async () => {
    control = await readHostile('control.csv', csv)
  })

  it('control.csv is read', () => {
    expect(control).toMatchObject({ problems: [], warnings: [] })
    expect(ids(control)).toEqual(numbers(1, 100))
    expect(new Set(control.records.map((record) => record.city)).size).toBe(10)
    expect(control.records.reduce((sum, record) => sum + Number(record.value), 0)).toBe(43238)
  })

  it.each([['crcrlf.csv'], ['utf16le-bom.csv'], ['utf16be-bom.csv'], ['utf8-bom.csv'], ['multi-member.csv.gz']])(
    '%s reads as control.csv does',
    async (name) => {
      expect(await readHostile(name, csv)).toEqual(control)
    },
  )

  it('two-stream-trailing-garbage.csv.bz2 reads as control.csv does, with a warning', async () => {
    const { records, problems, warnings } = await readHostile('two-stream-trailing-garbage.csv.bz2', csv)
    expect({ records, problems }).toEqual({ records: control.records, problems: [] })
    expect(warnings).toEqual(['bytes after the end of the bzip2 data were ignored'])
  })

  it.each([
    ['truncated.csv.gz', 'DATA_CORRUPT', 'unexpected end of gzip data'],
    ['html-error.csv', 'NOT_WHAT_IT_SAYS', 'HTML received instead of data'],
    ['empty.csv', 'NOT_WHAT_IT_SAYS', 'empty file'],
    ['wide-2001.csv', 'RECORD_INVALID', '2001 columns, but a table has at most 2000'],
  ])('%s is refused', async (name, code, message) => {
    await expect(readHostile(name, csv)).rejects.toMatchObject({ code, message: `${name}: ${message}` })
  })

  it('header-only.csv has no record, for the guards to judge', async () => {
    expect(await readHostile('header-only.csv', csv)).toEqual({ records: [], problems: [], warnings: [] })
  })

  it.each([['runaway-quote-eof.csv'], ['runaway-quote-swallow.csv']])(
    '%s names the line of the stray quote, and loses no other',
    async (name) => {
      const outcome = await readHostile(name, csv)
      const rejected = outcome.problems.map(({ line }) => line - 1)
      expect(outcome.problems[0]).toMatchObject({ line: 52, problem: expect.stringContaining('a quote opened here') })
      expect(rejected.length).toBeLessThanOrEqual(2)
      expect([...ids(outcome).map(Number), ...rejected].sort((one, other) => one - other)).toEqual(
        numbers(1, 200).map(Number),
      )
    },
  )

  it('nul-byte.csv is read without the NUL, which is told with its line', async () => {
    const { records, problems, warnings } = await readHostile('nul-byte.csv', csv)
    expect(problems).toEqual([])
    expect(records).toHaveLength(100)
    expect(JSON.stringify(records)).not.toContain('\\u0000')
    expect(records[59]?.name).not.toBe('Sta')
    expect(warnings).toEqual(['NUL characters were removed from 1 records (line 61)'])
  })

  it('cp1252.csv is read as declared, and is no UTF-8', async () => {
    const { records } = await readHostile('cp1252.csv', { type: 'csv', encoding: 'windows-1252' })
    expect(records.map((record) => record.name)).toEqual([
      'Café „Grün“ – 5 €',
      'O’Neill & Söhne',
      expect.stringMatching(/^Ærø/),
      'plain ascii',
      'Šiška Žižkov',
    ])
    const { problems } = await readHostile('cp1252.csv', csv)
    expect(problems).toHaveLength(4)
    expect(problems.every(({ problem }) => problem === 'not valid UTF-8')).toBe(true)
  })

  it('wide-2000.csv keeps its 2,000 columns', async () => {
    const { records } = await readHostile('wide-2000.csv', csv)
    expect(records.map((record) => Object.keys(record).length)).toEqual([2000, 2000, 2000])
    expect(records[2]?.c2000).toBe('r3c2000')
  })

  it('wide-2001.csv loses no column where the dialect allows so many', async () => {
    const { records } = await readHostile('wide-2001.csv', { type: 'csv', maxColumns: 3000 })
    expect(records[2]?.c2001).toBe('r3c2001')
  })

  it('duplicate-headers.csv keeps 7 columns under names of their own, and tells them', async () => {
    const { records, warnings } = await readHostile('duplicate-headers.csv', csv)
    expect(records).toHaveLength(10)
    expect(Object.entries(records[0] ?? {})).toEqual([
      ['id', '1'],
      ['name', 'n1a'],
      ['name_2', 'n1b'],
      ['value', 'v1a'],
      ['column_5', 'e1'],
      ['NAME_3', 'n1c'],
      ['value_2', 'v1b'],
    ])
    expect(warnings).toEqual([expect.stringContaining('column 3 "name" as name_2')])
  })

  it.each([['header'], ['safe']] as const)('odd-headers.csv keeps 24 columns, with %s names', async (names) => {
    const { records, problems } = await readHostile('odd-headers.csv', { type: 'csv', names })
    expect(problems).toEqual([])
    expect(records.map((record) => Object.values(record))).toEqual(
      [1, 2, 3].map((row) => numbers(1, 24).map((column) => `${row}-${column}`)),
    )
  })

  it('ragged-rows.csv names its two bad lines, or pads the short one', async () => {
    const strict = await readHostile('ragged-rows.csv', csv)
    expect(strict.problems.map(({ line }) => line)).toEqual([6, 11])
    expect(strict.records).toHaveLength(17)
    const padded = await readHostile('ragged-rows.csv', { type: 'csv', shortRecords: 'pad' })
    expect(padded.problems.map(({ line }) => line)).toEqual([11])
    expect(padded.records).toHaveLength(18)
    expect(Object.values(padded.records[4] ?? {}).at(-1)).toBeNull()
    expect(padded.warnings).toEqual(['1 records (line 6) had fewer fields than there are columns'])
  })

  it('long-cell.csv keeps its 140,000 characters', async () => {
    const { records } = await readHostile('long-cell.csv', csv)
    expect(records.map((record) => String(record.blob).length)).toEqual([140_000, expect.any(Number)])
  })
})
