import { describe, expect, it } from 'vitest'
import { checkGuards, type GuardFigures } from '../../src/ingest/guard.ts'
import type { GuardDefinition } from '../../src/pipeline/types.ts'

interface Case {
  readonly guards?: GuardDefinition
  readonly figures?: Partial<GuardFigures>
  readonly absolute?: 'refuse' | 'warn'
  readonly acceptShrink?: boolean
}

const verdict = ({ guards = {}, figures = {}, absolute = 'refuse', acceptShrink = false }: Case) => {
  const all = { rows: { t: 100 }, currentRows: null, read: 100, rejected: 0, ...figures }
  const { refusals, warnings } = checkGuards(guards, all, { absolute, acceptShrink })
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
    expect(verdict({ guards, figures: { rows: { t: 99 } }, acceptShrink: true }).refusals).toEqual(['min-rows'])
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

  it('stays in force where absolute guards only warn', () => {
    expect(verdict({ figures: { currentRows: { t: 1000 } }, absolute: 'warn' }).refusals).toEqual(['max-shrink'])
  })

  it('warns where it is accepted by name', () => {
    expect(verdict({ figures: { currentRows: { t: 1000 } }, acceptShrink: true })).toEqual({
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
      { rows: { t: 50 }, currentRows: { t: 100 }, read: 50, rejected: 0 },
      { absolute: 'refuse', acceptShrink: false },
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
    expect(verdict({ figures: { rejected: 1 }, absolute: 'warn', acceptShrink: true }).refusals).toEqual([
      'max-rejected',
    ])
  })
})

describe('the guard against nothing at all', () => {
  it('refuses a delivery without a row, the first one too, whatever is accepted', () => {
    const figures = { rows: { t: 0, u: 0 }, read: 0 }
    expect(verdict({ figures, absolute: 'warn', acceptShrink: true }).refusals).toEqual(['no-rows'])
  })

  it('passes where one table has rows', () => {
    expect(verdict({ figures: { rows: { t: 0, u: 1 } } })).toEqual(passes)
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
