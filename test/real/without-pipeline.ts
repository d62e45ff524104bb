/** Real files that no pipeline of ours reads: each through a small one of its own. */
import { kit } from '../../src/pipeline/define.ts'
import type { PipelineDefinition, SourceDefinition } from '../../src/pipeline/types.ts'
import { current, ingest, query } from '../ingest/ingesting.ts'
import { scratchStore } from '../store/scratch-store.ts'
import { sharedFile } from './shared-data.ts'

/** A pipeline for one file of which nothing is known but its form. */
export const listOf = (
  given: Pick<PipelineDefinition, 'tables' | 'map'> &
    Partial<Pick<PipelineDefinition, 'guards' | 'preamble'>> &
    Pick<SourceDefinition, 'format' | 'archive'>,
): PipelineDefinition => {
  const { format, archive, ...rest } = given
  return kit.definePipeline({
    id: 'list',
    title: 'A list',
    description: 'A list that somebody publishes',
    publisher: 'Somebody',
    homepage: 'https://list.example/',
    licence: { name: 'unknown', url: 'https://list.example/', attribution: 'somebody' },
    database: 'list.db',
    schedule: { cron: '0 4 * * *', timeZone: 'UTC' },
    sources: [{ name: 'list', url: 'http://127.0.0.1:9/list', format, ...(archive === undefined ? {} : { archive }) }],
    ...rest,
  })
}

/** A run on a file, and what its snapshot says and holds. */
export const imported = async (path: string, definition: PipelineDefinition) => {
  const store = scratchStore()
  const result = await ingest(store, sharedFile(...path.split('/')), { definition })
  return {
    result,
    warnings: result.outcome === 'published' ? current(store, 'list').warnings : [],
    rows: (sql: string): unknown[] => query(store, sql, 'list.db'),
  }
}
