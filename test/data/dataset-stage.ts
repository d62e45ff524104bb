/** A store of its own for one dataset, filled by our own command line. */
import { readFileSync, realpathSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { runCommand } from '../../src/demo/processes.ts'
import { packageRoot } from '../../src/package-root.ts'
import { loadPipeline } from '../../src/pipeline/discover.ts'

const resultSchema = z.looseObject({
  outcome: z.string(),
  rows: z.record(z.string(), z.number()),
  rejected: z.number(),
  changes: z.record(z.string(), z.object({ added: z.number(), removed: z.number(), changed: z.number() })),
})

const changesSchema = z.array(
  z.object({
    table: z.string(),
    op: z.enum(['added', 'removed', 'changed']),
    key: z.array(z.union([z.string(), z.number()])),
    fields: z.record(z.string(), z.unknown()).optional(),
  }),
)

const manifestSchema = z.looseObject({
  warnings: z.array(z.string()),
  sources: z.array(z.looseObject({ unknownFields: z.record(z.string(), z.number()) })),
})

export type IngestResult = z.infer<typeof resultSchema>
export type RowChange = z.infer<typeof changesSchema>[number]

/** A folder of a dataset's bundled sample. */
export const sampleFolderOf = (dataset: string, date = ''): string => join(packageRoot, 'data', dataset, date)

export interface DatasetStage {
  readonly root: string
  /** Runs the command line in this store; its output as JSON. */
  json(...args: string[]): Promise<unknown>
  ingest(from: string, ...flags: string[]): Promise<IngestResult>
  diff(): Promise<readonly RowChange[]>
  /** What was warned of when the current snapshot was built. */
  warnings(): readonly string[]
  /** Fields of the source that the mapping of the current snapshot did not know. */
  unknownFields(): readonly string[]
  /** The current snapshot. The caller closes it. */
  open(): Database.Database
  /** The first column of the rows that a statement gives. */
  column(sql: string, ...values: unknown[]): readonly unknown[]
  /** The first row that a statement gives. */
  row(sql: string, ...values: unknown[]): unknown
  close(): Promise<void>
}

export const openDatasetStage = async (dataset: string): Promise<DatasetStage> => {
  const { definition } = await loadPipeline(dataset)
  const root = await mkdtemp(join(tmpdir(), `stichtag-${dataset}-`))
  const env = { ...process.env, STICHTAG_LOG: 'error', STICHTAG_HOME: root }
  const json = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await runCommand([...args, '--json'], env)).stdout)
  const pointer = join(root, 'data', definition.database)
  const manifest = (): z.infer<typeof manifestSchema> =>
    manifestSchema.parse(JSON.parse(readFileSync(join(dirname(realpathSync(pointer)), 'manifest.json'), 'utf8')))
  const open = (): Database.Database => new Database(pointer, { readonly: true })
  const reading = <Read>(read: (database: Database.Database) => Read): Read => {
    const database = open()
    try {
      return read(database)
    } finally {
      database.close()
    }
  }
  return {
    root,
    json,
    warnings: () => manifest().warnings,
    unknownFields: () => manifest().sources.flatMap(({ unknownFields }) => Object.keys(unknownFields)),
    open,
    ingest: async (from, ...flags) => {
      const [result] = z.array(resultSchema).parse(await json('ingest', dataset, '--from', from, ...flags))
      if (result === undefined) throw new Error('ingest printed no result')
      return result
    },
    diff: async () => changesSchema.parse(await json('diff', dataset)),
    column: (sql, ...values) => reading((database) => database.prepare(sql).pluck().all(values)),
    row: (sql, ...values) => reading((database) => database.prepare(sql).get(values)),
    close: () => rm(root, { recursive: true, force: true }),
  }
}
