import { describe, expect, it } from 'vitest'
import {
  dayMs,
  type FreshnessFacts,
  freshnessOf,
  ttlUntilNextRun,
  unscheduledTtlMs,
} from '../../src/catalogue/freshness.ts'
import type { Outcome } from '../../src/store/state.ts'

const at = (day: number, hour = 0) => new Date(Date.UTC(2026, 11, day, hour))

/** A dataset run daily: last on the 1st, next on the 2nd. */
const facts = (over: {
  now: Date
  outcome?: Outcome
  manifest?: FreshnessFacts['manifest']
  nextRun?: Date | null
  runAfterNext?: Date
}): FreshnessFacts => ({
  now: over.now,
  manifest: over.manifest ?? {},
  state: {
    lastRun: { run: 'r', outcome: over.outcome ?? 'published', at: at(1).toISOString() },
    nextRun: over.nextRun === null ? null : (over.nextRun ?? at(2)).toISOString(),
  },
  ...(over.runAfterNext === undefined ? {} : { runAfterNext: over.runAfterNext }),
})

describe('the state of a dataset', () => {
  it.each([
    ['current', 'before the next run', facts({ now: at(1, 12) })],
    ['current', 'where nothing schedules it', facts({ now: at(9), nextRun: null })],
    ['current', 'on the last day of its validity', facts({ now: at(1, 23), manifest: { validUntil: '2026-12-01' } })],
    ['due', 'from the minute of its next run', facts({ now: at(2) })],
    ['due', 'while only one run is missed', facts({ now: at(2, 23) })],
    ['stale', 'when a second run is missed', facts({ now: at(3) })],
    ['due', 'until the second run by the calendar', facts({ now: at(5), runAfterNext: at(9) })],
    ['stale', 'from the second run by the calendar', facts({ now: at(9), runAfterNext: at(9) })],
    ['frozen', 'though overdue, where its source is', facts({ now: at(9), manifest: { frozen: 'since 2019' } })],
    ['expired', 'when its validity is over', facts({ now: at(2), manifest: { validUntil: '2026-12-01' } })],
    ['expired', 'even if frozen', facts({ now: at(2), manifest: { validUntil: '2026-12-01', frozen: 'yes' } })],
    ['expired', 'to the instant', facts({ now: at(1, 13), manifest: { validUntil: '2026-12-01T12:00:00Z' } })],
    ['failing', 'after a failed run', facts({ now: at(1, 1), outcome: 'failed' })],
    ['failing', 'after a refused run', facts({ now: at(1, 1), outcome: 'refused' })],
    ['failing', 'even if expired', facts({ now: at(2), outcome: 'failed', manifest: { validUntil: '2026-12-01' } })],
    ['current', 'after a run that found nothing new', facts({ now: at(1, 1), outcome: 'unchanged' })],
    ['current', 'after a run that met another', facts({ now: at(1, 1), outcome: 'busy' })],
  ] as const)('is %s %s', (state, _when, given) => {
    expect(freshnessOf(given)).toBe(state)
  })
})

describe('how long an answer may be kept', () => {
  it.each([
    ['to the next run', at(1, 20), 4 * 60 * 60 * 1000],
    ['a day at most', at(-9), dayMs],
    ['not at all when a run is overdue', at(3), 0],
  ])('is %s', (_how, now, ttl) => {
    expect(ttlUntilNextRun(at(2).toISOString(), now)).toBe(ttl)
  })

  it('is an hour where nothing is scheduled', () => {
    expect(ttlUntilNextRun(null, at(1))).toBe(unscheduledTtlMs)
  })
})
