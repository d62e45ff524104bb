/** The 31 real companies, against the facts that their README lists. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatasetStage, openDatasetStage } from '../data/dataset-stage.ts'
import { hasSharedData, sharedFile } from './shared-data.ts'

describe.skipIf(!hasSharedData)('companieshouse, real companies', () => {
  let stage: DatasetStage
  beforeAll(async () => {
    stage = await openDatasetStage('companieshouse')
    expect(await stage.ingest(sharedFile('companies-house', 'basic-31.csv'))).toMatchObject({
      outcome: 'published',
      rejected: 0,
      rows: { company: 31, previous_name: 4 },
    })
  })
  afterAll(() => stage.close())

  const count = (where: string): readonly unknown[] => stage.column(`SELECT count(*) FROM company WHERE ${where}`)

  it('have the counts of the data’s README', () => {
    expect(count(`company_number LIKE '0%'`)).toEqual([14])
    expect(stage.column(`SELECT company_number FROM company WHERE company_number GLOB '[A-Z]*' ORDER BY 1`)).toEqual([
      'CE000952',
      'FC027187',
      'FC031362',
      'SC313991',
      'SC421617',
      'SC606050',
    ])
    expect(count(`status = 'Active'`)).toEqual([31])
    expect(count(`category = 'Private Limited Company'`)).toEqual([27])
    expect(count(`category = 'Other company type'`)).toEqual([2])
    expect(count(`category = 'Charitable Incorporated Organisation'`)).toEqual([1])
    expect(count(`category LIKE 'PRI/LTD BY GUAR/NSC (Private, limited by guarantee, no share capital)'`)).toEqual([1])
    expect(stage.column('SELECT count(DISTINCT company_number) FROM previous_name')).toEqual([4])
    expect(count(`name LIKE '%"%'`)).toEqual([18])
    expect(count(`name LIKE '!%'`)).toEqual([13])
    expect(count('post_code IS NULL')).toEqual([2])
    expect(count(`incorporation_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'`)).toEqual([31])
    expect(stage.column('SELECT count(*) FROM sic WHERE ordinal = 2')).toEqual([4])
    expect(stage.column('SELECT DISTINCT description FROM sic WHERE code IS NULL')).toEqual(['None Supplied'])
    expect(stage.unknownFields()).toEqual([])
  })

  it('have its spot values', () => {
    const spot = 'SELECT name, incorporation_date, address_line_1 FROM company WHERE company_number = ?'
    expect(stage.row(spot, '12778855')).toMatchObject({ name: '! LIMITED', incorporation_date: '2020-07-29' })
    expect(stage.row(spot, '08209948')).toMatchObject({ name: '! LTD' })
    expect(stage.row(spot, 'FC027187')).toMatchObject({
      name: '"ALTAI CASHMERE" LLC',
      address_line_1: 'BUILDING LEFT TO THE "TUUL"',
    })
  })
})
