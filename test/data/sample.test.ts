import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonLines } from '../../data/offeneregister/generate.ts'
import { firstVersion, secondVersion } from '../../data/offeneregister/versions.ts'
import { type SampleRecord, sampleFolder, sampleRecords, sampleText } from './sample-files.ts'
import { scratchDatabase } from './scratch-database.ts'

const first = await sampleRecords('2026-10-01')
const second = await sampleRecords('2026-11-01')
const readme = readFileSync(join(sampleFolder, 'README.md'), 'utf8')

const byNumber = (records: readonly SampleRecord[]): ReadonlyMap<string, SampleRecord> =>
  new Map(records.map((record) => [record.company_number, record]))
const missingIn = (records: readonly SampleRecord[], others: readonly SampleRecord[]): string[] =>
  records.map((record) => record.company_number).filter((number) => !byNumber(others).has(number))
const fieldsThatDiffer = (left: SampleRecord, right: SampleRecord): string[] =>
  [...new Set([...Object.keys(left), ...Object.keys(right)])].filter(
    (field) => JSON.stringify(left[field]) !== JSON.stringify(right[field]),
  )

const cellsOf = (row: string): string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

/** Cells of the README's table rows below a heading line, up to the next blank-separated block of text. */
const tableBelow = (heading: string): string[][] => {
  const block = readme.split(`\n${heading}\n\n`)[1]?.split('\n\n')[0] ?? ''
  return block.split('\n').slice(2).map(cellsOf)
}
const codesIn = (cell: string | undefined): string[] =>
  [...(cell ?? '').matchAll(/`([^`]*)`/g)].map((each) => each[1] ?? '')
const numbersBelow = (heading: string): string[] => tableBelow(heading).flatMap((cells) => codesIn(cells[0]))

describe('the files of the sample', () => {
  it('are what the generator writes', async () => {
    expect(await sampleText('2026-10-01')).toBe(jsonLines(firstVersion()))
    expect(await sampleText('2026-11-01')).toBe(jsonLines(secondVersion()))
  })

  it('name every company once', () => {
    for (const records of [first, second]) expect(byNumber(records).size).toBe(records.length)
  })

  it('have the counts that their README gives', async () => {
    for (const [date, records] of [
      ['2026-10-01', first],
      ['2026-11-01', second],
    ] as const) {
      const { database } = await scratchDatabase('offeneregister', records)
      const officers = database.prepare('SELECT count(*) FROM officer').pluck().get()
      database.close()
      const row = cellsOf(readme.split('\n').find((line) => line.startsWith(`| \`${date}/\``)) ?? '')
      expect(row.slice(1)).toEqual([String(records.length), String(officers)])
    }
  })

  it('have no field that the pipeline does not know', async () => {
    const { database, unknownFields } = await scratchDatabase('offeneregister', second)
    database.close()
    expect(unknownFields).toEqual([])
  })

  it('write keys in alphabetical order, as the source does', async () => {
    const expectOrdered = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      if (!Array.isArray(value)) expect(Object.keys(value)).toEqual(Object.keys(value).sort())
      for (const inner of Object.values(value)) expectOrdered(inner)
    }
    for (const date of ['2026-10-01', '2026-11-01'])
      for (const line of (await sampleText(date)).trimEnd().split('\n')) expectOrdered(JSON.parse(line))
  })
})

describe("the sample's README", () => {
  it('lists exactly the companies that were added and removed', () => {
    expect(numbersBelow('Added:').sort()).toEqual(missingIn(second, first).sort())
    expect(numbersBelow('Removed:').sort()).toEqual(missingIn(first, second).sort())
  })

  it('lists exactly the fields that differ', () => {
    const later = byNumber(second)
    const differences = first.flatMap((record) => {
      const now = later.get(record.company_number)
      const fields = now === undefined ? [] : fieldsThatDiffer(record, now)
      return fields.length === 0 ? [] : [[record.company_number, fields.sort()]]
    })
    const listed = tableBelow('Changed:').map((cells) => [codesIn(cells[0])[0], codesIn(cells[1]).sort()])
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(differences))
  })

  it('names the one line that only moved', () => {
    const moved = /^Moved without a change: `([^`]+)`/m.exec(readme)?.[1]
    const order = (records: readonly SampleRecord[], others: readonly SampleRecord[]): string[] =>
      records
        .map((record) => record.company_number)
        .filter((number) => byNumber(others).has(number) && number !== moved)
    expect(order(second, first)).toEqual(order(first, second))
    expect(second.at(-1)?.company_number).toBe(moved)
    expect(first[7]?.company_number).toBe(moved)
  })

  it('offers companies to watch that do what it says of them', () => {
    const outcome = (number: string): string => {
      const before = byNumber(first).get(number)
      const now = byNumber(second).get(number)
      if (before === undefined) return 'unknown'
      return now === undefined ? 'gone' : fieldsThatDiffer(before, now).join()
    }
    expect(numbersBelow('## Good ones to watch').map(outcome)).toEqual(['registered_address', 'officers', '', 'gone'])
  })
})

describe('the sample', () => {
  it('has what the source is known for', async () => {
    const { database } = await scratchDatabase('offeneregister', first)
    const count = (sql: string): unknown => database.prepare(`SELECT count(*) FROM ${sql}`).pluck().get()
    const found = {
      cited: count(
        "company WHERE company_number = 'K1101R_HRB150148' AND native_company_number = 'Hamburg HRB 150148'",
      ),
      siemens: count("company WHERE name LIKE '%Siemens%'"),
      bmw: count("company WHERE name LIKE '%BMW%'"),
      mueller: count("officer WHERE lastname = 'Mueller'"),
      müller: count("officer WHERE lastname = 'Müller'"),
      schmidt: count("officer WHERE lastname = 'Schmidt'"),
      letters: count("company WHERE name GLOB '*[łøđŁØĐ]*' AND registered_address GLOB '*[łøđŁØĐß]*'"),
      removed: count("company WHERE current_status = 'removed'"),
      noAddress: count('company WHERE registered_address IS NULL'),
      formerCourt: count('company WHERE former_registrar IS NOT NULL'),
      suffix: count('company WHERE register_nummer_suffix IS NOT NULL'),
      oddFlags: count(`company WHERE flags LIKE '%"":true%' AND flags LIKE '%"Status information":true%'`),
      announced: count(`company WHERE flags LIKE '%"VÖ":true%'`),
      companyOfficers: count("officer WHERE type = 'company'"),
      dismissed: count('officer WHERE dismissed = 1 AND end_date IS NOT NULL'),
      bothDates: count('officer WHERE start_date IS NOT NULL AND end_date IS NOT NULL'),
      withoutAttributes: count("officer WHERE type = 'company' AND dismissed IS NULL"),
      previousNames: count('previous_name'),
      toldByOld: count('registrations WHERE subsequent_registration_start_date IS NOT NULL'),
      toldByNew: count('registrations WHERE previous_registration_end_date IS NOT NULL'),
      manyOfficers: count('(SELECT 1 FROM officer GROUP BY company_id HAVING count(*) > 30)'),
      courts: count('(SELECT DISTINCT registrar FROM company)'),
      sameNumber: count('(SELECT 1 FROM company GROUP BY register_art, register_nummer HAVING count(*) > 1)'),
    }
    database.close()
    expect(Object.entries(found).filter(([, rows]) => rows === 0)).toEqual([])
    expect(first.length).toBeGreaterThanOrEqual(60)
    expect(first.length).toBeLessThanOrEqual(80)
  })
})
