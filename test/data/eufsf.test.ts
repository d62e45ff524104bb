import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeDataset } from './dataset-contract.ts'
import { sampleFolderOf } from './dataset-stage.ts'

const xml = readFileSync(join(sampleFolderOf('eufsf', '2026-11-01'), 'xmlFullSanctionsList_1_1.xml'), 'utf8')

await describeDataset(
  {
    id: 'eufsf',
    versions: ['2026-10-01', '2026-11-01'],
    table: 'subject',
    rows: [
      { subject: 6, name: 9, regulation: 7, address: 2, birth: 6, citizenship: 2, identification: 3 },
      { subject: 6, name: 10, regulation: 8, address: 2, birth: 6, citizenship: 2, identification: 3 },
    ],
    queries: {
      searchNames: { query: 'fiktivov probus' },
      getSubject: { logicalId: 900001 },
      getByReference: { reference: 'ZZi.901' },
      regulationsOfSubject: { logicalId: 900007 },
      subjectsOfProgramme: { programme: 'smx' },
      findDocument: { number: '901-901' },
    },
    whole: '900001',
    sanctions: true,
  },
  (stage) => {
    it('keeps names that are not strong apart, and finds letters that have no plain ones', () => {
      expect(stage.column(`SELECT name FROM name WHERE strength = 'weak' ORDER BY name`)).toEqual([
        'MTC',
        'The Sampler',
      ])
      expect(
        stage.column(`SELECT subject_id FROM name JOIN name_fts ON name.id = name_fts.rowid
        WHERE name_fts MATCH 'ohlenprove lodz'`),
      ).toEqual([900007])
    })

    it('says as much of a date of birth as is known', () => {
      const births = 'SELECT date, date_to, circa, place, country FROM entity_birth WHERE entity_id = 900001'
      expect(stage.column(births)).toEqual(['1961-02-28', '1962', '1963-03', '1960'])
      expect(stage.row(`${births} AND date_to IS NOT NULL`)).toMatchObject({
        date: '1960',
        date_to: '1964',
        country: null,
      })
      expect(stage.row(`${births} AND circa = 1`)).toMatchObject({ place: null, country: 'SAMPLELAND' })
    })

    it('does not find a name that only stands in a remark', () => {
      const sql = `SELECT subject_id FROM name JOIN name_fts ON name.id = name_fts.rowid WHERE name_fts MATCH 'traderova'`
      expect(stage.column(sql)).toEqual([900002])
    })

    it('is as of the instant that the file was made', () => {
      expect(stage.column(`SELECT value FROM meta WHERE key = 'publisherDate'`)).toEqual(['2026-11-01T14:29:22.497Z'])
    })

    it('tells an attribute that it does not know, and keeps it', async () => {
      const path = join(stage.root, 'new.xml')
      writeFileSync(path, xml.replace('city="Musterstadt" street=', 'floor="3" city="Musterstadt" street='))
      await stage.ingest(path)
      expect(stage.unknownFields()).toEqual(['address[].floor'])
      expect(stage.column('SELECT attributes FROM subject WHERE attributes IS NOT NULL')).toEqual([
        JSON.stringify({ address: [{ floor: '3' }] }),
      ])
    })

    it('tells an entity that is there twice, and keeps the first', async () => {
      const path = join(stage.root, 'twice.xml')
      const again = `<sanctionEntity logicalId="900001"><nameAlias wholeName="Somebody Else" logicalId="1"/></sanctionEntity>`
      writeFileSync(path, xml.replace('</export>', `${again}</export>`))
      expect(await stage.ingest(path)).toMatchObject({ outcome: 'published', rejected: 1, rows: { subject: 6 } })
      expect(stage.warnings().join('\n')).toContain('subject')
      expect(stage.column('SELECT name FROM subject WHERE logical_id = 900001')).toEqual(['Probus Ivanovich FIKTIVOV'])
    })
  },
)
