/** How many entries a list has, and how many of them have a name in a script: counted once per state of a list. */
import { z } from 'zod'
import type { ServedDatabase } from '../served.ts'
import type { Patience } from './patience.ts'
import type { Script } from './scripts.ts'

const counted = z.tuple([z.tuple([z.number()])])

/** Counts, and keeps what was counted. Belongs to one catalogue, in which a list is what it is. */
export class ListFigures {
  readonly #patience: Patience
  readonly #known = new Map<string, number>()

  constructor(patience: Patience) {
    this.#patience = patience
  }

  /** Entries of a list. Throws what the pool throws. */
  entries = (database: ServedDatabase, signal?: AbortSignal): Promise<number> =>
    this.#count(database, 'SELECT count(*) FROM entity', [], signal)

  /** Entries with a name in a script. Throws what the pool throws. */
  entriesIn = (database: ServedDatabase, { glob }: Script, signal?: AbortSignal): Promise<number> =>
    this.#count(database, 'SELECT count(DISTINCT entity_id) FROM entity_name WHERE name GLOB ?', [glob], signal)

  async #count(
    database: ServedDatabase,
    sql: string,
    parameters: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<number> {
    const { path, version } = database
    const question = [path, version, sql, ...parameters].join('\n')
    const known = this.#known.get(question)
    if (known !== undefined) return known
    const request = { database: path, sql, parameters, lane: 'search', maxRows: 1 } as const
    const { rows } = await this.#patience.with(database, (pool) => pool.rows(request, signal))
    const [[count]] = counted.parse(rows)
    this.#known.set(question, count)
    return count
  }
}
