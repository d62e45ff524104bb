/** The two real lists, against the facts and the exact differences that their README lists. */
import { createReadStream } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readXml } from '../../src/formats/xml.ts'
import type { XmlElement } from '../../src/pipeline/types.ts'
import { type DatasetStage, openDatasetStage } from '../data/dataset-stage.ts'
import { oracleOf } from './oracle.ts'
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

const facts = z.looseObject({
  dateGenerated: z.string(),
  individuals: z.number(),
  entities: z.number(),
  distinct_dataid: z.number(),
  original_script: z.number(),
  list_type: z.record(z.string(), z.number()),
})

describe.skipIf(!hasSharedData)('unsc, each real list by itself', () => {
  it.each(['un_consolidated_2025-11-20.xml', 'un_consolidated_2026-02-27.xml'])('%s has its entries', async (name) => {
    const said = oracleOf(`un/${name}`, facts)
    const stage = await openDatasetStage('unsc')
    try {
      expect(await stage.ingest(sharedFile('un', name))).toMatchObject({ outcome: 'published', rejected: 0 })
      const tallied = (column: string): unknown => {
        const groups = `SELECT ${column} AS of, count(*) AS n FROM entry GROUP BY 1`
        return JSON.parse(String(stage.column(`SELECT json_group_object(of, n) FROM (${groups})`)[0]))
      }
      expect(tallied('type')).toEqual({ individual: said.individuals, entity: said.entities })
      expect(tallied('un_list_type')).toEqual(said.list_type)
      expect(
        stage.row('SELECT count(DISTINCT dataid) AS ids, count(name_original_script) AS scripts FROM entry'),
      ).toEqual({ ids: said.distinct_dataid, scripts: said.original_script })
      expect(stage.column(`SELECT value FROM meta WHERE key = 'publisherDate'`)).toEqual([said.dateGenerated])
      const spot = 'SELECT name, dataid, versionnum, listed_on FROM entry WHERE reference_number = ?'
      const at = (name: string, dataid: number, listed: string) => ({ name, dataid, versionnum: 1, listed_on: listed })
      expect(stage.row(spot, 'CDi.001')).toEqual(at('ERIC BADEGE', 6907993, '2012-12-31'))
      expect(stage.row(spot, 'CDe.001')).toEqual(at('ADF', 6908402, '2014-06-30'))
      expect(stage.row(spot, 'YEe.001')).toEqual(at('THE HOUTHIS', 6908876, '2022-02-28'))
    } finally {
      await stage.close()
    }
  })
})

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

  it('names those who were added and who was removed as the data’s README does', () => {
    const named = 'SELECT name FROM entry WHERE reference_number = ?'
    expect(['SDi.007', 'SDi.008', 'SDi.009', 'SDi.010'].flatMap((key) => stage.column(named, key))).toEqual([
      'GEDO HAMDAN AHMED',
      'ABDUL RAHIM HAMDAN DAGALO',
      'AL-FATEH ABDULLAH IDRIS',
      'TIJANI IBRAHIM MOUSSA MOHAMED',
    ])
    expect(stage.column(named, 'IQi.074')).toEqual([])
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
