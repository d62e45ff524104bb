/** One immutable catalogue, from what was discovered: lists, reading, digests, tools, completion. */
import { StichtagError } from '../errors.ts'
import { LeastRecentMap } from '../query/least-recent.ts'
import { completeTemplate } from './completion.ts'
import { type CatalogueContext, ttlOf } from './context.ts'
import { digestsOf } from './digests.ts'
import { absentTtlMs, dayMs } from './freshness.ts'
import { notFound, resolveUri } from './resolve.ts'
import { resourceEntries } from './resource-entries.ts'
import { readUri } from './resources/read.ts'
import { type ServedTemplate, templatesOf } from './templates.ts'
import { toolboxOf } from './tools/toolbox.ts'
import type { Catalogue, TemplateEntry } from './types.ts'
import { parseUri } from './uri.ts'

/** Restricted catalogues kept, each some kilobytes; one that is asked for again is made again. */
const mostRestricted = 64

/** Makes the catalogue of one state of the stores. */
export const createCatalogue = (context: CatalogueContext): Catalogue => {
  const datasets = [...context.datasets.values()]
  const offered = datasets.filter(({ awaited }) => !awaited)
  const resources = offered.flatMap((dataset) => resourceEntries(dataset, context))
  const templates = new Map(offered.flatMap(templatesOf).map((template) => [template.uriTemplate, template]))
  const { listed, byName } = toolboxOf(context)
  const templateEntries = [...templates.values()].map(asEntry)
  const datasetOf = (uri: string): string | undefined => {
    const id = parseUri(uri)?.dataset
    return id !== undefined && context.datasets.has(id) ? id : undefined
  }
  const restricted = new LeastRecentMap<string, Catalogue>(mostRestricted)
  return {
    datasets: [...context.datasets.keys()],
    only: (wanted) => {
      const kept = new Map([...context.datasets].filter(([id]) => wanted.has(id)))
      const name = [...kept.keys()].join(' ')
      // Problems that belong to no dataset are about files that others may know nothing of.
      const catalogue = restricted.get(name) ?? createCatalogue({ ...context, datasets: kept, problems: [] })
      restricted.set(name, catalogue)
      return catalogue
    },
    listResources: () => resources,
    listTemplates: () => templateEntries,
    listTools: listed,
    get listTtlMs() {
      if (datasets.length === 0) return absentTtlMs
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
