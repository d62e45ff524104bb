/** The catalogue's lists as MCP words them, page by page. */
import { z } from 'zod'
import type { Catalogue, ResourceEntry, TemplateEntry, ToolEntry } from '../catalogue/types.ts'
import { type ListName, pageOf } from './cursor.ts'
import { promptsOf } from './prompts.ts'

export const listParameters = z.object({ cursor: z.string().optional() })

const resource = ({ lastModified, ...entry }: ResourceEntry) => ({
  ...entry,
  ...(lastModified === undefined ? {} : { annotations: { lastModified } }),
})

const template = (entry: TemplateEntry) => ({ ...entry })

const tool = (entry: ToolEntry) => ({
  ...entry,
  annotations: { title: entry.title, readOnlyHint: true, openWorldHint: false },
})

/** One page of a list of the catalogue, under the name that its result has in MCP. */
export const listPage = (catalogue: Catalogue, list: ListName, size: number, cursor: string | undefined) => {
  switch (list) {
    case 'resources': {
      const { items, ...next } = pageOf(catalogue.listResources(), (entry) => entry.uri, list, size, cursor)
      return { resources: items.map(resource), ...next }
    }
    case 'templates': {
      const { items, ...next } = pageOf(catalogue.listTemplates(), (entry) => entry.uriTemplate, list, size, cursor)
      return { resourceTemplates: items.map(template), ...next }
    }
    case 'tools': {
      const { items, ...next } = pageOf(catalogue.listTools(), (entry) => entry.name, list, size, cursor)
      return { tools: items.map(tool), ...next }
    }
    case 'prompts': {
      const { items, ...next } = pageOf(promptsOf(catalogue), (entry) => entry.name, list, size, cursor)
      return { prompts: [...items], ...next }
    }
  }
}
