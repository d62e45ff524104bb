/** One immutable catalogue, from what was discovered: lists, reading, digests, tools, completion. */
import { StichtagError } from '../errors.ts'
import { completeTemplate } from './completion.ts'
import { type CatalogueContext, ttlOf } from './context.ts'
import { digestsOf } from './digests.ts'
import { dayMs } from './freshness.ts'
import { notFound, resolveUri } from './resolve.ts'
import { resourceEntries } from './resource-entries.ts'
import { readUri } from './resources/read.ts'
import { type ServedTemplate, templatesOf } from './templates.ts'
import { toolboxOf } from './tools/toolbox.ts'
import type { Catalogue, TemplateEntry } from './types.ts'
import { parseUri } from './uri.ts'

/** Makes the catalogue of one state of the stores. */
export const createCatalogue = (context: CatalogueContext): Catalogue => {
  const datasets = [...context.datasets.values()]
  const resources = datasets.flatMap(resourceEntries)
  const templates = new Map(datasets.flatMap(templatesOf).map((template) => [template.uriTemplate, template]))
  const { listed, byName } = toolboxOf(context)
  const templateEntries = [...templates.values()].map(asEntry)
  const datasetOf = (uri: string): string | undefined => {
    const id = parseUri(uri)?.dataset
    return id !== undefined && context.datasets.has(id) ? id : undefined
  }
  return {
    listResources: () => resources,
    listTemplates: () => templateEntries,
    listTools: () => listed,
    get listTtlMs() {
      return Math.min(dayMs, ...datasets.map((dataset) => ttlOf(dataset, context)))
    },
    read: (uri, signal) => readUri(context, uri, signal),
    digests: (uris, signal) => digestsOf(context, uris, signal),
    canSubscribe: (uri) => couldBeThere(context, uri),
    datasetOf,
    versions: new Map(
      datasets.flatMap((dataset) => dataset.databases.slice(0, 1).map(({ version }) => [dataset.id, version])),
    ),
    hasTool: (name) => byName.has(name),
    call: async (name, args, signal) => {
      const tool = byName.get(name)
      if (tool === undefined)
        throw new StichtagError('NOT_FOUND', `There is no tool ${name}.`, { data: { tool: name } })
      return tool.call(args, signal)
    },
    complete: async (uriTemplate, argument, value, given, signal) => {
      const template = templates.get(uriTemplate)
      const dataset = template === undefined ? undefined : context.datasets.get(template.dataset)
      if (template === undefined || dataset === undefined)
        throw notFound(uriTemplate, 'it is no template of this server')
      return completeTemplate(context, dataset, template, { argument, value, context: given }, signal)
    },
  }
}

const asEntry = ({ dataset: _, of: __, ...entry }: ServedTemplate): TemplateEntry => entry

/** A dataset that cannot be read now may come to have any record. */
const couldBeThere = (context: CatalogueContext, uri: string): boolean => {
  try {
    resolveUri(context, uri)
    return true
  } catch (error) {
    if (!(error instanceof StichtagError)) throw error
    return error.code === 'DATABASE_MISSING' || error.code === 'SNAPSHOT_INVALID'
  }
}
