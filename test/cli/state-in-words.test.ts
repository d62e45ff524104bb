import { describe, expect, it } from 'vitest'
import { type DescribedSnapshot, stateInWords, wayOutOfFailing } from '../../src/cli/state-in-words.ts'
import { emptyState, type State } from '../../src/store/state.ts'

const now = new Date('2026-12-01T12:00:00Z')
const snapshot: DescribedSnapshot = { dataset: 'places', version: 'v2', sample: false, sources: [] }
const words = (
  state: Parameters<typeof stateInWords>[0]['state'],
  over: Partial<State> = {},
  manifest: Partial<DescribedSnapshot> = {},
): string => stateInWords({ state }, { ...snapshot, ...manifest }, { ...emptyState('places'), ...over }, now)

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
    expect(words('current')).toBe('no run has confirmed it yet')
  })

  it.each(['current', 'due', 'frozen', 'stale', 'expired', 'failing'] as const)(
    'says of an invented sample that it is one, and never that it was confirmed, where it is %s',
    (state) => {
      const said = words(state, { confirmedAt: at }, { sample: true, sources: [{ url: 'sample:2026-11-01' }] })
      expect(said).toContain('an invented sample')
      expect(said).toContain('stichtag ingest places')
      expect(said).not.toContain('confirmed')
    },
  )

  it('says of data that a person gave whence they are, and that nobody asked the publisher', () => {
    const byFile = { sources: [{ url: 'file:places-2026.jsonl' }] }
    expect(words('current', {}, byFile)).toBe(
      'from a file given by hand (places-2026.jsonl), not confirmed with the publisher',
    )
    expect(words('due', { nextRun: at }, byFile)).toContain('; from a file given by hand (places-2026.jsonl)')
    expect(words('current', {}, { sources: [{ url: 'https://mirror.example/places.jsonl' }] })).toBe(
      'from a URL given by hand (https://mirror.example/places.jsonl), not confirmed with the publisher',
    )
    // The publisher was found to have the very same since.
    expect(words('current', { confirmedAt: at }, byFile)).toBe('confirmed 8 h ago as what the publisher has')
  })

  it('says who moved the pointer, and which delivery is held', () => {
    const history = (by: 'rollback' | 'release') => [
      { version: 'v3', at, by: 'publish' as const },
      { version: 'v2', at, by },
    ]
    const held = [{ contentDigest: 'd', version: 'v3', since: at }]
    expect(words('current', { history: history('rollback'), held })).toBe(
      'put back by a rollback on 2026-12-01, which asked nobody; a newer delivery, v3, is held since a rollback on ' +
        '2026-12-01, until the publisher brings out another one, or: stichtag release places v3',
    )
    expect(words('current', { history: history('release') })).toBe(
      'released by hand on 2026-12-01, not confirmed with the publisher',
    )
  })

  it('says of a failure that it was an attempt by hand', () => {
    const lastRun = { run: 'r', outcome: 'failed', at, reason, byHand: true } as const
    expect(words('failing', { lastRun, failures: 3 })).toBe(
      'the last run, of what was given by hand, failed: SOURCE_RETIRED: answered 404',
    )
    expect(words('failing', { lastRun: { ...lastRun, outcome: 'refused' } })).toContain(
      'what was given by hand was refused',
    )
  })

  it('says of a missing one whether it was ever run', () => {
    expect(words('missing')).toBe('it was never run')
    expect(words('missing', { lastRun: { run: 'r', outcome: 'unchanged', at } })).toContain('doctor')
  })
})

describe('what a person gave and failed', () => {
  it('says how the dataset gets out of that state', () => {
    const lastRun = { run: 'r', outcome: 'failed', at, reason, byHand: true } as const
    expect(wayOutOfFailing({ ...emptyState('places'), lastRun })).toContain('stichtag ingest places')
    expect(wayOutOfFailing({ ...emptyState('places'), lastRun: { run: 'r', outcome: 'failed', at, reason } })).toBe('')
  })
})
