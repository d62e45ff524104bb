/** The two real lists, against the facts and the exact differences that their README lists. */
import { createReadStream } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readXml } from '../../src/formats/xml.ts'
import type { XmlElement } from '../../src/pipeline/types.ts'
import { type DatasetStage, openDatasetStage } from '../data/dataset-stage.ts'
import { hasSharedData, sharedFile } from './shared-data.ts'

const first = sharedFile('un', 'un_consolidated_2025-11-20.xml')
const second = sharedFile('un', 'un_consolidated_2026-02-27.xml')

/** Elements of a name in the file, and how many of them hold any text. */
const elementsIn = async (file: string, names: readonly string[]): Promise<{ all: number; filled: number }> => {
  const isFilled = ({ text, children }: XmlElement): boolean => text !== '' || children.some(isFilled)
  const counts = { all: 0, filled: 0 }
  const format = { type: 'xml', records: names } as const
  for await (const batch of readXml(createReadStream(file), format, { source: file })) {
    for (const each of batch) {
      if ('problem' in each) throw new Error(each.problem)
      counts.all += 1
      if (isFilled(each.record as XmlElement)) counts.filled += 1 // what the xml reader gives
    }
  }
  return counts
}

describe.skipIf(!hasSharedData)('unsc, real lists', () => {
  let stage: DatasetStage
  beforeAll(async () => {
    stage = await openDatasetStage('unsc')
    expect(await stage.ingest(first)).toMatchObject({ outcome: 'published', rejected: 0, rows: { entry: 1000 } })
    expect(stage.column('SELECT type, count(*) FROM entry GROUP BY 1')).toEqual(['entity', 'individual'])
    expect(stage.column(`SELECT count(*) FROM entry WHERE type = 'individual'`)).toEqual([727])
    expect(stage.column(`SELECT value FROM meta WHERE key = 'publisherDate'`)).toEqual(['2025-11-20T23:00:09.067Z'])
  })
  afterAll(() => stage.close())

  it('gives exactly the listed changes: four added, one removed, two comments', async () => {
    expect(await stage.ingest(second)).toMatchObject({
      outcome: 'published',
      rejected: 0,
      rows: { entry: 1003 },
      changes: { entry: { added: 4, removed: 1, changed: 2 } },
    })
    const changes = await stage.diff()
    const keys = (op: string): unknown[] =>
      changes.filter((change) => change.table === 'entry' && change.op === op).map(({ key }) => key[0])
    expect(keys('added')).toEqual(['SDi.007', 'SDi.008', 'SDi.009', 'SDi.010'])
    expect(keys('removed')).toEqual(['IQi.074'])
    const changed = changes.filter((change) => change.op === 'changed')
    expect(changed.map(({ table, key, fields }) => [table, key, Object.keys(fields ?? {})])).toEqual([
      ['entry', ['HTi.006'], ['comments']],
      ['entry', ['SOi.022'], ['comments']],
    ])
    // Nothing of any other entry is touched, in no table.
    expect([...new Set(changes.map(({ key }) => key[0]))].sort()).toEqual(
      [...keys('added'), ...keys('removed'), ...keys('changed')].sort(),
    )
  })

  it('has the regimes and spot values of the data’s README', () => {
    expect(
      stage.row(`SELECT json_group_object(un_list_type, n) AS found FROM
      (SELECT un_list_type, count(*) AS n FROM entry GROUP BY 1 ORDER BY 2 DESC, 1)`),
    ).toEqual({
      found: JSON.stringify({
        'Al-Qaida': 341,
        DPRK: 155,
        Taliban: 140,
        Iran: 121,
        Iraq: 75,
        DRC: 53,
        Libya: 30,
        Somalia: 24,
        CAR: 15,
        Haiti: 11,
        Yemen: 11,
        GB: 10,
        Sudan: 9,
        SouthSudan: 8,
      }),
    })
    const spot = 'SELECT name, dataid, versionnum, listed_on FROM entry WHERE reference_number = ?'
    expect(stage.row(spot, 'CDi.001')).toEqual({
      name: 'ERIC BADEGE',
      dataid: 6907993,
      versionnum: 1,
      listed_on: '2012-12-31',
    })
    expect(stage.row(spot, 'CDe.001')).toMatchObject({ name: 'ADF', dataid: 6908402, listed_on: '2014-06-30' })
    expect(stage.row(spot, 'YEe.001')).toMatchObject({ name: 'THE HOUTHIS', dataid: 6908876, listed_on: '2022-02-28' })
    expect(stage.column('SELECT count(DISTINCT dataid) FROM entry')).toEqual([1003])
    expect(stage.column('SELECT count(name_original_script) FROM entry')).toEqual([378])
    expect(stage.column('SELECT attributes FROM entry WHERE attributes IS NOT NULL')).toEqual([])
  })

  it('has a row for every element that holds anything, and none for the others', async () => {
    const rows = (table: string): readonly unknown[] => stage.column(`SELECT count(*) FROM ${table}`)
    const addresses = await elementsIn(second, ['INDIVIDUAL_ADDRESS', 'ENTITY_ADDRESS'])
    expect(addresses.all).toBe(860 + 426)
    expect(rows('address')).toEqual([addresses.filled])
    const births = await elementsIn(second, ['INDIVIDUAL_DATE_OF_BIRTH'])
    expect(births.all).toBe(919)
    expect(rows('birth_date')).toEqual([births.filled])
    expect(stage.column('SELECT count(*) FROM birth_date GROUP BY type_of_date ORDER BY 1')).toEqual([31, 117, 722])
    const documents = await elementsIn(second, ['INDIVIDUAL_DOCUMENT'])
    expect(documents.all).toBe(921)
    expect(rows('document')).toEqual([documents.filled])
    const aliases = await elementsIn(second, ['INDIVIDUAL_ALIAS', 'ENTITY_ALIAS'])
    expect([aliases.all, aliases.all - aliases.filled]).toEqual([3043, 291])
  })

  it('splits the aliases that hold several names, and keeps what the UN says of each', () => {
    const names = (of: string): readonly unknown[] =>
      stage.column('SELECT name FROM name WHERE reference_number = ? ORDER BY ordinal', of)
    expect(names('IRi.034')).toEqual([
      'M. JAVAD KARIMI SABET',
      'Mohammed Sabet',
      'Mohammad Sabet',
      'M. Javad Kareemi Sabet',
      'M. Jawad Kareemi Sabet',
      'M. Jawad Karimi Sabet',
    ])
    expect(names('QDi.306')).toEqual(expect.arrayContaining(['حسن غول', 'Hassan Ghul', 'Hasan Gul']))
    expect(stage.column(`SELECT name FROM name WHERE name LIKE '%;%'`)).toEqual([])
    const strength = 'SELECT DISTINCT strength FROM name WHERE quality = ?'
    expect(stage.column(strength, 'Low')).toEqual(['weak'])
    expect(stage.column(strength, 'Good')).toEqual(['strong'])
  })
})
