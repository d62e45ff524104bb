/** Reading a URI: from what it means to what it shows. */
import { validityNote } from '../answer-origin.ts'
import { type CatalogueContext, ttlOf } from '../context.ts'
import { yearMs } from '../freshness.ts'
import { notFound, resolveUri, type Target } from '../resolve.ts'
import type { Reading } from '../types.ts'
import { absentRecord } from './absent-record.ts'
import { readChangesOf } from './changes.ts'
import { readDataset } from './dataset.ts'
import { readHistory } from './history.ts'
import { readQuery } from './query.ts'
import { readRecord } from './record.ts'
import { readSchema } from './schema.ts'
import { readSnapshots } from './snapshots.ts'

/** Reads a URI in any spelling. Throws NOT_FOUND, or why the dataset has nothing to read from. */
export const readUri = async (context: CatalogueContext, uri: string, signal?: AbortSignal): Promise<Reading> =>
  readTarget(context, resolveUri(context, uri), signal)

const readTarget = async (context: CatalogueContext, target: Target, signal?: AbortSignal): Promise<Reading> => {
  switch (target.kind) {
    case 'dataset':
      return readDataset(context, onePage(target).dataset)
    case 'schema':
      return readSchema(context, onePage(target).dataset)
    case 'snapshots':
      return readSnapshots(context, onePage(target).dataset)
    case 'changes':
      return readChangesOf(context, target, signal)
    case 'record': {
      const ttlMs = target.version === undefined ? ttlOf(target.dataset, context) : yearMs
      // What is addressed by its version reads the same for ever.
      const note = target.version === undefined ? validityNote(target.database, context.now()) : {}
      const question = `${target.uri} ${target.page} ${note.validity ?? ''}`
      const reading = await context.preparedReadings(target.database, question, async () => {
        const absent = (version: string) => absentRecord(context, target, version, signal)
        const answer = await readRecord(context.pool, target, { note, absent }, ttlMs, signal)
        return { answer, length: () => textLength(answer) }
      })
      return { ...reading, ttlMs }
    }
    case 'history':
      return readHistory(context, target, signal)
    case 'query':
      return readQuery(context, target, signal)
  }
}

/** Characters of a reading that is text alone: BLOBs are big, and rarely asked for. */
const textLength = ({ contents }: Reading): number | undefined =>
  contents.every((content) => 'text' in content) ? contents.reduce((sum, { text }) => sum + text.length, 0) : undefined

const onePage = (target: Target): Target => {
  if (target.page > 1) throw notFound(target.uri, 'it has one page')
  return target
}
