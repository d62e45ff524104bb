/** What the rows of a building snapshot must be like: how many, how full, by which keys. Pure. */
import type { GuardDefinition } from '../pipeline/types.ts'
import type { GuardFigures, GuardFinding } from './guard.ts'
import { inThousands, percents } from './guard-percent.ts'

/** What was found and what holds, as shares beside each other. */
const beside = (found: number, words: string, bound: number, rest = ''): string => {
  const [share = '', limit = ''] = percents(found, bound)
  return `(${share}, ${words} ${limit}${rest})`
}

export const noRows = ({ rows }: GuardFigures): GuardFinding[] =>
  Object.values(rows).some((count) => count > 0)
    ? []
    : [{ guard: 'no-rows', message: 'the delivery holds no record at all', figures: { rows: 0 } }]

export const tooFewRows = (minRows: NonNullable<GuardDefinition['minRows']>, { rows }: GuardFigures): GuardFinding[] =>
  Object.entries(minRows)
    .map(([table, least]) => ({ table, least, found: rows[table] ?? 0 }))
    .filter(({ least, found }) => found < least)
    .map(({ table, least, found }) => ({
      guard: 'min-rows',
      message: `${table} has ${found} rows, at least ${least} are expected`,
      figures: { found, least },
    }))

/** A table may lose this share of its rows unless the pipeline says otherwise. */
export const defaultMaxShrink = 0.2

const shareFor = (maxShrink: GuardDefinition['maxShrink'], table: string): number =>
  (typeof maxShrink === 'object' ? maxShrink[table] : maxShrink) ?? defaultMaxShrink

export const shrunk = (maxShrink: GuardDefinition['maxShrink'], { rows, currentRows }: GuardFigures): GuardFinding[] =>
  Object.entries(currentRows ?? {})
    // A table that the pipeline declares no more did not shrink.
    .filter(([table]) => table in rows)
    .map(([table, before]) => ({ table, before, found: rows[table] ?? 0, share: shareFor(maxShrink, table) }))
    .filter(({ before, found, share }) => found < before * (1 - share))
    .map(({ table, before, found, share }) => ({
      guard: 'max-shrink',
      message: `${table} shrank from ${inThousands(before)} to ${inThousands(found)} rows ${beside(1 - found / before, 'at most', share)}`,
      figures: { before, found },
    }))

/** Where nobody can tell what current holds, nobody can tell whether the delivery shrank: a person has to. */
export const incomparable = ({ unknownCurrent }: GuardFigures): GuardFinding[] =>
  unknownCurrent == null
    ? []
    : [
        {
          guard: 'max-shrink',
          message:
            `nobody can tell whether it shrank, as the current snapshot cannot be read: ${unknownCurrent} ` +
            'Roll back to a sound version (stichtag snapshots lists them), or accept it with --accept-shrink',
          figures: {},
        },
      ]

export const tooManyRejected = (maxRejected: number, { read, rejected }: GuardFigures): GuardFinding[] =>
  rejected === 0 || rejected <= read * maxRejected
    ? []
    : [
        {
          guard: 'max-rejected',
          message: `${inThousands(rejected)} of ${inThousands(read)} records were rejected ${beside(rejected / read, 'at most', maxRejected)}`,
          figures: { rejected, read },
        },
      ]

/** A table without rows has no column that could be empty; that it has none is another guard's to say. */
export const tooLittleFilled = (
  minFilled: NonNullable<GuardDefinition['minFilled']>,
  { rows, filled }: GuardFigures,
): GuardFinding[] =>
  Object.entries(minFilled)
    .flatMap(([table, shares]) =>
      Object.entries(shares).map(([column, least]) => ({
        table,
        column,
        least,
        rows: rows[table] ?? 0,
        found: filled[table]?.[column] ?? 0,
      })),
    )
    .filter((each) => each.found < each.rows * each.least)
    .map((each) => ({
      guard: 'min-filled',
      message:
        `${each.table}.${each.column} is filled in ${inThousands(each.found)} of ${inThousands(each.rows)} rows ` +
        beside(each.found / each.rows, 'at least', each.least, ' are expected'),
      figures: each,
    }))

export const brokenKeys = (figures: GuardFigures): GuardFinding[] =>
  Object.entries(figures.brokenKeys)
    .filter(([, count]) => count > 0)
    .map(([table, count]) => ({
      guard: 'keys',
      message: `${table}: ${count} rows were left out, as their key was empty or there already; see the table _rejected`,
      figures: { table, leftOut: count, rows: figures.rows[table] ?? 0 },
    }))
