/**
 * Answers that were given before, for resources that many ask for: a process that reads need not be asked again, which is
 * half of what an answer costs. They belong to one catalogue, which is immutable and followed by another when anything
 * moves, and are only of snapshots, which never change. Whether somebody may have an answer is decided before it is looked
 * for here.
 */
import { LeastRecentMap } from '../query/least-recent.ts'
import type { ServedDatabase } from './served.ts'
import type { Reading, ToolAnswer } from './types.ts'

/** Characters of all answers together, and of one: some thousand records, in less memory than one reader process has. */
const mostCharacters = 2_000_000
const mostOfOne = 20_000

/** Of a reading that is text alone: BLOBs are big, and rarely asked for. */
export const lengthOfReading = ({ contents }: Reading): number | undefined =>
  contents.reduce<number | undefined>(
    (sum, content) => (sum === undefined || !('text' in content) ? undefined : sum + content.text.length),
    0,
  )

/** Of an answer that is one; failures are to be tried again. Links are as long as the URIs in it, or a little longer. */
export const lengthOfAnswer = (answer: ToolAnswer): number | undefined =>
  answer.ok ? JSON.stringify(answer.structured).length + JSON.stringify(answer.links).length : undefined

/** Gives what was given before to a question about a database, or what `make` makes. */
export type Prepared<Answer> = (
  database: ServedDatabase,
  question: string,
  make: () => Promise<Answer>,
) => Promise<Answer>

/** Keeps answers whose length in characters `lengthOf` tells; undefined where one is not to be kept. */
export const keptAnswers = <Answer>(lengthOf: (answer: Answer) => number | undefined): Prepared<Answer> => {
  const kept = new LeastRecentMap<string, { readonly answer: Answer; readonly length: number }>(
    mostCharacters,
    undefined,
    ({ length }) => length,
  )
  return async (database, question, make) => {
    if (database.foreign === true) return make()
    const key = `${database.path}\n${question}`
    const known = kept.get(key)
    if (known !== undefined) return known.answer
    const answer = await make()
    const length = lengthOf(answer)
    if (length !== undefined && length <= mostOfOne) kept.set(key, { answer, length: length + key.length })
    return answer
  }
}
