/** A pipeline for a dataset of OpenSanctions: their collections, and each of the lists these are made of. */

import type { ListKind } from '../store/list-kinds.ts'
import { targetColumns } from './open-sanctions-entity.ts'
import { indexedFile } from './open-sanctions-index.ts'
import { mapOpenSanctions } from './open-sanctions-map.ts'
import { openSanctionsTables, openSanctionsViews } from './open-sanctions-tables.ts'
import type { GuardDefinition, Kit, PipelineDefinition } from './types.ts'

/** What tells one dataset from another. */
export interface OpenSanctionsOptions {
  /** Dataset id, here. */
  readonly id: string
  /** Its name at OpenSanctions: `sanctions`, `peps`, `us_ofac_sdn`, … */
  readonly dataset: string
  readonly title?: string
  /** What it is good for, and what not. */
  readonly description?: string
  /** Address of its index; OpenSanctions' own unless said. */
  readonly url?: string
  /**
   * What kind of list it is. Unless said, that of the collections that OpenSanctions calls `sanctions`, `peps`, `crime`,
   * `debarment` and `default`; of any other dataset nobody knows it, and `screen_name` says so.
   */
  readonly listKind?: ListKind
  /** Every six hours unless said. */
  readonly schedule?: PipelineDefinition['schedule']
  /** `<id>.db` unless said. */
  readonly database?: string
  readonly aliases?: readonly string[]
  /** Beside those that hold for any dataset; same names win. */
  readonly guards?: GuardDefinition
  /** Terms that you have agreed on with the publisher; CC BY-NC 4.0 unless said. */
  readonly licence?: PipelineDefinition['licence']
  readonly keep?: number
}

/** Not for commercial use, unless one has a licence of the publisher's. */
const openLicence: PipelineDefinition['licence'] = {
  name: 'CC BY-NC 4.0 (non-commercial; business use needs a licence of OpenSanctions)',
  url: 'https://creativecommons.org/licenses/by-nc/4.0/',
  attribution: 'OpenSanctions.org, CC BY-NC 4.0',
}

/**
 * The complete file: all entities with all their properties. `targets.simple.csv` has the listed ones in one row each,
 * without the kinds of their names and numbers and without what ties them to others; who has that file can ingest it.
 */
const file = 'entities.ftm.json'

/** Collections, and lists that are told by no collection of their name (https://www.opensanctions.org/datasets/). */
const kindsOfDatasets: ReadonlyMap<string, ListKind> = new Map([
  ['sanctions', 'sanctions'],
  ['us_ofac_sdn', 'sanctions'],
  ['us_ofac_cons', 'sanctions'],
  ['eu_fsf', 'sanctions'],
  ['un_sc_sanctions', 'sanctions'],
  ['gb_fcdo_sanctions', 'sanctions'],
  ['ch_seco_sanctions', 'sanctions'],
  ['ua_nsdc_sanctions', 'sanctions'],
  ['peps', 'pep'],
  ['everypolitician', 'pep'],
  ['wd_peps', 'pep'],
  ['us_cia_world_leaders', 'pep'],
  ['eu_meps', 'pep'],
  ['crime', 'crime'],
  ['ransomwhere', 'crime'],
  ['interpol_red_notices', 'crime'],
  ['eu_europol_wanted', 'crime'],
  ['debarment', 'debarment'],
  ['worldbank_debarred', 'debarment'],
  ['us_sam_exclusions', 'debarment'],
  ['default', 'mixed'],
])

/** See `Kit.openSanctions`. */
export const openSanctionsPipeline = (
  kit: Pick<Kit, 'definePipeline'>,
  options: OpenSanctionsOptions,
): PipelineDefinition => {
  const { id, dataset, aliases, keep } = options
  const page = `https://www.opensanctions.org/datasets/${dataset}/`
  const listKind = options.listKind ?? kindsOfDatasets.get(dataset)
  return kit.definePipeline({
    id,
    title: options.title ?? `OpenSanctions: ${dataset}`,
    description:
      options.description ??
      `The dataset ${dataset} of OpenSanctions: people, firms, vessels and others on lists, with their names, addresses, ` +
        'births, numbers, designations and relations. No verdict: a name on it is shared by people who are not.',
    publisher: 'OpenSanctions',
    homepage: page,
    licence: options.licence ?? openLicence,
    database: options.database ?? `${id}.db`,
    ...(aliases === undefined ? {} : { aliases }),
    ...(keep === undefined ? {} : { keep }),
    ...(listKind === undefined ? {} : { listKind }),
    schedule: options.schedule ?? { cron: '40 */6 * * *', timeZone: 'UTC' },
    quirks: [
      'Documents, designations, relations and addresses are entities of their own in the source; here their rows are those of whom they are about.',
      'Properties are sets whose order differs from export to export; here they are sorted.',
      '`last_seen` is not in the tables: it is the time of the last export for every entity, which `asOf` says.',
      '`weakAlias` and `abbreviation` are weak: the source itself says that they are not for screening.',
    ],
    sources: [
      {
        name: file,
        url: options.url ?? `https://data.opensanctions.org/datasets/latest/${dataset}/index.json`,
        resolve: async ({ json, url }) => indexedFile(await json(url), file, url, dataset),
        // Of whichever dataset: what lies in a folder is a person's choice.
        index: { name: 'index.json', describe: (index, url) => indexedFile(index, file, url) },
        // JSON Lines, whatever its name says.
        format: { type: 'either', formats: [{ type: 'jsonl' }, { type: 'csv', requires: targetColumns }] },
      },
    ],
    tables: openSanctionsTables,
    views: openSanctionsViews,
    fullText: [{ name: 'name_fts', table: 'name', columns: ['name'], german: true }],
    guards: {
      // A source list that fails at the publisher's takes its entities with it; so does one that ends.
      maxShrink: 0.2,
      // Every entity has them in the exports seen; without target nobody could tell who is listed.
      minFilled: { ftm_entity: { caption: 0.9, datasets: 1, target: 0.99 } },
      ...options.guards,
    },
    // Documents, designations and relations are entities of their own, which name the one they are about.
    references: [
      ['identifier', 'entity_id'],
      ['sanction', 'entity_id'],
      ['reference', 'target_id'],
    ].map(([table = '', column = '']) => ({ table, column, to: [{ table: 'ftm_entity', column: 'id' }] })),
    independent: true,
    map: mapOpenSanctions,
    // The properties are there twice over: as they are, and where they are looked for.
    space: 3,
  })
}
