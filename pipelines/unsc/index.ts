/**
 * The consolidated list of the UN Security Council: one XML file, generated every night. Read on files of November 2025
 * and February 2026. Not confirmed: the terms of use, which the publisher's page gives, were not read; whether the
 * server answers conditional requests is not known (a file with the same entries is `unchanged` either way).
 */
import type { PipelineFile, XmlElement } from '../../src/pipeline/types.ts'
import { plainOf } from './element.ts'
import { lists, mapEntry } from './map.ts'
import { tables } from './tables.ts'
import { views } from './views.ts'

const pipeline: PipelineFile = (kit) =>
  kit.definePipeline({
    id: 'unsc',
    title: 'United Nations Security Council consolidated list',
    description:
      'People, groups and firms under sanctions of the UN Security Council, with their names, addresses, dates and ' +
      'places of birth and documents. Not the lists of the EU, the US or the UK, and no verdict: a name on it is shared ' +
      'by people who are not.',
    publisher: 'United Nations Security Council',
    homepage: 'https://main.un.org/securitycouncil/en/content/un-sc-consolidated-list',
    licence: {
      name: 'UN terms of use',
      url: 'https://www.un.org/en/about-us/terms-of-use',
      attribution: 'United Nations Security Council consolidated list (https://scsanctions.un.org)',
    },
    database: 'un-sc.db',
    aliases: ['unsc-sanctions.db'],
    listKind: 'sanctions',
    // Generated every night, and after a listing; states have to apply one at once.
    schedule: { cron: '40 1,7,13,19 * * *', timeZone: 'UTC' },
    quirks: [
      'A field can hold several names, also in several scripts; each is a row of `name`.',
      'Every list of an entry is there even where it is empty, as an element that holds nothing.',
      'Which date of birth goes with which place is not said; `EXACT` can be a year alone.',
    ],
    sources: [
      {
        name: 'consolidated.xml',
        url: 'https://scsanctions.un.org/resources/xml/en/consolidated.xml',
        format: {
          type: 'xml',
          root: 'CONSOLIDATED_LIST',
          records: ['/CONSOLIDATED_LIST/INDIVIDUALS/INDIVIDUAL', '/CONSOLIDATED_LIST/ENTITIES/ENTITY'],
        },
      },
    ],
    tables,
    views,
    fullText: [{ name: 'name_fts', table: 'name', columns: ['name'], german: true }],
    guards: {
      // 1,003 entries in February 2026, and within a tenth of that for years; fewer than 800 is a part of the list.
      minRows: { entry: 800 },
      // Delistings come one by one, a reviewed regime in dozens; a tenth at once has not been seen.
      maxShrink: 0.1,
      // Every entry of the files seen has these.
      minFilled: { entry: { un_list_type: 1, listed_on: 1 } },
    },
    preamble: (preamble, { publisherDate }) => {
      const generated = preamble.type === 'xml' ? preamble.root.attributes.dateGenerated : undefined
      if (generated !== undefined) publisherDate(generated)
    },
    map: (record, context) => {
      const element = record as XmlElement // what the xml format gives
      const type = element.name === 'INDIVIDUAL' ? 'individual' : 'entity'
      mapEntry(kit.fields(plainOf(element, lists), context), type, context)
    },
  })

export default pipeline
