/** `stichtag ingest`: runs pipelines once. */
import { asStichtagError, StichtagError } from '../errors.ts'
import { clearing, isByHand, isUnreadAttempt } from '../ingest/by-hand.ts'
import { locatedFiles, withDelta } from '../ingest/delta.ts'
import { planOf } from '../ingest/execute.ts'
import { type GuardName, guardNames } from '../ingest/guard.ts'
import { checkFrom } from '../ingest/location.ts'
import type { Plan, PlannedDelta, RunOptions } from '../ingest/plan.ts'
import { type RunContext, type RunResult, runPipeline, sampleRoot } from '../ingest/run.ts'
import { shownUrl } from '../ingest/shown-url.ts'
import { tellOf } from '../ingest/tell.ts'
import { toldOfRun } from '../ingest/told-of-run.ts'
import { log } from '../log.ts'
import { findPipelines, loadPipeline, type Pipeline } from '../pipeline/discover.ts'
import { nextTry } from '../schedule/backoff.ts'
import { nextRuns, scheduleOf } from '../schedule/next-run.ts'
import { hookSetting, logFormat, sourceOverride, webhookSetting } from '../settings.ts'
import type { Store } from '../store/layout.ts'
import { currentSnapshot, readState } from '../store/snapshots.ts'
import type { Outcome } from '../store/state.ts'
import { interruptSignal } from './interrupt.ts'
import { progressView } from './progress.ts'
import { type StoreFlags, writingStore } from './stores.ts'
import { count, table, terminal } from './terminal.ts'

export interface IngestFlags extends StoreFlags {
  readonly all?: boolean
  readonly from?: string
  readonly sample?: boolean
  readonly dryRun?: boolean
  readonly force?: boolean
  readonly acceptShrink?: boolean
  readonly accept?: readonly string[]
  readonly adopt?: boolean
  readonly json?: boolean
}

/** Exit status per outcome; of several runs, 3 comes before 4 (DESIGN §4.3). */
const exitOf: Readonly<Record<Outcome, 0 | 3 | 4>> = { published: 0, unchanged: 0, refused: 4, failed: 3, busy: 3 }

export const exitStatus = (outcomes: readonly Outcome[]): 0 | 3 | 4 => {
  const statuses = outcomes.map((outcome) => exitOf[outcome])
  return statuses.includes(3) ? 3 : statuses.includes(4) ? 4 : 0
}

const isGuardName = (name: string): name is GuardName => guardNames.some((each) => each === name)

const guardsOf = (names: readonly string[]): GuardName[] =>
  names.map((name) => {
    if (isGuardName(name)) return name
    throw new StichtagError('USAGE', `--accept ${name}: no such guard. There are: ${guardNames.join(', ')}`)
  })

const optionsOf = ({ from, sample, force, acceptShrink, accept, adopt }: IngestFlags): RunOptions => ({
  ...(from === undefined ? {} : { from }),
  ...(sample === undefined ? {} : { sample }),
  ...(force === undefined ? {} : { force }),
  ...(acceptShrink === undefined ? {} : { acceptShrink }),
  ...(accept === undefined ? {} : { accept: guardsOf(accept) }),
  ...(adopt === undefined ? {} : { adopt }),
})

const wanted = (datasets: readonly string[], flags: IngestFlags): string[] => {
  const usage = (message: string): StichtagError => new StichtagError('USAGE', message)
  if (flags.all === true && datasets.length > 0) throw usage('name datasets, or --all, not both')
  if (flags.from?.trim() === '') throw usage('--from names nothing')
  if (flags.from !== undefined && flags.sample === true) throw usage('--from and --sample exclude each other')
  const names = flags.all === true ? [...findPipelines().keys()].sort() : [...new Set(datasets)]
  if (names.length === 0) throw usage('name at least one dataset, or --all')
  if (flags.from !== undefined && names.length > 1) throw usage('--from goes with one dataset')
  return names
}

/** @throws USAGE, naming the dataset, where what is given in place of its source can be read by no run */
const checkGiven = ({ definition }: Pipeline, { from }: IngestFlags): void => {
  if (from === undefined) return
  try {
    checkFrom(from, definition.sources)
  } catch (error) {
    throw toldOfRun(asStichtagError(error), { dataset: definition.id, given: [], isAnyCurrent: true })
  }
}

/** What each run's result says as well need not be logged for people; whoever asked for the log has no eye on results. */
const runLog = logFormat() === undefined ? log.child({ inResult: true }) : log

/** Runs the command; returns its exit status. */
export const ingest = async (datasets: readonly string[], flags: IngestFlags): Promise<number> => {
  const names = wanted(datasets, flags)
  const options = optionsOf(flags)
  // All are loaded before any is run: a misspelt name must not be noticed after an hour.
  const pipelines: Pipeline[] = []
  const broken: RunResult[] = []
  let fatal: StichtagError | undefined
  for (const name of names) {
    try {
      const pipeline = await loadPipeline(name)
      checkGiven(pipeline, flags)
      pipelines.push(pipeline)
    } catch (thrown) {
      const error = asStichtagError(thrown)
      const isUsage = error.kind.exit === 2
      if (error.code !== 'PIPELINE_INVALID' && !isUsage) throw error
      broken.push(failedRun(name, error))
      // One pipeline that cannot be loaded must not keep the others from running.
      if (isUsage || names.length === 1) fatal ??= error
      else runLog.error({ dataset: name, code: error.code }, error.message)
    }
  }
  if (fatal !== undefined) {
    if (flags.json === true) terminal.json(broken)
    throw fatal
  }
  if (flags.dryRun === true) return dryRun(pipelines, broken, options, flags)

  const view = progressView(log)
  const { signal, dispose } = interruptSignal()
  const results: RunResult[] = [...broken]
  try {
    // Before the first run as well: a cron that is none must not be noticed after an hour.
    const runs = pipelines.map((pipeline) => ({
      pipeline,
      context: contextOf(pipeline, options, flags, signal, view.onProgress),
    }))
    for (const { pipeline, context } of runs) {
      if (signal.aborted) {
        results.push(failedRun(pipeline.definition.id, new StichtagError('CANCELLED', 'it was not begun')))
        continue
      }
      const result = await runPipeline(pipeline, context)
      results.push(result)
      await tellOf(result, { hook: hookSetting(), webhook: webhookSetting(), signal, log })
    }
  } finally {
    view.stop()
    dispose()
  }
  if (flags.json === true) terminal.json(results)
  else {
    for (const result of results) {
      terminal.print(describe(result))
      if (leavesFailing(result, options)) terminal.print(`Status shows it as failing; ${clearing(result.dataset)}.`)
      for (const warning of warningsOf(result, writingStore(flags))) terminal.note(`warning: ${warning}`)
    }
  }
  return exitStatus(results.map((result) => result.outcome))
}

/** Whether what a person gave failed after it was begun to be read, which the dataset's state shows until the next run. */
const leavesFailing = ({ outcome, reason }: RunResult, options: RunOptions): boolean =>
  outcome === 'failed' && isByHand(options) && !isUnreadAttempt(options, reason)

/** What a person should know of a snapshot that was taken all the same. */
const warningsOf = ({ dataset, outcome }: RunResult, store: Store): readonly string[] =>
  outcome === 'published' ? (currentSnapshot(store, dataset)?.warnings ?? []) : []

const failedRun = (dataset: string, { code, message }: StichtagError): RunResult => ({
  dataset,
  outcome: 'failed',
  version: null,
  previous: null,
  rows: {},
  rejected: 0,
  changes: {},
  seconds: 0,
  reason: { code, message },
})

const contextOf = (
  pipeline: Pipeline,
  options: RunOptions,
  flags: IngestFlags,
  signal: AbortSignal,
  onProgress: RunContext['onProgress'],
): RunContext => {
  const schedule = scheduleOf(pipeline.definition)
  return {
    store: writingStore(flags),
    options,
    schedule,
    nextRun: (after, failures) => nextTry(nextRuns(schedule, 1)[0] ?? null, after, failures),
    now: () => new Date(),
    signal,
    log: runLog,
    onProgress,
  }
}

const dryRun = async (
  pipelines: readonly Pipeline[],
  broken: readonly RunResult[],
  options: RunOptions,
  flags: IngestFlags,
): Promise<number> => {
  const store = writingStore(flags)
  const plans: Plan[] = []
  for (const pipeline of pipelines) {
    const { id, database } = pipeline.definition
    const current = currentSnapshot(store, id, database)
    const plan = planOf({
      pipeline,
      state: readState(store, id),
      current,
      options,
      override: sourceOverride(id),
      samplesFolder: sampleRoot(pipeline),
    })
    plans.push(await withDelta(plan, pipeline.definition, current, locatedFiles(plan)))
  }
  if (flags.json === true) terminal.json([...broken, ...plans.map(asShown)])
  else {
    for (const plan of plans) {
      terminal.print(`${plan.dataset}: against ${plan.base ?? 'nothing yet'}${plan.rebuild ? ', mapping changed' : ''}`)
      for (const file of plan.files) {
        terminal.print(
          `  ${file.name} from ${shownUrl(file.location)}${file.validators === undefined ? '' : ', if it changed'}`,
        )
      }
      if (plan.delta !== undefined) terminal.print(`  ${inWords(plan.delta)}`)
    }
  }
  return exitStatus(broken.map((result) => result.outcome))
}

/** What a run would do with a delivery that holds only what changed. */
const inWords = ({ files, over }: PlannedDelta): string =>
  `${files.join(', ')}: a delta, by its name; ` +
  (over === null ? 'there is nothing to lay it over, so it would be all there is' : `it would be laid over ${over}`)

/** A plan as it may be printed: without credentials. */
const asShown = (plan: Plan): Plan => ({
  ...plan,
  files: plan.files.map((file) => ({ ...file, location: shownUrl(file.location) })),
})

const describe = (result: RunResult): string => {
  const head = `${result.dataset}: ${result.outcome}${result.version === null ? '' : ` (current: ${result.version})`} in ${result.seconds} s`
  if (result.reason !== undefined) return `${head}\n${result.reason.code}: ${result.reason.message}`
  if (result.outcome !== 'published') return head
  const rows = Object.entries(result.rows).map(([name, rowCount]) => {
    const change = result.changes[name]
    return [
      name,
      count(rowCount),
      ...(change === undefined ? ['', '', ''] : [count(change.added), count(change.removed), count(change.changed)]),
    ]
  })
  const rejected =
    result.rejected === 0 ? '' : `\n${count(result.rejected)} records were rejected; see the table _rejected`
  return `${head}\n${table(['table', 'rows', 'added', 'removed', 'changed'], rows)}${rejected}`
}
