/** Seal: a building snapshot says what it is (`meta`, manifest.json), is hashed, and reaches the disk. */
import { createHash } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { PipelineDefinition } from '../pipeline/types.ts'
import { syncFile, syncFolder } from '../store/durable.ts'
import { changesFile, dataFile, manifestFile } from '../store/layout.ts'
import type { Manifest, SourceInfo, TableInfo } from '../store/manifest.ts'
import type { Version } from '../store/version.ts'
import { converterVersion } from './converter.ts'
import type { PlannedDelta } from './plan.ts'
import type { Validity } from './references.ts'
import type { TableTotals } from './table-writer.ts'
import { typeOf } from './tables.ts'

/** What is known of a snapshot once it is loaded. */
export interface Loaded {
  readonly definition: PipelineDefinition
  readonly fingerprint: string
  readonly version: Version
  readonly contentDigest: string
  readonly totals: ReadonlyMap<string, TableTotals>
  readonly sources: readonly SourceInfo[]
  readonly rejected: number
  readonly publisherDate: string | null
  readonly validity?: Validity
  readonly sample: boolean
  /** Whether a person gave the delivery. */
  readonly byHand?: boolean
  readonly lacking?: NonNullable<Manifest['lacking']>
  readonly guardWarnings?: Manifest['guardWarnings']
  readonly base: string | null
  readonly delta?: PlannedDelta
  readonly schedule: { readonly cron: string; readonly timeZone: string }
  readonly warnings: readonly string[]
  readonly now: Date
}

/** Everything of a manifest but what is only known after the file is closed. */
export type ManifestDraft = Omit<Manifest, 'file' | 'changes'>

const tableInfos = ({ definition, totals }: Loaded): TableInfo[] =>
  Object.entries(definition.tables).map(([name, table]) => ({
    name,
    description: table.description,
    columns: [
      ...(table.surrogate === undefined
        ? []
        : [
            {
              name: table.surrogate,
              type: 'INTEGER' as const,
              surrogate: true,
              description: 'Row number; changes from version to version',
            },
          ]),
      ...Object.entries(table.columns).map(([column, definitionOf]) => ({
        name: column,
        type: typeOf(definitionOf),
        ...(typeof definitionOf === 'string' ? {} : { description: definitionOf.description }),
      })),
    ],
    key: [...table.key],
    ...(table.title === undefined ? {} : { title: table.title }),
    indexes: (table.indexes ?? []).map((index) => [...index]),
    related: (table.related ?? []).map((one) => ({ ...one, on: { ...one.on }, orderBy: [...one.orderBy] })),
    rows: totals.get(name)?.rows ?? 0,
    digest: totals.get(name)?.digest ?? '',
  }))

/** When the files of this machine were written. A sample's are as old as the checkout, which says nothing. */
const writtenAt = ({ sources, sample }: Loaded): string | undefined => {
  const written = sources.map(({ modifiedAt }) => modifiedAt)
  return sample || written.includes(undefined) ? undefined : written.sort().at(-1)
}

/** As a manifest has them. */
export const guardWarningsOf = (findings: NonNullable<Manifest['guardWarnings']>): Pick<Manifest, 'guardWarnings'> =>
  findings.length === 0 ? {} : { guardWarnings: findings.map(({ guard, message }) => ({ guard, message })) }

/** The manifest of a loaded snapshot. */
export const draftManifest = (loaded: Loaded): ManifestDraft => {
  const { definition, sources, now } = loaded
  const retrievedAt =
    sources
      .map((source) => source.retrievedAt)
      .sort()
      .at(-1) ?? now.toISOString()
  return {
    format: 1,
    dataset: definition.id,
    version: loaded.version,
    title: definition.title,
    description: definition.description,
    publisher: definition.publisher,
    homepage: definition.homepage,
    licence: { ...definition.licence },
    database: definition.database,
    aliases: [...(definition.aliases ?? [])],
    retrievedAt,
    ...(loaded.publisherDate === null ? {} : { publisherDate: loaded.publisherDate }),
    asOf: loaded.publisherDate ?? writtenAt(loaded) ?? retrievedAt,
    ...loaded.validity,
    buildDate: now.toISOString(),
    converterVersion,
    fingerprint: loaded.fingerprint,
    contentDigest: loaded.contentDigest,
    base: loaded.base,
    ...(loaded.delta === undefined ? {} : { delta: { ...loaded.delta, files: [...loaded.delta.files] } }),
    sample: loaded.sample,
    ...(loaded.byHand === true ? { byHand: true } : {}),
    ...(Object.keys(loaded.lacking ?? {}).length === 0 ? {} : { lacking: { ...loaded.lacking } }),
    ...(definition.listKind === undefined ? {} : { listKind: definition.listKind }),
    ...(definition.guards?.minRows === undefined ? {} : { expectedRows: { ...definition.guards.minRows } }),
    ...guardWarningsOf(loaded.guardWarnings ?? []),
    schedule: { ...loaded.schedule },
    ...(definition.frozen === undefined ? {} : { frozen: definition.frozen }),
    sources: [...sources],
    tables: tableInfos(loaded),
    views: Object.entries(definition.views ?? {}).map(([name, view]) => ({ name, description: view.description })),
    fullText: (definition.fullText ?? []).map(({ name, table, columns }) => ({ name, table, columns: [...columns] })),
    rejected: loaded.rejected,
    warnings: [...loaded.warnings],
  }
}

/** Rows of the `meta` table: the ten keys other FlowMCP tools know, and ours. */
export const metaOf = (draft: ManifestDraft): Readonly<Record<string, string>> => ({
  dataset: draft.dataset,
  version: draft.version,
  title: draft.title,
  publisher: draft.publisher,
  licence: draft.licence.name,
  licenceUrl: draft.licence.url,
  attribution: draft.licence.attribution,
  homepage: draft.homepage,
  sourceUrl: draft.sources.map((source) => source.url).join(' '),
  sourceHash: draft.sources.map((source) => `sha256:${source.sha256}`).join(' '),
  retrievedAt: draft.retrievedAt,
  publisherDate: draft.publisherDate ?? '',
  ...(draft.validFrom === undefined ? {} : { validFrom: draft.validFrom }),
  ...(draft.validUntil === undefined ? {} : { validUntil: draft.validUntil }),
  rowCounts: JSON.stringify(Object.fromEntries(draft.tables.map((table) => [table.name, table.rows]))),
  buildDate: draft.buildDate,
  converterVersion: draft.converterVersion,
  contentDigest: draft.contentDigest,
  ...(draft.listKind === undefined ? {} : { listKind: draft.listKind }),
  ...(draft.sample ? { sample: 'All records are invented.' } : {}),
})

/** sha256 and size of a file, read once. One buffer is used over and over: a stream's would pile up as garbage. */
export const hashFile = async (path: string, signal: AbortSignal): Promise<Manifest['file']> => {
  const digest = createHash('sha256')
  const buffer = Buffer.alloc(1024 * 1024)
  const file = await open(path)
  try {
    for (;;) {
      signal.throwIfAborted()
      const { bytesRead } = await file.read(buffer, 0, buffer.length)
      if (bytesRead === 0) break
      digest.update(buffer.subarray(0, bytesRead))
    }
    return { sha256: digest.digest('hex'), bytes: (await file.stat()).size }
  } finally {
    await file.close()
  }
}

/** Writes the manifest, makes the files read-only, and flushes everything in the folder to the disk. */
export const sealFolder = (folder: string, manifest: Manifest): void => {
  writeFileSync(manifestFile(folder), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const path of [dataFile(folder), manifestFile(folder), changesFile(folder)]) {
    chmodSync(path, 0o444)
    syncFile(path)
  }
  syncFolder(folder)
}
