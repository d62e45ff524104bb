/** A FlowMCP query read by URI: its required parameters in the path, optional ones at their defaults. */

import { originOf, termsOf, validityNote } from '../answer-origin.ts'
import type { CatalogueContext } from '../context.ts'
import { ttlOf } from '../context.ts'
import { cut, wideNote } from '../paging.ts'
import { queryRows } from '../query-rows.ts'
import { jsonReading } from '../reading.ts'
import { notFound, type Target } from '../resolve.ts'
import type { Reading } from '../types.ts'
import { pageUri } from '../uri.ts'

/** Most rows that a query shows by URI, on all its pages together. */
const mostRows = 1000

/** What `…://query/{query}[/{value}…]` shows. */
export const readQuery = async (
  context: CatalogueContext,
  target: Extract<Target, { kind: 'query' }>,
  signal?: AbortSignal,
): Promise<Reading> => {
  const { dataset, query, page } = target
  const limits = { maxRows: mostRows, maxBytes: 1_000_000 }
  const found = await queryRows(context.pool, dataset, query, target.parameters, limits, signal)
  const pages = cut(found.rows)
  const uri = pageUri(target.uri, page)
  const rows = pages[page - 1]
  if (rows === undefined) throw notFound(uri, `it has ${pages.length} pages`)
  const answer = { columns: found.columns, rows, truncated: found.truncated }
  return jsonReading({
    uri,
    body: {
      uri,
      ...originOf(dataset.id, found.database),
      ...validityNote(found.database, context.now(), found.rows.length === 0),
      query: query.name,
      ...answer,
      ...(found.note === undefined ? {} : { note: found.note }),
      ...wideNote(rows),
      ...(pages.length === 1 ? {} : { page, pages: pages.length }),
      ...(page < pages.length ? { next: pageUri(target.uri, page + 1) } : {}),
      ...termsOf(found.database),
    },
    compared: { of: page === 1 ? [found.columns, found.rows, found.truncated] : answer },
    ttlMs: ttlOf(dataset, context),
  })
}
