import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { latestFile } from '../../pipelines/companieshouse/latest-file.ts'
import { isoDate } from '../../pipelines/companieshouse/map.ts'
import { zipOf } from '../formats/zip-builder.ts'
import { describeDataset } from './dataset-contract.ts'
import { sampleFolderOf } from './dataset-stage.ts'

const csv = readFileSync(join(sampleFolderOf('companieshouse', '2026-11-01'), 'BasicCompanyDataAsOneFile.csv'), 'utf8')

await describeDataset(
  {
    id: 'companieshouse',
    versions: ['2026-10-01', '2026-11-01'],
    table: 'company',
    rows: [
      { company: 9, sic: 12, previous_name: 3 },
      { company: 9, sic: 13, previous_name: 4 },
    ],
    queries: {
      searchCompanies: { query: 'probe draught' },
      searchPreviousNames: { query: 'formerly*' },
      getByNumber: { companyNumber: '00000000' },
      companiesAtPostcode: { postcode: 'zz1 1aa' },
      companiesByIndustry: { sicCode: '62020' },
      recentlyIncorporated: {},
    },
    whole: '99900001',
  },
  (stage) => {
    it('keeps the zeros of a number and the quotes of a name', () => {
      expect(stage.column('SELECT name FROM company WHERE company_number = ?', '00000000')).toEqual([
        '! SAMPLE WIDGETS LIMITED',
      ])
      expect(stage.column('SELECT name FROM company WHERE company_number = ?', '99900001')).toEqual([
        '"PROBE & DRAUGHT" LTD',
      ])
    })

    it('has an industry without a code where the source has only words', () => {
      expect(stage.row('SELECT code, description FROM sic WHERE company_number = ?', 'ZZ000002')).toEqual({
        code: null,
        description: 'None Supplied',
      })
    })

    it('reads the same from the zip that the publisher sends', async () => {
      const path = join(stage.root, 'BasicCompanyDataAsOneFile-2026-11-01.zip')
      writeFileSync(path, zipOf({ name: 'BasicCompanyDataAsOneFile-2026-11-01.csv', content: csv }))
      await stage.ingest(path)
      expect(await stage.diff()).toEqual([])
    })

    it('refuses a file that lacks a column, naming it', async () => {
      const path = join(stage.root, 'renamed.csv')
      writeFileSync(path, csv.replace('CompanyStatus', 'CompanyState'))
      expect(await stage.ingest(path)).toMatchObject({
        outcome: 'failed',
        reason: { message: expect.stringContaining('CompanyStatus') },
      })
    })
  },
)

describe('the file of the month', () => {
  const page = `<a href="BasicCompanyDataAsOneFile-2026-10-01.zip">October</a>
    <a href="BasicCompanyData-2026-11-01-part1_7.zip">part</a> <a href="BasicCompanyDataAsOneFile-2026-11-01.zip">`
  const url = 'https://download.companieshouse.gov.uk/en_output.html'

  it('is the newest that the page names', () => {
    expect(latestFile(page, url)).toBe(
      'https://download.companieshouse.gov.uk/BasicCompanyDataAsOneFile-2026-11-01.zip',
    )
  })

  it('is told to be missing where the page names none', () => {
    expect(() => latestFile('<html>moved</html>', url)).toThrow(url)
  })
})

it.each([
  ['29/07/2020', '2020-07-29'],
  ['2020-07-29', '2020-07-29'],
  ['1/2/2020', '1/2/2020'],
  [null, null],
])('the date %j of the register is %j', (text, date) => {
  expect(isoDate(text)).toBe(date)
})
