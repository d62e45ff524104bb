/**
 * UK Companies House, Free Company Data Product: all live companies, one CSV in a zip archive, once a month. The month
 * is in the file's name, so the publisher's page is looked up for the latest one. Read on 31 real companies; not
 * confirmed: the encoding of the whole file (the part seen is ASCII), and that every line of it is well-formed.
 */
import type { PipelineFile } from '../../src/pipeline/types.ts'
import { requiredColumns } from './columns.ts'
import { latestFile } from './latest-file.ts'
import { mapCompany } from './map.ts'
import { tables } from './tables.ts'

const pipeline: PipelineFile = (kit) =>
  kit.definePipeline({
    id: 'companieshouse',
    title: 'UK Companies House: basic company data',
    description:
      'Live companies of England and Wales, Scotland and Northern Ireland: name, number, status, registered office, ' +
      'industries, accounts, previous names. As of the beginning of a month; no officers, no owners, no dissolved ' +
      'companies.',
    publisher: 'Companies House',
    homepage: 'https://download.companieshouse.gov.uk/en_output.html',
    licence: {
      name: 'Open Government Licence v3.0',
      url: 'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/',
      attribution: 'Contains public sector information from Companies House, licensed under the OGL v3.0',
    },
    database: 'companies-house.db',
    aliases: ['companieshouse-companies.db'],
    // A new file comes within five working days of a month's end; asked for on each of the days when it may.
    schedule: { cron: '23 6 2-10 * *', timeZone: 'Europe/London' },
    quirks: [
      'Dissolved companies are not in it: one that is missing may be dissolved, or founded after the month began.',
      'The month is in the file’s name, so each run looks up the newest.',
      'A company number is text, with zeros in front or letters: SC Scotland, NI Northern Ireland, OC and SO partnerships.',
      'Countries of the address are free text: ENGLAND, UNITED KINGDOM and nothing stand for the same.',
    ],
    sources: [
      {
        name: 'BasicCompanyDataAsOneFile.csv.zip',
        url: 'https://download.companieshouse.gov.uk/en_output.html',
        resolve: async ({ text, url }) => latestFile(await text(url), url),
        archive: { member: '*.csv' },
        // The header has spaces before fourteen of its names.
        format: { type: 'csv', trim: true, requires: requiredColumns },
      },
    ],
    tables,
    fullText: [
      { name: 'company_fts', table: 'company', columns: ['name'] },
      { name: 'previous_name_fts', table: 'previous_name', columns: ['name'] },
    ],
    guards: {
      // 5,695,465 companies in 2026, growing for years; fewer than 5 million is one of the seven parts, or half a file.
      minRows: { company: 5_000_000 },
      // A month's dissolutions are about one in a hundred, and founded companies make up for them.
      maxShrink: 0.05,
      // Stray quotes in a few lines would be the publisher's; one in ten thousand is a file of another shape.
      maxRejected: 0.0001,
      // All of the companies seen have both.
      minFilled: { company: { status: 0.99, category: 0.99 } },
    },
    independent: true,
    map: (record, context) => mapCompany(kit.fields(record, context), context),
  })

export default pipeline
