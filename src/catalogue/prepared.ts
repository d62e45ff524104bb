/**
 * Answers that were given before, for resources that many ask for: a process that reads need not be asked again, which is
 * half of what an answer costs. They belong to one catalogue, which is immutable and followed by another when anything
 * moves, and are only of snapshots, which never change. Whether somebody may have an answer is decided before it is looked
 * for here.
 */
import { LeastRecentMap } from '../query/least-recent.ts'
import type { ServedDatabase } from './served.ts'

/** Characters of all answers together, and of one: some thousand records, in less memory than one reader process has. */
const mostCharacters = 2_000_000
const mostOfOne = 20_000

/** What was made for a question. */
export interface Made<Answer> {
  readonly answer: Answer
  /** Characters of it; undefined where it must not be given again. */
  readonly length: number | undefined
}

/** Gives what was given before to a question about a database, or what `make` makes. */
export type Prepared<Answer> = (
  database: ServedDatabase,
  question: string,
  make: () => Promise<Made<Answer>>,
) => Promise<Answer>

/** Keeps answers, those that were asked for longest ago no longer than there is room. */
export const keptAnswers = <Answer>(): Prepared<Answer> => {
  const kept = new LeastRecentMap<string, { readonly answer: Answer; readonly length: number }>(
    mostCharacters,
    undefined,
    ({ length }) => length,
  )
  return async (database, question, make) => {
    if (database.foreign === true) return (await make()).answer
    const key = `${database.path}\n${question}`
    const known = kept.get(key)
    if (known !== undefined) return known.answer
    const { answer, length } = await make()
    if (length !== undefined && length <= mostOfOne) kept.set(key, { answer, length: length + key.length })
    return answer
  }
}
