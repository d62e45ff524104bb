/** The real excerpts, against the facts and the exact differences that their README lists. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type DatasetStage, openDatasetStage } from '../data/dataset-stage.ts'
import { oracleOf } from './oracle.ts'
import { hasSharedData, sharedFile } from './shared-data.ts'

const counts = (column: string): string =>
  `SELECT json_group_object(${column}, n) AS found FROM (SELECT ${column}, count(*) AS n FROM lei GROUP BY 1 ORDER BY 2 DESC, 1)`

const leis = z.looseObject({ leis: z.array(z.string()) })
const leisIn = (file: string): string[] => oracleOf(file, leis).leis.toSorted()
const relationships = z.looseObject({ relationships: z.array(z.array(z.string())) })
const relationshipKeys = `SELECT start_lei || ' ' || end_lei || ' ' || type FROM relationship ORDER BY 1`
const keysIn = (file: string): string[] =>
  oracleOf(file, relationships)
    .relationships.map((key) => key.join(' '))
    .sort()

describe.skipIf(!hasSharedData)('gleif, a real delta in JSON', () => {
  let stage: DatasetStage
  beforeAll(async () => {
    stage = await openDatasetStage('gleif')
    const file = sharedFile('gleif', '20240505-0000-gleif-goldencopy-lei2-intra-day.json.zip')
    expect(await stage.ingest(file)).toMatchObject({
      outcome: 'published',
      rejected: 0,
      rows: { lei: 577, other_name: 40 + 10, event: 104, relationship: 0, exception: 0 },
    })
  })
  afterAll(() => stage.close())

  it('has the counts of the data’s README', () => {
    expect(stage.row(counts('registration_status'))).toEqual({ found: JSON.stringify({ LAPSED: 333, ISSUED: 244 }) })
    expect(stage.row(counts('entity_status'))).toEqual({ found: JSON.stringify({ ACTIVE: 577 }) })
    expect(stage.row(counts('category'))).toEqual({
      found: JSON.stringify({ GENERAL: 517, FUND: 30, SOLE_PROPRIETOR: 28, RESIDENT_GOVERNMENT_ENTITY: 2 }),
    })
    expect(stage.column('SELECT count(DISTINCT jurisdiction) FROM lei')).toEqual([80])
    const inJurisdiction = 'SELECT count(*) FROM lei WHERE jurisdiction = ?'
    const jurisdictions = ['US-DE', 'IN', 'BE', 'FR', 'NO', 'SA'].map((each) => stage.column(inJurisdiction, each)[0])
    expect(jurisdictions).toEqual([83, 71, 41, 41, 24, 23])
    const inCountry = 'SELECT count(*) FROM lei WHERE legal_country = ?'
    expect(['US', 'IN', 'BE', 'FR', 'NO', 'SA'].map((country) => stage.column(inCountry, country)[0])).toEqual([
      159, 71, 41, 41, 24, 23,
    ])
    expect(stage.column('SELECT count(DISTINCT managing_lou) FROM lei')).toEqual([11])
    expect(stage.column('SELECT count(*) FROM lei WHERE legal_postal_code IS NULL')).toEqual([5])
    expect(stage.column('SELECT count(*) FROM lei WHERE registration_authority_entity_id IS NULL')).toEqual([24])
    expect(stage.column('SELECT count(*) FROM lei GROUP BY conformity_flag ORDER BY 1')).toEqual([49, 84, 444])
    expect(stage.column(`SELECT count(*) FROM lei WHERE legal_name GLOB '*[^ -~]*'`)).toEqual([30])
    expect(stage.column('SELECT count(*) FROM other_name GROUP BY kind ORDER BY kind')).toEqual([40, 10])
    expect(stage.unknownFields()).toEqual([])
  })

  it('has its spot values', () => {
    const spot = 'SELECT legal_name, legal_city FROM lei WHERE lei = ?'
    expect(stage.row(spot, '097900BID10000147476')).toEqual({
      legal_name: 'ALFA REY s.r.o.',
      legal_city: 'Nové Mesto nad Váhom',
    })
    expect(stage.row(spot, 'T27JQIMTYSH41TCD5186')).toMatchObject({ legal_name: 'HYATT HOTELS CORPORATION' })
    expect(stage.column(`SELECT legal_name FROM lei WHERE legal_name LIKE '1 NUL8%'`)).toEqual([
      String.raw`1 NUL8 Let\'s Meat B.V.`,
    ])
    expect(
      stage.column(`SELECT lei FROM lei WHERE rowid IN (SELECT rowid FROM lei_fts WHERE lei_fts MATCH 'hyatt hotels')`),
    ).toEqual(['T27JQIMTYSH41TCD5186'])
  })

  it('keeps further validation authorities, each with both its numbers', () => {
    const kept = `SELECT count(*) FROM lei, json_each(lei.other)
      WHERE json_each.key LIKE 'Registration.OtherValidationAuthorities.%.ValidationAuthorityEntityID'`
    expect(stage.column(kept)).toEqual([20])
  })
})

describe.skipIf(!hasSharedData)('gleif, real pairs in XML', () => {
  let stage: DatasetStage
  beforeAll(async () => {
    stage = await openDatasetStage('gleif')
  })
  afterAll(() => stage.close())

  /** A folder with a file of entities and one of relationships under their usual names. */
  const folderOf = (entities: string, relationships: string): string => folderIn(stage, entities, relationships)
  const folderIn = ({ root }: DatasetStage, entities: string, relationships: string): string => {
    const folder = join(root, entities)
    mkdirSync(folder)
    copyFileSync(sharedFile('gleif', entities), join(folder, 'gleif-goldencopy-lei2-golden-copy.csv'))
    copyFileSync(sharedFile('gleif', relationships), join(folder, 'gleif-goldencopy-rr-golden-copy.csv'))
    return folder
  }

  it('are read with what they say of themselves', async () => {
    expect(await stage.ingest(folderOf('lei-data.xml', 'rr-data.xml'))).toMatchObject({
      outcome: 'published',
      rejected: 0,
      rows: { lei: 13, relationship: 10, relationship_period: 13 },
    })
    expect(stage.column(`SELECT value FROM meta WHERE key = 'publisherDate'`)).toEqual(['2023-06-05T09:24:22.000Z'])
    expect(stage.warnings()).toEqual(
      expect.arrayContaining([expect.stringContaining('says that it holds 2394586 records, but 13 were read')]),
    )
    expect(stage.unknownFields()).toEqual([])
    expect(
      stage.row(
        'SELECT json_group_object(type, n) AS found FROM (SELECT type, count(*) AS n FROM relationship GROUP BY 1 ORDER BY 2 DESC, 1)',
      ),
    ).toEqual({
      found: JSON.stringify({
        'IS_FUND-MANAGED_BY': 5,
        IS_SUBFUND_OF: 3,
        IS_DIRECTLY_CONSOLIDATED_BY: 1,
        IS_ULTIMATELY_CONSOLIDATED_BY: 1,
      }),
    })
    expect(stage.column('SELECT count(DISTINCT start_lei) FROM relationship')).toEqual([6])
    expect(stage.column('SELECT lei FROM lei ORDER BY lei')).toEqual(leisIn('gleif/lei-data.xml'))
    expect(
      stage.column(
        `SELECT count(*) FROM lei GROUP BY entity_status, registration_status ORDER BY entity_status, registration_status`,
      ),
    ).toEqual([9, 3, 1])
    expect(stage.column(relationshipKeys)).toEqual(keysIn('gleif/rr-data.xml'))
    expect(
      stage.row(
        `SELECT json_extract(other, '$."Extension.Geocoding.lat"') AS lat FROM lei WHERE lei = '001GPB6A9XPE8XJICC14'`,
      ),
    ).toEqual({ lat: '42.34944' })
  })

  it('differ as the data’s README says where the second is taken as whole: eleven entities are new, one is another, all relationships are', async () => {
    expect(
      await stage.ingest(folderOf('lei-updates-data2.xml', 'rr-updates-data2.xml'), '--accept-shrink'),
    ).toMatchObject({
      outcome: 'published',
      rows: { lei: 12, relationship: 11 },
      changes: { lei: { added: 11, removed: 12, changed: 1 }, relationship: { added: 11, removed: 10, changed: 0 } },
    })
    expect(stage.column('SELECT lei FROM lei ORDER BY lei')).toEqual(leisIn('gleif/lei-updates-data2.xml'))
    expect(stage.column('SELECT count(*) FROM lei GROUP BY registration_status ORDER BY 1')).toEqual([2, 10])
    expect(stage.column(relationshipKeys)).toEqual(keysIn('gleif/rr-updates-data2.xml'))
    const [changed, ...others] = (await stage.diff()).filter(({ table, op }) => table === 'lei' && op === 'changed')
    expect(others).toEqual([])
    expect(changed?.key).toEqual(['00TR8NKAEL48RGTZEW89'])
    expect(changed?.fields).toMatchObject({
      entity_status: ['INACTIVE', 'ACTIVE'],
      registration_status: ['RETIRED', 'ISSUED'],
      last_update_date: ['2019-04-22T21:31:00.000Z', '2023-08-03T08:48:03.080+02:00'],
    })
    expect(stage.column('SELECT quantifiers FROM relationship WHERE quantifiers IS NOT NULL')).toHaveLength(5)
  })

  describe('of which the second is a delta by its name', () => {
    let own: DatasetStage
    beforeAll(async () => {
      own = await openDatasetStage('gleif')
      await own.ingest(folderIn(own, 'lei-data.xml', 'rr-data.xml'))
    })
    afterAll(() => own.close())

    it('are 24 entities: eleven are new, one is another, none is gone, and relationships stay', async () => {
      expect(await own.ingest(sharedFile('gleif', 'lei-updates-data2.xml'))).toMatchObject({
        outcome: 'published',
        rows: { lei: 24, relationship: 10, relationship_period: 13 },
        changes: {
          lei: { added: 11, removed: 0, changed: 1 },
          relationship: { added: 0, removed: 0, changed: 0 },
          relationship_period: { added: 0, removed: 0, changed: 0 },
        },
      })
      const changed = (await own.diff()).filter(({ table, op }) => table === 'lei' && op === 'changed')
      expect(changed.map(({ key }) => key)).toEqual([['00TR8NKAEL48RGTZEW89']])
      expect(changed[0]?.fields).toMatchObject({
        entity_status: ['INACTIVE', 'ACTIVE'],
        registration_status: ['RETIRED', 'ISSUED'],
        last_update_date: ['2019-04-22T21:31:00.000Z', '2023-08-03T08:48:03.080+02:00'],
      })
      expect(own.warnings().join()).toContain('lei-updates-data2.xml: a delta, by its name; laid over 2')
    })

    it('are 21 relationships: eleven are new, none is gone, and entities stay', async () => {
      const file = sharedFile('gleif', 'rr-updates-data2.xml')
      expect(await own.ingest(file)).toMatchObject({
        outcome: 'published',
        rows: { lei: 24, relationship: 21 },
        changes: {
          lei: { added: 0, removed: 0, changed: 0 },
          relationship: { added: 11, removed: 0, changed: 0 },
        },
      })
      expect(await own.ingest(file)).toMatchObject({ outcome: 'unchanged' })
    })

    /** One XML file with the records of two: those of the second in place of those of the first with the same key. */
    const unionOf = (first: string, second: string, element: string, key: RegExp): string => {
      const record = new RegExp(`<(?:\\w+:)?${element}\\b[^>]*>.*?</(?:\\w+:)?${element}>`, 'gs')
      const keyOf = (text: string): string | undefined => key.exec(text)?.[1]
      const textOf = (name: string): string => readFileSync(sharedFile('gleif', name), 'utf8')
      const fresh = textOf(second).match(record) ?? []
      const keys = new Set(fresh.map(keyOf))
      const kept = textOf(first).replace(record, (text) => (keys.has(keyOf(text)) ? '' : text))
      const end = kept.lastIndexOf(kept.match(record)?.at(-1) ?? '')
      return `${kept.slice(0, end)}${fresh.join('')}${kept.slice(end)}`
    }

    it('come out as if one file of each had held all of them', async () => {
      const folder = join(own.root, 'union')
      mkdirSync(folder)
      for (const [name, text] of [
        ['lei2', unionOf('lei-data.xml', 'lei-updates-data2.xml', 'LEIRecord', /LEI>(\w{20})</)],
        ['rr', unionOf('rr-data.xml', 'rr-updates-data2.xml', 'RelationshipRecord', /^(.*)$/s)],
      ] as const)
        writeFileSync(join(folder, `gleif-goldencopy-${name}-golden-copy.csv`), text)
      const whole = await openDatasetStage('gleif')
      try {
        expect(await whole.ingest(folder)).toMatchObject({ rows: { lei: 24, relationship: 21 } })
        const digest = `SELECT value FROM meta WHERE key = 'contentDigest'`
        expect(whole.column(digest)).toEqual(own.column(digest))
      } finally {
        await whole.close()
      }
    })
  })

  it('can be given one file at a time', async () => {
    const alone = await openDatasetStage('gleif')
    try {
      expect(await alone.ingest(sharedFile('gleif', 'rr-data.xml'))).toMatchObject({
        rows: { lei: 0, relationship: 10 },
      })
    } finally {
      await alone.close()
    }
  })
})
