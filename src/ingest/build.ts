/**
 * Build: the files of a delivery become a loaded snapshot in a work area, and, once it has passed its guards, a sealed
 * one beside its changes. Whatever happens here, nothing outside the work area is touched.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../log.ts'
import type { PipelineDefinition } from '../pipeline/types.ts'
import { makeFolder, storeError } from '../store/durable.ts'
import { buildingFolder, dataFile, dataFolder, type Store, snapshotFolder } from '../store/layout.ts'
import type { Manifest, SourceInfo } from '../store/manifest.ts'
import { versionsOf } from '../store/snapshots.ts'
import { nextVersion, type Version } from '../store/version.ts'
import type { Building } from './building.ts'
import { compareWithBase } from './compare-with-base.ts'
import type { DeliveredFile } from './delivery.ts'
import { deltaWarnings } from './delta.ts'
import { checkReserve } from './disk-space.ts'
import { finish } from './finish.ts'
import { layOver } from './lay-over.ts'
import type { InputReport } from './load.ts'
import { type LoadedFiles, loadFiles } from './load-files.ts'
import type { Plan } from './plan.ts'
import type { OnProgress, Step } from './progress.ts'
import { quarantinedVersions } from './quarantine.ts'
import { danglingReferences, validityOf } from './references.ts'
import { draftManifest, guardWarningsOf, hashFile, metaOf, sealFolder } from './seal.ts'
import { type Shaped, shapeDelivery } from './shape.ts'
import { strangeKeys } from './shared-keys.ts'
import { recordsOfSource, rejectedAside } from './source-records.ts'
import type { TableTotals } from './table-writer.ts'

export interface BuildOptions {
  readonly store: Store
  readonly run: string
  readonly definition: PipelineDefinition
  readonly fingerprint: string
  readonly pipelineFolder: string
  readonly plan: Plan
  /** The snapshot that the delivery is laid over; null for one that is whole. */
  readonly over: Manifest | null
  readonly schedule: { readonly cron: string; readonly timeZone: string }
  readonly now: () => Date
  readonly signal: AbortSignal
  readonly onProgress: OnProgress
  readonly log: Log
  /** Bytes that can still be written below a folder; the system's own answer unless given. */
  readonly freeBytes?: (folder: string) => number
}

/** A snapshot that is loaded and not yet judged. */
export interface LoadedBuild {
  /** The one that fits the delivery, see `PipelineDefinition.shape`. */
  readonly definition: PipelineDefinition
  readonly folder: string
  readonly building: Building
  readonly contentDigest: string
  readonly totals: ReadonlyMap<string, TableTotals>
  readonly sources: readonly SourceInfo[]
  readonly read: number
  readonly rejected: number
  /** Of the rejected ones, those that `GuardDefinition.keys` speaks of. */
  readonly rejectedByKey: number
  /** Of the rejected ones, those of inputs that the dataset can do without. */
  readonly rejectedAside: number
  readonly brokenKeys: Readonly<Record<string, number>>
  /** Rows with a value, by table and column, of those that a guard wants filled. */
  readonly filled: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly examples: readonly string[]
  readonly publisherDate: string | null
  /** Files of the publisher's that a person left out, and what is not there without each. */
  readonly lacking: Readonly<Record<string, string>>
  readonly warnings: readonly string[]
}

const step = ({ onProgress, plan }: BuildOptions, name: Step, more: object = {}): void =>
  onProgress({ dataset: plan.dataset, step: name, ...more })

const sourceInfo = (file: DeliveredFile, reports: readonly InputReport[]): SourceInfo => ({
  name: file.name,
  url: file.url,
  ...(file.resolvedUrl === undefined ? {} : { resolvedUrl: file.resolvedUrl }),
  bytes: file.bytes,
  sha256: file.sha256,
  ...(file.etag === undefined ? {} : { etag: file.etag }),
  ...(file.lastModified === undefined ? {} : { lastModified: file.lastModified }),
  retrievedAt: file.retrievedAt,
  ...(file.modifiedAt === undefined ? {} : { modifiedAt: file.modifiedAt }),
  ...recordsOfSource(file.name, reports),
})

const unknownFieldWarnings = (sources: readonly SourceInfo[]): string[] =>
  sources.flatMap((source) =>
    Object.entries(source.unknownFields).map(
      ([field, count]) => `${source.name}: field ${field} is not known to the mapping (${count} times)`,
    ),
  )

/** What is not there of files that a person gave without them, by file. */
const lackingOf = (absent: readonly string[], { files }: Plan): Readonly<Record<string, string>> =>
  Object.fromEntries(
    files.flatMap(({ name, byHand }) => (byHand === undefined || !absent.includes(name) ? [] : [[name, byHand]])),
  )

const absentWarnings = (absent: readonly string[], lacking: Readonly<Record<string, string>>): string[] =>
  // Hosts read a manifest's warnings: why it is not there may name a folder of this machine.
  absent.map((name) =>
    lacking[name] === undefined
      ? `${name}: the source has no such file; it was left out, as it may be`
      : `${name}: not among the files that were given: ${lacking[name]} are not here, though the publisher has them`,
  )

/** Loads a delivery into a fresh work area. */
export const loadDelivery = async (
  { files, absent }: { readonly files: readonly DeliveredFile[]; readonly absent: readonly string[] },
  options: BuildOptions,
): Promise<LoadedBuild> => {
  const { store, run, signal } = options
  const folder = buildingFolder(store, options.definition.id, run)
  const { definition, ignored, further, warnings } = await shape(options.definition, files, folder, signal)
  const { building, report } = await loadInto(folder, definition, files, ignored, options)
  try {
    building.derive()
    const sources = files.map((file) => sourceInfo(file, report.files))
    const aside = rejectedAside(report.files, further)
    const sum = (field: 'read' | 'rejected'): number => sources.reduce((total, each) => total + each.records[field], 0)
    return {
      definition,
      folder,
      building,
      contentDigest: building.contentDigest(),
      totals: building.totals(),
      sources,
      read: sum('read'),
      rejected: sum('rejected'),
      rejectedByKey: report.files.reduce((total, { accounting }) => total + accounting.rejectedByKey, 0),
      rejectedAside: aside.rejected,
      brokenKeys: report.brokenKeys,
      filled: building.filled(definition.guards?.minFilled ?? {}),
      examples: report.files.flatMap((each) => each.accounting.examples),
      publisherDate: report.publisherDate,
      lacking: lackingOf(absent, options.plan),
      warnings: [
        ...deltaWarnings(options.plan),
        ...absentWarnings(absent, lackingOf(absent, options.plan)),
        ...warnings,
        ...report.warnings,
        ...aside.warnings,
        ...unknownFieldWarnings(sources),
      ],
    }
  } catch (error) {
    building.abandon()
    throw storeError(error, folder)
  }
}

const shape = async (
  definition: PipelineDefinition,
  files: readonly DeliveredFile[],
  folder: string,
  signal: AbortSignal,
): Promise<Shaped> => {
  try {
    return await shapeDelivery(definition, files, { folder, signal })
  } catch (error) {
    throw storeError(error, folder)
  }
}

const loadInto = async (
  folder: string,
  definition: PipelineDefinition,
  files: readonly DeliveredFile[],
  ignored: Shaped['ignored'],
  options: BuildOptions,
): Promise<LoadedFiles> => {
  const { signal, pipelineFolder, plan, log } = options
  try {
    makeFolder(folder)
    const path = options.over === null ? dataFile(folder) : join(folder, 'delta.db')
    const loaded = await loadFiles(path, definition, files, {
      signal,
      ignored,
      pipelineFolder,
      onProgress: (file, records) => {
        checkReserve(plan.dataset, dataFolder(options.store), options.freeBytes)
        step(options, 'load', { file, done: records, unit: 'records' })
      },
      onGaveUp: (why) => log.debug({ dataset: plan.dataset, why }, 'not loaded in threads'),
    })
    return options.over === null ? loaded : await laidOver(loaded, folder, options.over, options)
  } catch (error) {
    throw storeError(error, folder)
  }
}

/** What was loaded, with all of current that it does not replace. */
const laidOver = async (
  { building: delta, report }: LoadedFiles,
  folder: string,
  over: Manifest,
  options: BuildOptions,
): Promise<LoadedFiles> => {
  delta.handOver()
  const { building, older } = await layOver({
    path: dataFile(folder),
    definition: options.definition,
    // A manifest in a store carries a version of the store's own making.
    base: dataFile(snapshotFolder(options.store, over.dataset, over.version as Version)),
    delta: delta.path,
    deltaFiles: options.plan.delta?.files ?? [],
    signal: options.signal,
    onProgress: (rows) => step(options, 'load', { file: over.version, done: rows, unit: 'records' }),
  })
  rmSync(delta.path)
  return { building, report: { ...report, warnings: [...report.warnings, ...olderWarnings(older, over)] } }
}

const olderWarnings = (older: Readonly<Record<string, number>>, { version }: Manifest): string[] =>
  Object.entries(older).map(
    ([table, count]) => `${table}: ${count} records of the delta are older than those of ${version}, which stay`,
  )

/** What is to be told of a snapshot once it was judged. */
export interface JudgedWarnings {
  /** Guards that only warned; their messages are among the warnings. */
  readonly guards: NonNullable<Manifest['guardWarnings']>
  readonly warnings: readonly string[]
}

/** Finishes and seals a loaded snapshot, and writes its changes against the base. */
export const sealBuild = async (
  loaded: LoadedBuild,
  base: Manifest | null,
  judged: JudgedWarnings,
  options: BuildOptions,
): Promise<Manifest> => {
  try {
    return await finishAndSeal(loaded, base, judged, options)
  } catch (error) {
    loaded.building.abandon()
    throw storeError(error, loaded.folder)
  }
}

const finishAndSeal = async (
  loaded: LoadedBuild,
  base: Manifest | null,
  judged: JudgedWarnings,
  options: BuildOptions,
): Promise<Manifest> => {
  const { store, fingerprint, plan, schedule, now, signal, log } = options
  const { definition, building } = loaded
  await finish(building, definition, {
    signal,
    onStep: (name) => step(options, name),
    onGaveUp: (why) => log.debug({ dataset: plan.dataset, why }, 'full text not built in threads'),
  })
  signal.throwIfAborted()
  step(options, 'seal')
  const draft = draftManifest({
    ...loaded,
    fingerprint,
    validity: validityOf(building.database, definition),
    version: nextVersion(now(), loaded.contentDigest, [
      ...versionsOf(store, definition.id),
      ...quarantinedVersions(store, definition.id),
    ]),
    sample: plan.sample,
    byHand: plan.origin === 'from',
    guardWarnings: judged.guards,
    ...(plan.delta === undefined ? {} : { delta: plan.delta }),
    base: base?.version ?? null,
    schedule,
    warnings: [...loaded.warnings, ...danglingReferences(building.database, definition), ...judged.warnings],
    now: now(),
  })
  building.close(metaOf(draft))
  const path = dataFile(loaded.folder)
  const file = await hashFile(path, signal)
  signal.throwIfAborted()
  step(options, 'compare')
  const compared = await compareWithBase(store, base, { ...draft, file }, loaded.folder, signal)
  const strange = plan.origin === 'from' ? strangeKeys(base, compared) : []
  const manifest: Manifest = {
    ...compared,
    ...guardWarningsOf([...judged.guards, ...strange]),
    warnings: [...compared.warnings, ...strange.map(({ message }) => message)],
  }
  sealFolder(loaded.folder, manifest)
  return manifest
}
