/** One record, whole: its own row and what belongs to it. Over 100 KB the related rows are cut into pages. */
import type { StichtagError } from '../../errors.ts'
import type { ReaderPool, RecordPage } from '../../query/types.ts'
import { originOf, termsOf } from '../answer-origin.ts'
import { type ShownRow, withoutBlobs } from '../blobs.ts'
import { readLabelled } from '../labelled.ts'
import { pageBytes, wideNote } from '../paging.ts'
import { comparedDigest, jsonReading } from '../reading.ts'
import { recordPlan } from '../record-plan.ts'
import { notFound, type RecordTarget, type Target } from '../resolve.ts'
import type { Content, Reading } from '../types.ts'
import { pageUri } from '../uri.ts'

/** Reads a page of a record; null where there is no such record. */
export const recordPageOf = (
  pool: ReaderPool,
  { database, table, key }: RecordTarget,
  page: number,
  signal?: AbortSignal,
): Promise<RecordPage | null> =>
  pool.recordPage({ database: database.path, plan: recordPlan(database, table), key, page, pageBytes }, signal)

/** What a page of the record at `uri` shows of it: the record on the first, rows that belong to it, and what follows. */
export const shownPage = (
  uri: string,
  { record, related, pages }: RecordPage,
  page: number,
): { readonly body: Readonly<Record<string, unknown>>; readonly contents: readonly Content[] } => {
  const { show, contents } = withoutBlobs(uri)
  const first = page === 1 ? { record: show(record) } : { of: uri }
  // On one page alone an empty relation says that nothing belongs to the record; on several it would say so wrongly.
  const groups = related
    .filter(({ rows }) => pages === 1 || rows.length > 0)
    .map(({ name, from, rows }): readonly [string, readonly ShownRow[]] => [
      name,
      rows.map((row, index) => show(row, `${name}/${from + index + 1}/`)),
    ])
  const body = {
    ...first,
    ...(related.length > 0 ? { related: Object.fromEntries(groups) } : {}),
    ...wideNote([first, groups]),
    ...(pages === 1 ? {} : { page, pages }),
    ...(page < pages ? { next: pageUri(uri, page + 1) } : {}),
  }
  return { body, contents }
}

/** What is said beside a record. */
interface RecordNotes {
  readonly note: { readonly validity?: string }
  /** What is said where a version has no such record. */
  readonly absent: (version: string) => Promise<StichtagError>
}

/** What a record's URI shows. Throws NOT_FOUND. */
export const readRecord = async (
  pool: ReaderPool,
  target: Extract<Target, { kind: 'record' }>,
  { note, absent }: RecordNotes,
  ttlMs: number,
  signal?: AbortSignal,
): Promise<Reading> => {
  const { uri, dataset, page } = target
  const { database, answer: found } = await readLabelled(target.database, () =>
    recordPageOf(pool, target, page, signal),
  )
  if (found === null) throw await absent(database.version)
  if (page > found.pages) throw notFound(pageUri(uri, page), `it has ${found.pages} pages`)
  const { body, contents } = shownPage(uri, found, page)
  const origin = { uri: pageUri(uri, page), ...originOf(dataset.id, database), ...note }
  return jsonReading({
    uri: origin.uri,
    body: { ...origin, ...body, ...termsOf(database) },
    compared: { digest: page === 1 ? found.digest : comparedDigest(body.related) },
    ttlMs,
    further: contents,
  })
}
