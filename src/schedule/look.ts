/**
 * Look: which datasets are to be kept current as of now, and when each is due. Read anew every time, so that a dataset
 * that was ingested since, a changed cron and a mended file count without a restart.
 */
import { existsSync } from 'node:fs'
import { asStichtagError, type StichtagError } from '../errors.ts'
import { findPipelines, loadPipeline } from '../pipeline/discover.ts'
import { ledgerPath, type Store } from '../store/layout.ts'
import { openLedger } from '../store/ledger.ts'
import { withLock } from '../store/lock.ts'
import { datasetsOf, readState, writeState } from '../store/snapshots.ts'
import type { State } from '../store/state.ts'
import { nextTry } from './backoff.ts'
import { jitterMs, longestJitterMs } from './jitter.ts'
import { betweenTurnsMs, isSameSchedule, nextRuns, type Schedule, scheduleOf } from './next-run.ts'
import type { ScheduledDataset } from './scheduler.ts'

export interface LookOptions {
  readonly store: Store
  /** These, instead of those that were ingested once and still have a pipeline. */
  readonly datasets?: readonly string[] | undefined
  /** Those whose run was broken off before the scheduler began: one that never ended counts as ingested once. */
  readonly interrupted: ReadonlySet<string>
  /** Another one per scheduler, so that two do not start at the same moment. */
  readonly seed: string
  readonly now: () => Date
  /** Told of a dataset that cannot be scheduled; the others are. */
  readonly onProblem: (dataset: string, error: StichtagError) => void
}

/** Runs of the declared source that were broken off; what a person fetched from elsewhere is theirs to try again. */
export const interruptedDatasets = (store: Store): ReadonlySet<string> => {
  if (!existsSync(ledgerPath(store))) return new Set()
  const ledger = openLedger(store)
  try {
    const runs = ledger
      .open()
      .filter(({ command }) => /^ingest\b/.test(command) && !/ --(?:from|sample)\b/.test(command))
    return new Set(runs.map(({ dataset }) => dataset))
  } finally {
    ledger.close()
  }
}

/** Those that are named, or those that were ingested once and still have a pipeline. */
export const scheduledDatasets = async (options: LookOptions): Promise<ScheduledDataset[]> => {
  const { store, interrupted, onProblem } = options
  const pipelines = findPipelines()
  const scheduled: ScheduledDataset[] = []
  for (const dataset of options.datasets ?? datasetsOf(store).filter((each) => pipelines.has(each))) {
    try {
      const isNamed = options.datasets !== undefined || interrupted.has(dataset)
      if (!isNamed && readState(store, dataset).lastRun === null) continue
      scheduled.push(await scheduledDataset(dataset, options))
    } catch (error) {
      onProblem(dataset, asStichtagError(error))
    }
  }
  return scheduled
}

const scheduledDataset = async (dataset: string, { store, seed, now }: LookOptions): Promise<ScheduledDataset> => {
  const { definition } = await loadPipeline(dataset)
  const schedule = scheduleOf(definition)
  const state = await rescheduled(store, readState(store, dataset), schedule, now())
  const nextRun = state.nextRun === null ? null : new Date(state.nextRun)
  // A try after a failure comes at no turn of the cron, and together with nobody else's.
  const isTurn = nextRun !== null && state.failures === undefined
  const longest = longestJitterMs(schedule, definition.schedule.jitter, betweenTurnsMs(schedule))
  return { dataset, nextRun, delayMs: isTurn ? jitterMs(seed, dataset, nextRun, longest) : 0 }
}

/** The state, its next run counted anew where the cron is another than it was counted by. A missed run stays due. */
const rescheduled = async (store: Store, state: State, schedule: Schedule, now: Date): Promise<State> => {
  const isStale = state.schedule !== undefined && !isSameSchedule(state.schedule, schedule)
  if (!isStale || state.nextRun === null || Date.parse(state.nextRun) <= now.getTime()) return state
  return withLock(store, state.dataset, () => {
    const found = readState(store, state.dataset)
    const turn = nextTry(nextRuns(schedule, 1)[0] ?? null, now, found.failures ?? 0)
    const counted: State = { ...found, nextRun: turn?.toISOString() ?? null, schedule: { ...schedule } }
    writeState(store, counted)
    return counted
  }).catch((error: unknown) => {
    // A run is under way, and will count it anew itself.
    if (asStichtagError(error).code === 'BUSY') return state
    throw error
  })
}
