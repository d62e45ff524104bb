import { describe, expect, it } from 'vitest'
import { isCompound } from '../../src/query/compound.ts'

const views: Readonly<Record<string, string>> = {
  companies: 'CREATE VIEW companies AS SELECT * FROM company',
  everybody: 'CREATE VIEW everybody AS SELECT name FROM company UNION ALL SELECT name FROM officer',
  indirect: 'CREATE VIEW indirect AS SELECT * FROM everybody',
  endless: 'CREATE VIEW endless AS SELECT * FROM endless',
}
const compound = (sql: string): boolean => isCompound(sql, (name) => views[name])

describe('a statement is compound', () => {
  it.each([
    'SELECT name FROM company UNION SELECT name FROM officer',
    'SELECT name FROM company except select name FROM officer',
    'SELECT * FROM (SELECT 1 INTERSECT SELECT 2)',
    'VALUES (1), (2)',
    'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c',
    'SELECT * FROM Everybody',
    'SELECT * FROM company JOIN "indirect" USING (name)',
  ])('where rows come of several selects, in a view as well: %s', (sql) => {
    expect(compound(sql)).toBe(true)
  })

  it.each([
    'SELECT * FROM companies WHERE company_number = ?',
    'SELECT * FROM company WHERE id IN (SELECT company FROM officer)',
    'SELECT * FROM endless',
  ])('and not where they come of one: %s', (sql) => {
    expect(compound(sql)).toBe(false)
  })
})
