/**
 * Folding: where there would be too many tools for a model to choose from, each dataset's queries become one tool that
 * takes the query's name; with very many datasets, all of them become one.
 */
import { z } from 'zod'
import { StichtagError } from '../../errors.ts'
import { jsonSchemaOf, parametersInWords } from '../../schema/arguments.ts'
import { type CatalogueContext, datasetNamed } from '../context.ts'
import type { ServedDataset, ServedQuery } from '../served.ts'
import { argumentsInWords } from './fold-arguments.ts'
import { queryToolName } from './names.ts'
import { callQuery, queryOutput } from './query.ts'
import { answering, checkedArguments, objectSchemaOf, type Tool } from './tool.ts'

const argumentsField = z
  .record(z.string(), z.unknown())
  .default({})
  .describe("The query's own arguments, by name: the description of this tool lists them.")

/** `query_{namespace}`, or another `name`: all queries of one dataset. */
export const foldedTool = (context: CatalogueContext, dataset: ServedDataset, name: string): Tool => {
  const names = listedOf(dataset).map(({ name }) => name)
  const input = z.object({
    query: z.string().describe(`Name of the query: ${names.join(', ')}.`),
    arguments: argumentsField,
  })
  return {
    name,
    entry: () => ({
      name,
      title: `${dataset.title}: queries`,
      description:
        `Runs a named query on ${dataset.id} (${dataset.title}). Queries:\n${listedOf(dataset).map(lineOf).join('\n')}\n` +
        argumentsOf(listedOf(dataset)) +
        'Not for finding a name (search) or reading one record (fetch).',
      inputSchema: objectSchemaOf(input),
      outputSchema: queryOutput(),
    }),
    call: (args, signal) =>
      answering(async () => {
        expectNoStray(name, input, args)
        const given = checkedArguments(input, args)
        return callQuery(context, dataset, queryNamed(dataset, given.query), given.arguments, signal)
      }),
  }
}

/** `query`: all queries of all datasets. */
export const foldedForAll = (context: CatalogueContext): Tool => {
  const offered = [...context.datasets.values()].filter(({ awaited }) => !awaited).map(({ id }) => id)
  const input = z.object({
    dataset: z.string().describe(`Id of the dataset: ${offered.join(', ')}.`),
    query: z
      .string()
      .describe('Name of the query: list_datasets with the dataset names its queries, an unknown one lists them.'),
    arguments: argumentsField,
  })
  return {
    name: 'query',
    entry: () => ({
      name: 'query',
      title: 'Query a dataset',
      description:
        'Runs a named query on one dataset. list_datasets tells the datasets; freeQuery takes a SELECT statement as `sql`. ' +
        'Not for finding a name (search) or reading one record (fetch).',
      inputSchema: objectSchemaOf(input),
      outputSchema: queryOutput(),
    }),
    call: (args, signal) =>
      answering(async () => {
        expectNoStray('query', input, args)
        const given = checkedArguments(input, args)
        const dataset = datasetNamed(context, given.dataset)
        return callQuery(context, dataset, queryNamed(dataset, given.query), given.arguments, signal)
      }),
  }
}

/** Left unread, a query's arguments in the wrong place would be answered by its defaults. @throws ARGUMENTS_INVALID */
const expectNoStray = (tool: string, input: z.ZodObject, args: Readonly<Record<string, unknown>>): void => {
  const stray = Object.keys(args).filter((name) => !Object.hasOwn(input.shape, name))
  if (stray.length === 0) return
  const shape = Object.keys(input.shape).map((name) => `"${name}": ${name === 'arguments' ? '{"name": value}' : '"…"'}`)
  const message =
    `${stray.join(', ')}: ${tool} has no such argument. What a query asks for goes into \`arguments\`, ` +
    `by name: {${shape.join(', ')}}.`
  throw new StichtagError('ARGUMENTS_INVALID', message, { data: { tool, stray } })
}

const listedOf = ({ queries }: ServedDataset): readonly ServedQuery[] => queries.filter(({ listed }) => listed)

const argumentsOf = (queries: readonly ServedQuery[]): string =>
  argumentsInWords(queries.map(({ name, query }) => ({ name, parameters: parametersInWords(query) })))

/** A query with its parameters' names: what they take stands below all of them, since most have many in common. */
const lineOf = ({ name, query }: ServedQuery): string => {
  const { properties = {}, required = [] } = parametersSchema.parse(jsonSchemaOf(query))
  const parameters = Object.keys(properties).map((each) => (required.includes(each) ? each : `${each}?`))
  return `- ${name}(${parameters.join(', ')}): ${query.description}`
}

const parametersSchema = z.object({
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
})

/** Also by the name of its own tool, which a model may have seen. */
const queryNamed = (dataset: ServedDataset, name: string): ServedQuery => {
  const found = dataset.queries.find((query) =>
    [query.name, ...query.aliases].some((each) => each === name || queryToolName(each, dataset.id) === name),
  )
  if (found !== undefined) return found
  const names = listedOf(dataset).map(lineOf).join('\n')
  throw new StichtagError(
    'ARGUMENTS_INVALID',
    `query: ${dataset.id} has no query ${JSON.stringify(name)}. It has:\n${names}\n${argumentsOf(listedOf(dataset))}`.trimEnd(),
  )
}
