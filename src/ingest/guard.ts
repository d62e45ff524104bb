/**
 * Guards: what must hold before a snapshot may become current. Pure: figures in, findings out. Absolute guards compare
 * with what the pipeline says and only warn where the delivery is not the publisher's own; relative ones compare with
 * the current snapshot and always hold (DESIGN §4.3).
 */
import type { GuardDefinition } from '../pipeline/types.ts'

/** A table may lose this share of its rows unless the pipeline says otherwise. */
export const defaultMaxShrink = 0.2

/** What a building snapshot holds, and what current holds. */
export interface GuardFigures {
  readonly rows: Readonly<Record<string, number>>
  /** Rows of the current snapshot; null for the first one. */
  readonly currentRows: Readonly<Record<string, number>> | null
  readonly read: number
  readonly rejected: number
}

export interface GuardFinding {
  readonly guard: 'min-rows' | 'max-shrink' | 'max-rejected' | 'no-rows'
  readonly message: string
  readonly figures: Readonly<Record<string, number>>
}

export interface GuardVerdict {
  readonly refusals: readonly GuardFinding[]
  readonly warnings: readonly GuardFinding[]
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

const tooFewRows = (minRows: Readonly<Record<string, number>>, rows: GuardFigures['rows']): GuardFinding[] =>
  Object.entries(minRows)
    .map(([table, least]) => ({ table, least, found: rows[table] ?? 0 }))
    .filter(({ least, found }) => found < least)
    .map(({ table, least, found }) => ({
      guard: 'min-rows',
      message: `${table} has ${found} rows, at least ${least} are expected`,
      figures: { found, least },
    }))

const shrunk = (maxShrink: number, { rows, currentRows }: GuardFigures): GuardFinding[] =>
  Object.entries(currentRows ?? {})
    // A table that the pipeline declares no more did not shrink.
    .filter(([table]) => table in rows)
    .map(([table, before]) => ({ table, before, found: rows[table] ?? 0 }))
    .filter(({ before, found }) => found < before * (1 - maxShrink))
    .map(({ table, before, found }) => ({
      guard: 'max-shrink',
      message: `${table} shrank from ${before} to ${found} rows (${percent(1 - found / before)}, at most ${percent(maxShrink)})`,
      figures: { before, found },
    }))

const tooManyRejected = (maxRejected: number, { read, rejected }: GuardFigures): GuardFinding[] =>
  rejected === 0 || rejected <= read * maxRejected
    ? []
    : [
        {
          guard: 'max-rejected',
          message: `${rejected} of ${read} records were rejected (${percent(rejected / read)}, at most ${percent(maxRejected)})`,
          figures: { rejected, read },
        },
      ]

const empty = ({ rows }: GuardFigures): GuardFinding[] =>
  Object.values(rows).some((count) => count > 0)
    ? []
    : [{ guard: 'no-rows', message: 'the delivery holds no record at all', figures: { rows: 0 } }]

/** Judges a building snapshot. */
export const checkGuards = (
  guards: GuardDefinition,
  figures: GuardFigures,
  options: { readonly absolute: 'refuse' | 'warn'; readonly acceptShrink: boolean },
): GuardVerdict => {
  const absolute = tooFewRows(guards.minRows ?? {}, figures.rows)
  const shrinking = shrunk(guards.maxShrink ?? defaultMaxShrink, figures)
  const always = [...empty(figures), ...tooManyRejected(guards.maxRejected ?? 0, figures)]
  return {
    refusals: [
      ...always,
      ...(options.absolute === 'refuse' ? absolute : []),
      ...(options.acceptShrink ? [] : shrinking),
    ],
    warnings: [...(options.absolute === 'warn' ? absolute : []), ...(options.acceptShrink ? shrinking : [])],
  }
}
