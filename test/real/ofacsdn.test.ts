/** Both real lists in one delivery, as the publisher has them; `ofacsdn-oracle.test.ts` has each by itself. */
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatasetStage, openDatasetStage } from '../data/dataset-stage.ts'
import { hasSharedData, sharedFile } from './shared-data.ts'

/** A folder with the files of several, as the publisher has them. */
const folderOf = (stage: DatasetStage, name: string, ...folders: readonly string[]): string => {
  const folder = join(stage.root, name)
  mkdirSync(folder)
  for (const from of folders)
    for (const file of readdirSync(from).filter((each) => each.includes('.csv')))
      symlinkSync(join(from, file), join(folder, file))
  return folder
}

describe.skipIf(!hasSharedData)('ofacsdn, real lists', () => {
  let stage: DatasetStage
  beforeAll(async () => {
    stage = await openDatasetStage('ofacsdn')
    const both = folderOf(stage, 'both', sharedFile('ofac', 'set-with-alt'), sharedFile('ofac', 'consolidated'))
    expect(await stage.ingest(both)).toMatchObject({
      outcome: 'published',
      rejected: 0,
      // Four entries are on both lists, with four addresses and six names in common, of which one address differs.
      rows: {
        sdn: 8976 + 442 - 4,
        listing: 8976 + 442,
        address: 13837 + 574 - 4 + 1,
        alt_name: 11910 + 1073 - 6,
        sdn_comments: 5 + 10,
      },
    })
  })
  afterAll(() => stage.close())

  it('have the counts of the data’s README', () => {
    const types = `SELECT count(*) FROM sdn JOIN listing USING (ent_num) WHERE list = ? GROUP BY sdn_type ORDER BY sdn_type`
    expect(stage.column(types, 'SDN')).toEqual([277, 3673, 4620, 406])
    expect(stage.column(types, 'consolidated')).toEqual([363, 79])
    expect(stage.column(`SELECT count(DISTINCT program) FROM listing WHERE list = 'SDN'`)).toEqual([165])
    expect(stage.column(`SELECT count(*) FROM listing WHERE list = 'SDN' AND program LIKE '%] [%'`)).toEqual([1195])
    expect(stage.column(`SELECT count(*) FROM sdn WHERE remarks IS NULL`)).toEqual([569])
    expect(stage.column(`SELECT count(*) FROM alt_name WHERE alt_type = 'nka'`)).toEqual([18])
    expect(stage.column(`SELECT count(*) FROM alt_name WHERE ent_num NOT IN (SELECT ent_num FROM sdn)`)).toEqual([0])
    expect(stage.column(`SELECT count(*) FROM address WHERE ent_num NOT IN (SELECT ent_num FROM sdn)`)).toEqual([0])
    expect(stage.column(`SELECT count(*) FROM name WHERE name LIKE '%-0-%'`)).toEqual([0])
  })

  it('have its spot values', () => {
    const entry = 'SELECT sdn_name, sdn_type, program, call_sign, vess_type, vess_flag FROM sdn WHERE ent_num = ?'
    expect(stage.row(entry, 36)).toMatchObject({
      sdn_name: 'AEROCARIBBEAN AIRLINES',
      sdn_type: 'entity',
      program: 'CUBA',
    })
    expect(stage.row(entry, 4234)).toEqual({
      sdn_name: 'HERMANN',
      sdn_type: 'vessel',
      program: 'CUBA',
      call_sign: 'CL2685',
      vess_type: 'General Cargo',
      vess_flag: 'Cuba',
    })
    expect(stage.row(entry, 50476)).toMatchObject({ sdn_name: 'MARTELLY, Michel Joseph' })
    expect(stage.row('SELECT * FROM address WHERE ent_num = 36')).toMatchObject({
      add_num: 25,
      address: null,
      city_state_province: 'Havana',
      country: 'Cuba',
    })
    expect(stage.row('SELECT alt_type, alt_name FROM alt_name WHERE alt_num = 50851')).toEqual({
      alt_type: 'aka',
      alt_name: 'DJIBO, Halid Illiassou',
    })
  })

  it('have remarks joined to their ends, all of the lengths listed', () => {
    const lengths = {
      ...{ 12300: 1596, 17014: 1201, 17016: 1477, 17018: 1461, 17143: 1318, 17250: 1168, 17254: 1237, 28263: 1030 },
      ...{ 28264: 1317, 29703: 1381, 30518: 1882, 30930: 1023, 31693: 1176, 31694: 1176, 31695: 1416 },
    }
    expect(
      stage.row(`SELECT json_group_object(ent_num, length(remarks)) AS found FROM
        (SELECT * FROM sdn WHERE ent_num IN (SELECT ent_num FROM sdn_comments) ORDER BY ent_num)`),
    ).toEqual({ found: JSON.stringify(lengths) })
    expect(stage.row('SELECT remarks FROM sdn WHERE ent_num = 12300')).toMatchObject({
      remarks: expect.stringContaining('Linked To: PROMO RAIZ S.A.S.; Linked To: RED '),
    })
    expect(stage.column(`SELECT number FROM identifier WHERE ent_num = 17014 AND number = '1027700342890'`)).toEqual([
      '1027700342890',
    ])
  })

  it('are found by full text under ent_num and under any name', () => {
    expect(stage.column(`SELECT rowid FROM sdn_fts WHERE sdn_fts MATCH 'aerocaribbean'`)).toEqual([36])
    const byName = `SELECT DISTINCT ent_num FROM name JOIN name_fts ON name.id = name_fts.rowid WHERE name_fts MATCH ?`
    expect(stage.column(byName, '"aero caribbean"')).toEqual([36])
    expect(stage.column(byName, 'bnc')).toContain(306)
    expect(stage.column(`SELECT strength FROM name WHERE ent_num = 306 AND name = 'BNC'`)).toEqual(['weak'])
  })
})

describe.skipIf(!hasSharedData)('ofacsdn, a folder of some of its files', () => {
  it.each([
    ['set-with-alt', { sdn: 8976, address: 13837, alt_name: 11910, sdn_comments: 5 }],
    ['consolidated', { sdn: 442, address: 574, alt_name: 1073, sdn_comments: 10 }],
    ['recent-2024-06', { sdn: 15402, address: 20871, alt_name: 0, sdn_comments: 0 }],
  ])('is taken for the part that it is: %s', async (folder, rows) => {
    const stage = await openDatasetStage('ofacsdn')
    try {
      expect(await stage.ingest(sharedFile('ofac', folder))).toMatchObject({ outcome: 'published', rejected: 0, rows })
      expect(
        stage.warnings().filter((warning) => warning.includes('not among the files that were given')),
      ).toHaveLength(8 - readdirSync(sharedFile('ofac', folder)).filter((each) => each.includes('.csv')).length)
      expect(await stage.json('read', 'ofacsdn://dataset')).toMatchObject({
        partial: expect.stringContaining('not given'),
      })
    } finally {
      await stage.close()
    }
  })

  it('holds the same where two lists of about one time are read together', async () => {
    const stage = await openDatasetStage('ofacsdn')
    try {
      const both = folderOf(stage, 'recent', sharedFile('ofac', 'recent-2024-06'), sharedFile('ofac', 'consolidated'))
      // 62 entries are on both.
      expect(await stage.ingest(both)).toMatchObject({
        outcome: 'published',
        rows: { sdn: 15402 + 442 - 62, listing: 15402 + 442 },
      })
    } finally {
      await stage.close()
    }
  })
})
