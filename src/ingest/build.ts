/**
 * Build: the files of a delivery become a loaded snapshot in a work area, and, once it has passed its guards, a sealed
 * one beside its changes. Whatever happens here, nothing outside the work area is touched.
 */
import { mkdirSync } from 'node:fs'
import type { PipelineDefinition } from '../pipeline/types.ts'
import { storeError } from '../store/durable.ts'
import { buildingFolder, changesFile, dataFile, type Store, snapshotFolder } from '../store/layout.ts'
import type { Manifest, SourceInfo } from '../store/manifest.ts'
import { versionsOf } from '../store/snapshots.ts'
import { nextVersion, type Version } from '../store/version.ts'
import { Building, type TableTotals } from './building.ts'
import { compareSnapshots, sideOf, writeNoChanges } from './compare.ts'
import type { DeliveredFile } from './delivery.ts'
import { load } from './load.ts'
import type { Plan } from './plan.ts'
import type { OnProgress, Step } from './progress.ts'
import { quarantinedVersions } from './quarantine.ts'
import { draftManifest, hashFile, metaOf, sealFolder } from './seal.ts'

export interface BuildOptions {
  readonly store: Store
  readonly run: string
  readonly definition: PipelineDefinition
  readonly fingerprint: string
  readonly plan: Plan
  readonly schedule: { readonly cron: string; readonly timeZone: string }
  readonly now: () => Date
  readonly signal: AbortSignal
  readonly onProgress: OnProgress
}

/** A snapshot that is loaded and not yet judged. */
export interface LoadedBuild {
  readonly folder: string
  readonly building: Building
  readonly contentDigest: string
  readonly totals: ReadonlyMap<string, TableTotals>
  readonly sources: readonly SourceInfo[]
  readonly read: number
  readonly rejected: number
  /** Of the rejected ones, those that `GuardDefinition.keys` speaks of. */
  readonly rejectedByKey: number
  readonly brokenKeys: Readonly<Record<string, number>>
  /** Rows with a value, by table and column, of those that a guard wants filled. */
  readonly filled: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly examples: readonly string[]
  readonly publisherDate: string | null
  readonly warnings: readonly string[]
}

const step = ({ onProgress, plan }: BuildOptions, name: Step, more: object = {}): void =>
  onProgress({ dataset: plan.dataset, step: name, ...more })

const sourceInfo = (
  file: DeliveredFile,
  accounting: { read: number; mapped: number; rejected: number; unknownFields: ReadonlyMap<string, number> },
): SourceInfo => ({
  name: file.name,
  url: file.url,
  ...(file.resolvedUrl === undefined ? {} : { resolvedUrl: file.resolvedUrl }),
  bytes: file.bytes,
  sha256: file.sha256,
  ...(file.etag === undefined ? {} : { etag: file.etag }),
  ...(file.lastModified === undefined ? {} : { lastModified: file.lastModified }),
  retrievedAt: file.retrievedAt,
  records: { read: accounting.read, mapped: accounting.mapped, rejected: accounting.rejected },
  unknownFields: Object.fromEntries(accounting.unknownFields),
})

const unknownFieldWarnings = (sources: readonly SourceInfo[]): string[] =>
  sources.flatMap((source) =>
    Object.entries(source.unknownFields).map(
      ([field, count]) => `${source.name}: field ${field} is not known to the mapping (${count} times); kept as JSON`,
    ),
  )

/** Loads a delivery into a fresh work area. */
export const loadDelivery = async (files: readonly DeliveredFile[], options: BuildOptions): Promise<LoadedBuild> => {
  const { store, definition, run, signal } = options
  const folder = buildingFolder(store, definition.id, run)
  const building = open(folder, definition)
  try {
    const report = await load(building, definition, files, {
      signal,
      onProgress: (file, records) => step(options, 'load', { file, done: records, unit: 'records' }),
    })
    const sources = files.map((file) => {
      const accounting = report.files.find((each) => each.name === file.name)?.accounting
      return sourceInfo(file, accounting ?? { read: 0, mapped: 0, rejected: 0, unknownFields: new Map() })
    })
    const sum = (field: 'read' | 'rejected'): number => sources.reduce((total, each) => total + each.records[field], 0)
    return {
      folder,
      building,
      contentDigest: building.contentDigest(),
      totals: building.totals(),
      sources,
      read: sum('read'),
      rejected: sum('rejected'),
      rejectedByKey: report.files.reduce((total, { accounting }) => total + accounting.rejectedByKey, 0),
      brokenKeys: report.brokenKeys,
      filled: building.filled(definition.guards?.minFilled ?? {}),
      examples: report.files.flatMap((each) => each.accounting.examples),
      publisherDate: report.publisherDate,
      warnings: [...report.warnings, ...unknownFieldWarnings(sources)],
    }
  } catch (error) {
    building.abandon()
    throw storeError(error, folder)
  }
}

const open = (folder: string, definition: PipelineDefinition): Building => {
  try {
    mkdirSync(folder, { recursive: true })
    return new Building(dataFile(folder), definition)
  } catch (error) {
    throw storeError(error, folder)
  }
}

/** Finishes and seals a loaded snapshot, and writes its changes against the base. */
export const sealBuild = async (
  loaded: LoadedBuild,
  base: Manifest | null,
  warnings: readonly string[],
  options: BuildOptions,
): Promise<Manifest> => {
  try {
    return await finishAndSeal(loaded, base, warnings, options)
  } catch (error) {
    loaded.building.abandon()
    throw storeError(error, loaded.folder)
  }
}

const finishAndSeal = async (
  loaded: LoadedBuild,
  base: Manifest | null,
  warnings: readonly string[],
  options: BuildOptions,
): Promise<Manifest> => {
  const { store, definition, fingerprint, plan, schedule, now, signal } = options
  loaded.building.finish((name) => step(options, name))
  signal.throwIfAborted()
  step(options, 'seal')
  const draft = draftManifest({
    ...loaded,
    definition,
    fingerprint,
    version: nextVersion(now(), loaded.contentDigest, [
      ...versionsOf(store, definition.id),
      ...quarantinedVersions(store, definition.id),
    ]),
    sample: plan.sample,
    base: base?.version ?? null,
    schedule,
    warnings: [...loaded.warnings, ...warnings],
    now: now(),
  })
  loaded.building.close(metaOf(draft))
  const path = dataFile(loaded.folder)
  const file = await hashFile(path, signal)
  signal.throwIfAborted()
  step(options, 'compare')
  const changes = compareWithBase(store, base, draft, loaded.folder)
  const manifest: Manifest = { ...draft, file, changes }
  sealFolder(loaded.folder, manifest)
  return manifest
}

const compareWithBase = (
  store: Store,
  base: Manifest | null,
  draft: Pick<Manifest, 'tables'>,
  folder: string,
): Manifest['changes'] => {
  if (base === null) {
    writeNoChanges(changesFile(folder))
    return {}
  }
  // A manifest in a store carries a version of the store's own making.
  const basePath = dataFile(snapshotFolder(store, base.dataset, base.version as Version))
  return compareSnapshots(sideOf(base, basePath), sideOf(draft, dataFile(folder)), changesFile(folder))
}
