/**
 * The scheduler: starts the run of each dataset when it is due, and goes on for as long as it is let.
 *
 * What is due stands in the store (state.json, written by the run itself), and is looked at again every minute, after
 * each run, and when the next run is due. So a restart forgets nothing, what was missed while nobody ran it or while the
 * machine slept is run at the next look, and what other commands did is seen.
 *
 *  - A run is a child process: a crash or a leak in one touches nothing else. It takes the dataset's lock, so two
 *    schedulers do no harm. A dataset never runs twice at once, and no more run at once than there are cores: of those
 *    that wait, the one that was due first comes first.
 *  - A run that leaves no trace in the store (it crashed, or another one has the lock) would be due again at once; it is
 *    put off like one that failed.
 *  - When the signal aborts, runs are told by SIGTERM, have some seconds to end as cancelled, and are killed after that.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Log, writtenLogFormat } from '../log.ts'
import { retryDelayMs } from './backoff.ts'

/** A dataset to be kept current. */
export interface ScheduledDataset {
  readonly dataset: string
  /** When its next run is due as state.json has it; null where it was never run. */
  readonly nextRun: Date | null
  /** Milliseconds by which that run starts later. */
  readonly delayMs: number
}

export interface SchedulerOptions {
  /** Program and first arguments that run an ingest; the dataset is appended. */
  readonly command: readonly [string, ...string[]]
  /** What is to be kept current as of now. Where it throws, the scheduler ends with its error. */
  readonly look: () => Promise<readonly ScheduledDataset[]>
  /** Datasets whose run was broken off while nobody scheduled: they are run at start, due or not. */
  readonly interrupted: ReadonlySet<string>
  /** Runs at once, at most. */
  readonly atOnce: number
  /** Milliseconds between two looks, at most. */
  readonly lookEveryMs: number
  readonly now: () => Date
  readonly log: Log
  readonly signal: AbortSignal
}

/** Why a dataset's next start is put off: its last run left `nextRun` as it was. */
interface PutOff {
  readonly nextRun: number | null
  readonly times: number
  readonly until: number
}

/** Milliseconds a run may take to end after it was told to: less than the ten seconds that containers give us. */
const graceMs = 8000

const runOnce = async (dataset: string, { command, log, signal }: SchedulerOptions): Promise<void> => {
  const [program, ...args] = command
  // In a process group of its own: Ctrl-C must reach it once, through us; a second signal would end it at once.
  const child = spawn(program, [...args, dataset], {
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
    // Its lines are part of this log.
    env: { ...process.env, STICHTAG_LOG_FORMAT: writtenLogFormat() },
  })
  let killTimer: NodeJS.Timeout | undefined
  const stop = (): void => {
    child.kill('SIGTERM')
    killTimer = setTimeout(() => child.kill('SIGKILL'), graceMs)
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    const [code, killedBy] = await once(child, 'exit')
    log.info({ dataset, exit: code, ...(killedBy === null ? {} : { signal: killedBy }) }, 'run ended')
  } finally {
    signal.removeEventListener('abort', stop)
    clearTimeout(killTimer)
  }
}

/** When a dataset's run is to start, in milliseconds of the clock; a run that is owed starts now. */
const startOf = ({ nextRun, delayMs }: ScheduledDataset, putOff: PutOff | undefined, isOwed: boolean): number =>
  Math.max(nextRun === null || isOwed ? 0 : nextRun.getTime() + delayMs, putOff?.until ?? 0)

/** Keeps datasets current until the signal aborts; resolves when the last run has ended. */
export const runSchedule = async (options: SchedulerOptions): Promise<void> => {
  const { look, now, log, signal, atOnce, lookEveryMs } = options
  const running = new Map<string, Promise<void>>()
  const owed = new Set(options.interrupted)
  const putOffs = new Map<string, PutOff>()
  const alarm = new Alarm(signal)

  const start = ({ dataset, nextRun }: ScheduledDataset): void => {
    log.info(
      { dataset, why: owed.delete(dataset) ? 'interrupted' : nextRun === null ? 'never run' : 'due' },
      'run starts',
    )
    const run = runOnce(dataset, options)
      .catch((error: unknown) => log.error({ dataset, err: error }, 'a run could not be started'))
      .finally(() => {
        running.delete(dataset)
        const times = (putOffs.get(dataset)?.times ?? 0) + 1
        const until = now().getTime() + retryDelayMs(times)
        putOffs.set(dataset, { nextRun: nextRun?.getTime() ?? null, times, until })
        alarm.ring()
      })
    running.set(dataset, run)
  }

  try {
    while (!signal.aborted) {
      const datasets = await look()
      for (const { dataset, nextRun } of datasets) {
        if (putOffs.get(dataset)?.nextRun !== (nextRun?.getTime() ?? null)) putOffs.delete(dataset)
      }
      const waiting = datasets
        .filter(({ dataset }) => !running.has(dataset))
        .map((each) => ({ each, at: startOf(each, putOffs.get(each.dataset), owed.has(each.dataset)) }))
        .sort((left, right) => left.at - right.at)
      let nextLookMs = lookEveryMs
      for (const { each, at } of waiting) {
        const inMs = at - now().getTime()
        // Once all places are taken, the end of a run is what to wait for.
        if (signal.aborted || running.size >= atOnce) break
        if (inMs <= 0) start(each)
        else nextLookMs = Math.min(nextLookMs, inMs)
      }
      await alarm.wait(nextLookMs)
    }
  } finally {
    await Promise.all(running.values())
  }
}

/** A wait that ends by time, by the signal, or when somebody rings; a ring before the wait ends it at once. */
class Alarm {
  readonly #signal: AbortSignal
  #rung = false
  #wake: () => void = () => undefined

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  ring(): void {
    this.#rung = true
    this.#wake()
  }

  async wait(ms: number): Promise<void> {
    if (!this.#rung && !this.#signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const wake = (): void => resolve()
      this.#wake = wake
      const timer = setTimeout(wake, Math.max(1, ms))
      this.#signal.addEventListener('abort', wake, { once: true })
      await promise
      clearTimeout(timer)
      this.#signal.removeEventListener('abort', wake)
    }
    this.#rung = false
  }
}
