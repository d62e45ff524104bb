import { describe, expect, it } from 'vitest'
import { rowLimitsIn } from '../../src/schema/row-limits.ts'

describe("the limit of a whole statement, and a caller's within it", () => {
  it.each([
    ['SELECT a FROM t LIMIT ?', '?', [0], []],
    ['SELECT a FROM t WHERE b = ? LIMIT ? OFFSET ?;', '? ', [1], []],
    ['SELECT a FROM t LIMIT ?, ?', '?', [1], []],
    ['SELECT a FROM t LIMIT 20 -- the most\n;', '20 -- the most\n', [], []],
    ['SELECT a FROM t WHERE b = ? LIMIT min(?, 50)', 'min(?, 50)', [1], []],
    ['WITH p AS (SELECT a FROM t LIMIT ?) SELECT a FROM p LIMIT ?', '?', [1], [0]],
    ["SELECT a, 'LIMIT 1' FROM t /* LIMIT 2 */ WHERE a IN (SELECT a FROM t LIMIT ?)", undefined, undefined, [0]],
    ['SELECT a FROM t LIMIT :most', undefined, undefined, []],
    ['SELECT a FROM t WHERE b = :b LIMIT 5', '5', [], []],
    ['EXPLAIN SELECT a FROM t LIMIT 5', undefined, undefined, []],
  ])('are found in %s', (sql, text, placeholders, inner) => {
    const limits = rowLimitsIn(sql)
    expect([limits.outer?.text, limits.outer?.placeholders, limits.inner]).toEqual([text, placeholders, inner])
    if (limits.outer) expect(sql.slice(limits.outer.start, limits.outer.end)).toBe(text)
  })
})
