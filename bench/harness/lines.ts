/** Lines of the table: what was measured against what, as text, and whether the goal holds. Pure. */
import { median } from './interleave.ts'
import type { Measured } from './measure.ts'

export interface Line {
  readonly what: string
  readonly against: string
  readonly ours: string
  readonly theirs: string
  /** Of the medians, and of the best of each side. */
  readonly ratio: string
  readonly goal: string
  /** Undefined: there is no goal, or nothing to hold it against. */
  readonly holds: boolean | undefined
  readonly note?: string
}

/** A bound on a ratio or a figure. */
export type Goal = { readonly atMost: number } | { readonly atLeast: number }

const fits = (value: number, goal: Goal): boolean => ('atMost' in goal ? value <= goal.atMost : value >= goal.atLeast)

const inWords = (goal: Goal, unit: string): string =>
  'atMost' in goal ? `≤ ${figure(goal.atMost)} ${unit}` : `≥ ${figure(goal.atLeast)} ${unit}`

/** A number with about three digits that matter. */
export const figure = (value: number): string => {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(3)))
}

type Timed = Pick<Measured, 'seconds' | 'cpuSeconds'>

const secondsOf = (runs: readonly Timed[]): number[] => runs.map(({ seconds }) => seconds)

const timesInWords = (runs: readonly Timed[]): string =>
  `${figure(median(secondsOf(runs)))} s (least ${figure(Math.min(...secondsOf(runs)))}, cpu ${figure(median(runs.map(({ cpuSeconds }) => cpuSeconds)))})`

export interface Compared {
  readonly what: string
  readonly against: string
  readonly goal?: Goal
  readonly note?: string
}

const noted = (note: string | undefined): Pick<Line, 'note'> => (note === undefined ? {} : { note })

const ratioLine = (
  { what, against, goal, note }: Compared,
  sides: { readonly ours: string; readonly theirs: string },
  ratio: { readonly ofMedians: number; readonly ofBest: number },
): Line => ({
  what,
  against,
  ...sides,
  ratio: `${figure(ratio.ofMedians)} (best ${figure(ratio.ofBest)})`,
  goal: goal === undefined ? '' : inWords(goal, '×'),
  holds: goal === undefined ? undefined : fits(ratio.ofMedians, goal),
  ...noted(note),
})

/** Wall times: less is better. */
export const timesLine = (compared: Compared, ours: readonly Timed[], theirs: readonly Timed[]): Line =>
  ratioLine(
    compared,
    { ours: timesInWords(ours), theirs: timesInWords(theirs) },
    {
      ofMedians: median(secondsOf(ours)) / median(secondsOf(theirs)),
      ofBest: Math.min(...secondsOf(ours)) / Math.min(...secondsOf(theirs)),
    },
  )

/** Requests per second: more is better. `cpu` is microseconds of the server's processes per request. */
export interface Rate {
  readonly perSecond: number
  readonly cpuMicroseconds: number
}

const ratesInWords = (rates: readonly Rate[]): string =>
  `${figure(median(rates.map(({ perSecond }) => perSecond)))}/s (most ${figure(Math.max(...rates.map(({ perSecond }) => perSecond)))}, cpu ${figure(median(rates.map(({ cpuMicroseconds }) => cpuMicroseconds)))} µs)`

export const ratesLine = (compared: Compared, ours: readonly Rate[], theirs: readonly Rate[]): Line => {
  const of = (rates: readonly Rate[]): number[] => rates.map(({ perSecond }) => perSecond)
  return ratioLine(
    compared,
    { ours: ratesInWords(ours), theirs: ratesInWords(theirs) },
    { ofMedians: median(of(ours)) / median(of(theirs)), ofBest: Math.max(...of(ours)) / Math.max(...of(theirs)) },
  )
}

/** Figures of ours and theirs that are no times: memory. */
export const figuresLine = (
  compared: Compared,
  unit: string,
  ours: readonly number[],
  theirs: readonly number[],
): Line =>
  ratioLine(
    compared,
    {
      ours: `${figure(median(ours))} ${unit} (least ${figure(Math.min(...ours))})`,
      theirs: `${figure(median(theirs))} ${unit} (least ${figure(Math.min(...theirs))})`,
    },
    { ofMedians: median(ours) / median(theirs), ofBest: Math.min(...ours) / Math.min(...theirs) },
  )

/** A figure of ours alone, against a bound: the worst of several counts. */
export const boundLine = (
  compared: Compared & { readonly goal: Goal },
  unit: string,
  values: readonly number[],
): Line => {
  const worst = 'atMost' in compared.goal ? Math.max(...values) : Math.min(...values)
  return {
    what: compared.what,
    against: compared.against,
    ours:
      values.length === 1 ? `${figure(worst)} ${unit}` : `${figure(median(values))} ${unit} (worst ${figure(worst)})`,
    theirs: '',
    ratio: '',
    goal: inWords(compared.goal, unit),
    holds: fits(worst, compared.goal),
    ...noted(compared.note),
  }
}

/** Something seen, without a goal or with one that is yes or no. */
export const seenLine = (
  what: string,
  against: string,
  ours: string,
  more: Partial<Pick<Line, 'theirs' | 'goal' | 'holds' | 'note' | 'ratio'>> = {},
): Line => ({ what, against, ours, theirs: '', ratio: '', goal: '', holds: undefined, ...more })

/** A comparison that could not be made, and what to do about it. */
export const skippedLine = ({ what, against, goal }: Compared, why: string): Line => ({
  what,
  against,
  ours: '',
  theirs: '',
  ratio: '',
  goal: goal === undefined ? '' : inWords(goal, '×'),
  holds: undefined,
  note: `not measured: ${why}`,
})
