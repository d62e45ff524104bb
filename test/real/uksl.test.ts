/** The one real row there is, against the facts that its README lists. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatasetStage, openDatasetStage } from '../data/dataset-stage.ts'
import { hasSharedData, sharedFile } from './shared-data.ts'

describe.skipIf(!hasSharedData)('uksl, a real row', () => {
  let stage: DatasetStage
  beforeAll(async () => {
    stage = await openDatasetStage('uksl')
    expect(await stage.ingest(sharedFile('uk', 'ukls-2026-10-08-header-and-one-row.csv'))).toMatchObject({
      outcome: 'published',
      rejected: 0,
      rows: { designation: 1, name: 1, identifier: 1, detail: 4 },
    })
  })
  afterAll(() => stage.close())

  it('has the spot values of the data’s README, and no column that is not known', () => {
    expect(stage.unknownFields()).toEqual([])
    expect(stage.column(`SELECT value FROM meta WHERE key = 'publisherDate'`)).toEqual(['2026-10-08'])
    expect(
      stage.row('SELECT name, designation_type, sanctions_imposed FROM designation WHERE unique_id = ?', 'RUS2176'),
    ).toEqual({
      name: 'KOROLEV PROSPECT',
      designation_type: 'Ship',
      sanctions_imposed: `["Shipping sanctions: (see 'Other information')"]`,
    })
    expect(stage.column('SELECT number FROM identifier')).toEqual(['IMO9826902'])
    expect(stage.column(`SELECT value FROM detail WHERE field = 'Year Built'`)).toEqual(['2019'])
    expect(stage.row('SELECT type, name FROM entity')).toEqual({ type: 'vessel', name: 'KOROLEV PROSPECT' })
    expect(
      stage.column(`SELECT entity_id FROM entity_name WHERE name_id IN
      (SELECT rowid FROM name_fts WHERE name_fts MATCH 'prospect korolev')`),
    ).toEqual(['RUS2176'])
  })

  it('drops the spaces around its text', () => {
    expect(
      stage.column(`SELECT statement_of_reasons GLOB ' *' OR statement_of_reasons GLOB '* ' FROM designation`),
    ).toEqual([0])
  })
})
