import { describe, expect, it } from 'vitest'
import { StichtagError } from '../../src/errors.ts'
import { definePipeline } from '../../src/pipeline/define.ts'
import { deltaParts, isDeltaName } from '../../src/pipeline/delta.ts'
import type { PipelineDefinition, TableDefinition } from '../../src/pipeline/types.ts'
import { places } from './places.ts'

const table = (more: Partial<TableDefinition> = {}): TableDefinition => ({
  description: 'x',
  columns: { id: 'TEXT', of: 'TEXT' },
  key: ['id'],
  ...more,
})
const related = (name: string, on: Readonly<Record<string, string>> = { of: 'id' }) => ({
  name,
  table: name,
  on,
  orderBy: [],
})

const problemsOf = (over: Partial<PipelineDefinition>): unknown => {
  try {
    definePipeline({ ...places, ...over })
    return []
  } catch (error) {
    if (error instanceof StichtagError) return error.data.problems
    throw error
  }
}

const delta = { files: ['*delta*'], records: { place: ['visit'] } }

describe('what a definition says of deltas', () => {
  it('is taken where every table is a record or a part of one', () => {
    expect(problemsOf({ delta })).toEqual([])
  })

  const tables = { ...places.tables, more: table({ related: [related('less')] }), less: table() }
  const shape = () => ({ tables: places.tables })

  it.each<[string, Partial<PipelineDefinition>, string]>([
    ['no pattern', { delta: { ...delta, files: [] } }, 'delta.files:'],
    [
      'a pattern of the whole file',
      { delta: { ...delta, files: ['*.jsonl'] } },
      'delta.files: places.jsonl.gz is a declared source, and those are whole',
    ],
    [
      'a date of no record',
      { delta: { ...delta, changedOn: { visit: 'at' } } },
      'delta.changedOn: visit does not come in records of its own',
    ],
    [
      'a date in no column',
      { delta: { ...delta, changedOn: { place: 'nope' } } },
      'delta.changedOn.place: no column nope',
    ],
    ['a shape', { delta, shape }, 'delta: cannot be there beside shape, whose tables the delivery alone knows'],
    [
      'a table that is forgotten',
      { delta: { ...delta, records: { place: [] } } },
      'delta.records: what becomes of visit is not said',
    ],
    [
      'a table that is not there',
      { delta: { ...delta, records: { place: ['visit', 'nope'] } } },
      'delta.records: no table nope',
    ],
    [
      'a part that hangs on nothing',
      { tables, delta: { ...delta, records: { place: ['visit', 'more'], less: [] } } },
      'delta.records.place: more is not related to it',
    ],
    [
      'a part that is a record as well',
      { tables, delta: { ...delta, records: { place: ['visit'], more: ['less'], less: [] } } },
      'delta.records.more: less comes in records of its own',
    ],
    [
      'records without a key',
      {
        tables: { ...places.tables, more: table({ key: [] }) },
        delta: { ...delta, records: { place: ['visit'], more: [] } },
      },
      'delta.records.more: has no key, so that no record can be found again',
    ],
    [
      'a part that hangs on a number of the loader',
      {
        tables: {
          ...places.tables,
          more: table({ surrogate: 'number', related: [related('less', { of: 'number' })] }),
          less: table(),
        },
        delta: { ...delta, records: { place: ['visit'], more: ['less'] } },
      },
      'delta.records.more: less is related by a surrogate, which is another one in each snapshot',
    ],
    [
      'a table that is derived',
      {
        tables: { ...places.tables, more: table({ derivedBy: 'SELECT id, name FROM place' }) },
        delta: { ...delta, records: { place: ['visit'], more: [] } },
      },
      'delta.records: more is derived, and comes in no file',
    ],
  ])('is refused with %s', (_, over, problem) => {
    expect(problemsOf(over)).toEqual([expect.stringContaining(problem)])
  })

  it('has no say in a table that is derived', () => {
    const derived = table({ derivedBy: 'SELECT id, name FROM place' })
    expect(problemsOf({ tables: { ...places.tables, derived }, delta })).toEqual([])
  })

  it('does not take the number of one table for a column of another that is called so', () => {
    const own = table({ surrogate: 'number', columns: { id: 'TEXT', of: 'TEXT' } })
    const more = table({ columns: { id: 'TEXT', number: 'TEXT' }, related: [related('less', { of: 'number' })] })
    const all = { ...places.tables, more, less: own }
    expect(problemsOf({ tables: all, delta: { ...delta, records: { place: ['visit'], more: ['less'] } } })).toEqual([])
  })
})

describe('the parts of a record', () => {
  it('are found through other parts, and past none that comes by itself', () => {
    const tables = {
      company: table({ related: [related('officer'), related('owner')] }),
      officer: table({ related: [related('role')] }),
      role: table(),
      owner: table({ related: [related('share')] }),
      share: table(),
    }
    const records = { company: ['officer', 'role'], owner: ['share'] }
    expect(deltaParts({ tables, delta: { files: ['d'], records } })).toEqual([
      { table: 'officer', of: 'company', on: { of: 'id' } },
      { table: 'role', of: 'officer', on: { of: 'id' } },
      { table: 'share', of: 'owner', on: { of: 'id' } },
    ])
  })
})

describe('the name of a delta', () => {
  it.each([
    ['places-delta.jsonl', '*delta*', true],
    ['PLACES-DELTA.JSONL', '*delta*', true],
    ['places.jsonl', '*delta*', false],
    ['places.delta.gz', '*.delta', true],
    ['places.delta.csv', '*.delta', false],
  ])('%s by %s: %s', (name, pattern, expected) => {
    expect(isDeltaName(name, [pattern])).toBe(expected)
  })
})
