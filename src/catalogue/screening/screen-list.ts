/** One list searched for a name: the names of it that may be meant, and the best of each entity. */
import type { ReaderPool } from '../../query/types.ts'
import { readLabelled } from '../labelled.ts'
import type { ServedDatabase } from '../served.ts'
import { bestMatches, type Effort, type Match } from './best-matches.ts'
import { candidatesFor } from './candidates.ts'
import type { InstalledList } from './lists.ts'
import type { LookedUpName } from './looked-up-name.ts'

export interface ScreenedList extends InstalledList {
  /** In the version that was read. */
  readonly database: ServedDatabase
  /** Best first. */
  readonly matches: readonly Match[]
  /** Whether more names share words with the one looked up than were compared. */
  readonly cut: boolean
  /** Names that were fetched, and those that were not compared because comparing them all takes too long. */
  readonly names: { readonly fetched: number; readonly notCompared: number }
}

/** Searches a list. Throws what the pool throws, and CANCELLED. */
export const screenList = async (
  pool: ReaderPool,
  { dataset, database }: InstalledList,
  wanted: LookedUpName,
  threshold: number,
  effort: Effort,
  signal?: AbortSignal,
): Promise<ScreenedList> => {
  const { answer, database: read } = await readLabelled(database, () => candidatesFor(pool, database, wanted, signal))
  const { matches, compared } = await bestMatches(wanted, answer.names, threshold, effort, signal)
  const names = { fetched: answer.names.length, notCompared: answer.names.length - compared }
  return { dataset, database: read, matches, cut: answer.cut || names.notCompared > 0, names }
}
