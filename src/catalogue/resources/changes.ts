/** What changed in one version against its base. Immutable; in pages of so many rows that 100 KB hold them. */
import type { Change } from '../../store/changes.ts'
import { originOf, termsOf } from '../answer-origin.ts'
import { type ChangedRecord, changedRecord } from '../changed-records.ts'
import { readChanges } from '../changes-file.ts'
import type { CatalogueContext } from '../context.ts'
import { databaseOfManifest } from '../discovery/snapshots.ts'
import { yearMs } from '../freshness.ts'
import { jsonBytes } from '../paging.ts'
import { jsonReading } from '../reading.ts'
import { notFound, type Target } from '../resolve.ts'
import type { Reading } from '../types.ts'
import { pageUri } from '../uri.ts'

/** Rows per page: with `mostFieldBytes` each, and as much again for its URIs, about 100 KB. */
const pageRows = 100
/** Where old and new values take more than this, only the names of the columns are given. */
const mostFieldBytes = 500

/** What `…://changes/{version}` shows. */
export const readChangesOf = async (
  context: CatalogueContext,
  target: Extract<Target, { kind: 'changes' }>,
  signal?: AbortSignal,
): Promise<Reading> => {
  const { dataset, snapshot, version, page } = target
  const manifest = context.manifest(snapshot, version)
  const database = databaseOfManifest(snapshot.store, manifest)
  const offset = (page - 1) * pageRows
  const limits = { offset, limit: pageRows, maxBytes: 64 * 1024 * 1024 }
  const { changes, truncated } = await readChanges(context.pool, snapshot, version, limits, signal)
  const uri = pageUri(target.uri, page)
  if (page > 1 && changes.length === 0) throw notFound(uri, 'it has no such page')
  const body = {
    uri,
    ...originOf(dataset.id, database),
    base: manifest.base,
    counts: manifest.changes,
    changes: changes.map((change) => shown(changedRecord(dataset.id, manifest.tables, change))),
    ...(page > 1 ? { page } : {}),
    ...(truncated ? { next: pageUri(target.uri, page + 1) } : {}),
    ...termsOf(database),
  }
  return jsonReading({ uri, body, compared: { of: body.changes }, ttlMs: yearMs })
}

/** A difference in bounded size. */
export const shown = ({
  fields,
  ...change
}: ChangedRecord): Omit<ChangedRecord, 'fields'> & {
  readonly fields?: Change['fields'] | readonly string[]
} => {
  if (fields === undefined) return change
  return { ...change, fields: jsonBytes(fields) > mostFieldBytes ? Object.keys(fields) : fields }
}
