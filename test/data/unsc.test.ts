import { expect, it } from 'vitest'
import { namesIn } from '../../pipelines/unsc/names.ts'
import { describeDataset } from './dataset-contract.ts'

await describeDataset(
  {
    id: 'unsc',
    versions: ['2026-10-01', '2026-11-01'],
    table: 'entry',
    rows: [
      { entry: 8, name: 23, address: 6, birth_date: 5, birth_place: 3, document: 3 },
      { entry: 8, name: 25, address: 6, birth_date: 5, birth_place: 3, document: 3 },
    ],
    queries: {
      searchNames: { query: 'fiktivov probus' },
      getEntry: { referenceNumber: 'ZZi.901' },
      namesOfEntry: { referenceNumber: 'ZZi.902' },
      entriesOfRegime: { regime: 'dprx' },
      recentlyListed: {},
      findDocument: { number: 'ZZ0000901' },
    },
    whole: 'ZZi.901',
    sanctions: true,
  },
  (stage) => {
    it('keeps aliases of low quality apart from those that are good', () => {
      expect(stage.column(`SELECT name FROM name WHERE strength = 'weak' ORDER BY name`)).toEqual([
        'Abu Muster',
        'The Sampler',
      ])
    })

    it('has no name where the source has an empty alias', () => {
      expect(stage.column(`SELECT name FROM name WHERE reference_number = 'ZZe.903'`)).toEqual([
        'ATRAPA SHIPPING & AIR',
      ])
    })

    it('does not find a name that only stands in a comment', () => {
      const found = stage.column(
        `SELECT reference_number FROM name JOIN name_fts ON name.id = name_fts.rowid WHERE name_fts MATCH 'traderova'`,
      )
      expect(found).toEqual(['ZZi.903'])
    })
  },
)

it.each([
  ['Fazel Rahim; Fazil Rahim', ['Fazel Rahim', 'Fazil Rahim']],
  ['Ann One; Ann Two b) Bea One; Bea Two', ['Ann One', 'Ann Two', 'Bea One', 'Bea Two']],
  ['حسن غول (Hassan Ghul; Hasan Gul)', ['حسن غول', 'Hassan Ghul', 'Hasan Gul']],
  ['Jin Tiesan (金铁三)', ['Jin Tiesan', '金铁三']],
  ['Amir (original script: Амир)', ['Amir', 'Амир']],
  ['A Front (HTS) (هيئة (original script); The Front)', ['A Front (HTS)', 'هيئة', 'The Front']],
  ['Encep Nurjaman (birth name)', ['Encep Nurjaman (birth name)']],
  ['Some Company (SC) LTD', ['Some Company (SC) LTD']],
  ['one\n   two', ['one two']],
  [') odd', [') odd']],
  ['', []],
])('a field of the UN list that says %j names %j', (field, names) => {
  expect(namesIn(field)).toEqual(names)
})
