import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { StichtagError } from '../../src/errors.ts'
import { limitsWith } from '../../src/ingest/download-limits.ts'
import {
  type Attempt,
  backoffMs,
  retryAfterMs,
  retryTeller,
  type Waiting,
  withRetries,
} from '../../src/ingest/download-retry.ts'

const broken = (bytes: number, total?: number): Attempt => ({
  kind: 'again',
  error: new StichtagError('SOURCE_FAILED', 'broke off'),
  reached: true,
  bytes,
  total,
})
const silent: Attempt = {
  kind: 'again',
  error: new StichtagError('SOURCE_UNREACHABLE', 'cannot be reached'),
  reached: false,
  bytes: 0,
}

/** Runs attempts, each of which takes `attemptMs`; gives how many were made and when the last one ended. */
const run = async (attempts: (n: number) => Attempt, limits = limitsWith({}), attemptMs = 0) => {
  let clock = 0
  let made = 0
  const waiting: Waiting = {
    now: () => clock,
    random: () => 0,
    sleep: async (ms) => {
      clock += ms
    },
  }
  const attempt = async (): Promise<Attempt> => {
    clock += attemptMs
    return attempts(++made)
  }
  const signal = new AbortController().signal
  const promised: number[] = []
  const onRetry = (_: StichtagError, __: number, givenUpInMs: number | undefined): void => {
    if (givenUpInMs !== undefined) promised.push(clock + givenUpInMs)
  }
  const code = await withRetries(attempt, limits, { signal, waiting, onRetry }).then(
    ({ kind }) => kind,
    (error: unknown) => (error instanceof StichtagError ? error.code : 'other'),
  )
  return { code, made, clock, promised }
}

describe('attempts of a download', () => {
  it('end with the first that succeeds', async () => {
    expect(await run((n) => (n < 3 ? broken(0) : { kind: 'complete' }))).toMatchObject({ code: 'complete', made: 3 })
  })

  it('are bounded in number', async () => {
    expect(await run(() => broken(5_000_000), limitsWith({ attempts: 4 }))).toMatchObject({
      code: 'SOURCE_FAILED',
      made: 4,
    })
  })

  it('are counted anew while the file grows', async () => {
    const growing = (n: number): Attempt => (n < 20 ? broken(n * 2_000_000) : { kind: 'complete' })
    expect(await run(growing, limitsWith({ attempts: 2 }))).toMatchObject({ code: 'complete', made: 20 })
  })

  it.each([
    [1_000_000, 20, 'complete'],
    [3_000_000, 2, 'SOURCE_FAILED'],
    [undefined, 2, 'SOURCE_FAILED'],
  ])('are counted anew while a file of %s bytes grows by a hundredth of it', async (total, made, code) => {
    const growing = (n: number): Attempt => (n < 20 ? broken(n * 20_000, total) : { kind: 'complete' })
    expect(await run(growing, limitsWith({ attempts: 2 }))).toMatchObject({ code, made })
  })

  it('keep to the time in which a source may be unreachable, their own time included', async () => {
    const limits = limitsWith({ unreachableMs: 25_000, connectMs: 10_000 })
    const { code, made, clock } = await run(() => silent, limits, 10_000)
    expect({ code, made }).toEqual({ code: 'SOURCE_UNREACHABLE', made: 2 })
    expect(clock).toBeLessThanOrEqual(25_000)
  })

  it('count that time from when the source last answered', async () => {
    const limits = limitsWith({ unreachableMs: 25_000, connectMs: 10_000 })
    expect(await run((n) => (n < 4 ? broken(0) : silent), limits, 10_000)).toMatchObject({
      code: 'SOURCE_UNREACHABLE',
      made: 4,
    })
  })
})

describe('the wait before the next attempt', () => {
  const limits = limitsWith({ backoffMs: 1000, backoffMaxMs: 5000 })

  it('doubles up to a limit', () => {
    expect([1, 2, 3, 4, 50].map((failures) => backoffMs(failures, limits, 1))).toEqual([1000, 2000, 4000, 5000, 5000])
  })

  it('lies between half and all of that, so that many do not come back at once', () => {
    expect(backoffMs(2, limits, 0)).toBe(1000)
  })

  it.each([
    ['120', 120_000],
    ['Tue, 01 Dec 2026 03:01:00 GMT', 60_000],
    ['Tue, 01 Dec 2026 02:00:00 GMT', 0],
    ['soon', undefined],
    [undefined, undefined],
  ])('is what Retry-After: %s asks for', (header, ms) => {
    expect(retryAfterMs(header, new Date('2026-12-01T03:00:00Z'))).toBe(ms)
  })
})

describe('what is said of attempts', () => {
  it('is the first failure and each that is another one, with how long it goes on', () => {
    const lines: { level: number; msg: string }[] = []
    const log = pino({ level: 'debug', base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const tell = retryTeller('http://user:secret@127.0.0.1/f', log)
    const down = new StichtagError('SOURCE_UNREACHABLE', 'f cannot be reached')
    tell(down, 1500, 110_000)
    tell(down, 4000, 100_000)
    tell(new StichtagError('SOURCE_FAILED', 'f answered 503'), 8000, undefined)
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      [40, 'f cannot be reached; trying again in 2 s, and giving up after 110 s at most'],
      [20, 'f cannot be reached; trying again in 4 s, and giving up after 100 s at most'],
      [40, 'f answered 503; trying again in 8 s'],
    ])
    expect(JSON.stringify(lines)).not.toContain('secret')
  })

  it.each([0, 3000, 10_000])(
    'is kept: nothing that does not answer within %s ms is tried longer',
    async (attemptMs) => {
      const { clock, promised } = await run(() => silent, limitsWith({}), attemptMs)
      expect(promised.length).toBeGreaterThan(1)
      for (const end of promised) expect(end).toBeGreaterThanOrEqual(clock)
    },
  )
})
