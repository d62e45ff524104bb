/**
 * The scheduler: runs each dataset on its cron, one run of a dataset at a time, and catches up at start what was
 * missed while nobody ran it. A run is a child process, so that a crash or a leak in one touches nothing else; the
 * child takes the dataset's lock, so two schedulers do no harm.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createTask, type ScheduledTask } from 'node-cron'
import type { Log } from '../log.ts'
import type { Schedule } from './next-run.ts'

/** A dataset to be kept current. */
export interface ScheduledDataset {
  readonly dataset: string
  readonly schedule: Schedule
  /** When its next run was due as state.json has it; null where it was never run. */
  readonly nextRun: Date | null
}

export interface SchedulerOptions {
  /** Program and first arguments that run an ingest; the dataset is appended. */
  readonly command: readonly [string, ...string[]]
  readonly now: () => Date
  readonly log: Log
  readonly signal: AbortSignal
}

/** Whether a dataset's run is overdue at start. */
export const isMissed = ({ nextRun }: ScheduledDataset, now: Date): boolean => nextRun === null || nextRun <= now

/** Milliseconds a run may take to end after it was told to. */
const graceMs = 10_000

const runOnce = async (dataset: string, why: string, { command, log, signal }: SchedulerOptions): Promise<void> => {
  const [program, ...args] = command
  log.info({ dataset, why }, 'run starts')
  const child = spawn(program, [...args, dataset], { stdio: ['ignore', 'ignore', 'inherit'] })
  const stop = (): void => {
    child.kill('SIGTERM')
    killTimer = setTimeout(() => child.kill('SIGKILL'), graceMs)
  }
  let killTimer: NodeJS.Timeout | undefined
  signal.addEventListener('abort', stop, { once: true })
  try {
    const [code] = await once(child, 'exit')
    log.info({ dataset, exit: code }, 'run ended')
  } finally {
    signal.removeEventListener('abort', stop)
    clearTimeout(killTimer)
  }
}

/** Runs datasets on their schedules until the signal aborts; resolves when the last run has ended. */
export const runSchedule = async (datasets: readonly ScheduledDataset[], options: SchedulerOptions): Promise<void> => {
  const { log, now, signal } = options
  const running = new Map<string, Promise<void>>()
  const start = (dataset: string, why: string): void => {
    if (signal.aborted) return
    if (running.has(dataset)) {
      log.info({ dataset }, 'still running; this turn is left out')
      return
    }
    const run = runOnce(dataset, why, options)
      .catch((error: unknown) => log.error({ dataset, err: error }, 'a run could not be started'))
      .finally(() => running.delete(dataset))
    running.set(dataset, run)
  }
  const tasks = datasets.map(({ dataset, schedule: { cron, timeZone } }): ScheduledTask => {
    const task = createTask(cron, () => start(dataset, 'scheduled'), { timezone: timeZone, name: dataset })
    // A machine that slept, or a process that could not keep up: what fell into that time is run now.
    task.on('execution:missed', () => start(dataset, 'missed while nothing could run'))
    return task
  })
  for (const task of tasks) await task.start()
  for (const each of datasets) if (isMissed(each, now())) start(each.dataset, 'missed while nothing ran')
  if (!signal.aborted) await once(signal, 'abort')
  await Promise.all(tasks.map((task) => task.destroy()))
  await Promise.all(running.values())
}
