/** list_datasets: what there is, how fresh it is, and what cannot be served just now. */
import { z } from 'zod'
import { type CatalogueContext, datasetNamed, stateOf } from '../context.ts'
import { datasetFacts } from '../resources/dataset.ts'
import type { ServedDataset } from '../served.ts'
import type { ResourceLink } from '../types.ts'
import { datasetUri } from '../uri.ts'
import { queryToolName } from './names.ts'
import { answering, checkedArguments, objectSchemaOf, originFields, type Tool } from './tool.ts'

const input = z.object({
  dataset: z
    .string()
    .optional()
    .describe('Id of one dataset, to see it alone with what its tables hold. All are listed without it, in short.'),
})

const output = z.object({
  datasets: z
    .array(
      z.looseObject({
        dataset: z.string().describe('Id: also the scheme of its URIs and the ending of its tools.'),
        title: z.string(),
        state: z
          .string()
          .describe('failing, expired, frozen, stale, due, current; missing or broken: not readable now.'),
        tables: z
          .array(z.looseObject({ name: z.string(), rows: z.number().optional() }))
          .describe('With descriptions where one dataset is asked for; of several in short.'),
        emptyTables: z.array(z.string()).optional().describe('Names of tables without rows, where told in short.'),
        asOfIs: originFields.asOfIs,
        byHand: originFields.byHand,
        partial: originFields.partial,
        tools: z.array(z.string()).describe('Queries that can be called as tools.'),
        notIngested: z.string().optional().describe('There where nobody has ingested it yet: what does.'),
      }),
    )
    .describe('Every dataset, also those that cannot be read just now; those that nobody has ingested come last.'),
  problems: z.array(z.object({ code: z.string(), message: z.string() })).describe('Schema files that are not served.'),
})

export const listDatasetsTool = (context: CatalogueContext): Tool => ({
  name: 'list_datasets',
  entry: () => ({
    name: 'list_datasets',
    title: 'List the datasets',
    description:
      'Lists the open datasets served here: what each holds, its publisher, licence, version, as of when it holds, when it ' +
      'is refreshed next, its tables and their size, and its query tools. Call it first, or when you need to know whether ' +
      'data is fresh. It holds no records: find those with search.',
    inputSchema: objectSchemaOf(input),
    outputSchema: objectSchemaOf(output),
  }),
  call: (args) =>
    answering(async () => {
      const { dataset } = checkedArguments(input, args)
      const datasets =
        dataset === undefined ? inOrder([...context.datasets.values()]) : [datasetNamed(context, dataset)]
      const isShort = datasets.filter(({ awaited }) => !awaited).length > 1
      return {
        ok: true,
        structured: {
          datasets: datasets.map((each) => ({ ...entryOf(context, each), ...(isShort ? inShort(each) : {}) })),
          problems: context.problems,
        },
        links: datasets.map(linkOf),
      }
    }),
})

const entryOf = (context: CatalogueContext, dataset: ServedDataset) => ({
  ...datasetFacts(dataset),
  state: stateOf(dataset, context),
  uri: datasetUri(dataset.id),
  ...(dataset.awaited
    ? { tools: [], notIngested: `Not ingested: it has no data yet. \`stichtag ingest ${dataset.id}\` fetches them.` }
    : { tools: dataset.queries.filter(({ listed }) => listed).map(({ name }) => queryToolName(name, dataset.id)) }),
})

/**
 * The tables of one of several datasets: a timetable alone has thirty, most of them empty, and the answer to what a model
 * calls first has to leave it room to think.
 */
const inShort = (dataset: ServedDataset) => {
  const { tables } = datasetFacts(dataset)
  const empty = tables.filter(({ rows }) => rows === 0).map(({ name }) => name)
  return {
    tables: tables.filter(({ rows }) => rows !== 0).map(({ description: _, ...table }) => table),
    ...(empty.length === 0 ? {} : { emptyTables: empty }),
  }
}

/** What can be used first. */
const inOrder = (datasets: readonly ServedDataset[]): readonly ServedDataset[] => [
  ...datasets.filter(({ awaited }) => !awaited),
  ...datasets.filter(({ awaited }) => awaited),
]

const linkOf = ({ id, title }: ServedDataset): ResourceLink => ({
  uri: datasetUri(id),
  name: `${id}_dataset`,
  title,
  mimeType: 'application/json',
})
