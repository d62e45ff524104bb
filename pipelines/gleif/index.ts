/**
 * GLEIF golden copy: all Legal Entity Identifiers, who consolidates whom, and why some name no parent: three CSV files,
 * each in a zip archive, whose addresses the publisher's API tells. Read on its XML and JSON; the CSV's columns are those
 * that public code reads from these very files (338 of them for entities, as many as they have). Not confirmed on a real
 * CSV: that no relationship and no exception is there twice (where one is, the first counts and the others are told), and
 * how a record that was deleted is marked.
 */
import type { PipelineFile, SourceDefinition } from '../../src/pipeline/types.ts'
import { type MainTable, requiredColumns } from './columns.ts'
import { flatRecord } from './flat.ts'
import { dateInName, latestFile } from './latest.ts'
import { mapRecord } from './map.ts'
import { tables } from './tables.ts'

const source = (name: string, table: MainTable): SourceDefinition => ({
  name: `gleif-goldencopy-${name}-golden-copy.csv.zip`,
  url: 'https://goldencopy.gleif.org/api/v2/golden-copies/publishes/latest',
  resolve: async ({ json, url }) => latestFile(await json(url), name),
  archive: {},
  dateInName,
  format: {
    type: 'either',
    formats: [
      { type: 'csv', requires: requiredColumns[table] },
      // As people have them from the same publisher.
      { type: 'json', records: '$.records[*]' },
      { type: 'xml', records: ['LEIRecord', 'RelationshipRecord'] },
    ],
  },
  // Who has one file only, can ingest that. Where the publisher has one no more, the guards of its table refuse.
  optional: table === 'lei' ? { byHand: 'the entities themselves' } : true,
})

const pipeline: PipelineFile = (kit) =>
  kit.definePipeline({
    id: 'gleif',
    title: 'GLEIF: Legal Entity Identifiers',
    description:
      'All Legal Entity Identifiers (LEI) of the world with names, addresses, register numbers and status, the direct ' +
      'and ultimate parents that entities reported, and why others report none. Not owners: natural persons are not in ' +
      'it, and parents are those that consolidate accounts.',
    publisher: 'Global Legal Entity Identifier Foundation (GLEIF)',
    homepage: 'https://www.gleif.org/en/lei-data/gleif-golden-copy',
    licence: {
      name: 'CC0 1.0',
      url: 'https://creativecommons.org/publicdomain/zero/1.0/',
      attribution: 'Global Legal Entity Identifier Foundation (GLEIF), golden copy',
    },
    database: 'gleif.db',
    aliases: ['gleif-lei.db'],
    // Published at 0, 8 and 16 h UTC. Once a day: all of it is fetched and built anew, half a gigabyte for the few
    // thousand records that a day changes.
    schedule: { cron: '20 9 * * *', timeZone: 'UTC' },
    quirks: [
      'The source has hundreds of columns, most of them numbered slots of lists; the tables have the lists in an order of their own.',
      'The first period of a relationship is its accounting year in every third record: `relationship_start` is that of the right one.',
      'Dates are the publisher’s, with the offsets of their issuers.',
    ],
    sources: [source('lei2', 'lei'), source('rr', 'relationship'), source('repex', 'exception')],
    tables,
    fullText: [
      { name: 'lei_fts', table: 'lei', columns: ['legal_name'], german: true },
      { name: 'other_name_fts', table: 'other_name', columns: ['name'], german: true },
    ],
    guards: {
      // 3,451,350 LEIs in October 2026, 478,853 relationships and 6,219,311 exceptions in July 2026, all growing.
      minRows: { lei: 3_200_000, relationship: 420_000, exception: 5_500_000 },
      // No LEI is ever taken back: lapsed and retired ones stay. A tenth less is a part of a file.
      maxShrink: { lei: 0.1, relationship: 0.1 },
      // A few records among millions may be broken, and are told; one in ten thousand is a file of another shape.
      maxRejected: 0.0001,
      // Mandatory in the publisher's format.
      minFilled: { lei: { legal_name: 1, registration_status: 0.999, legal_country: 0.999, managing_lou: 0.999 } },
      keys: { relationship: 'reject', exception: 'reject' },
    },
    // In files of their own, which may be of another day.
    references: [
      ['relationship', 'start_lei'],
      ['relationship', 'end_lei'],
      ['exception', 'lei'],
    ].map(([table = '', column = '']) => ({ table, column, to: [{ table: 'lei', column: 'lei' }] })),
    delta: {
      // The publisher's own deltas are of the last eight hours, day, week and month: 20240505-0000-…-lei2-intra-day.json.
      files: ['*update*', '*delta*', '*intra-day*', '*last-day*', '*last-week*', '*last-month*'],
      // Relationships and exceptions are read with an entity, and come in files of their own.
      records: {
        lei: ['other_name', 'other_address', 'successor', 'event'],
        relationship: ['relationship_period'],
        exception: [],
      },
      changedOn: { lei: 'last_update_date', relationship: 'last_update_date' },
    },
    preamble: (preamble, { publisherDate, expectRecords }) => {
      if (preamble.type !== 'xml') return
      const header = preamble.root.children.find(({ name }) => name.endsWith('Header'))?.children ?? []
      const textOf = (element: string): string => header.find(({ name }) => name === element)?.text ?? ''
      const date = Date.parse(textOf('ContentDate'))
      if (!Number.isNaN(date)) publisherDate(new Date(date).toISOString())
      if (/^\d+$/.test(textOf('RecordCount'))) expectRecords(Number(textOf('RecordCount')))
    },
    independent: true,
    map: (record, context) => mapRecord(flatRecord(record), context),
    // Half a gigabyte packed, five unpacked, most of that empty columns.
    space: 9,
  })

export default pipeline
