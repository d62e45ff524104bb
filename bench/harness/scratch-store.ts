/** A store of its own for one row, with a pipeline of its own where the row needs one: what `stichtag` is run with. */
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { main } from '../../src/demo/processes.ts'
import { type Manifest, manifestSchema } from '../../src/store/manifest.ts'
import { type Measured, measure } from './measure.ts'
import type { Bench } from './row.ts'

export interface ScratchStore {
  readonly root: string
  readonly env: NodeJS.ProcessEnv
  /** Runs `stichtag ingest <dataset> …`, which must end with the outcome. */
  ingest(dataset: string, args: readonly string[], outcome?: string): Promise<Measured>
  /** Path of a dataset's current data.db, without symbolic links. */
  data(dataset: string): string
  manifest(dataset: string): Manifest
  remove(): void
}

const resultsSchema = z.array(z.object({ outcome: z.string(), reason: z.unknown().optional() }))

/** A store under the run's folder. Nothing is scheduled, jittered or sent. */
export const scratchStore = ({ work, signal }: Pick<Bench, 'work' | 'signal'>, name: string): ScratchStore => {
  const root = join(work, name)
  mkdirSync(root, { recursive: true })
  const env = { ...process.env, STICHTAG_HOME: root, STICHTAG_LOG: 'warn', STICHTAG_JITTER: '0' }
  const data = (dataset: string): string =>
    realpathSync(join(root, 'data', dataset === 'offeneregister' ? 'openregister.db' : `${dataset}.db`))
  return {
    root,
    env,
    data,
    ingest: async (dataset, args, outcome = 'published') => {
      // A folder without pipelines of its own: those of the working directory would win.
      const run = await measure(process.execPath, [main, 'ingest', dataset, ...args, '--json'], {
        signal,
        env,
        cwd: root,
      })
      const [result] = resultsSchema.parse(JSON.parse(run.stdout))
      if (result?.outcome !== outcome)
        throw new Error(
          `${dataset}: expected ${outcome}, but it was ${result?.outcome}: ${JSON.stringify(result?.reason)}`,
        )
      return run
    },
    manifest: (dataset) =>
      manifestSchema.parse(JSON.parse(readFileSync(join(dirname(data(dataset)), 'manifest.json'), 'utf8'))),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Writes the pipeline of a dataset into a store's root, as people write their own. `body` is a function of the kit. */
export const writePipeline = ({ root }: Pick<ScratchStore, 'root'>, dataset: string, body: string): void => {
  const folder = join(root, 'pipelines', dataset)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.mjs'), `export default ${body}\n`)
}

/** Of a file of `generate-rows.ts`: eight columns of text, with indexes and a key where asked for. */
export const rowsPipeline = ({
  key = [],
  indexes = [],
}: {
  readonly key?: readonly string[]
  readonly indexes?: readonly (readonly string[])[]
} = {}): string => `(kit) => kit.definePipeline({
  id: 'rows', title: 'Rows', description: 'Invented rows.', publisher: 'Nobody', homepage: 'https://rows.example/',
  licence: { name: 'CC0', url: 'https://rows.example/licence', attribution: 'nobody' },
  database: 'rows.db', schedule: { cron: '0 4 * * *', timeZone: 'UTC' },
  sources: [{ name: 'rows.csv', url: 'https://rows.example/rows.csv', format: { type: 'csv' } }],
  tables: { rows: {
    description: 'Invented rows.', key: ${JSON.stringify(key)}, indexes: ${JSON.stringify(indexes)},
    columns: { id: 'TEXT', name: 'TEXT', street: 'TEXT', town: 'TEXT', postcode: 'TEXT', founded: 'TEXT', amount: 'TEXT', note: 'TEXT' },
  } },
  independent: true,
  map: (record, context) => context.emit('rows', record),
})`

/** Of a generated feed. */
export const feedPipeline = `(kit) => kit.gtfs({
  id: 'feed', title: 'A feed', url: 'https://feed.example/feed.zip', publisher: 'Nobody',
  licence: { name: 'CC0', url: 'https://feed.example/licence', attribution: 'nobody' },
})`
