/** The generated part of docs/datasets.md: what each bundled pipeline says of itself. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../src/package-root.ts'
import { findPipelines, loadPipeline } from '../src/pipeline/discover.ts'
import type { PipelineDefinition, TableDefinition } from '../src/pipeline/types.ts'
import { markdownTable } from './markdown-table.ts'
import { scheduleInWords } from './schedule-words.ts'

/** One section per pipeline, in the order of their ids, below a table of all. */
export const datasetSections = async (): Promise<string> => {
  const folders = [join(packageRoot, 'pipelines')]
  const ids = [...findPipelines(folders).keys()].sort()
  const definitions = await Promise.all(ids.map(async (id) => (await loadPipeline(id, folders)).definition))
  const overview = markdownTable([
    ['dataset', 'title', 'licence'],
    ...definitions.map(({ id, title, licence }) => [`[${id}](#${id})`, title, licence.name]),
  ])
  return [overview, ...definitions.map(sectionOf)].join('\n\n')
}

const sectionOf = (definition: PipelineDefinition): string => {
  const { id, title, description, publisher, homepage, licence, database, aliases = [], schedule, frozen } = definition
  const facts = markdownTable([
    ['', ''],
    ['publisher', `[${publisher}](${homepage})`],
    ['licence', `[${licence.name}](${licence.url})`],
    ['attribution', licence.attribution],
    ['schedule', `${scheduleInWords(schedule.cron, schedule.timeZone)}, cron \`${schedule.cron}\``],
    ...(frozen === undefined ? [] : [['frozen', frozen]]),
    ['database', [database, ...aliases].map((name) => `\`${name}\``).join(', ')],
    ['sources', [...new Set(definition.sources.map(({ url }) => `\`${url}\``))].join(', ')],
    ...(definition.fullText === undefined
      ? []
      : [['full text', definition.fullText.map(({ name, table }) => `\`${name}\` over \`${table}\``).join(', ')]]),
    ...(definition.views === undefined
      ? []
      : [
          [
            'views',
            Object.keys(definition.views)
              .map((name) => `\`${name}\``)
              .join(', '),
          ],
        ]),
  ])
  const tables = markdownTable([
    ['table', 'what a row is', 'key', 'URI'],
    ...Object.entries(definition.tables).map(([name, table]) => [
      `\`${name}\``,
      oneLine(table.description),
      table.key.map((column) => `\`${column}\``).join(', ') || 'none',
      uriOf(id, name, table),
    ]),
  ])
  const quirks = (definition.quirks ?? []).map((quirk) => `- ${quirk}`).join('\n')
  const page = existsSync(join(packageRoot, 'docs', 'datasets', `${id}.md`)) ? `More: [${id}](datasets/${id}.md).` : ''
  return [`## ${id}`, `${title}. ${description}`, facts, tables, quirks, page]
    .filter((part) => part !== '')
    .join('\n\n')
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|')

/** Words that come first in other URIs (docs/uris.md). */
const reserved = new Set(['dataset', 'schema', 'snapshots', 'changes', 'history', 'query', 'table'])

const uriOf = (id: string, name: string, { key }: TableDefinition): string =>
  key.length === 0
    ? 'with its parent'
    : `\`${id}://${reserved.has(name) ? 'table/' : ''}${name}/${key.map((column) => `{${column}}`).join('/')}\``
