/**
 * What changed in a dataset since a version, read from the changes.db of each step on the way to current. One step is
 * paged where it lies; several are read, combined, and then paged.
 */
import { StichtagError } from '../errors.ts'
import type { Digests } from '../query/types.ts'
import type { Change } from '../store/changes.ts'
import type { Changes } from '../store/manifest.ts'
import { isVersion, type Version } from '../store/version.ts'
import { combine, type Step, stepsBetween, undone } from './changes-between.ts'
import { readChanges } from './changes-file.ts'
import type { CatalogueContext } from './context.ts'
import { databaseOfManifest } from './discovery/snapshots.ts'
import { keyParameter, recordPlan } from './record-plan.ts'
import type { ServedDatabase, ServedSnapshot } from './served.ts'

/** Most changes per step that are combined with those of others. */
const mostCombined = 20_000
const mostBytes = 64 * 1024 * 1024

export interface ChangesSince {
  readonly steps: readonly Step[]
  readonly changes: readonly Change[]
  /** Exactly whether more follow. */
  readonly truncated: boolean
  /** Per table, over all pages; undefined where there were too many changes to combine, and none are given. */
  readonly counts: Changes | undefined
}

interface Way {
  readonly context: CatalogueContext
  readonly snapshot: ServedSnapshot
  readonly from: string | null
  readonly steps: readonly (Step & { readonly version: Version })[]
}

/** Changes from `from` to the current snapshot; none where `from` is null. Throws UNKNOWN_VERSION where they cannot be told. */
export const changesSince = async (
  context: CatalogueContext,
  snapshot: ServedSnapshot,
  from: string | null,
  page: { readonly limit: number; readonly offset: number },
  signal?: AbortSignal,
): Promise<ChangesSince> => {
  const way = { context, snapshot, from, steps: stepsTo(context, snapshot, from) }
  const [only] = way.steps
  if (only === undefined) return { steps: [], changes: [], counts: {}, truncated: false }
  return way.steps.length === 1 ? changesOfStep(way, only, page, signal) : changesOfSteps(way, page, signal)
}

const stepsTo = (context: CatalogueContext, snapshot: ServedSnapshot, from: string | null): Way['steps'] => {
  const { manifest, versions } = snapshot
  if (from === null) return []
  const baseOf = (version: string): string | null | undefined =>
    isVersion(version) && versions.includes(version) ? context.manifest(snapshot, version).base : undefined
  const steps = stepsBetween(from, manifest.version, baseOf)
  if (steps !== undefined) return steps.filter(isKept)
  throw new StichtagError(
    'UNKNOWN_VERSION',
    `What changed in ${manifest.dataset} since ${from} cannot be told: it, or a version on the way from it, is not kept, ` +
      'or one was an invented sample and the next was real. ' +
      `Kept: ${versions.join(', ')}. Read again what you hold.`,
    { data: { dataset: manifest.dataset, version: from, kept: versions } },
  )
}

/** Every step is of a kept version, which is well formed. */
const isKept = (step: Step): step is Way['steps'][number] => isVersion(step.version)

const changesOfStep = async (
  { context, snapshot, steps }: Way,
  { version, direction }: Way['steps'][number],
  { limit, offset }: { readonly limit: number; readonly offset: number },
  signal: AbortSignal | undefined,
): Promise<ChangesSince> => {
  const limits = { offset, limit, maxBytes: mostBytes }
  const { changes, truncated } = await readChanges(context.pool, snapshot, version, limits, signal)
  const counts = context.manifest(snapshot, version).changes
  if (direction === 'forward') return { steps, changes, truncated, counts }
  const swapped = Object.entries(counts).map(([table, { added, removed, changed }]) => [
    table,
    { added: removed, removed: added, changed },
  ])
  return { steps, changes: changes.map(undone), truncated, counts: Object.fromEntries(swapped) }
}

const changesOfSteps = async (
  way: Way,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  signal: AbortSignal | undefined,
): Promise<ChangesSince> => {
  const { context, snapshot, steps } = way
  const all = { offset: 0, limit: mostCombined, maxBytes: mostBytes }
  const read = await Promise.all(steps.map(({ version }) => readChanges(context.pool, snapshot, version, all, signal)))
  if (read.some(({ truncated }) => truncated)) return { steps, changes: [], truncated: true, counts: undefined }
  const inOrder = read.map(({ changes }, index) => (steps[index]?.direction === 'back' ? changes.map(undone) : changes))
  const keyed = new Set(snapshot.manifest.tables.filter(({ key }) => key.length > 0).map(({ name }) => name))
  const { changes, cameBack } = combine(inOrder, (table) => keyed.has(table))
  const same = await sameAsBefore(way, cameBack, signal)
  const net = changes.filter((change) => !same.has(change))
  return {
    steps,
    changes: net.slice(offset, offset + limit),
    truncated: net.length > offset + limit,
    counts: countsOf(net),
  }
}

/** Of the records that were removed and came back, those that read as before: where both versions are kept. */
const sameAsBefore = async (
  { context, snapshot, from }: Way,
  cameBack: ReadonlySet<Change>,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<Change>> => {
  if (cameBack.size === 0 || from === null || !isVersion(from) || !snapshot.versions.includes(from)) return new Set()
  const sides = [context.manifest(snapshot, from), snapshot.manifest].map((manifest) =>
    databaseOfManifest(snapshot.store, manifest),
  )
  const same = await Promise.all(
    [...Map.groupBy(cameBack, ({ table }) => table)].map(async ([table, changes]) => {
      const [old, fresh] = await Promise.all(
        sides.map((database) => rowDigests(context, database, table, changes, signal)),
      )
      return changes.filter((_, index) => old?.[index] !== undefined && old[index] === fresh?.[index])
    }),
  )
  return new Set(same.flat())
}

/** Digests of the records' own rows, without what belongs to them: that has changes of its own. */
const rowDigests = async (
  { pool }: CatalogueContext,
  database: ServedDatabase,
  name: string,
  changes: readonly Change[],
  signal: AbortSignal | undefined,
): Promise<Digests | undefined> => {
  const table = database.tables.find((each) => each.name === name)
  if (table === undefined) return undefined
  const plan = { ...recordPlan(database, table), related: [] }
  const keys = changes.map(({ key }) => key.map(keyParameter))
  return pool.digests({ database: database.path, plan, keys }, signal)
}

const countsOf = (changes: readonly Change[]): Changes => {
  const counts: Changes = {}
  for (const { table, op } of changes) {
    const ofTable = counts[table] ?? { added: 0, removed: 0, changed: 0 }
    ofTable[op] += 1
    counts[table] = ofTable
  }
  return counts
}
