/**
 * How alike two names are, 0 to 1, whatever the order of their words. docs/screening.md says what a score means.
 *
 * Each word is paired with the word of the other name that is most like it. Of each name the share of letters that have
 * a counterpart is taken; the name that is covered better counts three times as much as the other, so that a middle name
 * that only one of them has costs little. Where a single word is all that two names share, it is no more than a shared
 * word. Pure.
 */
import type { NameWord } from './name-words.ts'
import { wordSimilarity } from './word-similarity.ts'

/** Share of the score that the better covered name gives; the other gives the rest. */
const betterShare = 0.75
/** Least score of a name that differs from the other by one typing error and nothing else. */
const oneErrorScore = 0.86
/** Least score of a name with the same letters in the same order, and the spaces elsewhere. */
const sameLettersScore = 0.95
/** In fewer letters than these, one error makes another name. */
const lettersForOneError = 5
/** What is left of a score where names share one word and one of them has others. */
const oneSharedWord = 0.75

/** The score of a listed name against the one that is looked up: 1 for the same words in any order. */
export const nameScore = (wanted: readonly NameWord[], listed: readonly NameWord[]): number => {
  if (wanted.length === 0 || listed.length === 0) return 0
  const left = joinedLike(wanted, listed)
  const right = joinedLike(listed, left)
  const pairs = pairsOf(left, right)
  const shares = [
    sum(pairs.map((pair) => pair.similarity * lengthOf(left[pair.left]))) / sum(left.map(lengthOf)),
    sum(pairs.map((pair) => pair.similarity * lengthOf(right[pair.right]))) / sum(right.map(lengthOf)),
  ]
  const score = betterShare * Math.max(...shares) + (1 - betterShare) * Math.min(...shares)
  if (lettersOf(left) === lettersOf(right)) return Math.max(sameLettersScore, rounded(score))
  if (isOneErrorApart(left, right, pairs)) return Math.max(oneErrorScore, rounded(score))
  const isOneWord = pairs.length === 1 && Math.max(left.length, right.length) > 1
  return rounded(isOneWord ? score * oneSharedWord : score)
}

const rounded = (score: number): number => Math.round(score * 1000) / 1000

/** Whether every word has its counterpart, and one letter of one word is all that is not the same. */
const isOneErrorApart = (left: readonly NameWord[], right: readonly NameWord[], pairs: readonly Pair[]): boolean => {
  if (pairs.length !== left.length || pairs.length !== right.length) return false
  if (Math.max(lettersOf(left).length, lettersOf(right).length) < lettersForOneError) return false
  const [wrong, ...others] = pairs.filter(({ similarity }) => similarity < 1)
  if (wrong === undefined || others.length > 0) return false
  const letters = Math.max(lengthOf(left[wrong.left]), lengthOf(right[wrong.right]))
  return Math.round((1 - wrong.similarity) * letters) === 1
}

/** Neighbouring words as one where the other name has them so: `al qaida` beside `alqaida`. */
const joinedLike = (words: readonly NameWord[], other: readonly NameWord[]): readonly NameWord[] => {
  const known = new Set(other.flat())
  const joined: NameWord[] = []
  for (let at = 0; at < words.length; at += 1) {
    const [here = ''] = words[at] ?? []
    const [next = ''] = words[at + 1] ?? []
    const isTwo = next !== '' && known.has(here + next)
    joined.push(isTwo ? [here + next] : (words[at] ?? []))
    if (isTwo) at += 1
  }
  return joined
}

interface Pair {
  readonly left: number
  readonly right: number
  readonly similarity: number
}

/** The words that go together: the most alike first, each word once. */
const pairsOf = (left: readonly NameWord[], right: readonly NameWord[]): readonly Pair[] => {
  const alike: Pair[] = []
  for (const [index, word] of left.entries()) {
    for (const [place, other] of right.entries()) {
      const similarity = wordSimilarity(word, other)
      if (similarity > 0) alike.push({ left: index, right: place, similarity })
    }
  }
  const weight = (pair: Pair): number => pair.similarity * (1 + lengthOf(left[pair.left]) / 1000)
  const taken = { left: new Set<number>(), right: new Set<number>() }
  return alike
    .sort((one, other) => weight(other) - weight(one))
    .filter((pair) => {
      if (taken.left.has(pair.left) || taken.right.has(pair.right)) return false
      taken.left.add(pair.left)
      taken.right.add(pair.right)
      return true
    })
}

const lettersOf = (words: readonly NameWord[]): string => words.map(([word]) => word).join('')

const lengthOf = (word: NameWord | undefined): number => word?.[0]?.length ?? 0

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
