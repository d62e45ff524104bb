import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { compareSnapshots, type Side, writeNoChanges } from '../../src/ingest/compare.ts'
import type { ColumnValue, PipelineDefinition, Row } from '../../src/pipeline/types.ts'
import { type Change, parseChange } from '../../src/store/changes.ts'
import { scratchFolder } from '../store/scratch-store.ts'
import { definitionOf, loadedSnapshot, type Rows } from './loaded-snapshot.ts'

const keyed = definitionOf({ t: { columns: { id: 'TEXT', a: 'TEXT', b: 'INTEGER', c: 'BLOB' }, key: ['id'] } })
const keyless = definitionOf({ t: { columns: { a: 'TEXT', b: 'INTEGER' }, key: [] } })
const pair = definitionOf({ t: { surrogate: 'n', columns: { p: 'TEXT', o: 'INTEGER', v: 'TEXT' }, key: ['p', 'o'] } })

const readChanges = (path: string): Change[] => {
  const database = new Database(path, { readonly: true })
  try {
    const statement = database.prepare<[], Parameters<typeof parseChange>[0]>('SELECT * FROM change ORDER BY id')
    return statement.all().map(parseChange)
  } finally {
    database.close()
  }
}

const compareSides = (before: Side, after: Side) => {
  const target = join(scratchFolder(), 'changes.db')
  const counts = compareSnapshots(before, after, target)
  return { counts, changes: readChanges(target) }
}

const compare = (before: Rows, after: Rows, definition = keyed, later: PipelineDefinition = definition) =>
  compareSides(loadedSnapshot(definition, before), loadedSnapshot(later, after))

/** Changes of a table `t` alone, in few words. */
const changesOf = (before: readonly Row[], after: readonly Row[], definition = keyed, later = definition): unknown[] =>
  compare({ t: before }, { t: after }, definition, later).changes.map(({ op, key, fields }) =>
    fields === undefined ? [op, ...key] : [op, ...key, fields],
  )

const row = (id: string, a: ColumnValue = null, b: ColumnValue = null, c: ColumnValue = null): Row => ({ id, a, b, c })

describe('comparing a table by its key', () => {
  it('finds records that were added, removed and changed, with the fields that differ, and nothing else', () => {
    const before = [row('gone', 'x'), row('other', 'old', 1), row('same', 's', 1)]
    const after = [row('same', 's', 1), row('new', 'y'), row('other', 'fresh', 1)]
    expect(compare({ t: before }, { t: after })).toEqual({
      counts: { t: { added: 1, removed: 1, changed: 1 } },
      changes: [
        { table: 't', op: 'added', key: ['new'] },
        { table: 't', op: 'removed', key: ['gone'] },
        { table: 't', op: 'changed', key: ['other'], fields: { a: ['old', 'fresh'] } },
      ],
    })
  })

  it('takes records of a key of several columns apart by all of them, and leaves surrogates out', () => {
    const before = [
      { p: 'x', o: 1, v: 'Ada' },
      { p: 'x', o: 2, v: 'Bob' },
    ]
    const after = [
      { p: 'w', o: 1, v: 'Cy' },
      { p: 'x', o: 1, v: 'Ada' },
      { p: 'x', o: 2, v: 'Bo' },
      { p: 'x', o: 3, v: 'Di' },
    ]
    expect(changesOf(before, after, pair)).toEqual([
      ['added', 'w', 1],
      ['added', 'x', 3],
      ['changed', 'x', 2, { v: ['Bob', 'Bo'] }],
    ])
  })

  it.each<[string, ColumnValue, ColumnValue]>([
    ['NULL and empty', null, ''],
    ['empty and NULL', '', null],
    ['capitals', 'Müller', 'MÜLLER'],
    ['a space at the end', 'x', 'x '],
    ['composed and decomposed', 'ü', 'u\u0308'],
    ['a number and its text with a zero', '1', '01'],
  ])('takes %s as a change of a text', (_, old, fresh) => {
    expect(changesOf([row('x', old)], [row('x', fresh)])).toEqual([['changed', 'x', { a: [old, fresh] }]])
  })

  it('takes zero and NULL apart', () => {
    expect(changesOf([row('x', null, 0)], [row('x', null, null)])).toEqual([['changed', 'x', { b: [0, null] }]])
  })

  it('tells integers beyond 2^53 apart, and gives them as text', () => {
    const [old, fresh] = [9007199254740993n, 9007199254740992n]
    expect(changesOf([row('x', null, old)], [row('x', null, fresh)])).toEqual([
      ['changed', 'x', { b: ['9007199254740993', '9007199254740992'] }],
    ])
  })

  it('tells bytes apart, and gives them as base64', () => {
    const [old, fresh] = [Buffer.from([0, 255]), Buffer.from([0, 254])]
    expect(changesOf([row('x', null, null, old)], [row('x', null, null, fresh)])).toEqual([
      ['changed', 'x', { c: [{ base64: 'AP8=' }, { base64: 'AP4=' }] }],
    ])
    expect(changesOf([row('x', null, null, old)], [row('x', null, null, Buffer.from(old))])).toEqual([])
  })

  it('finds a table of nothing but its key', () => {
    const bare = definitionOf({ t: { columns: { id: 'INTEGER' }, key: ['id'] } })
    expect(changesOf([{ id: 1 }, { id: 2 }], [{ id: 2 }, { id: 10 }], bare)).toEqual([
      ['added', 10],
      ['removed', 1],
    ])
  })

  it('orders by table, then added, removed, changed, then key', () => {
    const two = definitionOf({
      b: { columns: { id: 'INTEGER', v: 'TEXT' }, key: ['id'] },
      a: { columns: { id: 'INTEGER', v: 'TEXT' }, key: ['id'] },
    })
    const rows = (...ids: number[]) => ids.map((id) => ({ id, v: `${ids.length}` }))
    const { changes } = compare({ b: rows(9, 1, 2, 3) }, { a: rows(1), b: rows(10, 11, 9, 1, 4) }, two)
    expect(changes.map(({ table, op, key }) => `${table} ${op} ${key}`)).toEqual([
      'b added 4',
      'b added 10',
      'b added 11',
      'b removed 2',
      'b removed 3',
      'b changed 1',
      'b changed 9',
      'a added 1',
    ])
  })

  it('quotes names that are SQL words or have quotes in them', () => {
    const odd = definitionOf({ order: { columns: { group: 'TEXT', 'say "x"': 'TEXT' }, key: ['group'] } })
    const { changes } = compare(
      { order: [{ group: 'a', 'say "x"': 'old' }] },
      { order: [{ group: 'a', 'say "x"': 'new' }] },
      odd,
    )
    expect(changes).toEqual([{ table: 'order', op: 'changed', key: ['a'], fields: { 'say "x"': ['old', 'new'] } }])
  })
})

describe('comparing a table that was declared otherwise before', () => {
  const grown = definitionOf({
    t: { columns: { id: 'TEXT', a: 'TEXT', b: 'INTEGER', c: 'BLOB', d: 'TEXT' }, key: ['id'] },
  })

  it('takes a new column as one that was NULL', () => {
    const after = [
      { id: 'x', a: 'k', d: 'new' },
      { id: 'y', a: 'k' },
    ]
    expect(changesOf([row('x', 'k'), row('y', 'k')], after, keyed, grown)).toEqual([
      ['changed', 'x', { d: [null, 'new'] }],
    ])
  })

  it('takes a column that is gone as one that is NULL', () => {
    expect(changesOf([{ id: 'x', d: 'old' }, { id: 'y' }], [row('x'), row('y')], grown, keyed)).toEqual([
      ['changed', 'x', { d: ['old', null] }],
    ])
  })

  it('takes a column of another name as another column, though the values are the same', () => {
    const renamed = definitionOf({ t: { columns: { id: 'TEXT', z: 'TEXT', b: 'INTEGER', c: 'BLOB' }, key: ['id'] } })
    expect(changesOf([row('x', 'v')], [{ id: 'x', z: 'v' }], keyed, renamed)).toEqual([
      ['changed', 'x', { a: ['v', null], z: [null, 'v'] }],
    ])
  })

  it('takes columns in another order as the same', () => {
    const turned = definitionOf({ t: { columns: { c: 'BLOB', b: 'INTEGER', a: 'TEXT', id: 'TEXT' }, key: ['id'] } })
    expect(changesOf([row('x', 'v', 1)], [{ id: 'x', a: 'v', b: 1 }], keyed, turned)).toEqual([])
  })

  it('takes the text 1 and the number 1 as different, where a column changed its type', () => {
    const typed = definitionOf({ t: { columns: { id: 'TEXT', a: 'INTEGER', b: 'INTEGER', c: 'BLOB' }, key: ['id'] } })
    expect(changesOf([row('x', '1')], [row('x', 1)], keyed, typed)).toEqual([['changed', 'x', { a: ['1', 1] }]])
  })

  it('with another key compares whole rows', () => {
    const rekeyed = definitionOf({ t: { columns: { p: 'TEXT', o: 'INTEGER', v: 'TEXT' }, key: ['v'] } })
    const before = [
      { p: 'x', o: 1, v: 'Ada' },
      { p: 'x', o: 2, v: 'Bob' },
    ]
    const after = [
      { p: 'x', o: 1, v: 'Ada' },
      { p: 'x', o: 3, v: 'Bob' },
    ]
    expect(changesOf(before, after, pair, rekeyed)).toEqual([
      ['added', 'x', 3, 'Bob'],
      ['removed', 'x', 2, 'Bob'],
    ])
  })

  it('with a key of another type compares whole rows', () => {
    const [text, number] = (['TEXT', 'INTEGER'] as const).map((id) =>
      definitionOf({ t: { columns: { id, v: 'TEXT' }, key: ['id'] } }),
    )
    expect(changesOf([{ id: '1', v: 'x' }], [{ id: 1, v: 'x' }], text, number)).toEqual([
      ['added', 1, 'x'],
      ['removed', '1', 'x'],
    ])
  })

  it('takes a table that is new as all added, and one that is gone as all removed', () => {
    const other = definitionOf({ u: { columns: { id: 'TEXT' }, key: ['id'] } })
    expect(compare({ t: [row('x')] }, { u: [{ id: 'b' }, { id: 'a' }] }, keyed, other)).toEqual({
      counts: { u: { added: 2, removed: 0, changed: 0 }, t: { added: 0, removed: 1, changed: 0 } },
      changes: [
        { table: 'u', op: 'added', key: ['a'] },
        { table: 'u', op: 'added', key: ['b'] },
        { table: 't', op: 'removed', key: ['x'] },
      ],
    })
  })
})

describe('comparing a table without a key', () => {
  it('counts rows that are there several times', () => {
    const [x, y, z] = [
      { a: 'x', b: 1 },
      { a: 'y', b: null },
      { a: 'z', b: 3 },
    ]
    expect(changesOf([x, x, x, y, z], [z, x, y, y, y], keyless)).toEqual([
      ['added', 'y', null],
      ['added', 'y', null],
      ['removed', 'x', 1],
      ['removed', 'x', 1],
    ])
  })

  it('finds no difference in another order', () => {
    const rows = [
      { a: 'x', b: 1 },
      { a: 'y', b: 2 },
    ]
    expect(compare({ t: rows }, { t: [...rows].reverse() }, keyless)).toEqual({
      counts: { t: { added: 0, removed: 0, changed: 0 } },
      changes: [],
    })
  })

  it('tells NULL, empty and zero apart', () => {
    expect(changesOf([{ a: null, b: 0 }], [{ a: '', b: null }], keyless)).toEqual([
      ['added', '', null],
      ['removed', null, 0],
    ])
  })
})

describe('comparing a table of very many columns', () => {
  const names = (count: number, prefix = 'c') => Array.from({ length: count }, (_, index) => `${prefix}${index}`)
  const wide = (columns: readonly string[], key: string[]): PipelineDefinition =>
    definitionOf({ t: { columns: Object.fromEntries(['id', ...columns].map((name) => [name, 'TEXT'])), key } })
  const filled = (columns: readonly string[], id: string, more: Row = {}): Row => ({
    ...Object.fromEntries(columns.map((name) => [name, name])),
    id,
    ...more,
  })

  it.each([999, 1000, 1500, 1998])('finds the fields of a record that differ among %i by its key', (count) => {
    const columns = names(count)
    const last = `c${count - 1}`
    const before = [filled(columns, 'gone'), filled(columns, 'other'), filled(columns, 'same')]
    const after = [filled(columns, 'same'), filled(columns, 'new'), filled(columns, 'other', { c0: null, [last]: 'x' })]
    expect(changesOf(before, after, wide(columns, ['id']))).toEqual([
      ['added', 'new'],
      ['removed', 'gone'],
      ['changed', 'other', { c0: ['c0', null], [last]: [last, 'x'] }],
    ])
  })

  it.each([1500, 1998])('counts rows of %i columns without a key', (count) => {
    const columns = names(count)
    const last = { [`c${count - 1}`]: 'x' }
    const before = [filled(columns, 'gone'), filled(columns, 'other'), filled(columns, 'same')]
    const after = [filled(columns, 'same'), filled(columns, 'new'), filled(columns, 'other', last)]
    const found = changesOf(before, after, wide(columns, []))
    // No array type says it: each change is its operation and then the key.
    expect(found.map((each) => (each as unknown[]).slice(0, 2))).toEqual([
      ['added', 'new'],
      ['added', 'other'],
      ['removed', 'gone'],
      ['removed', 'other'],
    ])
    expect(found[1]).toEqual(['added', 'other', ...columns.slice(0, -1), 'x'])
  })

  it('finds fields by the key where most columns have other names than before', () => {
    const [old, fresh] = [names(1500, 'a'), names(1500, 'b')]
    const found = changesOf(
      [filled(old, 'x'), { id: 'y' }],
      [{ id: 'x', b7: 'new' }, { id: 'y' }],
      wide(old, ['id']),
      wide(fresh, ['id']),
    )
    const gone = Object.fromEntries(old.map((name) => [name, [name, null]]))
    expect(found).toEqual([['changed', 'x', { b7: [null, 'new'], ...gone }]])
  })

  it('counts rows without a key where most columns have other names than before', () => {
    const [old, fresh] = [names(1500, 'a'), names(1500, 'b')]
    const found = changesOf(
      [{ id: 'same' }, { id: 'twice' }, { id: 'filled', a3: 'old' }],
      [{ id: 'same' }, { id: 'filled', b7: 'new' }, { id: 'twice' }, { id: 'twice' }],
      wide(old, []),
      wide(fresh, []),
    )
    const values = (id: string, value: Record<string, string> = {}) => [
      id,
      ...[...fresh, ...old].map((name) => value[name] ?? null),
    ]
    expect(found).toEqual([
      ['added', ...values('filled', { b7: 'new' })],
      ['added', ...values('twice')],
      ['removed', ...values('filled', { a3: 'old' })],
    ])
  })
})

describe('a comparison', () => {
  it('does not read tables whose digests agree', () => {
    const before = loadedSnapshot(keyed, { t: [row('x', 'old')] })
    const after = loadedSnapshot(keyed, { t: [row('x', 'new')] })
    const claimed = after.tables.map((table) => ({ ...table, digest: before.tables[0]?.digest ?? '' }))
    expect(compareSides(before, { ...after, tables: claimed })).toEqual({
      counts: { t: { added: 0, removed: 0, changed: 0 } },
      changes: [],
    })
    expect(compareSides(before, after).changes).toHaveLength(1)
  })

  it('reads read-only files, and leaves them and their folders as they were', () => {
    const sides = [loadedSnapshot(keyed, { t: [row('x', 'old')] }), loadedSnapshot(keyed, { t: [row('x', 'new')] })]
    for (const { path } of sides) chmodSync(path, 0o444)
    const state = () => sides.map(({ path }) => [readFileSync(path).toString('base64'), statSync(path).mtimeMs])
    const before = state()
    const [old, fresh] = sides
    if (old !== undefined && fresh !== undefined) expect(compareSides(old, fresh).changes).toHaveLength(1)
    expect(state()).toEqual(before)
  })

  it('fails where a side is not there, instead of finding everything new', () => {
    const after = loadedSnapshot(keyed, { t: [row('x')] })
    const nowhere = join(scratchFolder(), 'data.db')
    expect(() => compareSides({ ...after, path: nowhere, tables: [] }, after)).toThrow()
    writeFileSync(nowhere, 'no database')
    expect(() => compareSides({ ...after, path: nowhere, tables: [] }, after)).toThrow()
  })

  it('without a base leaves an empty changes.db of the same shape', () => {
    const target = join(scratchFolder(), 'changes.db')
    writeNoChanges(target)
    expect(readChanges(target)).toEqual([])
  })
})
