/**
 * The UK Sanctions List of the Foreign, Commonwealth & Development Office: one CSV file, since January 2026 the only
 * list of all UK sanctions. Not confirmed, for want of a whole file: which values stand under Alias strength, and that
 * a designation's primary name comes first among its rows (only `designation.name` depends on it).
 */
import type { PipelineFile } from '../../src/pipeline/types.ts'
import { requiredColumns } from './columns.ts'
import { designationsOf } from './map.ts'
import { tables } from './tables.ts'
import { reportDate } from './text.ts'
import { views } from './views.ts'

const pipeline: PipelineFile = (kit) =>
  kit.definePipeline({
    id: 'uksl',
    title: 'UK Sanctions List',
    description:
      'People, groups and firms, and ships under sanctions of the United Kingdom, with their names, addresses, births, ' +
      'identifiers and the reasons given. Not the lists of the EU, the US or the UN, and no verdict: a name on it is ' +
      'shared by people who are not.',
    publisher: 'Foreign, Commonwealth & Development Office',
    homepage: 'https://www.gov.uk/government/publications/the-uk-sanctions-list',
    licence: {
      name: 'Open Government Licence v3.0',
      url: 'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/',
      attribution:
        'Contains public sector information licensed under the Open Government Licence v3.0 (UK Sanctions List)',
    },
    database: 'uk-sanctions.db',
    aliases: ['uksl-sanctions.db'],
    listKind: 'sanctions',
    // Published whenever a designation changes, on any working day; a request that finds nothing new costs no bytes.
    schedule: { cron: '25 */4 * * *', timeZone: 'Europe/London' },
    quirks: [
      'One designation is many rows of the source, one for each combination of a name, an address and so on; they are merged.',
      'Dates are as much as is known: `1945`, `1945-03`, `1945-03-09`.',
      'Not confirmed for want of a whole file: how weak aliases are named, and that the primary name comes first.',
    ],
    sources: [
      {
        name: 'UK-Sanctions-List.csv',
        url: 'https://sanctionslist.fcdo.gov.uk/docs/UK-Sanctions-List.csv',
        mistakenFor: [
          {
            has: 'Group Type,Alias Type,',
            is:
              "OFSI's consolidated list (ConList), which ended in January 2026; take UK-Sanctions-List.csv from " +
              'https://www.gov.uk/government/publications/the-uk-sanctions-list',
          },
          {
            has: '<Designations',
            is: 'the UK Sanctions List as XML; it is read as CSV: take UK-Sanctions-List.csv from the same page',
          },
        ],
        // Reasons run over several paragraphs.
        format: { type: 'csv', preambleLines: 1, trim: true, requires: requiredColumns, maxRecordLines: 500 },
      },
    ],
    tables,
    views,
    fullText: [{ name: 'name_fts', table: 'name', columns: ['name'], german: true }],
    guards: {
      // About 6,300 designations in August 2026; OpenSanctions asserts more than 4,075 of all kinds together.
      minRows: { designation: 4000 },
      // Whole regimes are not lifted overnight: the largest, Russia, would be half of the list.
      maxShrink: 0.1,
      // Each designation is under some regulations, and has a date.
      minFilled: { designation: { regime_name: 0.99, designation_type: 0.99 } },
    },
    preamble: (preamble, { publisherDate }) => {
      const date = preamble.type === 'csv' ? reportDate(preamble.lines[0] ?? '') : undefined
      if (date !== undefined) publisherDate(date)
    },
    map: (record, context) => designationsOf(context).map(kit.fields(record, context), context),
  })

export default pipeline
