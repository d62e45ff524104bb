/** What changed in one version against its base. Immutable; in pages of so many rows that 100 KB hold them. */
import { type Change, changeOps } from '../../store/changes.ts'
import type { Manifest } from '../../store/manifest.ts'
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
import { changesUri, pageUri } from '../uri.ts'

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
  const { dataset, snapshot, version, page, table, op } = target
  const manifest = context.manifest(snapshot, version)
  const database = databaseOfManifest(snapshot.store, manifest)
  const offset = (page - 1) * pageRows
  const part = { ...(table === undefined ? {} : { table }), ...(op === undefined ? {} : { op }) }
  const limits = { offset, limit: pageRows, maxBytes: 64 * 1024 * 1024, ...part }
  const { changes, truncated } = await readChanges(context.pool, snapshot, version, limits, signal)
  const uri = pageUri(target.uri, page)
  if (page > 1 && changes.length === 0) throw notFound(uri, 'it has no such page')
  const body = {
    uri,
    ...originOf(dataset.id, database),
    base: manifest.base,
    ...part,
    counts: table === undefined ? manifest.changes : { [table]: manifest.changes[table] ?? nothing },
    changes: changes.map((change) => shown(changedRecord(dataset.id, manifest.tables, change))),
    ...(page > 1 ? { page } : {}),
    ...(truncated ? { next: pageUri(target.uri, page + 1) } : {}),
    ...(truncated && page === 1 && op === undefined ? { parts: partsOf(target, manifest.changes) } : {}),
    ...termsOf(database),
  }
  return jsonReading({ uri, body, compared: { of: body.changes }, ttlMs: yearMs })
}

const nothing = { added: 0, removed: 0, changed: 0 }

/** Where the changes of each table and kind are alone, for those who need not read them all. */
const partsOf = (
  { dataset, version, table }: Extract<Target, { kind: 'changes' }>,
  counts: Manifest['changes'],
): readonly string[] =>
  Object.entries(counts).flatMap(([name, of]) =>
    table === undefined || table === name
      ? changeOps.filter((op) => of[op] > 0).map((op) => changesUri(dataset.id, version, name, op))
      : [],
  )

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
