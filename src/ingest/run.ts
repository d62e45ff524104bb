/**
 * Run: one execution of a pipeline, step by step (DESIGN §2), under the dataset's lock.
 *
 *  0. --from                 names nothing that could be read: `failed`, and nothing is noted of it
 *  1. lock                   another run holds it: `busy`
 *  2. sweep                  leftovers of dead runs
 *  3. pointer free?          a person's own file at the pointer's path stops the run before anything is downloaded
 *  4. plan                   what to fetch, and what it is compared with
 *  5. deliver                not modified: `unchanged` (or `refused` again)
 *  6. known delivery?        same files as current: `unchanged`; as the refused or held one: `refused` again, unbuilt
 *  7. load                   same content as current: `unchanged`
 *  8. guard                  refused: to quarantine
 *  9. seal, compare, publish the pointer moves
 *
 * Every way out but those two writes state.json and the ledger; of an attempt by hand that came to nothing before anything
 * was read, only the ledger tells. A failure anywhere leaves the current snapshot as it was.
 */
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { asStichtagError, StichtagError } from '../errors.ts'
import type { Log } from '../log.ts'
import { codeRoot, packageRoot } from '../package-root.ts'
import type { Pipeline } from '../pipeline/discover.ts'
import { sourceOverride } from '../settings.ts'
import { storageError } from '../store/durable.ts'
import type { Store } from '../store/layout.ts'
import { type Ledger, openLedger } from '../store/ledger.ts'
import { takeLock } from '../store/lock.ts'
import type { Manifest } from '../store/manifest.ts'
import { adoptOccupied, checkPointerFree, type PointerNames } from '../store/pointer.ts'
import { currentSnapshot, currentVersion, readable, readState, writeState } from '../store/snapshots.ts'
import type { Outcome, Reason, State } from '../store/state.ts'
import { confirmedAfter, isByHand, isUnreadAttempt } from './by-hand.ts'
import { type Decision, executeRun } from './execute.ts'
import { findCurrent } from './found-current.ts'
import { givenFiles } from './given-names.ts'
import { removeDeadParts } from './left-parts.ts'
import { checkFrom } from './location.ts'
import type { RunOptions } from './plan.ts'
import type { OnProgress } from './progress.ts'
import { partFolders, pruneRaw } from './raw-files.ts'
import { shownUrl } from './shown-url.ts'
import { reconcile, sweep } from './sweep.ts'
import { toldOfRun } from './told-of-run.ts'

/**
 * What a run did, as `ingest --json` prints it (DESIGN §4.3). `rows` are those of what is current after it, and of a refused
 * delivery only where nothing is; `rejected` are the records that were rejected of what it read.
 */
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
  /** Of a refused delivery: what lies in quarantine of it, and under which version it can be released. */
  readonly quarantined?: Pick<RunResult, 'rows' | 'rejected'> & { readonly version: string }
}

export interface RunContext {
  readonly store: Store
  readonly options: RunOptions
  readonly schedule: { readonly cron: string; readonly timeZone: string }
  /**
   * When the next run is due after one that ended at the given time, the last of so many failed ones in a row; null where
   * nothing schedules it.
   */
  readonly nextRun: (after: Date, failures: number) => Date | null
  readonly now: () => Date
  readonly signal: AbortSignal
  readonly log: Log
  readonly onProgress: OnProgress
  /** Bytes that can still be written below a folder; the system's own answer unless given. */
  readonly freeBytes?: (folder: string) => number
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
    if (context.options.from !== undefined) checkFrom(context.options.from, definition.sources)
    const lock = takeLock(store, definition.id)
    try {
      return { ...(await runLocked(pipeline, names, run, startedAt, context)), seconds: seconds() }
    } finally {
      lock.release()
    }
  } catch (thrown) {
    const error = errorOf(thrown, pipeline, context)
    // That somebody else is at work is no fault of anything.
    if (error.code === 'BUSY') context.log.warn({ dataset: definition.id, code: error.code }, error.message)
    else context.log.error({ dataset: definition.id, code: error.code, err: error.cause }, error.message)
    const current = readable(() => currentSnapshot(store, definition.id, definition.database))
    return failureOf(definition.id, current, error, seconds())
  }
}

/** What a run failed of. Streams that are aborted throw errors of their own. */
const errorOf = (thrown: unknown, { definition }: Pipeline, { signal, store, options }: RunContext): StichtagError => {
  const dataset = definition.id
  const error =
    signal.aborted && !(thrown instanceof StichtagError)
      ? new StichtagError('CANCELLED', 'the run was cancelled. The current snapshot stays.', { cause: thrown })
      : asStichtagError(storageError(thrown))
  const isAnyCurrent = readable(() => currentVersion(store, dataset, definition.database)) !== null
  return toldOfRun(error, { dataset, given: givenFiles(options.from, definition), isAnyCurrent })
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
  // First of all, so that what a killed download left of a full disk does not keep the ledger from being written.
  removeDeadParts(partFolders(store, definition.id), startedAt)
  const ledger = openedLedger(pipeline, run, startedAt, context)
  try {
    let result: Omit<RunResult, 'seconds'>
    try {
      const { state, decision } = await decide(pipeline, names, run, startedAt, context)
      writeState(store, concluded(state, decision, run, now(), context))
      const { state: _, ...told } = decision
      result = told
    } catch (thrown) {
      // state.json can be neither read nor written: then the ledger alone can say so.
      const { code, message } = errorOf(thrown, pipeline, context)
      ledger.end(run, now(), { outcome: 'failed', reason: { code, message } })
      throw thrown
    }
    try {
      ledger.end(run, now(), { ...result, overrides: overridesOf(context.options) })
    } catch (thrown) {
      // state.json has the end already, and the pointer is where it says: the next run notes in the ledger that this row has none.
      const { code, message } = errorOf(thrown, pipeline, context)
      context.log.warn({ dataset: definition.id, run, code }, message)
    }
    return result
  } finally {
    ledger.close()
  }
}

/** The ledger, with the run's start in it. Where that fails, the run does, and state.json says so. */
const openedLedger = (pipeline: Pipeline, run: string, startedAt: Date, context: RunContext): Ledger => {
  const { store, now, options } = context
  const { id, database } = pipeline.definition
  let ledger: Ledger | undefined
  try {
    ledger = openLedger(store)
    ledger.start(run, id, commandOf(options), startedAt)
    return ledger
  } catch (thrown) {
    ledger?.close()
    const error = errorOf(thrown, pipeline, context)
    const { seconds: _, ...failure } = failureOf(id, currentSnapshot(store, id, database), error, 0)
    const decision: Decision = { ...failure, state: {} }
    try {
      writeState(store, concluded(readState(store, id), decision, run, now(), context))
    } catch (further) {
      // What keeps the ledger from being written keeps state.json from it too; who reads the result hears of both.
      throw new StichtagError(error.code, `${error.message} Nor can the dataset's state.json say so.`, {
        data: error.data,
        cause: new AggregateError([thrown, further]),
      })
    }
    throw error
  }
}

/** What the run comes to, and the state that it found. */
const decide = async (
  pipeline: Pipeline,
  names: PointerNames,
  run: string,
  startedAt: Date,
  context: RunContext,
): Promise<{ readonly state: State; readonly decision: Decision }> => {
  const { store, log, signal } = context
  const { definition } = pipeline
  const found = readState(store, definition.id)
  const state = reconcile(found, currentVersion(store, definition.id, definition.database), startedAt)
  try {
    const swept = sweep(store, definition.id, names, found)
    if (swept.length > 0) log.warn({ dataset: definition.id, swept }, 'removed leftovers of a run that died')
    if (context.options.adopt === true) {
      const aside = adoptOccupied(store, definition.id, names, startedAt)
      if (aside.length > 0)
        log.warn({ dataset: definition.id, aside }, 'moved aside what lay in the place of the pointer')
    }
    checkPointerFree(store, definition.id, names)
    pruneRaw(store, definition.id, state, startedAt)
    const isThorough = context.options.force === true
    const standing = await findCurrent(store, definition.id, definition.database, state, isThorough, signal)
    if (standing.fault !== null) log.warn({ dataset: definition.id, fault: standing.fault }, 'current is not sound')
    const decision = await executeRun({
      ...context,
      pipeline,
      run,
      current: standing.manifest,
      standing,
      state,
      override: sourceOverride(definition.id),
      samplesFolder: sampleRoot(pipeline),
    })
    return { state, decision }
  } catch (thrown) {
    const error = errorOf(thrown, pipeline, context)
    log.error({ dataset: definition.id, run, code: error.code, err: error.cause }, error.message)
    sweep(store, definition.id, names, readState(store, definition.id))
    // Not `current`: where the failure came after the pointer had moved, another one is current by now.
    const now = currentSnapshot(store, definition.id, definition.database)
    const { seconds: _, ...failure } = failureOf(definition.id, now, error, 0)
    return { state, decision: { ...failure, state: {} } }
  }
}

/** Bundled samples of a pipeline: the package's `data/<dataset>`, or `data/` inside a person's own pipeline folder. */
export const sampleRoot = ({ definition, folder }: Pipeline): string =>
  dirname(folder) === join(codeRoot, 'pipelines') ? `${packageRoot}/data/${definition.id}` : `${folder}/data`

const commandOf = (options: RunOptions): string =>
  [
    'ingest',
    ...Object.entries(options)
      .filter(([, value]) => value !== false)
      .map(([name, value]) => `--${kebab(name)}${value === true ? '' : ` ${shownUrl(String(value))}`}`),
  ].join(' ')

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Options by which a person overrides what a run would do or refuse of itself. */
const overridesOf = (options: RunOptions): string[] => [
  ...(['acceptShrink', 'adopt', 'force'] as const).filter((name) => options[name] === true).map(kebab),
  ...(options.accept ?? []).map((guard) => `accept ${guard}`),
]

const concluded = (state: State, decision: Decision, run: string, at: Date, context: RunContext): State => {
  const { outcome, reason } = decision
  const { options } = context
  if (isUnreadAttempt(options, reason)) return state
  const { failures: _, ...rest } = { ...state, ...decision.state }
  const ended: State = {
    ...rest,
    lastRun: {
      run,
      outcome,
      at: at.toISOString(),
      ...(reason === undefined ? {} : { reason }),
      ...(isByHand(options) ? { byHand: true } : {}),
    },
    confirmedAt: confirmedAfter(state, outcome, { options, override: sourceOverride(state.dataset), at }),
  }
  const isInVain = outcome === 'failed' || outcome === 'refused'
  const isOwed = reason?.code === 'CANCELLED' || (isInVain && isByHand(options) && state.nextRun !== null)
  // Somebody ended the run, or what they gave was no good: the next turn is what it was, and the source has not failed.
  if (isOwed) return { ...ended, ...(state.failures === undefined ? {} : { failures: state.failures }) }
  const failures = outcome === 'failed' && !isByHand(options) ? (state.failures ?? 0) + 1 : 0
  return {
    ...ended,
    ...(failures === 0 ? {} : { failures }),
    nextRun: context.nextRun(at, failures)?.toISOString() ?? null,
    schedule: { ...context.schedule },
  }
}
