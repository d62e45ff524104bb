/**
 * Rows of a query whose statement limits them itself, as most queries of schemas do (`… LIMIT ?`). Such a statement ends
 * where its limit is reached and says nothing of what it left out; so one row more is asked for, and not answered.
 */
import type { Parameter, ReaderPool, Rows, RowsRequest } from '../query/types.ts'
import { type OuterLimit, type RowLimits, rowLimitsIn } from '../schema/row-limits.ts'

/** Rows of a statement, told exactly whether its own limits left some out. Throws what the pool throws. */
export const limitedRows = async (
  pool: ReaderPool,
  request: RowsRequest,
  limits: RowLimits,
  signal?: AbortSignal,
): Promise<Rows> => {
  const found = await pool.rows(await oneMore(pool, request, limits.outer, signal), signal)
  if (found.truncated || limits.inner.length === 0) return found
  // What a limit within the statement leaves out is not seen by its end, only by what comes of one row more.
  const more = await pool.rows({ ...request, parameters: raised(request.parameters, limits.inner) }, signal)
  const isCut = more.truncated || JSON.stringify(more.rows) !== JSON.stringify(found.rows)
  return isCut ? { ...found, truncated: true, truncatedBy: 'rows' } : found
}

/** Whether a statement gave as many rows as its own limit allows, where that limit is a plain number. */
export const reachesOwnLimit = (sql: string, rows: number): boolean => {
  const { outer } = rowLimitsIn(sql)
  return outer !== undefined && plainNumber(outer) === rows
}

/** The same request for one row more than the statement's own limit, to be cut at that limit. */
const oneMore = async (
  pool: ReaderPool,
  request: RowsRequest,
  outer: OuterLimit | undefined,
  signal: AbortSignal | undefined,
): Promise<RowsRequest> => {
  if (outer === undefined) return request
  const limit = await limitOf(pool, request, outer, signal)
  // A negative limit is none, and one over the rows wanted is never reached.
  if (limit === undefined || limit < 0 || limit > request.maxRows) return request
  const { sql, parameters } = request
  if (isPlaceholder(outer)) return { ...request, parameters: raised(parameters, outer.placeholders), maxRows: limit }
  // In lines of its own, as a comment may end the text.
  const raisedText = `(${outer.text}\n) + 1 `
  return { ...request, sql: sql.slice(0, outer.start) + raisedText + sql.slice(outer.end), maxRows: limit }
}

const limitOf = async (
  pool: ReaderPool,
  request: RowsRequest,
  outer: OuterLimit,
  signal: AbortSignal | undefined,
): Promise<number | undefined> => {
  const plain = plainNumber(outer)
  if (plain !== undefined) return plain
  const parameters = outer.placeholders.map((place) => request.parameters[place] ?? null)
  const [only] = parameters
  if (isPlaceholder(outer)) return wholeNumber(only)
  // An expression such as `min(?, 100)`, which cannot depend on rows.
  const { rows } = await pool.rows({ ...request, sql: `SELECT (${outer.text}\n)`, parameters, maxRows: 1 }, signal)
  return wholeNumber(rows[0]?.[0])
}

const isPlaceholder = ({ text, placeholders }: OuterLimit): boolean => placeholders.length === 1 && text.trim() === '?'

const plainNumber = ({ text }: OuterLimit): number | undefined =>
  /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined

const wholeNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined

const raised = (parameters: readonly Parameter[], places: readonly number[]): Parameter[] =>
  parameters.map((value, index) => {
    const limit = places.includes(index) ? wholeNumber(value) : undefined
    return limit === undefined || limit < 0 ? value : limit + 1
  })
