/** A manifest with nothing in it but what must be there. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { manifestFile, type Store, snapshotFolder } from '../../src/store/layout.ts'
import type { Manifest } from '../../src/store/manifest.ts'
import { versionOf } from './scratch-store.ts'

export const manifestExample = (version: string, over: Partial<Manifest> = {}): Manifest => ({
  format: 1,
  dataset: 'one',
  version,
  title: 'One',
  description: 'Nothing at all',
  publisher: 'Nobody',
  homepage: 'https://example.org/',
  licence: { name: 'CC0', url: 'https://example.org/licence', attribution: 'nobody' },
  database: 'one.db',
  aliases: [],
  retrievedAt: '2026-12-01T03:05:12.000Z',
  asOf: '2026-12-01T03:05:12.000Z',
  buildDate: '2026-12-01T03:05:12.000Z',
  converterVersion: 'stichtag-1',
  fingerprint: 'f1',
  contentDigest: '0'.repeat(64),
  file: { sha256: '0'.repeat(64), bytes: 0 },
  base: null,
  sample: false,
  schedule: { cron: '0 4 * * *', timeZone: 'UTC' },
  sources: [],
  tables: [],
  views: [],
  fullText: [],
  rejected: 0,
  changes: {},
  warnings: [],
  ...over,
})

/** Lays a version with this manifest into a store; without data. */
export const keepManifest = (store: Store, version: string, over: Partial<Manifest> = {}): void => {
  const manifest = manifestExample(version, over)
  const folder = snapshotFolder(store, manifest.dataset, versionOf(version))
  mkdirSync(folder, { recursive: true })
  writeFileSync(manifestFile(folder), JSON.stringify(manifest))
}
