import { describe, expect, it } from 'vitest'
import { isoDate, readRemarks } from '../../pipelines/ofacsdn/remarks.ts'
import { describeDataset } from './dataset-contract.ts'

await describeDataset(
  {
    id: 'ofacsdn',
    versions: ['2026-10-01', '2026-11-01'],
    table: 'sdn',
    rows: [
      { sdn: 8, listing: 9, address: 9, alt_name: 7, sdn_comments: 2, name: 20, birth: 6, identifier: 11 },
      { sdn: 8, listing: 9, address: 9, alt_name: 8, sdn_comments: 2, name: 22, birth: 6, identifier: 11 },
    ],
    queries: {
      searchNames: { query: 'probus fiktivov' },
      getEntry: { entNum: 36 },
      namesOfEntry: { entNum: 900001 },
      entriesOfProgram: { program: 'SDGT' },
      entriesInCountry: { country: 'cuba', city: 'havana' },
      findIdentifier: { number: '901-901' },
    },
    whole: '900001',
    sanctions: true,
  },
  (stage) => {
    it('joins a remark to its end, and finds what stands across the cut', () => {
      const { remarks } = stage.row('SELECT remarks FROM sdn WHERE ent_num = 900001') as { remarks: string }
      expect(remarks.length).toBeGreaterThan(1000)
      expect(remarks).toContain('Linked To: INVENTED SAMPLE COMPANY NUMBER 16; Linked To')
      const weak = `SELECT name FROM name WHERE ent_num = 900001 AND strength = 'weak' ORDER BY number`
      expect(stage.column(weak)).toEqual(['THE SAMPLER', 'ABU MUSTER', 'OLD SAMPLER', 'NEW SAMPLER'])
      expect(stage.column('SELECT number FROM identifier WHERE ent_num = 900010 ORDER BY ordinal')).toEqual([
        'ZZZZZZZZ',
        '900000000010',
      ])
    })

    it('has an entry of both lists once, and says that it is on both', () => {
      expect(stage.column('SELECT list FROM listing WHERE ent_num = 900002 ORDER BY list')).toEqual([
        'SDN',
        'consolidated',
      ])
      expect(stage.column('SELECT program FROM sdn WHERE ent_num = 900002')).toEqual(['IRAN'])
      expect(stage.column(`SELECT ent_num FROM listing WHERE list = 'consolidated' ORDER BY 1`)).toEqual([
        900002, 900010,
      ])
    })

    it('does not find a name that only stands in remarks', () => {
      const found = stage.column(`SELECT rowid FROM name_fts WHERE name_fts MATCH 'traderova'`)
      expect(found).toEqual([])
    })

    it.each(['Iran', 'CUBA'])('has sdn_fts over ent_num, as FlowMCP asks for %s', (word) => {
      const sql = `SELECT s.ent_num, s.sdn_name, s.sdn_type, s.program, s.remarks
        FROM sdn_fts fts JOIN sdn s ON s.ent_num = fts.rowid WHERE sdn_fts MATCH ? LIMIT 5`
      expect(stage.row(sql, word)).toMatchObject({ sdn_name: expect.stringContaining(word.toUpperCase()) })
    })

    it('has what FlowMCP’s other examples look up', () => {
      expect(stage.column(`SELECT ent_num FROM sdn WHERE sdn_name LIKE '%Banco Nacional%'`)).toEqual([900003])
      expect(
        stage.row(`SELECT s.sdn_name, a.country, n.alt_type, n.alt_name FROM sdn s JOIN address a USING (ent_num)
          JOIN alt_name n USING (ent_num) LEFT JOIN sdn_comments c USING (ent_num) WHERE s.ent_num = 36`),
      ).toMatchObject({ country: 'Cuba', alt_type: 'aka', alt_name: 'AERO-MUSTER' })
    })
  },
)

describe('remarks', () => {
  const identifiers = (text: string): unknown[] =>
    readRemarks(text).identifiers.map(({ type, number, country, note }) => [type, number, country, note])

  it.each([
    ['Passport A-992535 (Saudi Arabia).', ['Passport', 'A-992535', 'Saudi Arabia', null]],
    [
      'alt. Passport 016824056 (Serbia) expires 24 Jun 2032.',
      ['Passport', '016824056', 'Serbia', 'expires 24 Jun 2032'],
    ],
    ['National ID No. 660000 73767 (Belgium)', ['National ID No.', '660000 73767', 'Belgium', null]],
    ['NIT # 6390001813 (Colombia)', ['NIT #', '6390001813', 'Colombia', null]],
    ['R.F.C. AEGG560925 (Mexico)', ['R.F.C.', 'AEGG560925', 'Mexico', null]],
    ['BIK (RU) 044525607', ['BIK (RU)', '044525607', null, null]],
    ['SWIFT/BIC HAVIGB2L', ['SWIFT/BIC', 'HAVIGB2L', null, null]],
    [
      'Digital Currency Address - ETH 0x7F367cC41522cE07553e823bf3be79A889DEbe1B',
      ['Digital Currency Address - ETH', '0x7F367cC41522cE07553e823bf3be79A889DEbe1B', null, null],
    ],
    [
      'Vessel Registration Identification IMO 9187629',
      ['Vessel Registration Identification', 'IMO 9187629', null, null],
    ],
    [
      "Aircraft Manufacturer's Serial Number (MSN) 1023409321",
      ["Aircraft Manufacturer's Serial Number (MSN)", '1023409321', null, null],
    ],
  ])('that say %s hold an identifier', (text, identifier) => {
    expect(identifiers(text)).toEqual([identifier])
  })

  it.each([
    'Phone Number 982188526300',
    'Fax (357)(22668608)',
    'Organization Established Date 17 Dec 2016',
    'Executive Order 13662 Directive Determination - Subject to Directive 4',
    'Website www.sample.example',
    'Linked To: SAMPLE COMPANY NUMBER 1',
    'Additional Sanctions Information - Subject to Secondary Sanctions',
  ])('that say %s hold none', (text) => {
    expect(identifiers(text)).toEqual([])
  })

  it('hold weak aliases, with quotes in them and notes after them', () => {
    expect(readRemarks(`a.k.a. 'ABU-'UMAR'; f.k.a. 'X (Y)'; alt. a.k.a. 'Z' (nom de guerre).`).weakAliases).toEqual([
      { type: 'aka', name: "ABU-'UMAR" },
      { type: 'fka', name: 'X (Y)' },
      { type: 'aka', name: 'Z' },
    ])
  })

  it('hold births, nationalities and gender', () => {
    const { births, nationalities, gender } = readRemarks(
      'DOB 10 Dec 1948; alt. DOB circa 1950; alt. DOB 1960 to 1962; POB Reny, Ukraine; nationality Egypt; citizen Egypt; Gender Male.',
    )
    expect(births.map(({ date, date_to, circa, place }) => [date, date_to, circa, place])).toEqual([
      ['1948-12-10', null, false, null],
      ['1950', null, true, null],
      ['1960', '1962', true, null],
      [null, null, false, 'Reny, Ukraine'],
    ])
    expect([nationalities, gender]).toEqual([['Egypt'], 'Male'])
  })

  it.each([null, '', '.'])('of %j hold nothing', (text) => {
    expect(readRemarks(text)).toEqual({ weakAliases: [], births: [], identifiers: [], nationalities: [], gender: null })
  })

  it.each([
    ['1 Jan 1990', '1990-01-01'],
    ['Aug 1960', '1960-08'],
    ['1936', '1936'],
    ['Foo 1960', null],
    ['1950s', null],
  ])('with the date %s say %j', (text, date) => {
    expect(isoDate(text)).toBe(date)
  })
})
