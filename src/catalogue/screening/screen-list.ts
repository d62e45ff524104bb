/** One list searched for a name: the best name of each entity that scores enough, best first. */
import type { ReaderPool } from '../../query/types.ts'
import { readLabelled } from '../labelled.ts'
import type { ServedDatabase } from '../served.ts'
import { candidatesFor, type ListedName } from './candidates.ts'
import type { InstalledList } from './lists.ts'
import { nameScore } from './name-score.ts'
import { nameWords } from './name-words.ts'

export interface Match extends ListedName {
  /** 0 to 1: see docs/screening.md. */
  readonly score: number
  /** Whether the words are the same in the same order: of equal scores these come first. */
  readonly isSameOrder: boolean
}

export interface ScreenedList extends InstalledList {
  /** In the version that was read. */
  readonly database: ServedDatabase
  readonly matches: readonly Match[]
  readonly cut: boolean
}

/** Searches a list. Throws what the pool throws. */
export const screenList = async (
  pool: ReaderPool,
  { dataset, database }: InstalledList,
  name: string,
  threshold: number,
  signal?: AbortSignal,
): Promise<ScreenedList> => {
  const { answer, database: read } = await readLabelled(database, () => candidatesFor(pool, database, name, signal))
  return { dataset, database: read, matches: bestOfEach(name, answer.names, threshold), cut: answer.cut }
}

/** The matches of several names, one per entity. Pure. */
export const bestOfEach = (name: string, names: readonly ListedName[], threshold: number): readonly Match[] => {
  const wanted = nameWords(name)
  const spelled = (words: ReturnType<typeof nameWords>): string => words.map(([word]) => word).join(' ')
  const asked = spelled(wanted)
  const best = new Map<string | number, Match>()
  for (const each of names) {
    const words = nameWords(each.name)
    const match = { ...each, score: nameScore(wanted, words), isSameOrder: spelled(words) === asked }
    const before = best.get(each.entityId)
    if (match.score >= threshold && (before === undefined || inOrder(match, before) < 0)) best.set(each.entityId, match)
  }
  return [...best.values()].sort(inOrder)
}

/** Best first: by score, then the same order of words, then strong names before weak ones. */
export const inOrder = (one: Match, other: Match): number =>
  other.score - one.score ||
  Number(other.isSameOrder) - Number(one.isSameOrder) ||
  Number(one.strength === 'weak') - Number(other.strength === 'weak') ||
  one.name.length - other.name.length ||
  (one.name < other.name ? -1 : Number(one.name > other.name))
