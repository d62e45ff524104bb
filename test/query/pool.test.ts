import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { digestOf } from '../../src/query/digest.ts'
import { createReaderPool, type ProcessPool, type ReaderPoolOptions } from '../../src/query/pool.ts'
import type { RecordPlan, RowsRequest } from '../../src/query/types.ts'
import { scratchDatabase } from './scratch.ts'

const runaway = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c'

const openPool = (options: ReaderPoolOptions = {}): ProcessPool => {
  const pool = createReaderPool({ readers: 2, timeoutMs: 20_000, ...options })
  onTestFinished(() => pool.close())
  return pool
}

const query = (sql: string, options: Partial<RowsRequest> = {}): RowsRequest => ({
  database: scratchDatabase('CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES (1, 10), (2, 20)'),
  sql,
  parameters: [],
  lane: 'query',
  maxRows: 10,
  ...options,
})

/** Whether a process runs: one that is dead but not yet buried by its parent does not. */
const isAlive = (processId: number): boolean => {
  try {
    process.kill(processId, 0)
  } catch {
    return false
  }
  const status = `/proc/${processId}/stat`
  return !existsSync(status) || !/\) Z/.test(readFileSync(status, 'utf8'))
}

const failing = (code: string, message = /./) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })

/** How long a condition may take to come true on a busy machine. */
const patience = { timeout: 10_000 }

const one = { rows: [[1]], truncated: false }

describe('a pool of readers', () => {
  it('answers from another process', async () => {
    const pool = openPool()
    expect(await pool.rows(query('SELECT a, b FROM t WHERE a = ?', { parameters: [2] }))).toEqual({
      columns: ['a', 'b'],
      rows: [[2, 20]],
      truncated: false,
      repeatable: true,
    })
    expect(pool.processIds()).not.toContain(process.pid)
  })

  it('tells how busy it is, and which processes it had to end', async () => {
    const pool = openPool({ timeoutMs: 200 })
    await pool.rows(query('SELECT 1'))
    expect(pool.figures()).toMatchObject({ processes: { busy: 0, idle: 1 }, waiting: { lookup: 0, query: 0 } })
    const running = [pool.rows(query(runaway)), pool.rows(query('SELECT 1'))]
    expect(pool.figures()).toMatchObject({ processes: { busy: 1 }, waiting: { query: 1 } })
    await Promise.allSettled(running)
    expect(pool.figures()).toMatchObject({
      waiting: { query: 0 },
      ended: { timeout: 1, cancelled: 0, memory: 0, died: 0 },
    })
  })

  it('starts processes as they are needed, or all at once', async () => {
    const lazy = openPool({ readers: 4 })
    expect(lazy.processIds()).toEqual([])
    await lazy.rows(query('SELECT 1'))
    expect(lazy.processIds()).toHaveLength(1)
    const warm = openPool({ readers: 3 })
    warm.warm()
    expect(warm.processIds()).toHaveLength(3)
  })

  it('has two processes at least, one of them for queries', async () => {
    const pool = openPool({ readers: 1, reserved: 9 })
    pool.warm()
    expect(pool.processIds()).toHaveLength(2)
    expect(await pool.rows(query('SELECT 1'))).toMatchObject(one)
  })

  it('hands on what the reader says is wrong, without a path of the machine', async () => {
    const pool = openPool()
    await expect(pool.rows(query('SELECT missing FROM t'))).rejects.toThrow(
      failing('QUERY_FAILED', /^SQLite: no such column: missing$/),
    )
    const tooLong = query('SELECT 1 WHERE ? LIKE ?', { parameters: ['a', 'x'.repeat(100_000)] })
    await expect(pool.rows(tooLong)).rejects.toThrow(failing('QUERY_FAILED', /^A text to search for is too long/))
    await expect(pool.rows(query('PRAGMA database_list'))).rejects.toThrow(failing('STATEMENT_REFUSED'))
    await expect(pool.rows(query('SELECT ?'))).rejects.toThrow(failing('ARGUMENTS_INVALID'))
    await expect(pool.rows(query('SELECT 1', { database: '/nowhere/x.db' }))).rejects.toThrow(
      failing('DATABASE_MISSING', /^[^/]+$/),
    )
  })

  it('says that a file is no database, without its path', async () => {
    const { pathname } = new URL(import.meta.url)
    await expect(openPool().rows(query('SELECT 1', { database: pathname }))).rejects.toThrow(
      failing('QUERY_FAILED', /^[^/]*not a database[^/]*$/),
    )
  })
})

describe('a statement that runs away', () => {
  it('is killed at its limit, and the next one runs', async () => {
    const pool = openPool()
    await pool.rows(query('SELECT 1'))
    const started = performance.now()
    await expect(pool.rows(query(runaway, { timeoutMs: 300 }))).rejects.toThrow(
      failing('QUERY_TIMEOUT', /limit of 300 ms/),
    )
    expect(performance.now() - started).toBeLessThan(300 + 2000)
    expect(await pool.rows(query('SELECT 1'))).toMatchObject(one)
  })

  it('is killed with its process', async () => {
    const pool = openPool()
    await pool.rows(query('SELECT 1'))
    const [processId = 0] = pool.processIds()
    await expect(pool.rows(query(runaway, { timeoutMs: 100 }))).rejects.toThrow(failing('QUERY_TIMEOUT'))
    await vi.waitFor(() => expect(isAlive(processId)).toBe(false), patience)
  })

  it('does not hold up a look-up, however many there are', async () => {
    const pool = openPool()
    const abort = new AbortController()
    const runaways = Array.from({ length: 5 }, () => pool.rows(query(runaway), abort.signal).catch(() => 'ended'))
    expect(await pool.rows(query('SELECT 1', { lane: 'lookup' }))).toMatchObject(one)
    abort.abort()
    await Promise.all(runaways)
  })

  it('is killed when its caller cancels', async () => {
    const pool = openPool()
    await pool.rows(query('SELECT 1'))
    const [processId = 0] = pool.processIds()
    const abort = new AbortController()
    const running = pool.rows(query(runaway), abort.signal)
    abort.abort()
    await expect(running).rejects.toThrow(failing('CANCELLED'))
    await vi.waitFor(() => expect(isAlive(processId)).toBe(false), patience)
    expect(await pool.rows(query('SELECT 1'))).toMatchObject(one)
  })

  it('is ended when it takes more memory than it may', async () => {
    const pool = openPool({ memoryLimitBytes: 200 * 2 ** 20 })
    const hoard = `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c ORDER BY n % 7`
    await expect(pool.rows(query(hoard))).rejects.toThrow(failing('QUERY_FAILED', /200 MiB of memory/))
    expect(await pool.rows(query('SELECT 1'))).toMatchObject(one)
  })
})

describe('a process that is left with much memory', () => {
  it('is replaced after its answer, so that the next statement has all of it', async () => {
    const pool = openPool({ memoryLimitBytes: 250 * 2 ** 20 })
    await pool.rows(query('SELECT 1'))
    const [before] = pool.processIds()
    // Text is collected late: it stays in the process after the answer.
    const texts =
      'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 60) SELECT hex(zeroblob(500000)) FROM c'
    const hoarding = await pool.rows(query(texts, { maxRows: 60, maxBytes: 10 ** 9 }))
    expect(hoarding.rows).toHaveLength(60)
    expect(await pool.rows(query('SELECT 1'))).toMatchObject(one)
    expect(pool.processIds()).not.toContain(before)
  })

  it('costs no statement its answer, however many long ones came before', async () => {
    const pool = openPool({ memoryLimitBytes: 250 * 2 ** 20 })
    const long = (first: number): string =>
      `SELECT 1 WHERE ${first} IN (${Array.from({ length: 15_000 }, (_, index) => index + first).join(',')})`
    for (let first = 0; first < 60; first += 1) expect(await pool.rows(query(long(first)))).toMatchObject(one)
  })
})

describe('a request that is cancelled', () => {
  it('before it is made is not run', async () => {
    const pool = openPool()
    await expect(pool.rows(query('SELECT 1'), AbortSignal.abort())).rejects.toThrow(failing('CANCELLED'))
    expect(pool.processIds()).toEqual([])
  })

  it('while it waits leaves the queue', async () => {
    const pool = openPool({ maxQueued: 1 })
    const [running, waiting] = [new AbortController(), new AbortController()]
    await pool.rows(query('SELECT 1'))
    const first = pool.rows(query(runaway), running.signal).catch(() => 'ended')
    const second = pool.rows(query(runaway), waiting.signal)
    waiting.abort()
    await expect(second).rejects.toThrow(failing('CANCELLED'))
    const third = pool.rows(query('SELECT 1'))
    running.abort()
    await first
    expect(await third).toMatchObject(one)
  })

  it('just before it is done does not cost the process', async () => {
    const pool = openPool({ graceMs: 10_000 })
    await pool.rows(query('SELECT 1'))
    const before = pool.processIds()
    const abort = new AbortController()
    const quick = pool.rows(query('SELECT 1'), abort.signal)
    abort.abort()
    await expect(quick).rejects.toThrow(failing('CANCELLED'))
    expect(await pool.rows(query('SELECT 1'))).toMatchObject(one)
    expect(pool.processIds()).toEqual(before)
  })
})

describe('requests that wait at the same time', () => {
  /** Takes some milliseconds: long enough that what came with it is handed back. */
  const slow = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 100000) SELECT max(n) FROM c'

  it('are each answered with their own answer, also where one of them fails', async () => {
    const pool = openPool()
    const { database } = query('')
    const asked = Array.from({ length: 60 }, (_, index) => index)
    const answers = await Promise.allSettled(
      asked.map((index) => pool.rows(query(index % 7 === 3 ? 'SELECT missing' : `SELECT ${index}`, { database }))),
    )
    expect(answers.map((each) => (each.status === 'fulfilled' ? each.value.rows : each.reason))).toEqual(
      asked.map((index) => (index % 7 === 3 ? failing('QUERY_FAILED', /missing/) : [[index]])),
    )
  })

  it('are all answered where each of them takes long', async () => {
    const pool = openPool()
    const { database } = query('')
    const lanes = ['query', 'lookup', 'query'] as const
    const answers = await Promise.all(
      Array.from({ length: 18 }, (_, index) =>
        pool.rows(query(`${slow} WHERE n > ${index}`, { database, lane: lanes[index % 3] ?? 'query' })),
      ),
    )
    expect(answers.map(({ rows }) => rows)).toEqual(answers.map(() => [[100_000]]))
    expect(pool.figures()).toMatchObject({ waiting: { lookup: 0, query: 0 } })
  })

  it('do not wait for one that runs away where another process is idle', async () => {
    const pool = openPool({ readers: 3 })
    const abort = new AbortController()
    const { database } = query('')
    await Promise.all(Array.from({ length: 4 }, () => pool.rows(query(slow, { database }))))
    const running = pool.rows(query(runaway, { database }), abort.signal).catch(() => 'ended')
    const others = Array.from({ length: 20 }, (_, index) => pool.rows(query(`SELECT ${index}`, { database })))
    expect((await Promise.all(others)).map(({ rows }) => rows)).toEqual(others.map((_, index) => [[index]]))
    expect(pool.figures()).toMatchObject({ processes: { busy: 1 }, ended: { timeout: 0, cancelled: 0, died: 0 } })
    abort.abort()
    await running
  })

  it('have each their own time, and the one that is over it takes none with it', async () => {
    const pool = openPool()
    const { database } = query('')
    await pool.rows(query('SELECT 1', { database }))
    const asked = [slow, runaway, slow, 'SELECT 100000', slow]
    const answers = await Promise.allSettled(asked.map((sql) => pool.rows(query(sql, { database, timeoutMs: 2000 }))))
    expect(answers.map((each) => (each.status === 'fulfilled' ? each.value.rows : each.reason))).toEqual(
      asked.map((sql) => (sql === runaway ? failing('QUERY_TIMEOUT', /2000 ms/) : [[100_000]])),
    )
    expect(pool.figures()).toMatchObject({ ended: { timeout: 1, cancelled: 0, died: 0 } })
  })

  it('are answered though the process dies of one of them', async () => {
    const pool = openPool({ memoryLimitBytes: 200 * 2 ** 20 })
    const { database } = query('')
    await pool.rows(query('SELECT 1', { database }))
    const hoard = `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c ORDER BY n % 7`
    const asked = ['SELECT 1', hoard, 'SELECT 1', 'SELECT 1']
    const answers = await Promise.allSettled(asked.map((sql) => pool.rows(query(sql, { database }))))
    expect(answers.map((each) => (each.status === 'fulfilled' ? each.value.rows : each.reason))).toEqual(
      asked.map((sql) => (sql === hoard ? failing('QUERY_FAILED', /memory/) : [[1]])),
    )
  })

  it('are answered though the process is replaced for the memory that one of them left', async () => {
    const pool = openPool({ memoryLimitBytes: 250 * 2 ** 20 })
    const { database } = query('')
    await pool.rows(query('SELECT 1', { database }))
    const texts =
      'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 60) SELECT hex(zeroblob(500000)) FROM c'
    const [hoarding, ...others] = await Promise.all(
      [texts, 'SELECT 1', 'SELECT 1'].map((sql) => pool.rows(query(sql, { database, maxRows: 60, maxBytes: 10 ** 9 }))),
    )
    expect(hoarding?.rows).toHaveLength(60)
    expect(others.map(({ rows }) => rows)).toEqual([[[1]], [[1]]])
  })

  it('go on where one of them is cancelled, whose answer nobody gets', async () => {
    const pool = openPool({ graceMs: 10_000 })
    const { database } = query('')
    await pool.rows(query('SELECT 1', { database }))
    const abort = new AbortController()
    const first = pool.rows(query(slow, { database }))
    const cancelled = pool.rows(query('SELECT 2', { database }), abort.signal)
    const last = pool.rows(query('SELECT 3', { database }))
    setImmediate(() => setImmediate(() => abort.abort()))
    await expect(cancelled).rejects.toThrow(failing('CANCELLED'))
    expect([(await first).rows, (await last).rows]).toEqual([[[100_000]], [[3]]])
  })
})

describe('parameters', () => {
  it('reach the reader as what they are', async () => {
    const parameters = [2 ** 53, 9007199254740993n, 0.1, Infinity, 'a\u0000\ud800 ö', new Uint8Array([0, 255]), null]
    const kinds = parameters.map(() => 'typeof(?)').join(', ')
    const values = '?, ?, ?, ?, ?, hex(?), ?'
    const { rows } = await openPool().rows(
      query(`SELECT ${kinds}, ${values}`, { parameters: [...parameters, ...parameters] }),
    )
    expect(rows).toEqual([
      [
        ...['real', 'integer', 'real', 'real', 'text', 'blob', 'null'],
        ...[2 ** 53, '9007199254740993', 0.1, 'Infinity', expect.stringMatching(/ ö$/), '00FF', null],
      ],
    ])
  })
})

describe('a pool that several clients ask', () => {
  /** A pool, and what asks it as a client. */
  const asking = (options: ReaderPoolOptions = {}) => {
    let client: string | undefined
    const pool = openPool({ ...options, clientOf: () => client })
    return {
      pool,
      as: (name: string, request: RowsRequest, signal?: AbortSignal) => {
        client = name
        try {
          return pool.rows(request, signal)
        } finally {
          client = undefined
        }
      },
    }
  }

  it('takes them in turns: a newcomer waits for one of each, not for all that one has asked', async () => {
    const { pool, as } = asking()
    await pool.rows(query('SELECT 1'))
    const order: string[] = []
    const asked = (name: string, request: RowsRequest) =>
      as(name, request).then(
        () => order.push(name),
        () => order.push(name),
      )
    const endless = query(runaway, { timeoutMs: 100 })
    const greedy = Array.from({ length: 8 }, () => asked('greedy', endless))
    await asked('modest', query('SELECT 1'))
    expect(order.length).toBeLessThanOrEqual(3)
    await Promise.all(greedy)
  })

  it('lets no search wait for queries of strangers', async () => {
    const { pool, as } = asking()
    await pool.rows(query('SELECT 1'))
    const abort = new AbortController()
    const [endless, search] = [query(runaway), query('SELECT 1', { lane: 'search' })]
    const runaways = Array.from({ length: 15 }, () => as('greedy', endless, abort.signal).catch(() => 'ended'))
    for (let round = 0; round < 3; round += 1) expect(await as('modest', search)).toMatchObject(one)
    expect(pool.figures()).toMatchObject({ waiting: { search: 0, query: 14 }, ended: { timeout: 0 } })
    abort.abort()
    await Promise.all(runaways)
  })

  it('starts no process for searches where none has to wait', async () => {
    const { pool } = asking({ readers: 3 })
    const request = query('SELECT 1')
    const mixed = Array.from({ length: 30 }, (_, index) =>
      pool.rows({ ...request, lane: index % 2 === 0 ? 'search' : 'query' }),
    )
    await Promise.all(mixed)
    expect(pool.processIds().length).toBeLessThanOrEqual(3)
  })

  it('tells the one that has too much waiting when to try again, and takes from others', async () => {
    const { pool, as } = asking()
    await pool.rows(query('SELECT 1'))
    const abort = new AbortController()
    const [endless, quick] = [query(runaway), query('SELECT 1')]
    const greedy = Array.from({ length: 140 }, () => as('greedy', endless, abort.signal))
    const outcomes = Promise.allSettled(greedy)
    await expect(as('greedy', quick)).rejects.toThrow(
      failing('QUEUE_FULL', /^128 requests of this client wait already.*Try again in \d+ s\.$/),
    )
    const modest = as('modest', quick)
    expect(await as('greedy', { ...quick, lane: 'lookup' })).toMatchObject(one)
    abort.abort()
    await outcomes
    expect(await modest).toMatchObject(one)
  })

  it('takes as many look-ups at once as come at once', async () => {
    const { as } = asking()
    const request = query('SELECT 1', { lane: 'lookup' })
    const answers = await Promise.all(Array.from({ length: 800 }, () => as('busy', request)))
    expect(answers).toHaveLength(800)
  })
})

describe('a pool that has too much to do', () => {
  it('refuses what goes beyond its queue', async () => {
    const pool = openPool({ maxQueued: 1 })
    const abort = new AbortController()
    await pool.rows(query('SELECT 1'))
    const accepted = [1, 2].map(() => pool.rows(query(runaway), abort.signal).catch(() => 'ended'))
    await expect(pool.rows(query('SELECT 1'))).rejects.toThrow(failing('QUEUE_FULL'))
    expect(await pool.rows(query('SELECT 1', { lane: 'lookup' }))).toMatchObject(one)
    abort.abort()
    await Promise.all(accepted)
  })
})

describe('a reader process that dies', () => {
  it('costs the answer it was at, and is replaced', async () => {
    const pool = openPool()
    await pool.rows(query('SELECT 1'))
    const [processId = 0] = pool.processIds()
    const running = pool.rows(query(runaway))
    process.kill(processId, 'SIGKILL')
    await expect(running).rejects.toThrow(failing('QUERY_FAILED', /ended \(SIGKILL\)/))
    expect(await pool.rows(query('SELECT 1'))).toMatchObject(one)
    expect(pool.processIds()).not.toContain(processId)
  })

  it('while it is idle costs nothing', async () => {
    const pool = openPool()
    await pool.rows(query('SELECT 1'))
    const [processId = 0] = pool.processIds()
    process.kill(processId, 'SIGKILL')
    await vi.waitFor(() => expect(pool.processIds()).toEqual([]), patience)
    expect(await pool.rows(query('SELECT 1'))).toMatchObject(one)
  })
})

describe('reader processes that cannot be started', () => {
  it('fail the requests that wait for them, and are tried again later', async () => {
    vi.stubEnv('NODE_OPTIONS', '--no-such-option')
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const pool = openPool()
    await expect(pool.rows(query('SELECT 1'))).rejects.toThrow(failing('INTERNAL', /do not start/))
    vi.unstubAllEnvs()
    await vi.waitFor(async () => expect(await pool.rows(query('SELECT 1'))).toMatchObject(one), patience)
  })
})

describe('records', () => {
  const tables = `CREATE TABLE t(a INTEGER PRIMARY KEY, b);
    WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 1200) INSERT INTO t SELECT n, n * 2 FROM c`
  const plan: RecordPlan = { table: 't', columns: ['a', 'b'], key: ['a'], related: [] }
  const keys = Array.from({ length: 1201 }, (_, index) => [index])

  it('come by page, null where there is none', async () => {
    const pool = openPool()
    const request = { database: scratchDatabase(tables), plan, page: 1, pageBytes: 1000 }
    const digest = digestOf({ record: { a: 7, b: 14 }, related: {} })
    expect(await pool.recordPage({ ...request, key: [7] })).toEqual({
      record: { a: 7, b: 14 },
      related: [],
      pages: 1,
      digest,
    })
    expect(await pool.recordPage({ ...request, key: [0] })).toBeNull()
  })

  it('that are long are read as searches are, so that they hold up no look-up', async () => {
    const pool = openPool()
    const abort = new AbortController()
    const database = scratchDatabase(`CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES (1, 2), (2, 3);
      CREATE TABLE r(of, n); INSERT INTO r VALUES (2, 1);
      WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 3000) INSERT INTO r SELECT 1, n FROM c`)
    const related = [{ name: 'rows', table: 'r', columns: ['n'], on: { of: 'a' }, orderBy: ['n'] }]
    const request = { database, plan: { ...plan, related }, page: 1, pageBytes: 1_000_000 }
    await pool.rows(query('SELECT 1'))
    const running = pool.rows(query(runaway), abort.signal).catch(() => 'ended')
    const order: string[] = []
    const long = pool.recordPage({ ...request, key: [1] }).then((page) => {
      order.push('long')
      return page
    })
    await pool.recordPage({ ...request, key: [2] }).then(() => order.push('short'))
    abort.abort()
    await running
    expect((await long)?.related[0]?.rows).toHaveLength(3000)
    expect(order).toEqual(['short', 'long'])
  })

  it('come as digests that agree with those of the whole', async () => {
    const digests = await openPool().digests({ database: scratchDatabase(tables), plan, keys })
    expect(digests).toHaveLength(1201)
    expect(digests[0]).toBeNull()
    expect(digests[1200]).toBe(digestOf({ record: { a: 1200, b: 2400 }, related: {} }))
  })
})

describe('digests of many records', () => {
  it('let other look-ups in between', async () => {
    const pool = openPool()
    const abort = new AbortController()
    const blocking = pool.rows(query(runaway), abort.signal).catch(() => 'ended')
    const keys = Array.from({ length: 5000 }, (_, index) => [index])
    const plan: RecordPlan = { table: 't', columns: ['a', 'b'], key: ['a'], related: [] }
    const order: string[] = []
    const { database } = query('')
    const digests = pool.digests({ database, plan, keys }).then(() => order.push('digests'))
    await pool.rows(query('SELECT 1', { lane: 'lookup' })).then(() => order.push('look-up'))
    await digests
    expect(order).toEqual(['look-up', 'digests'])
    abort.abort()
    await blocking
  })
})

describe('a pool that is closed', () => {
  it('ends its processes and what they were at', async () => {
    const pool = openPool()
    await pool.rows(query('SELECT 1'))
    const [processId = 0] = pool.processIds()
    const running = pool.rows(query(runaway)).catch((error) => error)
    const waiting = pool.rows(query(runaway)).catch((error) => error)
    await pool.close()
    expect([await running, await waiting]).toEqual([failing('CANCELLED'), failing('CANCELLED')])
    expect(isAlive(processId)).toBe(false)
    expect(pool.processIds()).toEqual([])
    await expect(pool.rows(query('SELECT 1'))).rejects.toThrow(failing('CANCELLED'))
  })
})

describe('the process that made a pool', () => {
  const poolModule = new URL('../../src/query/pool.ts', import.meta.url).href
  /** Runs a program that has `pool` and `ask`, and gives the id of its reader once it has printed it. */
  const parent = async (program: string) => {
    const database = JSON.stringify(scratchDatabase('CREATE TABLE t(a)'))
    const text = `
      import { createReaderPool } from ${JSON.stringify(poolModule)}
      const pool = createReaderPool({ readers: 2, timeoutMs: 60_000 })
      const ask = (sql) => pool.rows({ database: ${database}, sql, parameters: [], lane: 'query', maxRows: 1 })
      await ask('SELECT 1')
      ${program}
      console.log(pool.processIds()[0])`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', text], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
    const reader = await new Promise<number>((resolve) => child.stdout.once('data', (data) => resolve(Number(data))))
    return { child, ended, reader }
  }

  it('ends by itself though the pool is idle and never closed, and so does the reader', async () => {
    const { ended, reader } = await parent('')
    expect(await ended).toBe(0)
    await vi.waitFor(() => expect(isAlive(reader)).toBe(false), patience)
  })

  it('takes the reader with it when it is killed, even from a statement that never ends', async () => {
    const { child, ended, reader } = await parent(`ask(${JSON.stringify(runaway)})`)
    expect(isAlive(reader)).toBe(true)
    child.kill('SIGKILL')
    await ended
    await vi.waitFor(() => expect(isAlive(reader)).toBe(false), patience)
  })
})
