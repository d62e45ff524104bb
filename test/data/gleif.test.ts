import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { flatRecord } from '../../pipelines/gleif/flat.ts'
import { latestFile } from '../../pipelines/gleif/latest.ts'
import { loadPipeline } from '../../src/pipeline/discover.ts'
import { describeDataset } from './dataset-contract.ts'
import { sampleFolderOf } from './dataset-stage.ts'

const second = sampleFolderOf('gleif', '2026-11-01')
const entitiesFile = 'gleif-goldencopy-lei2-golden-copy.csv'

await describeDataset(
  {
    id: 'gleif',
    versions: ['2026-10-01', '2026-11-01'],
    table: 'lei',
    rows: [
      {
        lei: 8,
        other_name: 6,
        other_address: 1,
        successor: 1,
        event: 1,
        relationship: 4,
        relationship_period: 7,
        exception: 8,
      },
      {
        lei: 8,
        other_name: 6,
        other_address: 1,
        successor: 1,
        event: 1,
        relationship: 5,
        relationship_period: 8,
        exception: 7,
      },
    ],
    queries: {
      searchEntities: { query: 'mueller praezisionsteile' },
      searchOtherNames: { query: 'mihon' },
      getEntity: { lei: 'zzzz00musterhold0084' },
      findByRegisterNumber: { number: 'HRB 900002', country: 'DE' },
      parentsOf: { lei: 'ZZZZ00PRAEZISION0030' },
      childrenOf: { lei: 'ZZZZ00MUSTERHOLD0084', type: 'DIRECTLY' },
    },
    whole: 'ZZZZ00PRAEZISION0030',
  },
  (stage) => {
    it('has the period of a relationship whichever slot it stands in', () => {
      const sql = 'SELECT relationship_start, relationship_end FROM relationship WHERE start_lei = ?'
      expect(stage.row(sql, 'ZZZZ00PRAEZISION0030')).toEqual({
        relationship_start: '2017-12-06T00:00:00Z',
        relationship_end: null,
      })
    })

    it('keeps what has no column of its own, and line breaks within an address', () => {
      expect(stage.column(`SELECT other FROM lei WHERE lei = 'ZZZZ00FIKTIVAM000067'`)).toEqual([
        JSON.stringify({
          'Registration.OtherValidationAuthorities.OtherValidationAuthority.1.ValidationAuthorityEntityID': 'X-1',
          'Registration.OtherValidationAuthorities.OtherValidationAuthority.1.ValidationAuthorityID': 'RA000999',
        }),
      ])
      expect(stage.column(`SELECT legal_first_line FROM lei WHERE lei = 'ZZZZ00PRAEZISION0030'`)).toEqual([
        'c/o "Die Fiktive"\nHinterhaus',
      ])
    })

    it('names all reasons of an exception', () => {
      expect(stage.row(`SELECT reasons, reference_texts FROM exception WHERE lei = 'ZZZZ00PRAEZISION0030'`)).toEqual({
        reasons: '["NON_PUBLIC","NO_LEI"]',
        reference_texts: '["Muster Stiftung"]',
      })
    })

    /** A folder with the second version, its file of entities changed. */
    const changed = (name: string, change: (csv: string) => string): string => {
      const folder = join(stage.root, name)
      mkdirSync(folder)
      for (const file of readdirSync(second)) copyFileSync(join(second, file), join(folder, file))
      writeFileSync(join(folder, entitiesFile), change(readFileSync(join(second, entitiesFile), 'utf8')))
      return folder
    }
    const ingested = async (folder: string): Promise<unknown> =>
      (await stage.json('ingest', 'gleif', '--from', folder).catch((error: unknown) => String(error))) as unknown

    it('fails where a column is called otherwise, and names it with the header', async () => {
      const folder = changed('renamed', (csv) =>
        csv.replace('Registration.RegistrationStatus', 'Entity.RegistrationStatus'),
      )
      const said = JSON.stringify(await ingested(folder))
      expect(said).toContain('the header lacks Registration.RegistrationStatus (it has: LEI, Entity.LegalName,')
      expect(stage.column('SELECT count(*) FROM lei')).toEqual([8])
    })

    it('is refused where more than one in ten thousand has no LEI that is one', async () => {
      const folder = changed('no-lei', (csv) =>
        csv
          .replace(/^ZZZZ00MUSTERHOLD0084(.*)$/m, 'ZZZZ00-MUSTERHOLD-84$1\n$&')
          .replace('Lindenplatz 9', 'Lindenplatz 10'),
      )
      expect(await stage.ingest(folder)).toMatchObject({
        outcome: 'refused',
        reason: { message: expect.stringContaining('ZZZZ00-MUSTERHOLD-84 is no LEI') },
      })
      expect(stage.column(`SELECT count(*) FROM lei WHERE lei = 'ZZZZ00MUSTERHOLD0084'`)).toEqual([1])
    })

    it('tells a column that is new, and keeps what it says', async () => {
      const folder = changed('new-column', (csv) => {
        const [header = '', ...rows] = csv.split('\n')
        return [`Entity.Novelty,${header}`, ...rows.map((row) => (row.startsWith('ZZZZ00') ? `yes,${row}` : row))].join(
          '\n',
        )
      })
      expect(await stage.ingest(folder)).toMatchObject({ outcome: 'published', rows: { lei: 8 } })
      expect(stage.unknownFields()).toEqual(['Entity.Novelty'])
      expect(stage.column(`SELECT other FROM lei WHERE lei = 'ZZZZ00MUSTERHOLD0084'`)).toEqual([
        '{"Entity.Novelty":"yes"}',
      ])
    })
  },
)

it('each source asks the publisher for its own file', async () => {
  const { definition } = await loadPipeline('gleif')
  const publish = (name: string): object => ({ full_file: { csv: { url: `https://example.org/${name}.csv.zip` } } })
  const data = { lei2: publish('lei2'), rr: publish('rr'), repex: publish('repex') }
  const nothing = (): never => {
    throw new Error('not asked for')
  }
  const context = { json: async () => ({ data }), text: nothing, head: nothing, signal: new AbortController().signal }
  const found = await Promise.all(definition.sources.map(({ resolve, url }) => resolve?.({ ...context, url })))
  expect(found).toEqual(['lei2', 'rr', 'repex'].map((name) => ({ url: `https://example.org/${name}.csv.zip` })))
})

describe('the publisher’s answer', () => {
  const file = { url: 'https://example.org/a.csv.zip', size: 507006221, record_count: 3451350 }
  const answer = { data: { lei2: { publish_date: '2026-10-03 08:00:00', full_file: { csv: file } } } }

  it('says address, size, records and date of each file', () => {
    expect(latestFile(answer, 'lei2')).toEqual({
      url: 'https://example.org/a.csv.zip',
      bytes: 507006221,
      records: 3451350,
      publisherDate: '2026-10-03T08:00:00Z',
    })
  })

  it('is enough with the address alone, and none without it', () => {
    const bare = { data: { rr: { full_file: { csv: { url: 'https://example.org/b.zip' } } } } }
    expect(latestFile(bare, 'rr')).toEqual({ url: 'https://example.org/b.zip' })
    expect(() => latestFile(answer, 'repex')).toThrow('data.repex.full_file.csv.url')
    expect(() => latestFile(null, 'lei2')).toThrow('data.lei2.full_file.csv.url')
  })
})

describe('a record in another of the publisher’s formats', () => {
  const flat = {
    LEI: 'X',
    'Entity.LegalName': 'A',
    'Entity.LegalName.xmllang': 'en',
    'Entity.OtherEntityNames.OtherEntityName.1': 'B',
    'Entity.OtherEntityNames.OtherEntityName.1.type': 'T',
    ConformityFlag: 'CONFORMING',
  }

  it('becomes one of the CSV: JSON', () => {
    const record = {
      LEI: { $: 'X' },
      Entity: {
        LegalName: { '@xml:lang': 'en', $: 'A' },
        OtherEntityNames: { OtherEntityName: [{ '@type': 'T', $: 'B' }] },
      },
      Extension: { 'gleif:conformity': { 'gleif:conformityflag': { $: 'CONFORMING' } } },
    }
    expect({ ...flatRecord(record) }).toEqual(flat)
  })

  it('becomes one of the CSV: XML', () => {
    const leaf = (name: string, text: string, attributes = {}) => ({ name, attributes, text, children: [] })
    const node = (name: string, ...children: readonly object[]) => ({ name, attributes: {}, text: '', children })
    const record = node(
      'LEIRecord',
      leaf('LEI', 'X'),
      node(
        'Entity',
        leaf('LegalName', 'A', { 'xml:lang': 'en' }),
        node('OtherEntityNames', leaf('OtherEntityName', 'B', { type: 'T' })),
      ),
      node('Extension', node('conformity', leaf('conformityflag', 'CONFORMING'))),
    )
    expect({ ...flatRecord(record) }).toEqual(flat)
  })

  it('is nothing where it is no record', () => {
    expect([flatRecord('text'), flatRecord(null), flatRecord([])]).toEqual([undefined, undefined, undefined])
  })
})
