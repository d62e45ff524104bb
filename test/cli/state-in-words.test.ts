import { describe, expect, it } from 'vitest'
import { stateInWords } from '../../src/cli/state-in-words.ts'
import { emptyState, type State } from '../../src/store/state.ts'

const now = new Date('2026-12-01T12:00:00Z')
const words = (state: Parameters<typeof stateInWords>[0]['state'], over: Partial<State> = {}, manifest = {}): string =>
  stateInWords({ state }, manifest, { ...emptyState('places'), ...over }, now)

const at = '2026-12-01T04:00:00.000Z'
const reason = { code: 'SOURCE_RETIRED', message: 'answered 404' }

describe('the state of a dataset in words', () => {
  it('says of a failure what it was, how often, and when it is tried again', () => {
    expect(words('failing', { lastRun: { run: 'r', outcome: 'failed', at, reason }, failures: 3, nextRun: at })).toBe(
      `the last run failed, 3 times in a row: SOURCE_RETIRED: answered 404; next try ${at}`,
    )
    expect(words('failing', { lastRun: { run: 'r', outcome: 'refused', at } })).toBe('the last delivery was refused')
  })

  it('says until when data were valid, why a source is frozen, and since when runs are overdue', () => {
    expect(words('expired', {}, { validUntil: '2026-11-30' })).toContain('until 2026-11-30')
    expect(words('frozen', {}, { frozen: 'closed in 2019' })).toBe('closed in 2019')
    expect(words('stale', { nextRun: at })).toContain(`since ${at}`)
    expect(words('due', { nextRun: at })).toContain(`since ${at}`)
  })

  it('says when a run confirmed what is current', () => {
    expect(words('current', { confirmedAt: at })).toBe('confirmed 8 h ago as what the publisher has')
  })

  it('says of a missing one whether it was ever run', () => {
    expect(words('missing')).toBe('it was never run')
    expect(words('missing', { lastRun: { run: 'r', outcome: 'unchanged', at } })).toContain('doctor')
  })
})
