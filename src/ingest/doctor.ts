/**
 * Doctor: looks at everything a store holds and says what is wrong and what to do. It changes nothing. Every snapshot is
 * read whole: its file against the manifest's hash, its rows against the content digest, its pages by SQLite itself.
 */
import { existsSync, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { asStichtagError } from '../errors.ts'
import { quoteIdentifier } from '../store/identifier.ts'
import {
  buildingPrefix,
  changesFile,
  dataFile,
  datasetFolder,
  pointerPath,
  quarantineFolder,
  type Store,
  snapshotFolder,
} from '../store/layout.ts'
import { takeLock } from '../store/lock.ts'
import type { Manifest } from '../store/manifest.ts'
import { occupiedPaths } from '../store/pointer.ts'
import { currentVersion, datasetsOf, intactManifest, readManifest, readState, versionsOf } from '../store/snapshots.ts'
import { isVersion, type Version } from '../store/version.ts'
import { ContentDigest } from './digest.ts'
import { hashFile } from './seal.ts'

/** One thing that was found. Errors want somebody to act; warnings and notes do not stop anything. */
export interface DoctorFinding {
  readonly dataset: string
  readonly severity: 'error' | 'warning' | 'note'
  readonly path: string
  readonly message: string
  /** What to do about it. */
  readonly advice: string
}

/** The content digest of a sealed file, taken anew from its rows. */
export const contentDigestOf = (path: string, tables: Manifest['tables']): string => {
  const database = new Database(path, { readonly: true, fileMustExist: true })
  const sum = new ContentDigest()
  try {
    for (const { name, columns } of tables) {
      const selected = columns
        .filter((column) => column.surrogate !== true)
        .map((column) => quoteIdentifier(column.name))
      const statement = database
        .prepare<[], unknown[]>(`SELECT ${selected.join(', ')} FROM ${quoteIdentifier(name)}`)
        .raw()
        .safeIntegers()
      for (const row of statement.iterate()) sum.addRow(name, row)
    }
    return sum.hex()
  } finally {
    database.close()
  }
}

const integrityOf = (path: string): string => {
  const database = new Database(path, { readonly: true, fileMustExist: true })
  try {
    return String(database.pragma('integrity_check', { simple: true }))
  } finally {
    database.close()
  }
}

/** What is wrong with one kept version, in words; null where nothing is. */
const faultOf = async (
  store: Store,
  dataset: string,
  version: Version,
  signal: AbortSignal,
): Promise<string | null> => {
  try {
    const manifest = readManifest(store, dataset, version)
    const folder = snapshotFolder(store, dataset, version)
    const path = dataFile(folder)
    const { sha256, bytes } = await hashFile(path, signal)
    if (sha256 !== manifest.file.sha256) {
      return `data.db is not the file that was sealed (${bytes} bytes, ${manifest.file.bytes} were sealed)`
    }
    const integrity = integrityOf(path)
    if (integrity !== 'ok') return `SQLite finds data.db damaged: ${integrity}`
    if (contentDigestOf(path, manifest.tables) !== manifest.contentDigest)
      return 'its rows do not give its content digest'
    const changes = integrityOf(changesFile(folder))
    return changes === 'ok' ? null : `SQLite finds changes.db damaged: ${changes}`
  } catch (error) {
    if (signal.aborted) throw error
    return error instanceof Error ? error.message : String(error)
  }
}

const examineVersions = async (store: Store, dataset: string, signal: AbortSignal): Promise<DoctorFinding[]> => {
  const findings: DoctorFinding[] = []
  for (const version of versionsOf(store, dataset)) {
    const fault = await faultOf(store, dataset, version, signal)
    if (fault === null) continue
    const path = snapshotFolder(store, dataset, version)
    const advice = `roll back to another version if it is current, remove ${path}, and: stichtag ingest ${dataset} --force`
    findings.push({ dataset, severity: 'error', path, message: fault, advice })
  }
  return findings
}

const examinePointer = (store: Store, dataset: string): DoctorFinding[] => {
  const newest = versionsOf(store, dataset).findLast((version) => existsSync(snapshotFolder(store, dataset, version)))
  if (newest === undefined) return []
  const names = intactManifest(store, dataset, newest)
  // A damaged manifest is examineVersions' to tell; here it only means that the names are not known.
  if (names === null) return []
  const findings: DoctorFinding[] = []
  const pointer = pointerPath(store, names.database)
  const current = currentVersion(store, dataset, names.database)
  const error = (path: string, message: string, advice: string): void =>
    void findings.push({ dataset, severity: 'error', path, message, advice })
  for (const path of occupiedPaths(store, dataset, names)) {
    error(
      path,
      'somebody’s own file or link lies where a pointer must go',
      `move it away, or: stichtag ingest ${dataset} --adopt`,
    )
  }
  if (findings.length === 0 && current === null) {
    error(pointer, 'there is no pointer: nobody can read this dataset', `stichtag rollback ${dataset} ${newest}`)
  } else if (current !== null && !existsSync(dataFile(snapshotFolder(store, dataset, current)))) {
    error(pointer, `it points to ${current}, which is not there`, `stichtag rollback ${dataset} ${newest}`)
  }
  for (const alias of names.aliases) {
    const path = pointerPath(store, alias)
    const link = lstatSync(path, { throwIfNoEntry: false })
    if (link?.isSymbolicLink() && readlinkSync(path) === names.database) continue
    if (link === undefined) {
      error(path, 'the alias is missing', `stichtag ingest ${dataset} makes it anew`)
    }
  }
  return findings
}

/** Work areas and other entries that belong to nobody. A run that is under way owns its own. */
const examineStrays = (store: Store, dataset: string): DoctorFinding[] => {
  const folder = datasetFolder(store, dataset)
  const known = new Set(['lock', 'state.json'])
  const strays = readdirSync(folder).filter((entry) => !known.has(entry) && !isVersion(entry))
  if (strays.length === 0) return []
  const findings = strays.map((entry): DoctorFinding => {
    const isWork = entry.startsWith(buildingPrefix) || entry.startsWith('.state.json.')
    return {
      dataset,
      severity: 'warning',
      path: join(folder, entry),
      message: isWork ? 'left behind by a run that died' : 'this does not belong here',
      advice: isWork ? 'the next run of the dataset removes it' : 'look at it, and remove it',
    }
  })
  try {
    takeLock(store, dataset).release()
    return findings
  } catch (error) {
    if (asStichtagError(error).code !== 'BUSY') throw error
    // Somebody is at work here: what looks like a leftover is theirs.
    return findings.filter((finding) => finding.message === 'this does not belong here')
  }
}

const examineState = (store: Store, dataset: string): DoctorFinding[] => {
  try {
    readState(store, dataset)
    return []
  } catch (error) {
    const message = `state.json cannot be read: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`
    const path = join(datasetFolder(store, dataset), 'state.json')
    return [{ dataset, severity: 'error', path, message, advice: `move it away; the next run begins a new one` }]
  }
}

const quarantined = (store: Store, dataset: string): DoctorFinding[] => {
  const folder = quarantineFolder(store, dataset)
  const versions = existsSync(folder) ? readdirSync(folder).filter(isVersion) : []
  return versions.map((version) => ({
    dataset,
    severity: 'note',
    path: join(folder, version),
    message: `a refused delivery of ${statSync(join(folder, version)).mtime.toISOString().slice(0, 10)}; reason.json says why`,
    advice: `stichtag release ${dataset} ${version}, or remove the folder`,
  }))
}

/** Examines the datasets of a store (all unless named). */
export const examine = async (
  store: Store,
  datasets: readonly string[],
  signal: AbortSignal,
): Promise<DoctorFinding[]> => {
  const findings: DoctorFinding[] = []
  for (const dataset of datasets.length > 0 ? datasets : datasetsOf(store)) {
    findings.push(
      ...examinePointer(store, dataset),
      ...examineState(store, dataset),
      ...examineStrays(store, dataset),
      ...(await examineVersions(store, dataset, signal)),
      ...quarantined(store, dataset),
    )
  }
  return findings
}
