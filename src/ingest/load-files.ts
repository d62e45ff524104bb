/** Load, in threads where that is worth it and can be done, and otherwise one record after the other. */
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CannotBeCut } from '../formats/parts.ts'
import type { PipelineDefinition } from '../pipeline/types.ts'
import { makeFolder } from '../store/durable.ts'
import { Building } from './building.ts'
import type { DeliveredFile } from './delivery.ts'
import { type LoadOptions, type LoadReport, load, loadInputs } from './load.ts'
import { GaveUp, isForThreads, LoadThreads } from './load-threads.ts'
import { isUniqueViolation } from './table-writer.ts'

/** Two cores is what there mostly is, and more would have to wait for the one that takes their rows. */
const threads = 2
/** Bytes of a delivery from which threads are worth their start of a fifth of a second. */
export const bytesForThreads = 2_000_000

export interface LoadFilesOptions extends LoadOptions {
  readonly pipelineFolder: string
  /** Smallest delivery that is loaded in threads; see {@link bytesForThreads} for what holds unless said. */
  readonly threadsFrom?: number
  /** Hears why threads gave up; the delivery is then loaded without. */
  readonly onGaveUp?: (why: string) => void
}

export interface LoadedFiles {
  readonly building: Building
  readonly report: LoadReport
}

/** Loads a delivery into a new snapshot at `path`. Errors as of `load`; no file is open after one. */
export const loadFiles = async (
  path: string,
  definition: PipelineDefinition,
  files: readonly DeliveredFile[],
  options: LoadFilesOptions,
): Promise<LoadedFiles> => {
  if (isForThreads(definition, files, options.threadsFrom ?? bytesForThreads)) {
    try {
      return await loadInThreads(path, definition, files, options)
    } catch (error) {
      if (!(error instanceof GaveUp || error instanceof CannotBeCut) && !isUniqueViolation(error)) throw error
      options.onGaveUp?.(String(error))
    }
  }
  const building = new Building(path, definition)
  try {
    return { building, report: await load(building, definition, files, options) }
  } catch (error) {
    building.abandon()
    throw error
  }
}

const loadInThreads = async (
  path: string,
  definition: PipelineDefinition,
  files: readonly DeliveredFile[],
  options: LoadFilesOptions,
): Promise<LoadedFiles> => {
  const folder = dirname(path)
  const rowsFolder = join(folder, 'rows')
  makeFolder(rowsFolder)
  let building: Building | undefined
  // First, since threads take a while to be there.
  const pool = new LoadThreads({
    ...options,
    definition,
    paths: Array.from({ length: threads }, (_, index) => join(rowsFolder, `${index}`)),
    onRows: (rows) => {
      building?.takeRows(rows)
      rmSync(rows)
    },
  })
  try {
    building = new Building(path, definition, 'bulk')
    const report = await loadInputs(pool.loadInput, definition, files, { ...options, folder })
    const finished = await pool.finish()
    for (const { totals } of finished) building.addTotals(totals)
    building.declareKeys()
    return { building, report: { ...report, brokenKeys: summed(finished.map(({ brokenKeys }) => brokenKeys)) } }
  } catch (error) {
    building?.abandon()
    rmSync(path, { force: true })
    throw error
  } finally {
    await pool.stop()
    rmSync(rowsFolder, { recursive: true, force: true })
  }
}

const summed = (counts: readonly Readonly<Record<string, number>>[]): Record<string, number> => {
  const sums: Record<string, number> = {}
  for (const [name, count] of counts.flatMap((each) => Object.entries(each))) sums[name] = (sums[name] ?? 0) + count
  return sums
}
