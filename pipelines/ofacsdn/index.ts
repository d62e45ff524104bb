/**
 * US Treasury, Office of Foreign Assets Control: the SDN list and the consolidated list of all others, four CSV files
 * each. Read on complete lists of several years. Not confirmed: the names of the consolidated files at the publisher's
 * address (those of the SDN list are in use elsewhere), and its terms (works of the US Government are in the public
 * domain).
 */
import type { MapContext, PipelineFile, SourceDefinition } from '../../src/pipeline/types.ts'
import { addressColumns, alternateColumns, commentColumns, entryColumns } from './columns.ts'
import { listsOf } from './map.ts'
import { tables } from './tables.ts'
import { views } from './views.ts'

const exportsUrl = 'https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports'

/** The remarks have had quotes in them that are not doubled. */
const source = (name: string, columns: readonly string[], holds: string): SourceDefinition => ({
  name,
  // People have one list only, or without its aliases.
  optional: { byHand: holds },
  url: `${exportsUrl}/${name.toUpperCase()}`,
  format: { type: 'csv', columns, nulls: ['-0-'], quotes: 'lenient', trim: true },
})

const pipeline: PipelineFile = (kit) =>
  kit.definePipeline({
    id: 'ofacsdn',
    title: 'OFAC sanctions lists: SDN and consolidated',
    description:
      'People, firms and groups, vessels and aircraft under sanctions of the United States, with their names, ' +
      'addresses, births and identifiers: Specially Designated Nationals, and the consolidated list of the other ' +
      'programs. Not the lists of the EU, the UK or the UN, and no verdict: a name on it is shared by people who are not.',
    publisher: 'US Department of the Treasury, Office of Foreign Assets Control',
    homepage: 'https://sanctionslist.ofac.treas.gov/Home',
    licence: {
      name: 'US Government work, public domain',
      url: 'https://www.usa.gov/government-copyright',
      attribution: 'US Department of the Treasury, Office of Foreign Assets Control',
    },
    database: 'ofac-sdn.db',
    aliases: ['ofacsdn-sanctions.db'],
    listKind: 'sanctions',
    // Changed several times a week, at any hour of a working day in Washington.
    schedule: { cron: '10 */3 * * *', timeZone: 'America/New_York' },
    quirks: [
      'Weak aliases, births, nationalities and numbers are only in the remarks of the source; they have tables of their own here.',
      'The files have no header, write `-0-` for nothing, and mostly end in a 0x1A byte.',
      'There are no dates of listing, and removed entries are gone from the source.',
    ],
    sources: [
      // First, for the remarks that they continue.
      source('sdn_comments.csv', commentColumns, 'ends of long remarks of the SDN list'),
      source('cons_comments.csv', commentColumns, 'ends of long remarks of the consolidated list'),
      source('sdn.csv', entryColumns, 'all entries of the SDN list, with their names,'),
      source('add.csv', addressColumns, 'addresses of the SDN list'),
      source('alt.csv', alternateColumns, 'strong aliases of the SDN list'),
      source('cons_prim.csv', entryColumns, 'all entries of the consolidated list, with their names,'),
      source('cons_add.csv', addressColumns, 'addresses of the consolidated list'),
      source('cons_alt.csv', alternateColumns, 'strong aliases of the consolidated list'),
    ],
    tables,
    views,
    fullText: [
      // Under this name, over these rowids, FlowMCP's own schema asks for it.
      { name: 'sdn_fts', table: 'sdn', columns: ['sdn_name'], german: true },
      { name: 'name_fts', table: 'name', columns: ['name'], german: true },
    ],
    guards: {
      // 15,402 entries of the SDN list alone in June 2024, more since; a part of it has been missing elsewhere before.
      minRows: { sdn: 15_000, alt_name: 15_000, address: 18_000 },
      // Programs are ended with hundreds of entries at once (Syria), not with a tenth of all.
      maxShrink: 0.1,
      // Every entry of the lists seen is there for a program.
      minFilled: { sdn: { program: 0.99 } },
    },
    // Parts are in files of their own: one of another day, or of another list, has parts of nobody.
    references: ['address', 'alt_name', 'sdn_comments'].map((table) => ({
      table,
      column: 'ent_num',
      to: [{ table: 'sdn', column: 'ent_num' }],
    })),
    map: (record, context) => mapping(context)(kit.fields(record, context), context),
  })

const mapping = (context: MapContext) => {
  const lists = listsOf(context)
  switch (context.source.replace(/^(?:sdn|cons)_/, '')) {
    case 'comments.csv':
      return lists.comment.bind(lists)
    case 'add.csv':
      return lists.address.bind(lists)
    case 'alt.csv':
      return lists.alternate.bind(lists)
    default:
      return lists.entry.bind(lists)
  }
}

export default pipeline
