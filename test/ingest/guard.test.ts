import { describe, expect, it } from 'vitest'
import { checkGuards, type GuardFigures, type GuardName, guardNames } from '../../src/ingest/guard.ts'
import type { GuardDefinition } from '../../src/pipeline/types.ts'

interface Case {
  readonly guards?: GuardDefinition
  readonly figures?: Partial<GuardFigures>
  readonly absolute?: 'refuse' | 'warn'
  readonly accept?: readonly GuardName[]
}

const now = new Date('2026-12-01T12:00:00Z')
const plain: GuardFigures = {
  rows: { t: 100 },
  currentRows: null,
  read: 100,
  rejected: 0,
  filled: {},
  brokenKeys: {},
  publisherDate: null,
  currentDate: null,
  now,
}

const verdict = ({ guards = {}, figures = {}, absolute = 'refuse', accept = [] }: Case) => {
  const all = { ...plain, ...figures }
  const { refusals, warnings } = checkGuards(guards, all, { absolute, accept })
  return { refusals: refusals.map(({ guard }) => guard), warnings: warnings.map(({ guard }) => guard) }
}

const passes = { refusals: [], warnings: [] }

describe('the guard of least rows', () => {
  const guards = { minRows: { t: 100 } }

  it('passes exactly as many', () => {
    expect(verdict({ guards })).toEqual(passes)
  })

  it('refuses one fewer, and a table that is not there', () => {
    expect(verdict({ guards, figures: { rows: { t: 99 } } })).toEqual({ refusals: ['min-rows'], warnings: [] })
    expect(verdict({ guards, figures: { rows: { u: 500 } } })).toEqual({ refusals: ['min-rows'], warnings: [] })
  })

  it('only warns where the delivery is not the publisher’s own', () => {
    expect(verdict({ guards, figures: { rows: { t: 99 } }, absolute: 'warn' })).toEqual({
      refusals: [],
      warnings: ['min-rows'],
    })
  })

  it('is not overridden by accepting shrinkage', () => {
    expect(verdict({ guards, figures: { rows: { t: 99 } }, accept: ['max-shrink'] }).refusals).toEqual(['min-rows'])
  })
})

describe('the guard against shrinking', () => {
  it('lets a table lose a fifth, and not more', () => {
    expect(verdict({ figures: { currentRows: { t: 125 } } })).toEqual(passes)
    expect(verdict({ figures: { currentRows: { t: 126 } } })).toEqual({ refusals: ['max-shrink'], warnings: [] })
  })

  it('lets it lose what the pipeline says', () => {
    expect(verdict({ guards: { maxShrink: 0 }, figures: { currentRows: { t: 101 } } }).refusals).toEqual(['max-shrink'])
    expect(verdict({ guards: { maxShrink: 0.5 }, figures: { currentRows: { t: 200 } } })).toEqual(passes)
  })

  it('compares each table with its own share, and those that are not named with the usual one', () => {
    const figures = { rows: { t: 100, u: 100 }, currentRows: { t: 120, u: 120 } }
    expect(verdict({ guards: { maxShrink: { t: 0.1 } }, figures }).refusals).toEqual(['max-shrink'])
    expect(verdict({ guards: { maxShrink: { t: 0.3, u: 0.3 } }, figures })).toEqual(passes)
    expect(
      verdict({ guards: { maxShrink: { t: 0.3 } }, figures: { ...figures, currentRows: { u: 200 } } }).refusals,
    ).toEqual(['max-shrink'])
  })

  it('refuses what cannot be compared, unless a person accepts it', () => {
    const figures = { currentRows: null, unknownCurrent: 'nobody can read it.' }
    expect(verdict({ figures }).refusals).toEqual(['max-shrink'])
    expect(verdict({ figures, accept: ['max-shrink'] }).refusals).toEqual([])
  })

  it('stays in force where absolute guards only warn', () => {
    expect(verdict({ figures: { currentRows: { t: 1000 } }, absolute: 'warn' }).refusals).toEqual(['max-shrink'])
  })

  it('warns where it is accepted by name', () => {
    expect(verdict({ figures: { currentRows: { t: 1000 } }, accept: ['max-shrink'] })).toEqual({
      refusals: [],
      warnings: ['max-shrink'],
    })
  })

  it('says nothing of the first snapshot, of growth, of an empty table, and of one that is declared no more', () => {
    expect(verdict({ figures: { currentRows: { t: 50, gone: 1000 }, rows: { t: 100 } } })).toEqual(passes)
    expect(verdict({ figures: { currentRows: { t: 0 } } })).toEqual(passes)
    expect(verdict({ figures: { currentRows: null } })).toEqual(passes)
  })

  it('refuses a table that has become empty', () => {
    const figures = { currentRows: { t: 100, u: 1 }, rows: { t: 100, u: 0 } }
    expect(verdict({ figures }).refusals).toEqual(['max-shrink'])
  })

  it('says before and after, and the share', () => {
    const { refusals } = checkGuards(
      {},
      { ...plain, rows: { t: 50 }, currentRows: { t: 100 } },
      { absolute: 'refuse', accept: [] },
    )
    expect(refusals).toEqual([
      {
        guard: 'max-shrink',
        message: 't shrank from 100 to 50 rows (50.0 %, at most 20.0 %)',
        figures: { before: 100, found: 50 },
      },
    ])
  })
})

describe('the guard against rejected records', () => {
  it('allows none unless the pipeline does', () => {
    expect(verdict({ figures: { rejected: 1 } }).refusals).toEqual(['max-rejected'])
    expect(verdict({ guards: { maxRejected: 0.01 }, figures: { rejected: 1 } })).toEqual(passes)
    expect(verdict({ guards: { maxRejected: 0.01 }, figures: { rejected: 2 } }).refusals).toEqual(['max-rejected'])
  })

  it('stays in force whatever is accepted or only warned of', () => {
    expect(verdict({ figures: { rejected: 1 }, absolute: 'warn', accept: ['max-shrink'] }).refusals).toEqual([
      'max-rejected',
    ])
  })
})

describe('the guard against nothing at all', () => {
  it('refuses a delivery without a row, the first one too, whatever is accepted', () => {
    const figures = { rows: { t: 0, u: 0 }, read: 0 }
    expect(verdict({ figures, absolute: 'warn', accept: ['max-shrink'] }).refusals).toEqual(['no-rows'])
  })

  it('passes where one table has rows', () => {
    expect(verdict({ figures: { rows: { t: 0, u: 1 } } })).toEqual(passes)
  })
})

describe('the guard of filled columns', () => {
  const guards = { minFilled: { t: { name: 0.5, street: 1 } } }
  const filled = (name: number, street: number): Partial<GuardFigures> => ({ filled: { t: { name, street } } })

  it('passes exactly the share, and refuses one row fewer, column by column', () => {
    expect(verdict({ guards, figures: filled(50, 100) })).toEqual(passes)
    expect(verdict({ guards, figures: filled(49, 100) }).refusals).toEqual(['min-filled'])
    expect(verdict({ guards, figures: filled(49, 99) }).refusals).toEqual(['min-filled', 'min-filled'])
  })

  it('leaves a table without rows to the guards that count them', () => {
    expect(verdict({ guards, figures: { rows: { t: 0, u: 1 }, filled: { t: { name: 0, street: 0 } } } })).toEqual(
      passes,
    )
  })

  it('only warns where the delivery is not the publisher’s own, and says how full it is', () => {
    const { warnings } = checkGuards(guards, { ...plain, ...filled(20, 100) }, { absolute: 'warn', accept: [] })
    expect(warnings).toEqual([
      {
        guard: 'min-filled',
        message: 't.name is filled in 20 of 100 rows (20.0 %, at least 50.0 % are expected)',
        figures: { table: 't', column: 'name', least: 0.5, rows: 100, found: 20 },
      },
    ])
  })
})

describe('the guard of keys', () => {
  const figures = { brokenKeys: { t: 3 } }

  it('warns of rows that were left out, or refuses for them, as the pipeline says of the table', () => {
    expect(verdict({ guards: { keys: { t: 'reject' } }, figures })).toEqual({ refusals: [], warnings: ['keys'] })
    expect(verdict({ guards: { keys: { t: 'refuse' } }, figures })).toEqual({ refusals: ['keys'], warnings: [] })
    expect(verdict({ guards: { keys: { t: 'refuse' } } })).toEqual(passes)
  })

  it('stays in force where absolute guards only warn', () => {
    expect(verdict({ guards: { keys: { t: 'refuse' } }, figures, absolute: 'warn' }).refusals).toEqual(['keys'])
  })
})

describe('the guard of the publisher’s date', () => {
  const dated = (publisherDate: string | null, currentDate: string | null = null) => ({ publisherDate, currentDate })

  it('refuses a delivery that is dated earlier than the current one', () => {
    expect(verdict({ figures: dated('2026-11-01', '2026-11-02') }).refusals).toEqual(['date-earlier'])
    expect(verdict({ figures: dated('2026-11-01T04:59:59Z', '2026-11-01T05:00:00Z') }).refusals).toEqual([
      'date-earlier',
    ])
  })

  it('takes a day for all of it, and passes what may be as late', () => {
    expect(verdict({ figures: dated('2026-11-01', '2026-11-01T23:00:00Z') })).toEqual(passes)
    expect(verdict({ figures: dated('2026-11-01T00:00:00Z', '2026-11-01') })).toEqual(passes)
    expect(verdict({ figures: dated('2026-11-01', '2026-11-01') })).toEqual(passes)
  })

  it('refuses a delivery that is dated more than a day ahead', () => {
    expect(verdict({ figures: dated('2026-12-02T12:00:01Z') }).refusals).toEqual(['date-ahead'])
    expect(verdict({ figures: dated('2026-12-02T12:00:00Z') })).toEqual(passes)
    expect(verdict({ figures: dated('2026-12-02') })).toEqual(passes)
    expect(verdict({ figures: dated('2026-12-03') }).refusals).toEqual(['date-ahead'])
  })

  it('says nothing where there is no date, or none that can be read', () => {
    for (const figures of [dated(null, '2026-11-01'), dated('2026-11-01', null), dated('autumn', 'summer')]) {
      expect(verdict({ figures })).toEqual(passes)
    }
  })

  it('only warns where the pipeline says so, or the delivery is not the publisher’s own', () => {
    const figures = dated('2026-11-01', '2026-11-02')
    const warns = { refusals: [], warnings: ['date-earlier'] }
    expect(verdict({ guards: { dates: 'warn' }, figures })).toEqual(warns)
    expect(verdict({ figures, absolute: 'warn' })).toEqual(warns)
  })
})

describe('a guard that is accepted by name', () => {
  it.each<[GuardName, Case]>([
    ['min-rows', { guards: { minRows: { t: 200 } } }],
    ['max-shrink', { figures: { currentRows: { t: 1000 } } }],
    ['max-rejected', { figures: { rejected: 1 } }],
    ['no-rows', { figures: { rows: { t: 0 } } }],
    ['min-filled', { guards: { minFilled: { t: { name: 1 } } } }],
    ['keys', { guards: { keys: { t: 'refuse' } }, figures: { brokenKeys: { t: 1 } } }],
    ['date-earlier', { figures: { publisherDate: '2026-11-01', currentDate: '2026-11-02' } }],
    ['date-ahead', { figures: { publisherDate: '2027-11-01' } }],
  ])('%s warns, and no other does instead', (guard, given) => {
    expect(verdict(given)).toEqual({ refusals: [guard], warnings: [] })
    expect(verdict({ ...given, accept: [guard] })).toEqual({ refusals: [], warnings: [guard] })
    const others = guardNames.filter((each) => each !== guard)
    expect(verdict({ ...given, accept: others })).toEqual({ refusals: [guard], warnings: [] })
  })
})

describe('guards together', () => {
  it('are all named', () => {
    const { refusals } = verdict({
      guards: { minRows: { t: 200 } },
      figures: { rows: { t: 100 }, currentRows: { t: 1000 }, read: 101, rejected: 1 },
    })
    expect([...refusals].sort()).toEqual(['max-rejected', 'max-shrink', 'min-rows'])
  })
})
