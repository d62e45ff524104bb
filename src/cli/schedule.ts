/** `stichtag schedule`: keeps datasets current until it is told to stop. */
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { StichtagError } from '../errors.ts'
import { log } from '../log.ts'
import { commandLine } from '../package-root.ts'
import { interruptedDatasets, scheduledDatasets } from '../schedule/look.ts'
import { runSchedule, type ScheduledDataset } from '../schedule/scheduler.ts'
import { interruptSignal } from './interrupt.ts'
import { type StoreFlags, writingStore } from './stores.ts'
import { terminal } from './terminal.ts'

export interface ScheduleFlags extends StoreFlags {
  readonly datasets?: readonly string[]
  readonly json?: boolean
}

/** Milliseconds between two looks at what there is to schedule. */
const lookEveryMs = 60_000

/** Says each problem once, and again when it changes: it is found anew every minute. */
const problemTeller = (): ((dataset: string, error: StichtagError) => void) => {
  const told = new Map<string, string>()
  return (dataset, error) => {
    if (told.get(dataset) === error.message) return
    told.set(dataset, error.message)
    log.error({ dataset, code: error.code }, `not scheduled: ${error.message}`)
  }
}

const whenOf = (nextRun: Date | null, now: Date): string => {
  if (nextRun === null) return 'was never run, and is due'
  return nextRun <= now ? `is due since ${nextRun.toISOString()}` : `next run at ${nextRun.toISOString()}`
}

/** Runs the schedule until the signal aborts. A name that no pipeline has, or a wrong cron, is told before it begins. */
export const keepCurrent = async (
  flags: ScheduleFlags,
  signal: AbortSignal,
  onStart?: (first: readonly ScheduledDataset[]) => void,
): Promise<void> => {
  const store = writingStore(flags)
  const tell = problemTeller()
  const interrupted = interruptedDatasets(store)
  const options = {
    store,
    interrupted,
    datasets: flags.datasets,
    seed: randomBytes(8).toString('hex'),
    now: () => new Date(),
    onProblem: tell,
  }
  const first = await scheduledDatasets({
    ...options,
    onProblem: (dataset, error) => {
      if (flags.datasets !== undefined && error.kind.exit === 2) throw error
      tell(dataset, error)
    },
  })
  if (first.length === 0) log.info({ root: store.root }, 'nothing to schedule yet: waiting for a first ingest')
  for (const { dataset, nextRun } of first) {
    log.info({ dataset }, `${dataset}: ${whenOf(nextRun, options.now())}`)
  }
  onStart?.(first)
  await runSchedule({
    command: [process.execPath, commandLine, 'ingest', ...(flags.project === true ? ['--project'] : [])],
    look: (): Promise<readonly ScheduledDataset[]> => scheduledDatasets(options),
    interrupted,
    atOnce: availableParallelism(),
    lookEveryMs,
    now: options.now,
    log,
    signal,
  })
}

/** A dataset of the start document. Without a snapshot it is due at once: `nextRun` is null. */
const startOf = ({ dataset, nextRun }: ScheduledDataset) => ({ dataset, nextRun: nextRun?.toISOString() ?? null })

export const schedule = async (flags: ScheduleFlags): Promise<number> => {
  const { signal, dispose } = interruptSignal()
  try {
    await keepCurrent(flags, signal, (first) => {
      // A daemon has no end to print a document at: it tells what it sets out to do.
      if (flags.json === true) terminal.json(first.map(startOf))
    })
    return 0
  } finally {
    dispose()
  }
}
