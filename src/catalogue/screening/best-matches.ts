/**
 * The names of one list compared with the one that is looked up: the best name of each entity that scores enough.
 *
 * Comparing is the only work of a search that the process does in which everybody is served, so it is bounded by what is
 * compared and not by a clock: the same question has the same answer on a busy machine. It is done in slices of some
 * milliseconds, in turns with all that is served beside it.
 */
import { StichtagError } from '../../errors.ts'
import type { ListedName } from './candidates.ts'
import type { LookedUpName } from './looked-up-name.ts'
import { nameScore } from './name-score.ts'
import { type NameWord, nameWords } from './name-words.ts'
import type { Turns } from './turns.ts'

export interface Match extends ListedName {
  /** 0 to 1: see docs/screening.md. */
  readonly score: number
  /** Whether the words are the same in the same order: of equal scores these come first. */
  readonly isSameOrder: boolean
}

export interface Matches {
  readonly matches: readonly Match[]
  /** How many names were compared, from the first on. */
  readonly compared: number
}

/** How much may be compared, counted in pairs of words: each takes less than a microsecond. */
export interface Effort {
  readonly turns: Turns
  readonly mostPairs: number
}

/** Pairs of words compared for one call, over all lists: some tenths of a second where everything is at its longest. */
export const mostPairsPerCall = 500_000
/** What a name takes beside its pairs: to be cut into words and folded. */
const pairsPerName = 20
/** Pairs in one slice, of two to three milliseconds. */
const pairsPerSlice = 4000

/** The matches among names, one per entity, best first. Throws CANCELLED. */
export const bestMatches = async (
  { words: wanted }: LookedUpName,
  names: readonly ListedName[],
  threshold: number,
  { turns, mostPairs }: Effort,
  signal?: AbortSignal,
): Promise<Matches> => {
  const asked = spelled(wanted)
  const best = new Map<string | number, Match>()
  let [compared, spent, endOfSlice] = [0, 0, 0]
  for (const each of names) {
    if (spent >= endOfSlice) {
      await turns.next()
      if (signal?.aborted === true) throw new StichtagError('CANCELLED', 'The request was cancelled.')
      endOfSlice = spent + pairsPerSlice
    }
    const words = nameWords(each.name)
    spent += pairsPerName + wanted.length * words.length
    if (spent > mostPairs) break
    compared += 1
    const match = { ...each, score: nameScore(wanted, words), isSameOrder: spelled(words) === asked }
    const before = best.get(each.entityId)
    if (match.score >= threshold && (before === undefined || inOrder(match, before) < 0)) best.set(each.entityId, match)
  }
  return { matches: [...best.values()].sort(inOrder), compared }
}

const spelled = (words: readonly NameWord[]): string => words.map(([word]) => word).join(' ')

/** Best first: by score, then the same order of words, then strong names before weak ones. */
export const inOrder = (one: Match, other: Match): number =>
  other.score - one.score ||
  Number(other.isSameOrder) - Number(one.isSameOrder) ||
  Number(one.strength === 'weak') - Number(other.strength === 'weak') ||
  one.name.length - other.name.length ||
  (one.name < other.name ? -1 : Number(one.name > other.name))
