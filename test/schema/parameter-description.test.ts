import { describe, expect, it } from 'vitest'
import { tokensOf } from '../../src/query/tokens.ts'
import { describeByUse } from '../../src/schema/parameter-description.ts'

describe('descriptions for parameters without one', () => {
  it('say what the statement does with them', () => {
    const sql = "SELECT * FROM f WHERE f MATCH ? AND a = /* ? */ ? AND b LIKE ? AND '?' <> trim(?) LIMIT ? OFFSET ?"
    expect(describeByUse(tokensOf(sql), ['query', 'company_number', 'townName', 'x', 'limit', 'offset'])).toEqual([
      expect.stringContaining('FTS5'),
      'The company number to look for, exactly as stored.',
      expect.stringContaining('look for as town name'),
      'The x to query by.',
      'How many rows to return at most.',
      'How many rows to leave out before the first.',
    ])
  })
})
