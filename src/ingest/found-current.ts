/**
 * What a run finds current, and how far it can be relied on. Disks lose bytes and people lose files: a current snapshot
 * that cannot be read must neither make the same delivery look `unchanged`, nor leave the relative guards with nothing to
 * compare with. So the two questions are told apart:
 *
 *  - Is it sound? Only then can a delivery be like it, and be compared with it row by row.
 *  - What did it hold? Its manifest says so; where that is damaged, `meta` of its data.db; where nobody does, the guard
 *    against shrinking refuses until a person has decided.
 */
import { existsSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { StichtagError } from '../errors.ts'
import { isDamage } from '../store/durable.ts'
import { changesFile, dataFile, manifestFile, type Store, snapshotFolder } from '../store/layout.ts'
import type { Manifest } from '../store/manifest.ts'
import { currentVersion, readManifest, versionsOf } from '../store/snapshots.ts'
import type { State } from '../store/state.ts'
import type { Version } from '../store/version.ts'
import { hashFile } from './seal.ts'

/** What relative guards compare with. */
export interface CurrentFigures {
  readonly rows: Readonly<Record<string, number>>
  readonly publisherDate: string | null
  readonly sample: boolean
}

export interface FoundCurrent {
  /** The version that the pointer names, or, where there is none, the one that it named last; null in a new store. */
  readonly version: Version | null
  /** Its manifest, where manifest and data.db are sound and the pointer names it. */
  readonly manifest: Manifest | null
  /** What is wrong with it, in words without paths; null where nothing is. */
  readonly fault: string | null
  /** What it holds, or held; null where there is none, and where nobody can tell. */
  readonly figures: CurrentFigures | null
}

/** Examines what is current. `isThorough` reads its data.db whole, whatever its times and size say. */
export const findCurrent = async (
  store: Store,
  dataset: string,
  database: string,
  state: State,
  isThorough: boolean,
  signal: AbortSignal,
): Promise<FoundCurrent> => {
  const pointed = currentVersion(store, dataset, database)
  const version = pointed ?? lastCurrent(store, dataset, state)
  if (version === null) return { version, manifest: null, fault: null, figures: null }
  const manifest = manifestOrFault(store, dataset, version)
  if (typeof manifest === 'string') {
    return { version, manifest: null, fault: manifest, figures: figuresInData(store, dataset, version) }
  }
  const figures = figuresOf(manifest)
  if (pointed === null) return { version, manifest: null, fault: 'there is no pointer to it', figures }
  const fault = await faultOfData(store, manifest, isThorough, signal)
  return { version, manifest: fault === null ? manifest : null, fault, figures }
}

/** The kept version that was current last, for want of a pointer: the one it was moved to, else the newest. */
const lastCurrent = (store: Store, dataset: string, { history }: State): Version | null => {
  const kept = versionsOf(store, dataset)
  return kept.find((version) => version === history.at(-1)?.version) ?? kept.at(-1) ?? null
}

const manifestOrFault = (store: Store, dataset: string, version: Version): Manifest | string => {
  try {
    return readManifest(store, dataset, version)
  } catch (error) {
    if (error instanceof StichtagError) return error.message
    throw error
  }
}

const figuresOf = ({ tables, publisherDate, sample }: Manifest): CurrentFigures => ({
  rows: Object.fromEntries(tables.map((table) => [table.name, table.rows])),
  publisherDate: publisherDate ?? null,
  sample,
})

/**
 * What is wrong with the data.db of a kept version, in words without paths; null where nothing is. It is read whole where
 * `isThorough`, and where something speaks for it.
 */
export const faultOfData = (
  store: Store,
  manifest: Manifest,
  isThorough: boolean,
  signal: AbortSignal,
): Promise<string | null> =>
  // A manifest in a store carries a version of the store's own making.
  faultOfFile(snapshotFolder(store, manifest.dataset, manifest.version as Version), manifest, isThorough, signal)

/** The same of a snapshot that lies elsewhere. */
export const faultOfFile = async (
  folder: string,
  { version, file }: Manifest,
  isThorough: boolean,
  signal: AbortSignal,
): Promise<string | null> => {
  const path = dataFile(folder)
  const found = existsSync(path) ? statSync(path) : undefined
  if (found?.isFile() !== true) return `data.db of ${version} is missing`
  if (found.size !== file.bytes) {
    return `data.db of ${version} has ${found.size} bytes, and ${file.bytes} were sealed`
  }
  // A snapshot's manifest is written last: a data.db that is younger was written to, or copied.
  const isTouched = found.mtimeMs > statSync(manifestFile(folder)).mtimeMs
  if (!isThorough && !isTouched) return null
  const { sha256 } = await hashFile(path, signal)
  if (sha256 !== file.sha256) return `data.db of ${version} is not the file that was sealed`
  return !isThorough || isReadable(changesFile(folder)) ? null : `changes.db of ${version} cannot be read`
}

/** Whether SQLite reads a file from end to end. */
const isReadable = (path: string): boolean => {
  if (!existsSync(path)) return false
  try {
    const reader = new Database(path, { readonly: true, fileMustExist: true })
    try {
      return reader.pragma('integrity_check', { simple: true }) === 'ok'
    } finally {
      reader.close()
    }
  } catch (error) {
    if (isUnreadable(error)) return false
    throw error
  }
}

const metaRows = z.array(z.object({ key: z.string(), value: z.string().nullable() }))
const rowCounts = z.record(z.string(), z.number().int())

/** What `meta` of a version's data.db says; null where it cannot be read, or is another snapshot's. */
const figuresInData = (store: Store, dataset: string, version: Version): CurrentFigures | null => {
  const path = dataFile(snapshotFolder(store, dataset, version))
  if (!existsSync(path)) return null
  try {
    const reader = new Database(path, { readonly: true, fileMustExist: true })
    try {
      const rows = metaRows.parse(reader.prepare('SELECT key, value FROM meta').all())
      const meta = new Map(rows.map(({ key, value }) => [key, value]))
      if (meta.get('dataset') !== dataset || meta.get('version') !== version) return null
      return {
        rows: rowCounts.parse(JSON.parse(meta.get('rowCounts') ?? '')),
        publisherDate: meta.get('publisherDate') || null,
        sample: meta.has('sample'),
      }
    } finally {
      reader.close()
    }
  } catch (error) {
    if (isUnreadable(error)) return null
    throw error
  }
}

/** What a damaged file makes SQLite, JSON and zod say; SQLITE_ERROR is a table that is not there. */
export const isUnreadable = (error: unknown): boolean =>
  isDamage(error) ||
  error instanceof SyntaxError ||
  error instanceof z.ZodError ||
  (error instanceof Database.SqliteError && /^SQLITE_(?:ERROR|CANTOPEN|IOERR)/.test(error.code))
