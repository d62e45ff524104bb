import { describe, expect, it } from 'vitest'
import { isRepeatable } from '../../src/query/repeatable.ts'

const views: Readonly<Record<string, string>> = {
  companies: 'CREATE VIEW companies AS SELECT * FROM company',
  today: "CREATE VIEW today AS SELECT * FROM trip WHERE day = date('now')",
  indirect: 'CREATE VIEW indirect AS SELECT * FROM today',
  endless: 'CREATE VIEW endless AS SELECT * FROM endless',
}
const repeatable = (sql: string): boolean => isRepeatable(sql, (name) => views[name])

describe('a statement is repeatable', () => {
  it.each([
    'SELECT * FROM company WHERE company_number = ?',
    'SELECT * FROM Companies WHERE company_number = ?',
    "SELECT registered_date FROM company WHERE name = 'random words'",
    'SELECT * FROM endless',
  ])('where rows decide alone: %s', (sql) => {
    expect(repeatable(sql)).toBe(true)
  })

  it.each([
    "SELECT date('now')",
    "SELECT * FROM trip WHERE day >= DATE ('now')",
    'SELECT CURRENT_TIMESTAMP',
    'SELECT * FROM company ORDER BY "random"()',
    "SELECT strftime('%s')",
    'SELECT * FROM today',
    'SELECT * FROM company JOIN Indirect USING (id)',
    'SELECT (SELECT count(*) FROM "today")',
  ])('not where the clock or chance has a say, in a view as well: %s', (sql) => {
    expect(repeatable(sql)).toBe(false)
  })
})
