/**
 * Answers that were given before, for resources that many ask for: a process that reads need not be asked again, which is
 * half of what an answer costs. They belong to one catalogue, which is immutable and followed by another when anything
 * moves, and are only of snapshots, which never change. Whether somebody may have an answer is decided before it is looked
 * for here.
 */
import { LeastRecentMap } from '../query/least-recent.ts'
import type { ServedDatabase } from './served.ts'

/**
 * Places for what was asked once. Where there is no room, an answer is kept when it is asked for again: in a load in which
 * each question is new, letting one go for the next would cost as much as making it, most of that in the garbage collector.
 */
const askedPlaces = 8192

/** Characters of all answers together, and of one: some thousand records, in less memory than one reader process has. */
const mostCharacters = 2_000_000
const mostOfOne = 20_000

/** What was made for a question. */
export interface Made<Answer> {
  readonly answer: Answer
  /** Characters of it; undefined where it must not be given again. Asked only where it may be kept. */
  readonly length: () => number | undefined
}

/** Whether a question was asked not long ago; it was from now on. Another one that looks the same does no harm. */
const isAskedAgain = (asked: Int32Array, question: string): boolean => {
  const print = fingerprint(question)
  const place = (print >>> 0) % asked.length
  const known = asked[place] === print
  asked[place] = print
  return known
}

/** FNV-1a over the characters. */
const fingerprint = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

/** Gives what was given before to a question about a database, or what `make` makes. */
export type Prepared<Answer> = (
  database: ServedDatabase,
  question: string,
  make: () => Promise<Made<Answer>>,
) => Promise<Answer>

/** Keeps answers; where there is no room, those that were asked for longest ago go for one that is asked for again. */
export const keptAnswers = <Answer>(): Prepared<Answer> => {
  const kept = new LeastRecentMap<string, { readonly answer: Answer; readonly length: number }>(
    mostCharacters,
    undefined,
    ({ length }) => length,
  )
  const asked = new Int32Array(askedPlaces)
  return async (database, question, make) => {
    if (database.foreign === true) return (await make()).answer
    const key = `${database.path}\n${question}`
    const known = kept.get(key)
    if (known !== undefined) return known.answer
    const { answer, length } = await make()
    const hasRoom = kept.size <= mostCharacters - mostOfOne
    if (key.length > mostOfOne || !(hasRoom || isAskedAgain(asked, key))) return answer
    const characters = length()
    if (characters !== undefined && characters <= mostOfOne) kept.set(key, { answer, length: characters + key.length })
    return answer
  }
}
