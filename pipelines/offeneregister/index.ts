/**
 * OffeneRegister: German company register data, published once by Open Knowledge Foundation Deutschland and
 * OpenCorporates. §8(2) HGB: it must not be circulated under the name "Handelsregister" or "Commercial Register".
 */
import type { PipelineFile } from '../../src/pipeline/types.ts'
import { mapCompany } from './map.ts'
import { tables, views } from './tables.ts'

const pipeline: PipelineFile = (kit) =>
  kit.definePipeline({
    id: 'offeneregister',
    title: 'OffeneRegister: German company register data',
    description:
      'Companies registered in Germany with their officers, previous names and subsequent registrations, as collected ' +
      'by OpenCorporates between 2017 and January 2019. Not a current extract, and not an official register.',
    publisher: 'Open Knowledge Foundation Deutschland e.V. and OpenCorporates',
    homepage: 'https://offeneregister.de/',
    licence: {
      name: 'CC BY 4.0',
      url: 'https://creativecommons.org/licenses/by/4.0/',
      attribution: 'from OpenCorporates (https://opencorporates.com), via OffeneRegister.de',
    },
    database: 'openregister.db',
    aliases: ['offeneregister-companies.db', 'offeneregister-officers.db'],
    // The file has not changed since 2019-02-05; once a week is enough to notice if it ever does.
    schedule: { cron: '17 4 * * 1', timeZone: 'Europe/Berlin' },
    quirks: [
      'It is frozen: records were read between June 2017 and January 2019, and what was founded since is missing.',
      'A register number is one only together with register and court; the key is `company_number`.',
      'Sixty per cent of the companies are `removed`, and only a third have an address.',
      'States are in English, courts in German and sometimes misspelled.',
    ],
    frozen: 'The publisher has not changed the file since 2019-02-05.',
    sources: [
      {
        name: 'de_companies_ocdata.jsonl.bz2',
        url: 'https://daten.offeneregister.de/de_companies_ocdata.jsonl.bz2',
        format: { type: 'jsonl' },
      },
    ],
    tables,
    views,
    fullText: [
      {
        name: 'company_fts',
        table: 'company',
        columns: ['name', 'registered_office', 'registered_address'],
        german: true,
      },
      { name: 'officer_fts', table: 'officer', columns: ['name', 'city'], german: true },
      // Who knows a company by the name that it had must find it.
      { name: 'previous_name_fts', table: 'previous_name', columns: ['company_name'], german: true },
    ],
    guards: {
      // The published file has 5,305,727 lines; far fewer means that a part of it is missing.
      minRows: { company: 5_000_000 },
      // The published file reads without a single bad line; one in a thousand is already a damaged file.
      maxRejected: 0.001,
    },
    independent: true,
    map: (record, context) => mapCompany(kit.fields(record, context), context),
  })

export default pipeline
