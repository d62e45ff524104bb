/**
 * Run: one execution of a pipeline, step by step (DESIGN §2), under the dataset's lock.
 *
 *  1. pointer free?          a person's own file at the pointer's path stops the run before anything is downloaded
 *  2. lock                   another run holds it: `busy`
 *  3. sweep                  leftovers of dead runs
 *  4. plan                   what to fetch, and what it is compared with
 *  5. deliver                not modified: `unchanged` (or `refused` again)
 *  6. known delivery?        same files as current: `unchanged`; as the refused or held one: `refused` again, unbuilt
 *  7. load                   same content as current: `unchanged`
 *  8. guard                  refused: to quarantine
 *  9. seal, compare, publish the pointer moves
 *
 * Every way out writes state.json and the ledger. A failure anywhere leaves the current snapshot as it was.
 */
import { randomBytes } from 'node:crypto'
import { asStichtagError, type StichtagError } from '../errors.ts'
import type { Log } from '../log.ts'
import { codeRoot, packageRoot } from '../package-root.ts'
import type { Pipeline } from '../pipeline/discover.ts'
import { sourceOverride } from '../settings.ts'
import type { Store } from '../store/layout.ts'
import { type Ledger, openLedger } from '../store/ledger.ts'
import { takeLock } from '../store/lock.ts'
import type { Manifest } from '../store/manifest.ts'
import { adoptOccupied, checkPointerFree, type PointerNames } from '../store/pointer.ts'
import { currentSnapshot, readState, writeState } from '../store/snapshots.ts'
import type { Outcome, Reason, State } from '../store/state.ts'
import { type Decision, executeRun } from './execute.ts'
import type { RunOptions } from './plan.ts'
import type { OnProgress } from './progress.ts'
import { reconcile, sweep } from './sweep.ts'

/** What a run did, as `ingest --json` prints it (DESIGN §4.3). */
export interface RunResult {
  readonly dataset: string
  readonly outcome: Outcome
  readonly version: string | null
  readonly previous: string | null
  readonly rows: Readonly<Record<string, number>>
  readonly rejected: number
  readonly changes: Manifest['changes']
  readonly seconds: number
  readonly reason?: Reason
}

export interface RunContext {
  readonly store: Store
  readonly options: RunOptions
  readonly schedule: { readonly cron: string; readonly timeZone: string }
  /** When the next scheduled run is due after a run at the given time; null where nothing schedules it. */
  readonly nextRun: (after: Date) => Date | null
  readonly now: () => Date
  readonly signal: AbortSignal
  readonly log: Log
  readonly onProgress: OnProgress
}

/** Runs a pipeline. Never throws for what concerns the dataset: that is an outcome. */
export const runPipeline = async (pipeline: Pipeline, context: RunContext): Promise<RunResult> => {
  const { store, now } = context
  const { definition } = pipeline
  const names: PointerNames = { database: definition.database, aliases: definition.aliases ?? [] }
  const startedAt = now()
  const run = `${startedAt.toISOString().replace(/[-:]|\.\d+/g, '')}-${randomBytes(4).toString('hex')}`
  const seconds = (): number => Math.round((now().getTime() - startedAt.getTime()) / 10) / 100
  try {
    if (context.options.adopt === true) adoptOccupied(store, definition.id, names, startedAt)
    checkPointerFree(store, definition.id, names)
    const lock = takeLock(store, definition.id)
    try {
      return { ...(await runLocked(pipeline, names, run, startedAt, context)), seconds: seconds() }
    } finally {
      lock.release()
    }
  } catch (thrown) {
    const error = asStichtagError(thrown)
    context.log.error({ dataset: definition.id, code: error.code, err: error.cause }, error.message)
    return failureOf(definition.id, null, error, seconds())
  }
}

const outcomeOf = (error: StichtagError): Outcome =>
  error.code === 'BUSY' ? 'busy' : error.kind.exit === 4 ? 'refused' : 'failed'

const failureOf = (dataset: string, current: Manifest | null, error: StichtagError, seconds: number): RunResult => ({
  dataset,
  outcome: outcomeOf(error),
  version: current?.version ?? null,
  previous: current?.version ?? null,
  rows: current === null ? {} : rowsOf(current),
  rejected: 0,
  changes: {},
  seconds,
  reason: { code: error.code, message: error.message },
})

const rowsOf = (manifest: Manifest): Record<string, number> =>
  Object.fromEntries(manifest.tables.map((table) => [table.name, table.rows]))

const runLocked = async (
  pipeline: Pipeline,
  names: PointerNames,
  run: string,
  startedAt: Date,
  context: RunContext,
): Promise<Omit<RunResult, 'seconds'>> => {
  const { store, now } = context
  const { definition } = pipeline
  const ledger = openLedger(store)
  try {
    ledger.start(run, definition.id, commandOf(context.options), startedAt)
    const current = currentSnapshot(store, definition.id, definition.database)
    const state = reconcile(readState(store, definition.id), current?.version ?? null, startedAt)
    const swept = sweep(store, definition.id, names, state)
    if (swept.length > 0) context.log.warn({ dataset: definition.id, swept }, 'removed leftovers of a run that died')
    let decision: Decision
    try {
      decision = await executeRun({
        ...context,
        pipeline,
        run,
        current,
        state,
        override: sourceOverride(definition.id),
        samplesFolder: sampleRoot(pipeline),
      })
    } catch (thrown) {
      const error = asStichtagError(thrown)
      context.log.error({ dataset: definition.id, run, code: error.code, err: error.cause }, error.message)
      sweep(store, definition.id, names, state)
      const { seconds: _, ...failure } = failureOf(definition.id, current, error, 0)
      decision = { ...failure, state: {} }
    }
    conclude(ledger, { run, state, decision, at: now(), nextRun: context.nextRun(now()), store })
    const { state: _, ...result } = decision
    return result
  } finally {
    ledger.close()
  }
}

/** Bundled samples of a pipeline: the package's `data/<dataset>`, or `data/` inside a person's own pipeline folder. */
export const sampleRoot = ({ definition, folder }: Pipeline): string =>
  folder.startsWith(codeRoot) ? `${packageRoot}/data/${definition.id}` : `${folder}/data`

const commandOf = (options: RunOptions): string =>
  [
    'ingest',
    ...Object.entries(options).map(([name, value]) => (value === true ? `--${name}` : `--${name} ${value}`)),
  ].join(' ')

interface Conclusion {
  readonly store: Store
  readonly run: string
  readonly state: State
  readonly decision: Decision
  readonly at: Date
  readonly nextRun: Date | null
}

const conclude = (ledger: Ledger, { store, run, state, decision, at, nextRun }: Conclusion): void => {
  const { outcome, reason, version, previous } = decision
  const confirmed = outcome === 'published' || outcome === 'unchanged'
  writeState(store, {
    ...state,
    ...decision.state,
    lastRun: { run, outcome, at: at.toISOString(), ...(reason === undefined ? {} : { reason }) },
    nextRun: nextRun?.toISOString() ?? null,
    confirmedAt: confirmed ? at.toISOString() : state.confirmedAt,
  })
  ledger.end(run, at, { outcome, version, previous, ...(reason === undefined ? {} : { reason }) })
}
