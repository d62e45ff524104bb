/**
 * How long a list is waited for. A file of people's own may be shaped like a list and be without end; every name looked up
 * would wait for it as long as a statement may run. So one that ran out of time is tried only briefly for a minute. A
 * snapshot is always given its time: it was built to be searched, and it is better to wait than to miss somebody.
 */
import { StichtagError } from '../../errors.ts'
import type { ReaderPool } from '../../query/types.ts'
import type { ServedDatabase } from '../served.ts'

const brieflyMs = 200
const minuteMs = 60_000

export class Patience {
  readonly #pool: ReaderPool
  readonly #now: () => Date
  /** Until when lists are tried briefly, in milliseconds, by the path and version of their files. */
  readonly #lost = new Map<string, number>()

  constructor(pool: ReaderPool, now: () => Date) {
    this.#pool = pool
    this.#now = now
  }

  /** Does `work` on a list with a pool that gives it the time it has. */
  async with<Result>(list: ServedDatabase, work: (pool: ReaderPool) => Promise<Result>): Promise<Result> {
    if (list.foreign !== true) return work(this.#pool)
    const name = `${list.path}\n${list.version}`
    const now = this.#now().getTime()
    const until = this.#lost.get(name) ?? 0
    if (until > now) return work(briefly(this.#pool))
    this.#lost.delete(name)
    try {
      return await work(this.#pool)
    } catch (error) {
      if (error instanceof StichtagError && error.code === 'QUERY_TIMEOUT') this.#lost.set(name, now + minuteMs)
      throw error
    }
  }
}

const briefly = (pool: ReaderPool): ReaderPool => ({
  ...pool,
  rows: (request, signal) => pool.rows({ ...request, timeoutMs: brieflyMs }, signal),
})
