import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { contentDigestOf } from '../../src/ingest/doctor-snapshots.ts'
import type { Row } from '../../src/pipeline/types.ts'
import { definitionOf, loadedSnapshot } from './loaded-snapshot.ts'

const everything = definitionOf({
  t: { surrogate: 'n', columns: { text: 'TEXT', integer: 'INTEGER', real: 'REAL', blob: 'BLOB' }, key: [] },
})

describe('a building snapshot', () => {
  it('holds what the digest was taken of, to the last bit', () => {
    const rows: Row[] = [
      { text: 'Mu\u0308ller 😀', integer: 1, real: 1, blob: new Uint8Array([0, 255]) },
      { text: 'lone \ud800 surrogate', integer: true, real: -0, blob: new Uint8Array() },
      { text: 'with \0 inside', integer: 2n ** 63n - 1n, real: 0.1 + 0.2 },
      { text: '', integer: -(2n ** 63n), real: 1e308 },
      { text: 12.5, integer: '9007199254740993', real: '5e-324' },
      { text: ' 007 ', integer: '007', real: 123456789012345680000 },
      {},
      {},
    ]
    const { path, tables } = loadedSnapshot(everything, { t: rows })
    expect(contentDigestOf(path, [...tables])).toBe(tables[0]?.digest)
  })

  it('has the same content in whatever order it was filled', () => {
    const rows: Row[] = [{ text: 'a' }, { text: 'b', integer: 1 }, { text: 'a' }]
    const digests = [rows, [...rows].reverse()].map((each) => loadedSnapshot(everything, { t: each }).tables[0]?.digest)
    expect(digests[0]).toBe(digests[1])
    expect(digests[0]).not.toBe(loadedSnapshot(everything, { t: rows.slice(0, 2) }).tables[0]?.digest)
  })

  it('has indexes whose names no table can have', () => {
    const clashing = definitionOf({
      a: { columns: { b: 'TEXT', b_c: 'TEXT' }, key: ['b'] },
      a_b: { columns: { c: 'TEXT' }, key: ['c'], surrogate: 'n' },
    })
    const tables = Object.fromEntries(
      Object.entries(clashing.tables).map(([name, table]) => [
        name,
        { ...table, indexes: Object.keys(table.columns).map((column) => [column]) },
      ]),
    )
    const { path } = loadedSnapshot({ ...clashing, tables }, {})
    const database = new Database(path, { readonly: true })
    const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL").pluck()
    expect(names.all().sort()).toEqual(['a.b', 'a.b_c', 'a_b key', 'a_b.c'])
    database.close()
  })
})
