/** changes: what reads differently since a version. How a host catches up after it lost a stream. */
import { z } from 'zod'
import { StichtagError } from '../../errors.ts'
import { changeOps } from '../../store/changes.ts'
import { originOf, termsOf } from '../answer-origin.ts'
import { type ChangedRecord, changedRecord } from '../changed-records.ts'
import { type ChangesSince, changesSince } from '../changes-since.ts'
import { absenceOf, type CatalogueContext, datasetNamed } from '../context.ts'
import { shown } from '../resources/changes.ts'
import { sinceVersion } from '../since-version.ts'
import type { ResourceLink } from '../types.ts'
import { changesUri } from '../uri.ts'
import { answering, checkedArguments, objectSchemaOf, originFields, type Tool, truncatedField } from './tool.ts'

const input = z.object({
  dataset: z.string().describe('Id of the dataset.'),
  since: z
    .string()
    .optional()
    .describe(
      'Version you know, from an earlier answer, or a day (YYYY-MM-DD): the version that was the latest then. Without it: ' +
        'the version before the current one.',
    ),
  limit: z.int().min(1).max(1000).default(100).describe('Most changes in the answer, 1 to 1000; 100 without it.'),
  offset: z.int().min(0).default(0).describe('Changes to skip: `next` of the answer before.'),
})

const counts = z.object({ added: z.number(), removed: z.number(), changed: z.number() })

const output = z.object({
  ...originFields,
  since: z.string().nullable().describe('Version that is compared with; null: there was none before.'),
  counts: z
    .record(z.string(), counts)
    .optional()
    .describe('Per table, over all pages; left out where too many to combine.'),
  changes: z.array(
    z.looseObject({
      table: z.string(),
      op: z.enum(changeOps),
      key: z.array(z.unknown()),
      uri: z.string().optional(),
      belongsTo: z.array(z.string()).optional().describe('URIs of records that read differently because of this one.'),
      fields: z.unknown().optional().describe('Column: [old, new]; or only the columns, where the values are long.'),
    }),
  ),
  truncated: truncatedField,
  next: z.number().optional().describe('`offset` of the next page.'),
  note: z.string().optional(),
})

export const changesTool = (context: CatalogueContext): Tool => ({
  name: 'changes',
  entry: () => ({
    name: 'changes',
    title: 'What changed since a version',
    description:
      'Tells which records of a dataset were added, removed or changed since a version you know, with their URIs and old and ' +
      'new values. Use it to bring older findings up to date, or after a lost connection. Not for the history of one record: ' +
      'fetch …://history/{table}/{key} for that.',
    inputSchema: objectSchemaOf(input),
    outputSchema: objectSchemaOf(output),
  }),
  call: (args, signal) =>
    answering(async () => {
      const { dataset: id, since, limit, offset } = checkedArguments(input, args)
      const dataset = datasetNamed(context, id)
      const { snapshot } = dataset
      const [database] = dataset.databases
      if (database === undefined) throw absenceOf(dataset)
      if (snapshot === undefined) {
        throw new StichtagError(
          'UNKNOWN_VERSION',
          `${dataset.id} is a file that keeps no versions: read again what you hold.`,
        )
      }
      const from = since === undefined ? snapshot.manifest.base : sinceVersion(snapshot, since)
      const found = await changesSince(context, snapshot, from, { limit, offset }, signal)
      const changes = found.changes.map((change) => changedRecord(dataset.id, database.tables, change))
      const steps = found.steps.map(({ version }) => changesUri(dataset.id, version))
      return {
        ok: true,
        structured: {
          ...originOf(dataset.id, database),
          since: from,
          ...pageOf(found, offset, steps),
          changes: changes.map(shown),
          ...termsOf(database),
        },
        links: linksTo(steps, changes),
      }
    }),
})

const pageOf = ({ counts, changes, truncated }: ChangesSince, offset: number, steps: readonly string[]) => {
  if (counts === undefined)
    return { truncated, note: `There are too many to combine. Fetch each step: ${steps.join(', ')}.` }
  return { counts, truncated, ...(truncated ? { next: offset + changes.length } : {}) }
}

/** Most records that are linked; their URIs are all in the answer. */
const mostLinks = 25

const linksTo = (steps: readonly string[], changes: readonly ChangedRecord[]): readonly ResourceLink[] => {
  const records = changes.filter(({ op }) => op !== 'removed').flatMap(({ uri }) => uri ?? [])
  return [...steps, ...records.slice(0, mostLinks)].map((uri) => ({ uri, name: uri, mimeType: 'application/json' }))
}
