/** The real excerpt, against the facts that its README lists. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatasetStage, openDatasetStage } from '../data/dataset-stage.ts'
import { hasSharedData, sharedFile } from './shared-data.ts'

describe.skipIf(!hasSharedData)('eufsf, a real excerpt', () => {
  let stage: DatasetStage
  beforeAll(async () => {
    stage = await openDatasetStage('eufsf')
    // Seven entities, of which the second with the number 5468 was added by the excerpt's author.
    expect(await stage.ingest(sharedFile('eu', 'sample_eu.xml'))).toMatchObject({
      outcome: 'published',
      rejected: 1,
      rows: { subject: 6, name: 14, regulation: 6, birth: 9, address: 2, citizenship: 3, identification: 3 },
    })
  })
  afterAll(() => stage.close())

  it('tells the entity that is there twice, and keeps the first', () => {
    expect(stage.column('SELECT reason FROM _rejected')).toEqual([expect.stringContaining('subject.logical_id')])
    expect(stage.column('SELECT raw FROM _rejected')).toEqual([expect.stringContaining('EU.4009.74')])
    expect(stage.column('SELECT name FROM subject WHERE logical_id = 5468')).toEqual(['Sok-hwa Hwang'])
    expect(stage.warnings()).not.toEqual([])
  })

  it('has the numbers, names and births of the data’s README', () => {
    const references = `SELECT json_group_object(logical_id, eu_reference_number) AS found
      FROM (SELECT * FROM subject ORDER BY logical_id)`
    expect(stage.row(references)).toEqual({
      found: JSON.stringify({
        191: 'EU.3579.2',
        927: 'EU.3343.85',
        5295: 'EU.2026.82',
        5463: 'EU.4011.64',
        5468: 'EU.4009.74',
        5807: 'EU.3734.6',
      }),
    })
    const counts = (table: string): readonly unknown[] =>
      stage.column(`SELECT count(p.logical_id) FROM subject s LEFT JOIN ${table} p ON p.subject_id = s.logical_id
        GROUP BY s.logical_id ORDER BY s.logical_id`)
    expect(counts('name')).toEqual([5, 1, 5, 1, 1, 1])
    expect(counts('birth')).toEqual([2, 1, 2, 0, 0, 4])
    expect(stage.column('SELECT DISTINCT type FROM subject')).toEqual(['person'])
    expect(stage.column(`SELECT value FROM meta WHERE key = 'publisherDate'`)).toEqual(['2020-04-15T13:29:22.497Z'])
    expect(stage.unknownFields()).toEqual([])
  })
})
