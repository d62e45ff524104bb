/** `stichtag schedule`: keeps datasets current until it is told to stop. */
import { fileURLToPath } from 'node:url'
import { StichtagError } from '../errors.ts'
import { log } from '../log.ts'
import { moduleExtension } from '../package-root.ts'
import { findPipelines, loadPipeline } from '../pipeline/discover.ts'
import { scheduleOf } from '../schedule/next-run.ts'
import { runSchedule, type ScheduledDataset } from '../schedule/scheduler.ts'
import type { Store } from '../store/layout.ts'
import { datasetsOf, readState } from '../store/snapshots.ts'
import { interruptSignal } from './interrupt.ts'
import { type StoreFlags, writingStore } from './stores.ts'

export interface ScheduleFlags extends StoreFlags {
  readonly datasets?: readonly string[]
}

/** Those that are named, or those that were ingested once and still have a pipeline. */
export const scheduledDatasets = async (store: Store, flags: ScheduleFlags): Promise<ScheduledDataset[]> => {
  const pipelines = findPipelines()
  const ingested = datasetsOf(store).filter((dataset) => readState(store, dataset).lastRun !== null)
  const names = flags.datasets ?? ingested.filter((dataset) => pipelines.has(dataset))
  const scheduled: ScheduledDataset[] = []
  for (const dataset of names) {
    const { definition } = await loadPipeline(dataset)
    const { nextRun } = readState(store, dataset)
    scheduled.push({
      dataset,
      schedule: scheduleOf(definition),
      nextRun: nextRun === null ? null : new Date(nextRun),
    })
  }
  return scheduled
}

/** Runs the schedule until the signal aborts. */
export const keepCurrent = async (flags: ScheduleFlags, signal: AbortSignal): Promise<void> => {
  const datasets = await scheduledDatasets(writingStore(flags), flags)
  if (datasets.length === 0) {
    throw new StichtagError('USAGE', 'nothing to schedule: ingest a dataset once, or name some with --datasets')
  }
  const main = fileURLToPath(new URL(`./main${moduleExtension}`, import.meta.url))
  await runSchedule(datasets, {
    command: [process.execPath, main, 'ingest', ...(flags.project === true ? ['--project'] : [])],
    now: () => new Date(),
    log,
    signal,
  })
}

export const schedule = async (flags: ScheduleFlags): Promise<number> => {
  const { signal, dispose } = interruptSignal()
  try {
    await keepCurrent(flags, signal)
    return 0
  } finally {
    dispose()
  }
}
