/** How alike two words of a name are: the share of letters that need no mending. Pure. */
import type { NameWord } from './name-words.ts'

/** Typing errors that a word of so many letters may have; with more it counts as another word. */
export const mostErrors = (letters: number): number => {
  if (letters < 2) return 0
  if (letters < 8) return 1
  return letters < 12 ? 2 : 3
}

/**
 * Least number of letters to add, leave out, replace or swap with their neighbour that turns one word into another
 * (optimal string alignment); `undefined` where it is more than `most`.
 */
export const typingErrors = (left: string, right: string, most: number): number | undefined => {
  if (left === right) return 0
  if (Math.abs(left.length - right.length) > most) return undefined
  let beforeLast: number[] = []
  let last: number[] = []
  let row: number[] = []
  for (let to = 0; to <= right.length; to += 1) last.push(to)
  for (let at = 1; at <= left.length; at += 1) {
    row[0] = at
    let least = at
    for (let to = 1; to <= right.length; to += 1) {
      const isSame = left[at - 1] === right[to - 1]
      const isSwapped = at > 1 && to > 1 && left[at - 1] === right[to - 2] && left[at - 2] === right[to - 1]
      const errors = Math.min(
        (last[to] ?? at) + 1,
        (row[to - 1] ?? to) + 1,
        (last[to - 1] ?? at) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[to - 2] ?? at) + 1 : Number.POSITIVE_INFINITY,
      )
      row[to] = errors
      least = Math.min(least, errors)
    }
    if (least > most) return undefined
    const free = beforeLast
    beforeLast = last
    last = row
    row = free
  }
  const errors = last[right.length] ?? left.length
  return errors > most ? undefined : errors
}

const similarityOf = (left: string, right: string): number => {
  const letters = Math.max(left.length, right.length)
  const errors = typingErrors(left, right, mostErrors(letters))
  return errors === undefined ? 0 : 1 - errors / letters
}

/** 1 for the same word, 0 for another one, between them for one that is mistyped or transcribed otherwise. */
export const wordSimilarity = (left: NameWord, right: NameWord): number => {
  let most = 0
  for (const one of left) for (const other of right) most = Math.max(most, similarityOf(one, other))
  return most
}
