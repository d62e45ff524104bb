/** What is said where a record is not in the current snapshot: one that was taken off a list is still in older ones. */
import type { StichtagError } from '../../errors.ts'
import type { CatalogueContext } from '../context.ts'
import { notFound, type Target } from '../resolve.ts'
import { historyUri, recordUri } from '../uri.ts'
import { momentsOf } from './history.ts'

type RecordRead = Extract<Target, { kind: 'record' }>

/** That there is no such record in a version, and where it was last. */
export const absentRecord = async (
  context: CatalogueContext,
  target: RecordRead,
  version: string,
  signal?: AbortSignal,
): Promise<StichtagError> => {
  const { uri, dataset, table, key } = target
  const why = `${table.name} has no such record in ${version}`
  if (target.version !== undefined || dataset.snapshot === undefined) return notFound(uri, why)
  const moments = await momentsOf(context, target, signal)
  // What an invented sample held is no past of a real record.
  const last = moments.findLast(
    ({ digest, database }) => digest !== null && database.terms.sample === target.database.terms.sample,
  )
  if (last === undefined) return notFound(uri, why)
  const then = recordUri(dataset.id, table.name, key, last.version)
  return notFound(uri, `${why}. It was in ${last.version}: ${then}; ${historyUri(dataset.id, table.name, key)} has all`)
}
