import { expect, it } from 'vitest'
import { describeDataset } from './dataset-contract.ts'

await describeDataset(
  {
    id: 'opensanctions',
    versions: ['2026-10-01', '2026-11-01'],
    table: 'ftm_entity',
    rows: [
      { ftm_entity: 14, name: 15, address: 3, birth: 4, identifier: 7, sanction: 3, reference: 10 },
      { ftm_entity: 14, name: 16, address: 3, birth: 4, identifier: 7, sanction: 3, reference: 10 },
    ],
    queries: {
      searchNames: { query: 'fiktivov probus' },
      getEntity: { id: 'NK-zz900001' },
      findReferent: { id: 'zzl-901' },
      sanctionsOfEntity: { id: 'NK-zz900001' },
      relationsOfEntity: { id: 'NK-zz900001' },
      findIdentifier: { number: '0000902' },
    },
    whole: 'NK-zz900001',
    sanctions: true,
  },
  (stage) => {
    const names = `SELECT name FROM name WHERE entity_id = 'NK-zz900001' AND`

    it('keeps weak aliases apart, and calls the name in another script what it is', () => {
      expect(stage.column(`SELECT name FROM name WHERE strength = 'weak' ORDER BY name`)).toEqual([
        'ASA',
        'The Sampler',
      ])
      expect(stage.column(`${names} kind = 'primary'`)).toEqual(['Probus FIKTIVOV'])
      expect(stage.column(`${names} kind = 'original-script'`)).toEqual(['Пробус Фиктивов'])
      expect(stage.column(`${names} kind = 'former'`)).toEqual(['Probus Ohnenamen'])
    })

    it('does not find a name that only stands in notes, and has in its views nobody who is not listed', () => {
      const found = `SELECT entity_id FROM name JOIN name_fts ON name.id = name_fts.rowid WHERE name_fts MATCH 'traderova'`
      expect(stage.column(found)).toEqual(['NK-zz900002'])
      expect(stage.column(`SELECT count(*) FROM entity WHERE entity_id = 'NK-zz900002'`)).toEqual([0])
      expect(stage.column(`SELECT count(*) FROM entity_name WHERE entity_id = 'NK-zz900002'`)).toEqual([0])
    })

    it('calls a thing without a name by its caption, and keeps a schema that nobody knows', () => {
      expect(stage.column(`SELECT name FROM entity_name WHERE entity_id = 'zz-wallet-900005'`)).toEqual([
        'zz1SampleWalletNobodyHas',
      ])
      expect(stage.row(`SELECT type, name FROM entity WHERE entity_id = 'zz-zeppelin-1'`)).toEqual({
        type: 'other',
        name: 'Luftschiff Muster',
      })
      expect(
        stage.column(`SELECT properties ->> '$.liftingGas[0]' FROM ftm_entity WHERE id = 'zz-zeppelin-1'`),
      ).toEqual(['none'])
    })

    it('has numbers of documents with their holders, and no classifications among the numbers', () => {
      const numbers = `SELECT type, number FROM entity_identifier WHERE entity_id = ? ORDER BY type`
      expect(stage.row(numbers, 'NK-zz900001')).toEqual({ type: 'Diplomatic passport', number: 'ZZ0000902' })
      expect(stage.column(numbers, 'NK-zz900003')).toEqual(['leiCode', 'registrationNumber'])
    })

    it('has an address once that is there as a text and as an entity, with its parts', () => {
      expect(
        stage.row(`SELECT count(*) AS n, address, city, postcode FROM entity_address WHERE entity_id = 'NK-zz900001'`),
      ).toEqual({ n: 1, address: 'Attrapa Street 1, Neumuster', city: 'Neumuster', postcode: 'ZZ-999' })
    })

    it('says programmes of those without a designation of their own, too', () => {
      expect(stage.column(`SELECT program FROM entity_program WHERE entity_id = 'zz-wallet-900005'`)).toEqual([
        'Wallets of nobody',
      ])
      expect(stage.row(`SELECT listed_on FROM entity WHERE entity_id = 'NK-zz900001'`)).toEqual({
        listed_on: '2019-01-01',
      })
    })

    it('is as of when its entities were seen last', () => {
      expect(stage.column(`SELECT value FROM meta WHERE key = 'publisherDate'`)).toEqual(['2026-11-01T06:40:02Z'])
    })

    it.each([
      ['read', 'opensanctions://ftm_entity/NK-zz900001'],
      ['read', 'opensanctions://dataset'],
      ['query', 'opensanctions', 'searchNames', 'query=fiktivov'],
    ])('says its licence in the answer to %s %s', async (...args) => {
      expect(await stage.json(...args)).toMatchObject({ licence: expect.stringContaining('CC BY-NC 4.0') })
    })
  },
)
