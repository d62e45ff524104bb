/**
 * Finding pipelines: those of the package, then those of the global root, then those of the project; a later one of the
 * same id wins. A folder with an `index.ts`, `index.mjs` or `index.js` is a pipeline; no list is kept anywhere.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StichtagError } from '../errors.ts'
import { codeRoot } from '../package-root.ts'
import { globalRoot } from '../settings.ts'
import { definePipeline, kit } from './define.ts'
import { faultyLine } from './faulty-line.ts'
import type { PipelineDefinition, PipelineFile } from './types.ts'

/** A pipeline as it was found. */
export interface Pipeline {
  readonly definition: PipelineDefinition
  /** Folder it was found in. */
  readonly folder: string
  /** Digest of its files: another one means that its mapping may have changed. */
  readonly fingerprint: string
}

/** Folders that pipelines are looked for in, weakest first. */
export const pipelineFolders = (cwd: string = process.cwd()): string[] => [
  ...new Set([join(codeRoot, 'pipelines'), join(globalRoot(), 'pipelines'), join(cwd, 'pipelines')]),
]

const entryNames = ['index.ts', 'index.mjs', 'index.js']

const entryOf = (folder: string): string | undefined =>
  entryNames.map((name) => join(folder, name)).find((path) => existsSync(path))

/** Dataset ids with the folder of their pipeline. Nothing is loaded. */
export const findPipelines = (folders: readonly string[] = pipelineFolders()): ReadonlyMap<string, string> =>
  new Map(
    folders
      .filter((folder) => existsSync(folder))
      .flatMap((folder) =>
        readdirSync(folder, { withFileTypes: true })
          .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
          .map((entry): [string, string] => [entry.name, join(folder, entry.name)])
          .filter(([, path]) => entryOf(path) !== undefined)
          .sort(([left], [right]) => left.localeCompare(right)),
      ),
  )

const fingerprintOf = (folder: string): string => {
  const digest = createHash('sha256')
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && /\.(ts|mjs|js|json)$/.test(each.name) && !each.name.endsWith('.d.ts'))
    .map((each) => join(each.parentPath, each.name))
    .sort()) {
    digest.update(entry.slice(folder.length)).update('\0').update(readFileSync(entry)).update('\0')
  }
  return digest.digest('hex').slice(0, 32)
}

const isPipelineFile = (value: unknown): value is PipelineFile => typeof value === 'function'

/** The file, with the line that an error came from where it is known; a definition's own faults are told by field. */
const placeOf = (entry: string, cause: unknown): string => {
  if (cause === undefined || cause instanceof StichtagError) return entry
  const line = faultyLine(cause, entry, readFileSync(entry, 'utf8'))
  return line === undefined ? entry : `${entry}:${line}`
}

/** Loads the pipeline of a dataset. Throws UNKNOWN_DATASET (with those there are, and the folders) or PIPELINE_INVALID. */
export const loadPipeline = async (
  dataset: string,
  folders: readonly string[] = pipelineFolders(),
): Promise<Pipeline> => {
  const found = findPipelines(folders)
  const folder = found.get(dataset)
  const entry = folder === undefined ? undefined : entryOf(folder)
  if (folder === undefined || entry === undefined) {
    const known = [...found.keys()].sort()
    const message = `no pipeline ${dataset}. There are: ${known.join(', ') || 'none'}. Looked for in ${folders.join(', ')}.`
    throw new StichtagError('UNKNOWN_DATASET', message, { data: { dataset, known, folders } })
  }
  const invalid = (problem: string, cause?: unknown): StichtagError =>
    new StichtagError('PIPELINE_INVALID', `${placeOf(entry, cause)}: ${problem}`, {
      data: { dataset, file: entry },
      cause,
    })
  const fingerprint = fingerprintOf(folder)
  let exported: unknown
  try {
    // By its content: a process that looks again, hours later, gets what the file says by then.
    const loaded: { readonly default?: unknown } = await import(`${pathToFileURL(entry).href}?${fingerprint}`)
    exported = loaded.default
  } catch (error) {
    throw invalid(`cannot be loaded: ${error instanceof Error ? error.message : String(error)}`, error)
  }
  if (!isPipelineFile(exported)) throw invalid('its default export must be a function of the kit')
  let definition: PipelineDefinition
  try {
    // Checked once more: a file can give back what it never gave to the kit.
    definition = definePipeline(exported(kit))
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error), error)
  }
  if (definition.id !== dataset) throw invalid(`its id is ${definition.id}, but its folder is ${dataset}`)
  return { definition, folder, fingerprint }
}
