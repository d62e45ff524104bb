import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ContentDigest } from '../../src/ingest/digest.ts'
import { StoredRow } from '../../src/ingest/stored-row.ts'

type Row = readonly [table: string, values: readonly unknown[]]

/** The row as its table would have it: a column of numbers is INTEGER where they are whole. */
const stored = ([table, values]: Row): StoredRow => {
  const row = new StoredRow(
    table,
    values.map((value) => (Number.isInteger(value) || typeof value === 'bigint' ? 'INTEGER' : 'REAL')),
  )
  row.write(values)
  return row
}

const digestOf = (rows: readonly Row[]): string => {
  const digest = new ContentDigest()
  for (const row of rows) digest.addRow(stored(row))
  return digest.hex()
}

const hashOf = (row: Row): bigint => BigInt(`0x${createHash('sha256').update(stored(row).withTable()).digest('hex')}`)
const hexOf = (sum: bigint): string => BigInt.asUintN(256, sum).toString(16).padStart(64, '0')

const a: Row = ['t', ['a', 1, null]]
const b: Row = ['t', ['b', 2, 'x']]
const c: Row = ['u', ['c', 3.5, '']]

describe('the content digest', () => {
  it('is taken of the table’s name and the row as SQLite stores it', () => {
    // Length of the name, the name; length of the header, types (text of one byte, one, NULL); the text.
    expect([...stored(['ab', ['x', 1, null]]).withTable()]).toEqual([2, 0x61, 0x62, 4, 15, 9, 0, 0x78])
  })

  it('is the sum, mod 2^256, of a SHA-256 per row', () => {
    const rows = Array.from({ length: 500 }, (_, index): Row => ['table', [`row ${index}`, index, null]])
    const naive = rows.reduce((sum, row) => sum + hashOf(row), 0n)
    expect(digestOf(rows)).toBe(hexOf(naive))
  })

  it('is 64 zeros where there is no row', () => {
    expect(digestOf([])).toBe('0'.repeat(64))
  })

  it('is the same whatever the order', () => {
    expect(digestOf([c, a, b])).toBe(digestOf([a, b, c]))
  })

  it('counts a row that is there twice', () => {
    expect(new Set([[a], [a, a], [a, a, a]].map(digestOf)).size).toBe(3)
  })

  it('does not cancel pairs, as an XOR would', () => {
    expect(digestOf([a, a])).not.toBe(digestOf([b, b]))
    expect(digestOf([a, a])).not.toBe(digestOf([]))
  })

  it('tells tables of the same rows apart', () => {
    expect(digestOf([['t', ['a']]])).not.toBe(digestOf([['u', ['a']]]))
  })

  it('does not let a value move from one row, column or name into the next', () => {
    const shapes: Row[][] = [
      [['t', ['a', 'b']]],
      [['t', ['ab', '']]],
      [['t', ['a","b']]],
      [
        ['t', ['a']],
        ['t', ['b']],
      ],
      [['t","a', ['b']]],
    ]
    expect(new Set(shapes.map(digestOf)).size).toBe(shapes.length)
  })

  it('tells NULL, empty, zero, false text and bytes apart', () => {
    const values = [null, '', 0, '0', 'null', Buffer.from(''), Buffer.from('0'), 'MA==']
    expect(new Set(values.map((value) => digestOf([['t', [value]]]))).size).toBe(values.length)
  })

  it('takes an integer as the same whether it is a number or a bigint', () => {
    expect(digestOf([['t', [42n]]])).toBe(digestOf([['t', [42]]]))
    expect(digestOf([['t', [-(2n ** 53n) + 1n]]])).toBe(digestOf([['t', [-(2 ** 53) + 1]]]))
  })

  it('tells integers beyond 2^53 apart, and from their decimal text', () => {
    const values = [2n ** 53n, 2n ** 53n + 1n, (2n ** 53n).toString(), 2n ** 63n - 1n]
    expect(new Set(values.map((value) => digestOf([['t', [value]]]))).size).toBe(values.length)
  })

  it('takes bytes as the same whatever array holds them', () => {
    expect(digestOf([['t', [new Uint8Array([1, 2, 255])]]])).toBe(digestOf([['t', [Buffer.from([1, 2, 255])]]]))
    expect(digestOf([['t', [new Uint8Array([1, 2, 255])]]])).not.toBe(digestOf([['t', [Buffer.from([1, 2, 254])]]]))
  })

  it('of several tables is the sum of theirs', () => {
    const [t, u, both] = [new ContentDigest(), new ContentDigest(), new ContentDigest()]
    t.addRow(stored(a))
    t.addRow(stored(b))
    u.addRow(stored(c))
    both.add(t)
    both.add(u)
    expect(both.hex()).toBe(digestOf([a, b, c]))
  })

  it('can be read while it grows', () => {
    const digest = new ContentDigest()
    digest.addRow(stored(a))
    expect(digest.hex()).toBe(digestOf([a]))
    expect(digest.hex()).toBe(digestOf([a]))
    digest.addRow(stored(b))
    expect(digest.hex()).toBe(digestOf([a, b]))
  })

  it('stays exact past the additions that a lane holds without carrying', () => {
    // A row one of whose lanes is odd and next to 2^32: 2^21 of them are more than a number holds exactly.
    const isLarge = (lane: number): boolean => lane >= 0xfff00000 && lane % 2 === 1
    const lanesOf = (hash: bigint): number[] =>
      Array.from({ length: 8 }, (_, lane) => Number(BigInt.asUintN(32, hash >> BigInt(lane * 32))))
    let value = 0
    while (!lanesOf(hashOf(['t', [value]])).some(isLarge)) value += 1
    const count = 2 ** 21 + 2 ** 12 + 1
    const digest = new ContentDigest()
    const row = stored(['t', [value]])
    for (let index = 0; index < count; index += 1) digest.addRow(row)
    expect(digest.hex()).toBe(hexOf(hashOf(['t', [value]]) * BigInt(count)))
  })
})
