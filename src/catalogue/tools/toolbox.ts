/** All tools of a catalogue: those that are listed, and every name that is answered to. */
import type { CatalogueContext } from '../context.ts'
import type { ToolEntry } from '../types.ts'
import { changesTool } from './changes.ts'
import { fetchTool } from './fetch.ts'
import { foldedForAll, foldedTool } from './fold.ts'
import { listDatasetsTool } from './list-datasets.ts'
import { queryToolName, withHash } from './names.ts'
import { queryTool } from './query.ts'
import { screenNameTool } from './screen-name.ts'
import { searchTool } from './search.ts'
import type { Tool } from './tool.ts'

/** Most tools that are listed (DESIGN §4.5). */
export const mostTools = 20

export interface Toolbox {
  listed(): readonly ToolEntry[]
  readonly byName: ReadonlyMap<string, Tool>
}

/** Builds the tools. A dataset that is awaited answers to its tools' names and has none in the list. Past 20 the datasets' queries are listed folded; their own names stay callable. */
export const toolboxOf = (context: CatalogueContext): Toolbox => {
  const screenName = screenNameTool(context)
  const general = [
    listDatasetsTool(context),
    searchTool(context),
    fetchTool(context),
    changesTool(context),
    ...(screenName === undefined ? [] : [screenName]),
  ]
  const byName = new Map(general.map((tool) => [tool.name, tool]))
  const listedQueries: Tool[] = []
  const aliases: [string, Tool][] = []
  for (const dataset of context.datasets.values()) {
    for (const query of dataset.queries) {
      const tool = queryTool(context, dataset, query, unused(byName, queryToolName(query.name, dataset.id)))
      byName.set(tool.name, tool)
      if (query.listed && !dataset.awaited) listedQueries.push(tool)
      aliases.push(...query.aliases.map((alias): [string, Tool] => [queryToolName(alias, dataset.id), tool]))
    }
  }
  const folded: Tool[] = []
  for (const dataset of context.datasets.values()) {
    const tool = foldedTool(context, dataset, unused(byName, queryToolName('query', dataset.id)))
    byName.set(tool.name, tool)
    if (!dataset.awaited) folded.push(tool)
  }
  const forAll = foldedForAll(context)
  byName.set(forAll.name, forAll)
  for (const [name, tool] of aliases) if (!byName.has(name)) byName.set(name, tool)
  const choices = [listedQueries, folded, [forAll]]
  const fitting = choices.find((tools) => general.length + tools.length <= mostTools) ?? []
  let listed: readonly ToolEntry[] | undefined
  return {
    listed: () => {
      listed ??= [...general, ...fitting].map(({ entry }) => entry())
      return listed
    },
    byName,
  }
}

/** The name, or one with a hash where another tool is called so. */
const unused = (taken: ReadonlyMap<string, unknown>, name: string): string =>
  taken.has(name) ? withHash(name, `${name} ${taken.size}`) : name
