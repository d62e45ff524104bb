/**
 * Financial Sanctions Files (FSF) of the European Commission: the consolidated list in one XML file, made anew for each
 * request. Read on an excerpt of 2020; attributes that it has not (validity of documents, ranges of years, contacts) are
 * those of the publisher's schema. Not confirmed: the exact terms of reuse, and that numbers of names, addresses and so
 * on are there once within an entity (where one is not, it is left out and told).
 */
import type { PipelineFile, XmlElement } from '../../src/pipeline/types.ts'
import { plainOf } from './element.ts'
import { lists, mapEntity } from './map.ts'
import { tables } from './tables.ts'
import { views } from './views.ts'

const pipeline: PipelineFile = (kit) =>
  kit.definePipeline({
    id: 'eufsf',
    title: 'European Union consolidated financial sanctions',
    description:
      'People, groups, firms and bodies under financial sanctions of the European Union, with their names, addresses, ' +
      'births, citizenships, documents and the regulations behind them. Not the lists of the UN, the US or the UK, and ' +
      'no verdict: a name on it is shared by people who are not. Only the Official Journal is authentic.',
    publisher: 'European Commission, DG FISMA',
    homepage:
      'https://data.europa.eu/data/datasets/consolidated-list-of-persons-groups-and-entities-subject-to-eu-financial-sanctions',
    licence: {
      name: 'Reuse policy of the European Commission (CC BY 4.0)',
      url: 'https://commission.europa.eu/legal-notice_en',
      attribution: 'European Union, consolidated financial sanctions list; only the Official Journal is authentic',
    },
    database: 'eu-fsf.db',
    aliases: ['eufsf-sanctions.db'],
    listKind: 'sanctions',
    // Changed on some days of a month. The server takes a minute for each request and is not asked more often.
    schedule: { cron: '35 5,11,17 * * *', timeZone: 'Europe/Brussels' },
    quirks: [
      'The server takes a minute or more, and answers with errors for a while now and then.',
      'No name is called the main one: the name of a subject is the first that is strong.',
      'Only the Official Journal is authentic; delisted entities are gone from the source.',
    ],
    sources: [
      {
        name: 'xmlFullSanctionsList_1_1.xml',
        // The token is the same for everybody.
        url: 'https://webgate.ec.europa.eu/fsd/fsf/public/files/xmlFullSanctionsList_1_1/content?token=dG9rZW4tMjAxNw',
        mistakenFor: [
          {
            has: 'fileGenerationDate;Entity_LogicalId',
            is: 'the list as CSV; it is read as XML: take xmlFullSanctionsList_1_1.xml from the same page',
          },
        ],
        format: { type: 'xml', root: 'export', records: '/export/sanctionEntity' },
      },
    ],
    tables,
    views,
    fullText: [{ name: 'name_fts', table: 'name', columns: ['name'], german: true }],
    guards: {
      // OpenSanctions asserts 3,400 people and 970 organisations; fewer than 4,000 is a part of the list.
      minRows: { subject: 4000, name: 8000 },
      // Delistings come one by one, or with a repealed regime; never with a tenth of the list.
      maxShrink: 0.1,
      // Every entity is there by some regulation of a programme.
      minFilled: { subject: { programmes: 0.95, type: 0.99 } },
      // The first one counts; a second of the same number would be another's mistake, and is told.
      keys: {
        subject: 'reject',
        name: 'reject',
        regulation: 'reject',
        address: 'reject',
        birth: 'reject',
        citizenship: 'reject',
        identification: 'reject',
      },
    },
    preamble: (preamble, { publisherDate }) => {
      const generated = Date.parse((preamble.type === 'xml' && preamble.root.attributes.generationDate) || '')
      if (!Number.isNaN(generated)) publisherDate(new Date(generated).toISOString())
    },
    map: (record, context) => {
      const element = record as XmlElement // what the xml format gives
      mapEntity(kit.fields(plainOf(element, lists), context), context)
    },
  })

export default pipeline
