/** A pool that reads in the test's own process: the readers' code without their processes. */
import Database from 'better-sqlite3'
import { StichtagError } from '../../src/errors.ts'
import { OpenFiles } from '../../src/query/open-files.ts'
import { readDigests, readRecordPage } from '../../src/query/read-records.ts'
import { readRows } from '../../src/query/read-rows.ts'
import type { ReaderPool, RowsRequest } from '../../src/query/types.ts'

/** Databases that were opened, to see what was not. */
export interface InProcessPool extends ReaderPool {
  readonly asked: readonly string[]
}

export const createInProcessPool = (): InProcessPool => {
  const files = new OpenFiles()
  const asked: string[] = []
  const answer = async <Answer>(
    database: string,
    signal: AbortSignal | undefined,
    read: () => Answer,
  ): Promise<Answer> => {
    if (signal?.aborted === true) throw new StichtagError('CANCELLED', 'cancelled')
    asked.push(database)
    try {
      return read()
    } catch (error) {
      if (error instanceof Database.SqliteError) throw new StichtagError('QUERY_FAILED', error.message)
      throw error
    }
  }
  return {
    asked,
    rows: (request: RowsRequest, signal) =>
      answer(request.database, signal, () => readRows(files.at(request.database), request)),
    recordPage: (request, signal) =>
      answer(request.database, signal, () => {
        const answered = readRecordPage(files.at(request.database), request, Number.MAX_SAFE_INTEGER)
        if (answered === 'long') throw new Error('more rows than can be counted')
        return answered.page
      }),
    digests: (request, signal) =>
      answer(request.database, signal, () => readDigests(files.at(request.database), request)),
    close: async () => undefined,
  }
}
