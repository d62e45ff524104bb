/**
 * Answers from files that are not snapshots of ours, labelled with the version that was read. Such a file can be replaced
 * at any moment; the catalogue hears of it up to a second later, and until then knows it by its old version.
 */
import { fileVersionOf } from './discovery/file-version.ts'
import type { ServedDatabase } from './served.ts'

/** A file that is replaced again and again while it is read is labelled with what it was after the last of these. */
const mostReadings = 3

export interface Labelled<Answer> {
  readonly answer: Answer
  /** The database in the version that was read. */
  readonly database: ServedDatabase
}

/** Reads a database, once more where it was replaced meanwhile, and tells in which version it was read. */
export const readLabelled = async <Answer>(
  database: ServedDatabase,
  read: () => Promise<Answer>,
): Promise<Labelled<Answer>> => {
  if (database.foreign !== true) return { answer: await read(), database }
  for (let reading = 1; ; reading += 1) {
    const before = fileVersionOf(database.path)
    const answer = await read()
    const after = fileVersionOf(database.path)
    if (reading === mostReadings || before?.version === after?.version) {
      return { answer, database: { ...database, ...after } }
    }
  }
}
