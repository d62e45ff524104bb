import { describe, expect, it } from 'vitest'
import { Patience } from '../../../src/catalogue/screening/patience.ts'
import type { ServedDatabase } from '../../../src/catalogue/served.ts'
import { StichtagError } from '../../../src/errors.ts'
import type { ReaderPool, RowsRequest } from '../../../src/query/types.ts'

const list = (over: Partial<ServedDatabase> = {}): ServedDatabase => ({
  path: '/lists/own.db',
  version: '1',
  asOf: '2026-01-01T00:00:00Z',
  terms: { licence: 'none', attribution: '', sample: false },
  tables: [],
  views: [],
  fullText: [],
  foreign: true,
  ...over,
})
const { foreign: _, ...snapshot } = list({ path: '/lists/snapshot.db' })

const request: RowsRequest = { database: '/lists/own.db', sql: 'SELECT 1', parameters: [], lane: 'query', maxRows: 1 }

/** A pool in which all statements run out of time, and the limits that they were given. */
const endless = () => {
  const limits: (number | undefined)[] = []
  const refuse = () => Promise.reject(new StichtagError('INTERNAL', 'not asked for'))
  const pool: ReaderPool = {
    rows: ({ timeoutMs }) => {
      limits.push(timeoutMs)
      return Promise.reject(new StichtagError('QUERY_TIMEOUT', 'It ran past its limit.'))
    },
    recordPage: refuse,
    digests: refuse,
    close: async () => undefined,
  }
  return { pool, limits }
}

describe('a list that ran out of time', () => {
  const ask = (patience: Patience, database: ServedDatabase) =>
    patience.with(database, (pool) => pool.rows(request)).catch(({ code }: StichtagError) => code)

  it('is tried briefly for a minute where it is a file of people’s own, and then has its time again', async () => {
    const { pool, limits } = endless()
    let now = 0
    const patience = new Patience(pool, () => new Date(now))
    for (const moment of [0, 1000, 59_000, 61_000, 62_000]) {
      now = moment
      expect(await ask(patience, list())).toBe('QUERY_TIMEOUT')
    }
    expect(limits).toEqual([undefined, 200, 200, undefined, 200])
  })

  it('has its time at once in another version, and takes none from other lists', async () => {
    const { pool, limits } = endless()
    const patience = new Patience(pool, () => new Date(0))
    await ask(patience, list())
    await ask(patience, list({ version: '2' }))
    await ask(patience, list({ path: '/lists/other.db' }))
    expect(limits).toEqual([undefined, undefined, undefined])
  })

  it('has all its time, always, where it is a snapshot', async () => {
    const { pool, limits } = endless()
    const patience = new Patience(pool, () => new Date(0))
    for (let round = 0; round < 3; round += 1) await ask(patience, snapshot)
    expect(limits).toEqual([undefined, undefined, undefined])
  })
})
