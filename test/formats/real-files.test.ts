/** Real files in every format, against the facts that their README lists. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { FormatDefinition } from '../../src/formats/definition.ts'
import { type ReadFileOptions, readRecords } from '../../src/formats/read.ts'
import type { Preamble, XmlElement } from '../../src/formats/types.ts'
import { oracleOf } from '../real/oracle.ts'
import { hasSharedData, sharedFile } from '../real/shared-data.ts'

interface Reading {
  readonly records: readonly unknown[]
  readonly problems: number
  readonly preamble: Preamble | undefined
}

const read = async (
  path: readonly string[],
  format: FormatDefinition,
  options: Partial<ReadFileOptions> = {},
): Promise<Reading> => {
  const records: unknown[] = []
  let problems = 0
  let preamble: Preamble | undefined
  const onPreamble = (said: Preamble): void => {
    preamble = said
  }
  const batches = readRecords(sharedFile(...path), format, { source: path.join('/'), onPreamble, ...options })
  for await (const batch of batches) {
    for (const each of batch) {
      if ('record' in each) records.push(each.record)
      else problems++
    }
  }
  return { records, problems, preamble }
}

const rows = ({ records }: Reading): Record<string, string | null>[] => records as Record<string, string | null>[] // as readCsv gives
const elements = ({ records }: Reading): XmlElement[] => records as XmlElement[] // as readXml gives

const distinct = (values: readonly unknown[]): number => new Set(values).size
const textIn = (element: XmlElement | undefined, name: string): string | undefined =>
  element?.children.find((child) => child.name === name)?.text

const sdnColumns = [
  'ent_num,SDN_Name,SDN_Type,Program,Title,Call_Sign,Vess_type,Tonnage,GRT,Vess_flag,Vess_owner,Remarks',
].flatMap((names) => names.split(','))

const counts = z.record(z.string(), z.number())
const unSchema = z.looseObject({
  dateGenerated: z.string(),
  individuals: z.number(),
  entities: z.number(),
  distinct_dataid: z.number(),
  distinct_reference: z.number(),
  aliases_individual: z.number(),
  aliases_entity: z.number(),
  aliases_empty: z.number(),
  aliases_with_semicolon: z.number(),
  alias_quality: counts,
  addresses: z.array(z.number()),
  birth_type: counts,
  documents: z.number(),
  original_script: z.number(),
  list_type: counts,
})

describe.skipIf(!hasSharedData)('real files', () => {
  it.each([
    ['recent-2024-06/sdn.csv.gz', 15402],
    ['set-with-alt/sdn.csv', 8976],
    ['consolidated/cons_prim.csv', 442],
  ])('OFAC %s has its entries, whether somebody added a header or not', async (name, count) => {
    const reading = await read(['ofac', ...name.split('/')], { type: 'csv', columns: sdnColumns, nulls: ['-0-'] })
    expect(reading.problems).toBe(0)
    expect(distinct(rows(reading).map((row) => row.ent_num))).toBe(count)
    expect(rows(reading)).toHaveLength(count)
    expect(rows(reading).some((row) => Object.values(row).some((value) => value?.trim() === '-0-'))).toBe(false)
  })

  it('OFAC XML in a zip, in a folder, is the same as beside it', async () => {
    const format = { type: 'xml', records: '/sdnList/sdnEntry', root: 'sdnList' } as const
    const plain = await read(['ofac', 'xml', 'sample_ofac_consolidated.xml'], format)
    expect(elements(plain)).toHaveLength(8)
    const root = plain.preamble?.type === 'xml' ? plain.preamble.root : undefined
    const info = root?.children.find(({ name }) => name === 'publshInformation')
    expect([textIn(info, 'Publish_Date'), textIn(info, 'Record_Count')]).toEqual(['04/22/2020', '8197'])
    expect(await read(['ofac', 'xml', 'sample_ofac_sdn.zip'], format, { archive: { member: '*.xml' } })).toEqual(plain)
  })

  it.each(['un_consolidated_2025-11-20.xml', 'un_consolidated_2026-02-27.xml'])(
    'UN %s has its individuals and entities, and what belongs to them',
    async (name) => {
      const facts = oracleOf(`un/${name}`, unSchema)
      const format = { type: 'xml', records: ['INDIVIDUAL', 'ENTITY'], root: 'CONSOLIDATED_LIST' } as const
      const reading = await read(['un', name], format)
      const all = elements(reading)
      const individuals = all.filter((element) => element.name === 'INDIVIDUAL')
      expect([individuals.length, all.length - individuals.length]).toEqual([facts.individuals, facts.entities])
      expect(distinct(all.map((element) => textIn(element, 'DATAID')))).toBe(facts.distinct_dataid)
      expect(distinct(all.map((element) => textIn(element, 'REFERENCE_NUMBER')))).toBe(facts.distinct_reference)
      expect(reading.preamble).toMatchObject({ root: { attributes: { dateGenerated: facts.dateGenerated } } })
      const within = (...names: readonly string[]): readonly XmlElement[] =>
        all.flatMap(({ children }) => children.filter((child) => names.includes(child.name)))
      const tally = (of: readonly XmlElement[], child: string): Record<string, number> => {
        const counts: Record<string, number> = {}
        for (const each of of) counts[textIn(each, child) ?? ''] = (counts[textIn(each, child) ?? ''] ?? 0) + 1
        return counts
      }
      const counts = ['INDIVIDUAL_ALIAS', 'ENTITY_ALIAS', 'INDIVIDUAL_DOCUMENT'].map((each) => within(each).length)
      expect(counts).toEqual([facts.aliases_individual, facts.aliases_entity, facts.documents])
      const aliases = within('INDIVIDUAL_ALIAS', 'ENTITY_ALIAS')
      const names = aliases.map((alias) => textIn(alias, 'ALIAS_NAME') ?? '')
      expect(names.filter((each) => each === '')).toHaveLength(facts.aliases_empty)
      expect(names.filter((each) => each.includes(';'))).toHaveLength(facts.aliases_with_semicolon)
      expect(tally(aliases, 'QUALITY')).toEqual(facts.alias_quality)
      const addresses = [within('INDIVIDUAL_ADDRESS').length, within('ENTITY_ADDRESS').length]
      expect(addresses).toEqual(facts.addresses)
      expect(tally(within('INDIVIDUAL_DATE_OF_BIRTH'), 'TYPE_OF_DATE')).toEqual(facts.birth_type)
      expect(tally(all, 'UN_LIST_TYPE')).toEqual(facts.list_type)
      expect(all.filter((each) => (textIn(each, 'NAME_ORIGINAL_SCRIPT') ?? '') !== '')).toHaveLength(
        facts.original_script,
      )
    },
  )

  it('EU XML has its entities, one of them twice', async () => {
    const reading = await read(['eu', 'sample_eu.xml'], { type: 'xml', records: 'sanctionEntity', root: 'export' })
    const all = elements(reading)
    expect([all.length, distinct(all.map(({ attributes }) => attributes.logicalId))]).toEqual([7, 6])
    expect(all.flatMap(({ children }) => children.filter(({ name }) => name === 'nameAlias'))).toHaveLength(15)
    expect(reading.preamble).toMatchObject({
      root: { attributes: { generationDate: '2020-04-15T15:29:22.497+02:00' } },
    })
  })

  it('UK XML has its designations and its date', async () => {
    const reading = await read(['uk', 'ukls-2026-09-02-excerpt.xml'], { type: 'xml', records: 'Designation' })
    expect(elements(reading).map((element) => textIn(element, 'UniqueID'))).toEqual(['AFG0001', 'AFG0006'])
    const root = reading.preamble?.type === 'xml' ? reading.preamble.root : undefined
    expect(textIn(root, 'DateGenerated')).toBe('02/09/2026')
  })

  it('UK CSV has a date in its first line', async () => {
    const format = { type: 'csv', preambleLines: 1, requires: ['Unique ID'] } as const
    const reading = await read(['uk', 'ukls-2026-10-08-header-and-one-row.csv'], format)
    expect(reading.preamble).toMatchObject({ lines: ['Report Date: 08-Oct-2026'], columns: { length: 58 } })
    expect(rows(reading).map((row) => row['Unique ID'])).toEqual(['RUS2176'])
  })

  it('the old UK list is Windows-1252, and loses no letter', async () => {
    const format = { type: 'csv', preambleLines: 1, encoding: 'windows-1252', requires: ['Group ID'] } as const
    const reading = await read(['uk', 'ofsi-conlist-2018-04-13.csv.gz'], format)
    expect([rows(reading).length, reading.problems]).toEqual([9487, 0])
    expect(distinct(rows(reading).map((row) => row['Group ID']))).toBe(2106)
    const text = JSON.stringify(reading.records)
    expect(text.match(/’/g)).toHaveLength(1215)
    expect(/[\u0080-\u009f\ufffd]/.test(text)).toBe(false)
  })

  it('the US list of denied persons keeps its rows, repeated ones too', async () => {
    const reading = await read(['us-bis', 'dpl.txt'], { type: 'csv', delimiter: '\t' })
    expect([rows(reading).length, reading.problems]).toEqual([581, 0])
    expect(distinct(reading.records.map((record) => JSON.stringify(record)))).toBe(579)
    expect(distinct(rows(reading).map((row) => row.Name))).toBe(460)
  })

  it('GLEIF JSON in a zip has its records', async () => {
    const name = '20240505-0000-gleif-goldencopy-lei2-intra-day.json.zip'
    const reading = await read(['gleif', name], { type: 'json', records: '$.records[*]' }, { archive: {} })
    expect([reading.records.length, reading.problems]).toEqual([577, 0])
    expect(reading.records[0]).toMatchObject({
      LEI: { $: '097900BID10000147476' },
      Entity: { LegalName: { $: 'ALFA REY s.r.o.' } },
    })
    expect(reading.preamble).toEqual({ type: 'json', document: { records: [] } })
  })

  it.each([
    ['lei-data.xml', 'LEIRecord', 13],
    ['lei-updates-data2.xml', 'LEIRecord', 12],
    ['rr-data.xml', 'RelationshipRecord', 10],
    ['rr-updates-data2.xml', 'RelationshipRecord', 11],
  ])('GLEIF %s has its records, whatever the prefix', async (name, records, count) => {
    expect((await read(['gleif', name], { type: 'xml', records })).records).toHaveLength(count)
  })

  it('Companies House names have spaces before them, and values quotes in them', async () => {
    const format = { type: 'csv', trim: true, requires: ['CompanyName', 'CompanyNumber'] } as const
    const reading = await read(['companies-house', 'basic-31.csv'], format)
    expect([rows(reading).length, reading.problems]).toEqual([31, 0])
    const byNumber = new Map(rows(reading).map((row) => [row.CompanyNumber, row]))
    expect(byNumber.get('08209948')).toBeDefined()
    expect(byNumber.get('FC027187')?.CompanyName).toBe('"ALTAI CASHMERE" LLC')
    expect(rows(reading).filter((row) => row.CompanyName?.includes('"'))).toHaveLength(18)
  })

  it('OpenSanctions CSV, quoted throughout, has its rows', async () => {
    const reading = await read(['opensanctions', 'ransomwhere', 'targets.simple.csv.gz'], { type: 'csv' })
    expect([rows(reading).length, reading.problems]).toEqual([11186, 0])
    expect(distinct(rows(reading).map((row) => row.id))).toBe(11186)
    expect(rows(reading)[0]?.id).toBe('rwre-1123pjv8jzefqacv4w644pzqjzvway2zca')
  })
})
