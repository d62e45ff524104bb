/** What doctor finds of snapshots, kept and quarantined: each is read whole. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { quoteIdentifier } from '../store/identifier.ts'
import { changesFile, dataFile, quarantineFolder, type Store, snapshotFolder } from '../store/layout.ts'
import { type Manifest, manifestSchema } from '../store/manifest.ts'
import { currentVersion, databaseOf, intactManifest, readManifest, readState, versionsOf } from '../store/snapshots.ts'
import { emptyState, type State } from '../store/state.ts'
import type { Version } from '../store/version.ts'
import { converterVersion } from './converter.ts'
import { ContentDigest } from './digest.ts'
import type { DoctorFinding } from './doctor.ts'
import { findCurrent } from './found-current.ts'
import { quarantinedManifest, quarantinedVersions } from './quarantine.ts'
import { hashFile } from './seal.ts'
import { StoredRow } from './stored-row.ts'

/** The content digest of a sealed file, taken anew from its rows. */
export const contentDigestOf = (path: string, tables: Manifest['tables']): string => {
  const database = new Database(path, { readonly: true, fileMustExist: true })
  const sum = new ContentDigest()
  try {
    for (const { name, columns } of tables) {
      const own = columns.filter((column) => column.surrogate !== true)
      const selected = own.map((column) => quoteIdentifier(column.name)).join(', ')
      const statement = database
        .prepare<[], unknown[]>(`SELECT ${selected} FROM ${quoteIdentifier(name)}`)
        .raw()
        .safeIntegers()
      const row = new StoredRow(
        name,
        own.map(({ type }) => type),
      )
      for (const values of statement.iterate()) {
        row.write(values)
        sum.addRow(row)
      }
    }
    return sum.hex()
  } finally {
    database.close()
  }
}

const integrityOf = (path: string): string => {
  if (!existsSync(path)) return 'it is missing'
  const database = new Database(path, { readonly: true, fileMustExist: true })
  try {
    return String(database.pragma('integrity_check', { simple: true }))
  } finally {
    database.close()
  }
}

/** What is wrong with the snapshot in a folder, in words; null where nothing is. */
const faultOf = async (folder: string, manifestIn: () => Manifest, signal: AbortSignal): Promise<string | null> => {
  try {
    const manifest = manifestIn()
    const path = dataFile(folder)
    if (!existsSync(path)) return 'data.db is missing'
    const { sha256, bytes } = await hashFile(path, signal)
    if (sha256 !== manifest.file.sha256) {
      return `data.db is not the file that was sealed (${bytes} bytes, ${manifest.file.bytes} were sealed)`
    }
    const integrity = integrityOf(path)
    if (integrity !== 'ok') return `SQLite finds data.db damaged: ${integrity}`
    // Other converters may have taken it in another way; the file's own hash has been looked at.
    const isOurs = manifest.converterVersion === converterVersion
    if (isOurs && contentDigestOf(path, manifest.tables) !== manifest.contentDigest)
      return 'its rows do not give its content digest'
    const changes = integrityOf(changesFile(folder))
    return changes === 'ok' ? null : `SQLite finds changes.db damaged: ${changes}`
  } catch (error) {
    if (signal.aborted) throw error
    return error instanceof Error ? error.message : String(error)
  }
}

/** How a folder goes whose files and itself are read-only. */
const removal = (folder: string): string => `chmod -R u+w '${folder}' && rm -r '${folder}'`

/** Kept versions: what is wrong with which, and how the dataset gets well again. */
export const examineVersions = async (store: Store, dataset: string, signal: AbortSignal): Promise<DoctorFinding[]> => {
  const database = databaseOf(store, dataset)
  const current = database === undefined ? null : currentVersion(store, dataset, database)
  const findings: DoctorFinding[] = []
  for (const version of versionsOf(store, dataset)) {
    const path = snapshotFolder(store, dataset, version)
    const fault = await faultOf(path, () => readManifest(store, dataset, version), signal)
    if (fault === null) continue
    const advice =
      version === current ? await currentAdvice(store, dataset, version, signal) : `it is not current; ${removal(path)}`
    findings.push({ dataset, severity: 'error', path, message: fault, advice })
  }
  return findings
}

/** A damaged current snapshot is replaced by a healthy one; where nobody knows what it held, a person says that it may be. */
const currentAdvice = async (store: Store, dataset: string, version: Version, signal: AbortSignal): Promise<string> => {
  const database = databaseOf(store, dataset)
  const found =
    database === undefined ? null : await findCurrent(store, dataset, database, stateOf(store, dataset), false, signal)
  const accepting = found?.figures == null ? ' --accept-shrink' : ''
  const others = versionsOf(store, dataset).filter(
    (each) => each < version && intactManifest(store, dataset, each) !== null,
  )
  const back = others.length === 0 ? '' : `, or: stichtag rollback ${dataset}`
  return `it is current; to have it built anew: stichtag ingest ${dataset} --force${accepting}${back}`
}

const stateOf = (store: Store, dataset: string): State => {
  try {
    return readState(store, dataset)
  } catch {
    // A damaged state.json is a finding of its own.
    return emptyState(dataset)
  }
}

/** What lies in quarantine, and whether it could be released. */
export const examineQuarantine = async (
  store: Store,
  dataset: string,
  signal: AbortSignal,
): Promise<DoctorFinding[]> => {
  const findings: DoctorFinding[] = []
  for (const version of quarantinedVersions(store, dataset)) {
    const path = join(quarantineFolder(store, dataset), version)
    const manifestIn = (): Manifest => quarantinedManifest(store, dataset, version) ?? manifestSchema.parse(undefined)
    const fault = await faultOf(path, manifestIn, signal)
    findings.push(
      fault === null
        ? {
            dataset,
            severity: 'note',
            path,
            message: `a refused delivery of ${statSync(path).mtime.toISOString().slice(0, 10)}${refusalIn(path)}`,
            advice: `stichtag release ${dataset} ${version}, or to have it gone: ${removal(path)}`,
          }
        : { dataset, severity: 'error', path, message: `in quarantine: ${fault}`, advice: removal(path) },
    )
  }
  return findings
}

const refusalIn = (folder: string): string => {
  const path = join(folder, 'reason.json')
  if (!existsSync(path)) return '; its reason.json is missing'
  return readFileSync(path, 'utf8').includes('"message"') ? '; reason.json says why' : '; its reason.json is damaged'
}
