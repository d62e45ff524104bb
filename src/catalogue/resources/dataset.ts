/** What a dataset is and how fresh it is: JSON for programs, a Markdown sheet for people. */

import type { AsOfKind } from '../../store/as-of.ts'
import { asOfFacts, byHandNote, sampleNote } from '../answer-origin.ts'
import { type CatalogueContext, stateOf, ttlOf } from '../context.ts'
import { lastRunFacts } from '../last-run.ts'
import { jsonReading } from '../reading.ts'
import type { ServedDataset, ServedSchema, ServedTable } from '../served.ts'
import { templateOf } from '../templates.ts'
import type { Reading } from '../types.ts'
import { datasetUri } from '../uri.ts'

/** Facts about a dataset as `dataset` and `list_datasets` show them. Instants only: an age would change by itself. */
export const datasetFacts = (dataset: ServedDataset) => {
  const { snapshot } = dataset
  const database = dataset.databases[0]
  const terms = database?.terms
  return {
    dataset: dataset.id,
    title: dataset.title,
    description: dataset.description,
    ...(terms?.publisher === undefined ? {} : { publisher: terms.publisher }),
    ...(terms?.source === undefined ? {} : { source: terms.source }),
    ...(terms === undefined ? {} : { licence: terms.licence, attribution: terms.attribution }),
    ...(terms?.licenceUrl === undefined ? {} : { licenceUrl: terms.licenceUrl }),
    ...(database === undefined ? {} : { version: database.version, ...asOfFacts(database) }),
    ...(snapshot === undefined ? {} : snapshotFacts(snapshot)),
    ...(database?.listKind === undefined ? {} : { listKind: database.listKind }),
    ...(terms?.byHand === true ? { byHand: byHandNote } : {}),
    ...(terms?.partial === undefined ? {} : { partial: terms.partial }),
    ...(terms?.sample === true ? { sample: sampleNote } : {}),
    tables: dataset.databases.flatMap(({ tables }) => tables.map((table) => tableFacts(dataset.id, table))),
    ...(dataset.schemas.length === 0 ? {} : { schemas: dataset.schemas.map(schemaFacts) }),
    ...absenceFacts(dataset),
  }
}

/** What a schema has that is not served is said, so that nobody looks for it in vain. */
const schemaFacts = ({ name, dialect, notServed }: ServedSchema) => ({
  name,
  dialect,
  ...(notServed.length === 0 ? {} : { notServed }),
})

const absenceFacts = ({
  databases,
  problems,
  tried,
}: ServedDataset): { readonly problems?: ServedDataset['problems']; readonly tried?: readonly string[] } => {
  if (problems.length > 0) return { problems }
  return databases.length === 0 ? { tried: tried.map(({ shown }) => shown) } : {}
}

const snapshotFacts = ({ manifest, state }: NonNullable<ServedDataset['snapshot']>) => ({
  retrievedAt: manifest.retrievedAt,
  ...(manifest.publisherDate === undefined ? {} : { publisherDate: manifest.publisherDate }),
  ...(manifest.validFrom === undefined ? {} : { validFrom: manifest.validFrom }),
  ...(manifest.validUntil === undefined ? {} : { validUntil: manifest.validUntil }),
  ...(manifest.frozen === undefined ? {} : { frozen: manifest.frozen }),
  confirmedAt: state.confirmedAt,
  nextRun: state.nextRun,
  lastRun: lastRunFacts(state.lastRun),
  rejected: manifest.rejected,
  ...(manifest.warnings.length === 0 ? {} : { warnings: manifest.warnings }),
})

const tableFacts = (dataset: string, table: ServedTable) => {
  const template = templateOf(dataset, 'record', table)
  return {
    name: table.name,
    description: table.description,
    ...(table.rows === undefined ? {} : { rows: table.rows }),
    ...(template === undefined ? {} : { uri: template.uriTemplate }),
  }
}

/** What `…://dataset` shows; there also while the dataset's database is missing. */
export const readDataset = (context: CatalogueContext, dataset: ServedDataset): Reading => {
  const facts = datasetFacts(dataset)
  const uri = datasetUri(dataset.id)
  const state = stateOf(dataset, context)
  return jsonReading({
    uri,
    body: { uri, ...facts, state },
    // The state ages by itself (current, due, stale); the instants it follows from are all in the facts.
    compared: { of: facts },
    ttlMs: ttlOf(dataset, context),
    further: [{ uri, mimeType: 'text/markdown', text: sheetOf(facts, state) }],
  })
}

/** What an `asOf` is where the publisher says none, for people. */
const asOfWords: Readonly<Record<AsOfKind, string>> = {
  'file-time': "when a file was last written; the publisher's date is not known",
  'retrieval-time': "when it was fetched; the publisher's date is not known",
}

const sheetOf = (facts: ReturnType<typeof datasetFacts>, state: string): string => {
  const lines: readonly (readonly [string, unknown])[] = [
    ['Publisher', facts.publisher],
    ['Source', facts.source],
    ['Licence', facts.licenceUrl === undefined ? facts.licence : `[${facts.licence}](${facts.licenceUrl})`],
    ['Attribution', facts.attribution],
    ['Version', facts.version],
    ['As of', facts.asOfIs === undefined ? facts.asOf : `${facts.asOf} (${asOfWords[facts.asOfIs]})`],
    ['Retrieved', 'retrievedAt' in facts ? facts.retrievedAt : undefined],
    ['Valid from', 'validFrom' in facts ? facts.validFrom : undefined],
    ['Valid until', 'validUntil' in facts ? facts.validUntil : undefined],
    ['Next run', 'nextRun' in facts ? (facts.nextRun ?? 'not scheduled') : undefined],
    ['State', state],
    ['Frozen', 'frozen' in facts ? facts.frozen : undefined],
  ]
  const tables = facts.tables.map(
    ({ name, rows, description }) => `| ${name} | ${rows ?? ''} | ${description.replaceAll('|', '\\|')} |`,
  )
  return [
    `# ${facts.title}`,
    ...[facts.sample, facts.byHand, facts.partial].flatMap((note) => (note === undefined ? [] : [`> ${note}`])),
    facts.description,
    lines.flatMap(([name, value]) => (value ? [`- ${name}: ${value}`] : [])).join('\n'),
    ...notServedLines(facts.schemas ?? []),
    ...(facts.tried === undefined ? [] : [`Its database is missing. Tried: ${facts.tried.join(', ')}`]),
    ...(tables.length === 0 ? [] : [['| table | rows | what |', '|---|---:|---|', ...tables].join('\n')]),
  ].join('\n\n')
}

const notServedLines = (schemas: readonly ReturnType<typeof schemaFacts>[]): readonly string[] => {
  const parts = schemas.flatMap(({ name, notServed = [] }) => notServed.map((part) => `- ${name}: ${part}`))
  return parts.length === 0 ? [] : [['Not served of its schemas:', ...parts].join('\n')]
}
