/** A record in each kept version in which it differs from the version before, newest first. */
import { StichtagError } from '../../errors.ts'
import type { Version } from '../../store/version.ts'
import { asOfFacts, termsOf } from '../answer-origin.ts'
import { absenceOf, type CatalogueContext, ttlOf } from '../context.ts'
import { databaseOfManifest } from '../discovery/snapshots.ts'
import { cut, wideNote } from '../paging.ts'
import { jsonReading } from '../reading.ts'
import { recordPlan } from '../record-plan.ts'
import { notFound, type RecordTarget, type Target } from '../resolve.ts'
import { findTable, type ServedDatabase } from '../served.ts'
import type { Reading } from '../types.ts'
import { pageUri, recordUri } from '../uri.ts'
import { recordPageOf, shownPage } from './record.ts'

type HistoryTarget = Extract<Target, { kind: 'history' }>

/** The record's digest as of one version; null where it was not there. */
interface Moment {
  readonly version: Version
  readonly database: ServedDatabase
  readonly digest: string | null
  readonly target: RecordTarget | undefined
}

/** What `…://history/{table}/{key}` shows. Throws NOT_FOUND where no kept version has the record. */
export const readHistory = async (
  context: CatalogueContext,
  target: HistoryTarget,
  signal?: AbortSignal,
): Promise<Reading> => {
  const { dataset, database, page } = target
  const moments = await momentsOf(context, target, signal)
  const differing = moments.filter(({ digest }, index) => digest !== (moments[index - 1]?.digest ?? null)).toReversed()
  if (differing.length === 0) throw notFound(target.uri, 'no kept version has such a record')
  const entries = await Promise.all(differing.map((moment) => entryOf(context, target, moment, signal)))
  const pages = cut(entries)
  const uri = pageUri(target.uri, page)
  const history = pages[page - 1]
  if (history === undefined) throw notFound(uri, `it has ${pages.length} pages`)
  return jsonReading({
    uri,
    body: {
      uri,
      dataset: dataset.id,
      version: database.version,
      ...asOfFacts(database),
      history,
      ...wideNote(history),
      ...(pages.length === 1 ? {} : { page, pages: pages.length }),
      ...(page < pages.length ? { next: pageUri(target.uri, page + 1) } : {}),
      ...termsOf(database),
    },
    compared: { of: page === 1 ? differing.map(({ version, digest }) => [version, digest]) : history },
    ttlMs: ttlOf(dataset, context),
  })
}

/** The record's digest in every kept version, oldest first; versions that cannot be read are left out. */
export const momentsOf = async (
  context: CatalogueContext,
  target: Pick<HistoryTarget, 'uri' | 'dataset' | 'table' | 'key'>,
  signal: AbortSignal | undefined,
): Promise<readonly Moment[]> => {
  const { dataset, table, key } = target
  const { snapshot } = dataset
  if (snapshot === undefined) {
    if (dataset.databases.length === 0) throw absenceOf(dataset)
    throw notFound(target.uri, `${dataset.id} is a file that keeps no versions`)
  }
  const moments = snapshot.versions.map(async (version): Promise<Moment | undefined> => {
    const database = databaseIn(context, snapshot, version)
    if (database === undefined) return undefined
    const found = findTable([database], table.name)
    const isSameKey = found !== undefined && found.table.key.length === key.length
    if (!isSameKey) return { version, database, digest: null, target: undefined }
    const plan = recordPlan(database, found.table)
    const [digest] = await context.pool.digests({ database: database.path, plan, keys: [key] }, signal)
    return { version, database, digest: digest ?? null, target: { ...found, key } }
  })
  return (await Promise.all(moments)).filter((moment) => moment !== undefined)
}

const databaseIn = (
  context: CatalogueContext,
  snapshot: NonNullable<HistoryTarget['dataset']['snapshot']>,
  version: Version,
): ServedDatabase | undefined => {
  try {
    return databaseOfManifest(snapshot.store, context.manifest(snapshot, version))
  } catch (error) {
    // `snapshots` shows what is wrong with it; the other versions are still a history.
    if (error instanceof StichtagError) return undefined
    throw error
  }
}

const entryOf = async (
  context: CatalogueContext,
  { dataset, table, key }: HistoryTarget,
  { version, database, target }: Moment,
  signal: AbortSignal | undefined,
) => {
  const uri = recordUri(dataset.id, table.name, key, version)
  const found = target === undefined ? null : await recordPageOf(context.pool, target, 1, signal)
  // A store may have begun with a sample: what that held is no past of a real record.
  const { sample, byHand, partial } = termsOf(database)
  const origin = {
    version,
    ...asOfFacts(database),
    ...(byHand === undefined ? {} : { byHand }),
    ...(partial === undefined ? {} : { partial }),
    ...(sample === undefined ? {} : { sample }),
  }
  return found === null ? { ...origin, absent: true } : { uri, ...origin, ...shownPage(uri, found, 1).body }
}
