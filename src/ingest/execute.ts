/** The steps of a run that has the lock: from the plan to a moved pointer, or to the reason why it did not move. */
import { StichtagError } from '../errors.ts'
import type { Pipeline } from '../pipeline/discover.ts'
import { dataFolder } from '../store/layout.ts'
import type { Manifest } from '../store/manifest.ts'
import { ensureAliases } from '../store/pointer.ts'
import type { State, Validators } from '../store/state.ts'
import { type BuildOptions, type LoadedBuild, loadDelivery, sealBuild } from './build.ts'
import { wayOut } from './by-hand.ts'
import { baseFor, unknownChanges } from './compare-with-base.ts'
import { builtWith } from './converter.ts'
import { baseOfDelta, withDelta } from './delta.ts'
import { buildingBytes, checkSpace } from './disk-space.ts'
import type { CurrentFigures, FoundCurrent } from './found-current.ts'
import { givenFiles, naming } from './given-names.ts'
import { checkGuards, type GuardVerdict } from './guard.ts'
import { refuseMistaken } from './mistaken-file.ts'
import { type Plan, planRun } from './plan.ts'
import { publishBuilding } from './publish.ts'
import { leaveQuarantine, quarantine, quarantinedVersion, refusedManifest } from './quarantine.ts'
import { deliver, heldRefusal, type Refusal, recognise, validatorsOf } from './recognise.ts'
import { removeFolder } from './remove-folder.ts'
import { resolvePlan } from './resolve.ts'
import { defaultKeep, pruneLocked } from './retention.ts'
import type { RunContext, RunResult } from './run.ts'
import { isSampleDelivery, newestSample } from './samples.ts'
import { noneYet } from './told-of-run.ts'

/** What a run came to, and what of the state it changes. */
export type Decision = Omit<RunResult, 'seconds'> & { readonly state: Partial<State> }

export interface Execution extends RunContext {
  readonly pipeline: Pipeline
  readonly run: string
  /** The current snapshot, where it is sound: what a delivery may be like, and is compared with. */
  readonly current: Manifest | null
  /** What the run found in current's place, sound or not. */
  readonly standing: FoundCurrent
  readonly state: State
  readonly override: string | undefined
  /** Folder of the dataset's dated samples. */
  readonly samplesFolder: string
}

/** The plan of a run, as `--dry-run` prints it. */
export const planOf = ({
  pipeline,
  state,
  current,
  options,
  override,
  samplesFolder,
}: Omit<Execution, keyof RunContext | 'run' | 'standing'> & Pick<RunContext, 'options'>): Plan =>
  planRun({
    definition: pipeline.definition,
    fingerprint: pipeline.fingerprint,
    state,
    current,
    options,
    override,
    sampleFolder: options.sample === true ? newestSample(samplesFolder) : samplesFolder,
  })

/** Executes a run. Throws StichtagErrors; the caller turns them into outcomes. */
export const executeRun = async (execution: Execution): Promise<Decision> => {
  const { current, pipeline, state } = execution
  const unresolved = planOf(execution)
  checkSample(unresolved, execution)
  const planned = await resolvePlan(unresolved, execution)
  const delivery = await deliver(planned, execution)
  if (delivery.kind === 'not-modified') {
    const { refused } = state
    if (planned.notModified === 'refused' && refused !== null) return refusedAgain(execution, refused)
    return unchanged(execution, { refused: null })
  }
  const judged: Plan = {
    ...planned,
    sample: planned.sample || isSampleDelivery(execution.samplesFolder, delivery.files),
  }
  checkSample(judged, execution)
  await refuseMistaken(pipeline.definition, delivery.files, execution.signal)
  const plan = await withDelta(judged, pipeline.definition, current, delivery.files)
  const validators = validatorsOf(plan, delivery.files)
  const known = recognise(delivery.files, plan, execution)
  if (known === 'current') return unchanged(execution, { validators, refused: null })
  if (known !== null) return refusedAgain(execution, known)

  const { fingerprint } = pipeline
  const over = await baseOfDelta(plan, { ...execution, fingerprint })
  const build: BuildOptions = {
    ...execution,
    definition: pipeline.definition,
    fingerprint,
    pipelineFolder: pipeline.folder,
    plan,
    over,
  }
  const delivered = delivery.files.reduce((total, { bytes }) => total + bytes, 0)
  const own = buildingBytes(delivered, pipeline.definition.space, over === null ? (current?.file.bytes ?? 0) : 0)
  const needed = own + (over?.file.bytes ?? 0)
  checkSpace(plan.dataset, dataFolder(execution.store), needed, execution.freeBytes)
  const loaded = await loadDelivery(delivery, build)
  if (
    current !== null &&
    loaded.contentDigest === current.contentDigest &&
    !plan.rebuild &&
    current.sample === plan.sample
  ) {
    discard(loaded)
    // No manifest will say it: a delta whose records are all older than current's leaves nothing else.
    if (plan.delta !== undefined)
      for (const warning of loaded.warnings) execution.log.warn({ dataset: plan.dataset }, warning)
    return unchanged(execution, { validators, refused: null })
  }
  return judge(loaded, plan, validators, build, execution)
}

/** Invented samples never enter a store whose current snapshot is real (DESIGN §4.2). */
const checkSample = (plan: Plan, { standing: { version, figures } }: Execution): void => {
  // A current snapshot that nobody can tell about may be real.
  if (!plan.sample || version === null || figures?.sample === true) return
  throw new StichtagError(
    'SAMPLE_OVER_REAL',
    `${plan.dataset}: the current snapshot ${version} is real data, and an invented sample never replaces ` +
      'real data. To try things out, use another root: STICHTAG_HOME=/tmp/try, or --project in an empty folder.',
    { data: { dataset: plan.dataset, current: version } },
  )
}

const rowsOf = (manifest: Manifest | null): Record<string, number> =>
  Object.fromEntries((manifest?.tables ?? []).map((table) => [table.name, table.rows]))

const unchanged = ({ current, pipeline, store }: Execution, state: Partial<State>): Decision => {
  if (current !== null) ensureAliases(store, { database: current.database, aliases: pipeline.definition.aliases ?? [] })
  return {
    dataset: pipeline.definition.id,
    outcome: 'unchanged',
    version: current?.version ?? null,
    previous: current?.version ?? null,
    rows: rowsOf(current),
    rejected: current?.rejected ?? 0,
    changes: {},
    state,
  }
}

const refusedAgain = ({ standing, pipeline, store }: Execution, refused: Refusal): Decision => {
  const { id } = pipeline.definition
  const { manifest, isQuarantined } = refusedManifest(store, id, refused.version)
  return {
    dataset: id,
    outcome: 'refused',
    version: standing.version,
    previous: standing.version,
    rows: standing.figures?.rows ?? rowsOf(manifest),
    rejected: manifest?.rejected ?? 0,
    changes: {},
    reason: refused.reason,
    ...(isQuarantined
      ? { quarantined: { version: refused.version, rows: rowsOf(manifest), rejected: manifest?.rejected ?? 0 } }
      : {}),
    state: { refused: { ...refused, builtWith: builtWith(pipeline) } },
  }
}

const discard = (loaded: LoadedBuild): void => {
  loaded.building.abandon()
  removeFolder(loaded.folder)
}

/** Judges a loaded snapshot, and publishes it or puts it into quarantine. */
const judge = async (
  loaded: LoadedBuild,
  plan: Plan,
  validators: Validators,
  build: BuildOptions,
  execution: Execution,
): Promise<Decision> => {
  const { store, pipeline, current, standing, state, now, onProgress } = execution
  const { definition } = pipeline
  onProgress({ dataset: plan.dataset, step: 'guard' })
  const verdict = judgement(loaded, plan, execution)
  const held = state.held.find(({ contentDigest }) => contentDigest === loaded.contentDigest)
  if (held !== undefined) {
    discard(loaded)
    return refusedAgain(execution, heldRefusal(definition.id, held.version, validators))
  }
  const { base, warnings } = baseFor(current, plan.sample)
  const manifest = await sealBuild(
    loaded,
    base,
    {
      guards: [...verdict.warnings],
      warnings: [...verdict.warnings.map((each) => each.message), ...unsoundness(standing), ...warnings],
    },
    build,
  )
  if (verdict.refusals.length > 0) return refuse(loaded, manifest, verdict, validators, execution)
  onProgress({ dataset: plan.dataset, step: 'publish' })
  publishBuilding(store, loaded.folder, manifest, state)
  leaveQuarantine(store, definition.id, manifest.contentDigest)
  pruneLocked(store, definition.id, definition.keep ?? defaultKeep, now())
  const moved = { version: manifest.version, at: now().toISOString(), by: 'publish' as const }
  return {
    dataset: definition.id,
    outcome: 'published',
    version: manifest.version,
    previous: standing.version,
    rows: rowsOf(manifest),
    rejected: manifest.rejected,
    changes: manifest.changes,
    state: { validators, refused: null, held: [], history: [...state.history, moved].slice(-100) },
  }
}

/** That a snapshot has no changes since the one before, where that one cannot be read. */
const unsoundness = ({ version, fault }: FoundCurrent): string[] =>
  version === null || fault === null ? [] : [unknownChanges(version, fault)]

/** What current holds, as guards may compare with it: a sample's figures say nothing about real data. */
const comparable = ({ standing: { figures } }: Execution, plan: Plan): CurrentFigures | null =>
  figures === null || figures.sample !== plan.sample ? null : figures

const judgement = (loaded: LoadedBuild, plan: Plan, execution: Execution): GuardVerdict => {
  const { standing } = execution
  const current = comparable(execution, plan)
  return checkGuards(
    loaded.definition.guards ?? {},
    {
      ...loaded,
      rows: Object.fromEntries([...loaded.totals].map(([table, { rows }]) => [table, rows])),
      currentRows: current?.rows ?? null,
      unknownCurrent: standing.figures === null ? standing.fault : null,
      rejected: loaded.rejected - loaded.rejectedByKey - loaded.rejectedAside,
      // Another mapping may read another date out of the very same delivery.
      currentDate: plan.rebuild ? null : (current?.publisherDate ?? null),
      now: execution.now(),
    },
    { absolute: plan.absoluteGuards, accept: plan.accept },
  )
}

const refuse = (
  loaded: LoadedBuild,
  manifest: Manifest,
  verdict: GuardVerdict,
  validators: Validators,
  execution: Execution,
): Decision => {
  const { store, pipeline, now, options, standing } = execution
  const earlier = quarantinedVersion(store, pipeline.definition.id, manifest.contentDigest)
  const guards = verdict.refusals.map(({ guard }) => guard)
  const { id } = pipeline.definition
  const examples = loaded.examples.length === 0 ? '' : ` For example: ${loaded.examples.join('; ')}.`
  const faults = `${id}: ${verdict.refusals.map((each) => each.message).join('; ')}.${examples}`
  const message =
    // Hosts read it as it is: without folders of this machine.
    `${naming(faults, givenFiles(options.from, pipeline.definition), { isShort: true })} ` +
    `${standing.version === null ? noneYet : 'The current snapshot stays.'} ` +
    `${wayOut(id, earlier ?? manifest.version, guards, options)}.`
  const reason = { code: 'GUARD', message }
  if (earlier !== null) {
    removeFolder(loaded.folder)
    return refusedAgain(execution, { version: earlier, validators, reason })
  }
  quarantine(store, loaded.folder, manifest, { ...reason, findings: verdict.refusals, at: now().toISOString() })
  return refusedAgain(execution, { version: manifest.version, validators, reason })
}
