/**
 * What changed between two kept versions, put together from the changes.db of each step. Versions form a tree by their
 * bases: after a rollback, the way from a rejected version to current leads back over its base, and a step taken
 * backwards is the same difference the other way round.
 */
import type { Change, ChangeOp } from '../store/changes.ts'

/** One step: the changes of `version` against its base, or the same undone. */
export interface Step {
  readonly version: string
  readonly direction: 'forward' | 'back'
}

/** The steps between two versions; undefined where a version on the way is not kept. */
export const stepsBetween = (
  from: string,
  to: string,
  baseOf: (version: string) => string | null | undefined,
): readonly Step[] | undefined => {
  const down = ancestry(to, baseOf)
  const up = ancestry(from, baseOf)
  const meeting = up.find((version) => down.includes(version))
  if (meeting === undefined) return undefined
  return [
    ...up.slice(0, up.indexOf(meeting)).map((version): Step => ({ version, direction: 'back' })),
    ...down
      .slice(0, down.indexOf(meeting))
      .toReversed()
      .map((version): Step => ({ version, direction: 'forward' })),
  ]
}

/** A version, its base, and so on, as far as manifests are kept. */
const ancestry = (version: string, baseOf: (version: string) => string | null | undefined): readonly string[] => {
  const line = [version]
  for (let base = baseOf(version); base !== null && base !== undefined && !line.includes(base); base = baseOf(base)) {
    line.push(base)
  }
  return line
}

const opposites = { added: 'removed', removed: 'added', changed: 'changed' } as const satisfies Record<
  ChangeOp,
  ChangeOp
>

/** The same difference seen from the other side. */
export const undone = (change: Change): Change => {
  const op = opposites[change.op]
  if (change.fields === undefined) return { ...change, op }
  const fields = Object.entries(change.fields).map(([column, [before, after]]) => [column, [after, before]] as const)
  return { ...change, op, fields: Object.fromEntries(fields) }
}

/** What several steps come to. */
export interface Combined {
  readonly changes: readonly Change[]
  /** Records that were removed and came back: whether they differ, only reading them tells. */
  readonly cameBack: ReadonlySet<Change>
}

/**
 * Combines the changes of several steps, in order. What came and went, or changed and changed back, is no change.
 * Rows of tables without a key are counted.
 */
export const combine = (steps: readonly (readonly Change[])[], isKeyed: (table: string) => boolean): Combined => {
  const byRecord = Map.groupBy(steps.flat(), ({ table, key }) => `${table}\n${JSON.stringify(key)}`)
  const cameBack = new Set<Change>()
  const changes = [...byRecord.values()].flatMap((changesOfOne) => {
    const [first] = changesOfOne
    if (first === undefined) return []
    if (!isKeyed(first.table)) return counted(first, changesOfOne)
    const net = netChange(first, changesOfOne)
    if (net === undefined) return []
    if (net.op === 'changed' && net.fields === undefined) cameBack.add(net)
    return [net]
  })
  return { changes, cameBack }
}

const counted = (first: Change, changes: readonly Change[]): Change[] => {
  const surplus = changes.reduce((sum, { op }) => sum + (op === 'added' ? 1 : -1), 0)
  const op = surplus > 0 ? 'added' : 'removed'
  return Array.from({ length: Math.abs(surplus) }, () => ({ table: first.table, key: first.key, op }))
}

const netChange = (first: Change, changes: readonly Change[]): Change | undefined => {
  const last = changes.at(-1) ?? first
  const was = first.op !== 'added'
  const is = last.op !== 'removed'
  const { table, key } = first
  if (!was) return is ? { table, key, op: 'added' } : undefined
  if (!is) return { table, key, op: 'removed' }
  if (changes.some(({ op }) => op !== 'changed')) return { table, key, op: 'changed' }
  const fields = netFields(changes)
  return Object.keys(fields).length === 0 ? undefined : { table, key, op: 'changed', fields }
}

const netFields = (changes: readonly Change[]): NonNullable<Change['fields']> => {
  const net = new Map<string, NonNullable<Change['fields']>[string]>()
  for (const { fields } of changes) {
    for (const [column, [before, after]] of Object.entries(fields ?? {})) {
      net.set(column, [net.get(column)?.[0] ?? before, after])
    }
  }
  return Object.fromEntries([...net].filter(([, [before, after]]) => JSON.stringify(before) !== JSON.stringify(after)))
}
