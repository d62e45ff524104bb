/** search: words in, records out, over the full-text indexes of one, several or all datasets. */
import { z } from 'zod'
import { StichtagError } from '../../errors.ts'
import { originOf, termsOf, validityNote } from '../answer-origin.ts'
import { absenceOf, type CatalogueContext, datasetNamed } from '../context.ts'
import { matchExpression } from '../full-text-query.ts'
import { type Hit, searchableIndexes, searchIndex } from '../full-text-search.ts'
import { readLabelled } from '../labelled.ts'
import type { Problem, ServedDataset } from '../served.ts'
import { answering, checkedArguments, objectSchemaOf, originFields, type Tool, truncatedField } from './tool.ts'

const input = z.object({
  query: z
    .string()
    .min(1)
    .max(1000)
    .describe('Words to find, all of them; the last may be the beginning of one. No operators.'),
  datasets: z.array(z.string()).optional().describe('Ids of the datasets to search; all without it.'),
  limit: z.int().min(1).max(50).default(10).describe('Most results, 1 to 50; 10 without it.'),
})

const output = z.object({
  results: z.array(
    z.looseObject({
      id: z.string().describe('Give it to fetch.'),
      title: z.string(),
      url: z.string(),
      uri: z.string(),
      dataset: z.string(),
      table: z.string(),
      snippet: z.string().optional(),
      cut: z.boolean().optional().describe('There where the title is longer: fetch has it whole.'),
      belongsTo: z.string().optional().describe('URI of the record that this one is part of.'),
      sample: z.string().optional().describe('There where the record is invented.'),
    }),
  ),
  truncated: truncatedField,
  datasets: z.array(z.object(originFields)).describe('What was searched, in which version, under which licence.'),
  problems: z
    .array(z.object({ dataset: z.string(), code: z.string(), message: z.string() }))
    .describe('Datasets that could not be searched: their records are missing from the results.'),
})

export const searchTool = (context: CatalogueContext): Tool => ({
  name: 'search',
  entry: () => ({
    name: 'search',
    title: 'Search the datasets',
    description:
      'Finds records by words in their names and other indexed text, over all datasets or those you name. German spellings ' +
      'find each other (Müller, Mueller). Use it to get from a name to a record, then read that with fetch. Not for counting, ' +
      'filtering by values or joining: use the query tools of a dataset for that.',
    inputSchema: objectSchemaOf(input),
    outputSchema: objectSchemaOf(output),
  }),
  call: (args, signal) =>
    answering(async () => {
      const { query, datasets, limit } = checkedArguments(input, args)
      const expression = matchExpression(query)
      if (expression === undefined)
        throw new StichtagError('ARGUMENTS_INVALID', 'query: it holds no word to search for.')
      const wanted =
        datasets === undefined
          ? [...context.datasets.values()].filter((dataset) => !isNotThereYet(dataset))
          : [...new Set(datasets.map((id) => datasetNamed(context, id)))]
      const found = await Promise.all(
        wanted.map((dataset) => searchDataset(context, dataset, expression, limit, signal)),
      )
      // Invented records are shown for want of others, not in their place.
      const { real = [], invented = [] } = Object.groupBy(found, ({ isInvented }) => (isInvented ? 'invented' : 'real'))
      const hits = [real, invented].flatMap((group) => inTurns(group.flatMap(({ lists }) => lists)))
      const results = hits.slice(0, limit)
      return {
        ok: true,
        structured: {
          results: results.map(({ link: _, ...result }) => result),
          truncated: hits.length > limit || found.some(({ truncated }) => truncated),
          datasets: found.flatMap(({ searched }) => searched),
          problems: found.flatMap(({ problems }) => problems),
        },
        links: results.map(({ link }) => link),
      }
    }),
})

/** Nobody has ingested it: no problem of a search that does not name it. */
const isNotThereYet = ({ databases, problems }: ServedDataset): boolean =>
  databases.length === 0 && problems.length === 0

interface Found {
  /** Hits of each index, best first. */
  readonly lists: readonly (readonly Hit[])[]
  readonly truncated: boolean
  readonly isInvented: boolean
  readonly searched: readonly Readonly<Record<string, unknown>>[]
  readonly problems: readonly (Problem & { readonly dataset: string })[]
}

const searchDataset = async (
  { pool, now }: CatalogueContext,
  dataset: ServedDataset,
  expression: string,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<Found> => {
  if (dataset.databases.length === 0) return failure(dataset, absenceOf(dataset))
  const searched = dataset.databases.filter((database) => searchableIndexes(database).length > 0)
  try {
    const found = await Promise.all(
      searched.map((database) =>
        readLabelled(database, () =>
          Promise.all(
            searchableIndexes(database).map((index) =>
              searchIndex(pool, dataset.id, database, index, expression, limit, signal),
            ),
          ),
        ),
      ),
    )
    const lists = found.flatMap(({ answer }) => answer)
    return {
      lists: lists.map(({ hits }) => hits),
      truncated: lists.some(({ truncated }) => truncated),
      isInvented: searched.some(({ terms }) => terms.sample),
      searched: found.map(({ database }) => ({
        ...originOf(dataset.id, database),
        ...validityNote(database, now()),
        ...termsOf(database),
      })),
      problems: [],
    }
  } catch (error) {
    if (!(error instanceof StichtagError) || error.code === 'CANCELLED') throw error
    return failure(dataset, error)
  }
}

const failure = (dataset: ServedDataset, { code, message }: StichtagError): Found => ({
  lists: [],
  truncated: false,
  isInvented: false,
  searched: [],
  problems: [{ dataset: dataset.id, code, message }],
})

/** The best of every index, then the second best of every index: ranks of different indexes do not compare. */
const inTurns = (lists: readonly (readonly Hit[])[]): readonly Hit[] => {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list[place] ?? [])).flat()
}
