/**
 * Digests of many URIs at once, for whoever decides whom to tell of a change. Records, which are nearly all of them, are
 * read and digested by the reader processes in one request per table; only digests come back.
 */
import { asStichtagError, StichtagError } from '../errors.ts'
import type { CatalogueContext } from './context.ts'
import { comparedDigest } from './reading.ts'
import { recordPlan } from './record-plan.ts'
import { currentRecord, notFound, type RecordTarget, resolveUri } from './resolve.ts'
import { readUri } from './resources/read.ts'
import { parseUri } from './uri.ts'

/** One digest per URI, null where nothing is there. Throws NOT_FOUND for what is no URI of a dataset at all. */
export const digestsOf = async (
  context: CatalogueContext,
  uris: readonly string[],
  signal?: AbortSignal,
): Promise<readonly (string | null)[]> => {
  const digests: (string | null)[] = uris.map(() => null)
  const records = new Map<string, { readonly index: number; readonly target: RecordTarget }[]>()
  const others: number[] = []
  for (const [index, uri] of uris.entries()) {
    const target = targetOrNull(context, uri)
    if (target === null) continue
    if (target === 'other') others.push(index)
    else {
      const place = `${target.database.path}\n${target.table.name}`
      const batch = records.get(place) ?? []
      batch.push({ index, target })
      records.set(place, batch)
    }
  }
  for (const batch of records.values()) {
    const found = await recordDigests(
      context,
      batch.map(({ target }) => target),
      signal,
    )
    for (const [place, { index }] of batch.entries()) digests[index] = found[place] ?? null
  }
  for (const index of others) digests[index] = await digestOfUri(context, uris[index] ?? '', signal)
  return digests
}

/** Codes that say that there is nothing at a URI now; it may come to be there. */
const absent = new Set(['NOT_FOUND', 'UNKNOWN_VERSION', 'DATABASE_MISSING'])

const targetOrNull = (context: CatalogueContext, uri: string): RecordTarget | 'other' | null => {
  const address = parseUri(uri)
  if (address === undefined) throw notFound(uri, 'it is not a URI of a dataset, or is not well formed')
  try {
    const isWhole = address.kind === 'record' && address.page === 1
    if (isWhole && address.version === undefined) return currentRecord(context, address, uri)
    const target = resolveUri(context, uri)
    return isWhole && target.kind === 'record' ? target : 'other'
  } catch (error) {
    if (error instanceof StichtagError && (absent.has(error.code) || error.code === 'SNAPSHOT_INVALID')) return null
    throw error
  }
}

const recordDigests = async (
  { pool }: CatalogueContext,
  targets: readonly RecordTarget[],
  signal: AbortSignal | undefined,
): Promise<readonly (string | null)[]> => {
  const [first] = targets
  if (first === undefined) return []
  const { database, table } = first
  const keys = targets.map(({ key }) => key)
  try {
    return await pool.digests({ database: database.path, plan: recordPlan(database, table), keys }, signal)
  } catch (error) {
    // The file went away after this catalogue was made; the next one says the same.
    if (error instanceof StichtagError && error.code === 'DATABASE_MISSING') return targets.map(() => null)
    throw error
  }
}

/**
 * Anything but a record. One that reads as a lasting error (a query whose SQL fails, or takes too long) reads as that
 * error: it must not keep the others from being compared.
 */
const digestOfUri = async (
  context: CatalogueContext,
  uri: string,
  signal: AbortSignal | undefined,
): Promise<string | null> => {
  try {
    return (await readUri(context, uri, signal)).digest
  } catch (thrown) {
    const error = asStichtagError(thrown)
    if (absent.has(error.code)) return null
    const isLasting = error.kind.mcp === 'result' && error.code !== 'QUEUE_FULL' && error.code !== 'CANCELLED'
    if (isLasting) return comparedDigest({ error: error.code })
    throw error
  }
}
