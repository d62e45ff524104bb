/** One record, whole: its own row and what belongs to it. Over 100 KB the related rows are cut into pages. */
import { digestOf } from '../../query/digest.ts'
import type { ReaderPool, WholeRecord } from '../../query/types.ts'
import { originOf, termsOf } from '../answer-origin.ts'
import { type ShownRow, withoutBlobs } from '../blobs.ts'
import { cut, jsonBytes } from '../paging.ts'
import { comparedDigest, jsonReading } from '../reading.ts'
import { recordPlan } from '../record-plan.ts'
import { notFound, type RecordTarget, type Target } from '../resolve.ts'
import type { Reading } from '../types.ts'
import { pageUri } from '../uri.ts'

/** Reads a record whole; null where there is none. */
export const wholeRecord = async (
  pool: ReaderPool,
  { database, table, key }: RecordTarget,
  signal?: AbortSignal,
): Promise<WholeRecord | null> => {
  const plan = recordPlan(database, table)
  const [found] = await pool.records({ database: database.path, plan, keys: [key], as: 'whole' }, signal)
  return found ?? null
}

/** What a record's URI shows. Throws NOT_FOUND. */
export const readRecord = async (
  pool: ReaderPool,
  target: Extract<Target, { kind: 'record' }>,
  ttlMs: number,
  signal?: AbortSignal,
): Promise<Reading> => {
  const { uri, dataset, database, table, page } = target
  const whole = await wholeRecord(pool, target, signal)
  if (whole === null) throw notFound(uri, `${table.name} has no such record in ${database.version}`)
  const origin = { uri: pageUri(uri, page), ...originOf(dataset.id, database) }
  const { show, contents } = withoutBlobs(uri)
  const record = show(whole.record)
  const pages = cut(relatedRows(whole, show), jsonBytes(record))
  const rows = pages[page - 1]
  if (rows === undefined) throw notFound(pageUri(uri, page), `it has ${pages.length} pages`)
  const paging = pages.length === 1 ? {} : { page, pages: pages.length }
  const next = page < pages.length ? { next: pageUri(uri, page + 1) } : {}
  const related = grouped(rows, pages.length === 1 ? Object.keys(whole.related) : [])
  const hasRelated = Object.keys(whole.related).length > 0
  return jsonReading({
    uri: origin.uri,
    body: {
      ...origin,
      ...(page === 1 ? { record } : { of: uri }),
      ...(hasRelated ? { related } : {}),
      ...paging,
      ...next,
      ...termsOf(database),
    },
    compared: { digest: page === 1 ? digestOf(whole) : comparedDigest(related) },
    ttlMs,
    further: page === 1 ? contents : [],
  })
}

type NamedRow = readonly [relation: string, row: ShownRow]

const relatedRows = (
  { related }: WholeRecord,
  show: (row: WholeRecord['record'], place?: string) => ShownRow,
): readonly NamedRow[] =>
  Object.entries(related).flatMap(([name, rows]) =>
    rows.map((row, index): NamedRow => [name, show(row, `${name}/${index + 1}/`)]),
  )

const grouped = (
  rows: readonly NamedRow[],
  names: readonly string[],
): Readonly<Record<string, readonly ShownRow[]>> => {
  const groups = Map.groupBy(rows, ([name]) => name)
  return Object.fromEntries(
    [...new Set([...names, ...groups.keys()])].map((name) => [name, (groups.get(name) ?? []).map(([, row]) => row)]),
  )
}
