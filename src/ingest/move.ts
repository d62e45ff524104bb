/**
 * Moves of the pointer that people make: what rollback and release have in common. Both take the dataset's lock, begin
 * with a sweep, have a row in the ledger, and are what a publish is: one rename (DESIGN §4.2).
 */
import { randomBytes } from 'node:crypto'
import { asStichtagError, StichtagError } from '../errors.ts'
import { storageError } from '../store/durable.ts'
import type { Store } from '../store/layout.ts'
import { patientLedger } from '../store/ledger.ts'
import { withLock } from '../store/lock.ts'
import type { Manifest } from '../store/manifest.ts'
import {
  checkDataset,
  currentVersion,
  databaseOf,
  intactManifest,
  readManifest,
  versionsOf,
} from '../store/snapshots.ts'
import type { State, Validators } from '../store/state.ts'
import type { Version } from '../store/version.ts'
import { faultOfData } from './found-current.ts'
import { sweepDataset } from './sweep.ts'

/** Where the pointer was and is; `previous` is null where there was none. */
export interface Move {
  readonly dataset: string
  readonly version: string
  readonly previous: string | null
  /** What could not be written beside the pointer, and what that means; left out where all was. */
  readonly warnings?: readonly string[]
}

/** Where the pointer is; `manifest` is null where it cannot be read: one can still roll back from it. */
export interface Current {
  readonly version: Version
  readonly manifest: Manifest | null
}

/** What the pointer names, or null where there is none of ours. */
export const currentOf = (store: Store, dataset: string): Current | null => {
  const database = databaseOf(store, dataset)
  const version = database === undefined ? null : currentVersion(store, dataset, database)
  return version === null ? null : { version, manifest: intactManifest(store, dataset, version) }
}

/** Whether nothing speaks against a kept version's data.db. */
export const isSound = async (store: Store, manifest: Manifest, signal: AbortSignal): Promise<boolean> =>
  (await faultOfData(store, manifest, false, signal)) === null

/** The manifest of a version that the pointer may be moved to. */
export const soundManifest = async (
  store: Store,
  dataset: string,
  version: Version,
  signal: AbortSignal,
): Promise<Manifest> => {
  const manifest = readManifest(store, dataset, version)
  const fault = await faultOfData(store, manifest, false, signal)
  if (fault === null) return manifest
  throw new StichtagError(
    'SNAPSHOT_INVALID',
    `${dataset}: ${fault}. The pointer was not moved: name another version.`,
    {
      data: { dataset, version },
    },
  )
}

/**
 * Invented samples never take the place of real data, by whatever command (DESIGN §4.2).
 *
 * @throws SAMPLE_OVER_REAL
 */
export const checkSample = (store: Store, target: Manifest, pointed: Current | null): void => {
  const isKept = pointed !== null && versionsOf(store, target.dataset).includes(pointed.version)
  const current = isKept ? pointed : realOf(store, target.dataset)
  if (!target.sample || current === null || current.manifest?.sample === true) return
  throw new StichtagError(
    'SAMPLE_OVER_REAL',
    `${target.dataset}: ${target.version} is an invented sample, and ${current.version} is real data, which a sample ` +
      'never replaces.',
    { data: { dataset: target.dataset, current: current.version, version: target.version } },
  )
}

/** What the source said of the delivery that a kept snapshot was built from. */
const validatorsOf = (manifest: Manifest): Validators =>
  Object.fromEntries(
    manifest.sources.map(({ name, url, resolvedUrl, sha256, etag, lastModified }) => [
      name,
      {
        url: resolvedUrl ?? url,
        sha256,
        ...(etag === undefined ? {} : { etag }),
        ...(lastModified === undefined ? {} : { lastModified }),
      },
    ]),
  )

/** What could not be written, without what is said of a current snapshot: that one moves. */
export const unwrittenBeside = ({ message }: StichtagError): string =>
  message.replace(/ The current snapshot (?:stays|is unchanged)\./, '')

/** Runs a move under the lock, with a row in the ledger; a ledger that cannot be written is a warning. */
export const recorded = async (
  store: Store,
  dataset: string,
  command: string,
  now: () => Date,
  work: (run: string, warn: (warning: string) => void) => Promise<Move>,
): Promise<Move> => {
  // Taking the lock makes the dataset's folder: a name that nothing is kept under must not become a dataset.
  checkDataset(store, dataset)
  return withLock(store, dataset, async () => {
    const warnings = new Set<string>()
    const ledger = patientLedger(store, (error) =>
      warnings.add(`the ledger of runs does not have it: ${unwrittenBeside(error)}`),
    )
    const run = `${now()
      .toISOString()
      .replace(/[-:]|\.\d+/g, '')}-${randomBytes(4).toString('hex')}`
    try {
      ledger.start(run, dataset, command, now())
      try {
        sweepDataset(store, dataset)
        const move = await work(run, (warning) => void warnings.add(warning))
        ledger.end(run, now(), { outcome: 'published', version: move.version, previous: move.previous })
        return warnings.size === 0 ? move : { ...move, warnings: [...warnings] }
      } catch (thrown) {
        const error = asStichtagError(storageError(thrown))
        ledger.end(run, now(), { outcome: 'failed', reason: { code: error.code, message: error.message } })
        throw error
      }
    } finally {
      ledger.close()
    }
  })
}

/** A kept version that is real, for want of a pointer: a sample must not take its place either. */
const realOf = (store: Store, dataset: string): Current | null =>
  versionsOf(store, dataset)
    .map((version) => ({ version, manifest: intactManifest(store, dataset, version) }))
    .find(({ manifest }) => manifest?.sample === false) ?? null

/** The state after a move of the pointer to `target`. */
export const moved = (state: State, target: Manifest, by: 'rollback' | 'release', at: Date): State => ({
  ...state,
  validators: validatorsOf(target),
  refused: null,
  // Nobody has asked the publisher.
  confirmedAt: null,
  history: [...state.history, { version: target.version, at: at.toISOString(), by }].slice(-100),
})
