/** Whether what `serve` is told to serve can be there: a misspelt name must not look like a dataset that is late. */
import { statSync } from 'node:fs'
import { readSchemas } from '../catalogue/discovery/schemas.ts'
import type { Catalogue } from '../catalogue/types.ts'
import { StichtagError } from '../errors.ts'
import type { Log } from '../log.ts'
import { findPipelines } from '../pipeline/discover.ts'
import { datasetsOf } from '../store/snapshots.ts'
import { type CatalogueFlags, schemaFolders } from './catalogue.ts'
import { suggestion } from './nearest.ts'
import { servedStores } from './stores.ts'

/** Throws USAGE where a folder of schemas is none: whoever names one means one that is there. */
export const checkSchemaFolders = (folders: readonly string[] = []): void => {
  for (const folder of folders) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) continue
    throw new StichtagError('USAGE', `--schemas ${folder}: there is no such folder`)
  }
}

/**
 * Throws UNKNOWN_DATASET for a dataset that has no snapshot, no schema and no pipeline to make one. One that only has a
 * pipeline is waited for, and the log says so.
 */
export const checkDatasets = (flags: CatalogueFlags, catalogue: Catalogue, log: Log): void => {
  const served = new Set(catalogue.datasets)
  const absent = (flags.datasets ?? []).filter((dataset) => !served.has(dataset))
  if (absent.length === 0) return
  const pipelines = findPipelines()
  for (const dataset of absent) {
    if (!pipelines.has(dataset)) throw unknown(dataset, knownTo(flags, [...pipelines.keys()]))
    log.warn({ dataset }, `not there yet: it is served as soon as \`stichtag ingest ${dataset}\` has made it`)
  }
}

const unknown = (dataset: string, known: readonly string[]): StichtagError =>
  new StichtagError(
    'UNKNOWN_DATASET',
    `--datasets: there is no dataset ${dataset}. There are: ${known.join(', ')}.${suggestion(dataset, known)}`,
    { data: { dataset, known } },
  )

const knownTo = (flags: CatalogueFlags, pipelines: readonly string[]): readonly string[] => {
  const namespaces = readSchemas(schemaFolders(flags)).schemas.map(({ namespace }) => namespace)
  return [...new Set([...pipelines, ...servedStores(flags).flatMap(datasetsOf), ...namespaces])].sort()
}
