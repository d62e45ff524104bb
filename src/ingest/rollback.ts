/**
 * Moves of the pointer that people make: rollback to a kept version, and release of a refused or held one. Both take
 * the dataset's lock, and both are what a publish is: one rename (DESIGN §4.2).
 */

import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StichtagError } from '../errors.ts'
import { storeError, syncFolder } from '../store/durable.ts'
import {
  changesFile,
  dataFile,
  datasetFolder,
  manifestFile,
  quarantineFolder,
  type Store,
  snapshotFolder,
} from '../store/layout.ts'
import { openLedger } from '../store/ledger.ts'
import { withLock } from '../store/lock.ts'
import { type Manifest, manifestSchema } from '../store/manifest.ts'
import { currentSnapshot, keptVersion, readManifest, readState, versionsOf, writeState } from '../store/snapshots.ts'
import type { State, Validators } from '../store/state.ts'
import { isVersion, type Version } from '../store/version.ts'
import { compareSnapshots, sideOf } from './compare.ts'
import { storePublisher } from './publish.ts'
import { sealFolder } from './seal.ts'

/** Where the pointer was and is. */
export interface Move {
  readonly dataset: string
  readonly version: string
  readonly previous: string
}

const needCurrent = (store: Store, dataset: string): Manifest => {
  const current = currentSnapshot(store, dataset)
  if (current !== null) return current
  throw new StichtagError('UNKNOWN_DATASET', `${dataset} has no current snapshot in ${store.root}`, {
    data: { dataset, root: store.root },
  })
}

/** The newest kept version older than current. */
const versionBefore = (store: Store, dataset: string, current: string): Version => {
  const before = versionsOf(store, dataset).findLast((version) => version < current)
  if (before !== undefined) return before
  throw new StichtagError('UNKNOWN_VERSION', `${dataset}: no version older than ${current} is kept`, {
    data: { dataset, current },
  })
}

/** What the source said of the delivery that a kept snapshot was built from. */
const validatorsOf = (manifest: Manifest): Validators =>
  Object.fromEntries(
    manifest.sources.map(({ name, url, sha256, etag, lastModified }) => [
      name,
      {
        url,
        sha256,
        ...(etag === undefined ? {} : { etag }),
        ...(lastModified === undefined ? {} : { lastModified }),
      },
    ]),
  )

/** Runs a move under the lock, with a row in the ledger. */
const recorded = async (
  store: Store,
  dataset: string,
  command: string,
  now: () => Date,
  work: () => Move,
): Promise<Move> =>
  withLock(store, dataset, () => {
    const ledger = openLedger(store)
    const run = `${now()
      .toISOString()
      .replace(/[-:]|\.\d+/g, '')}-${randomBytes(4).toString('hex')}`
    try {
      ledger.start(run, dataset, command, now())
      try {
        const move = work()
        ledger.end(run, now(), { outcome: 'published', version: move.version, previous: move.previous })
        return move
      } catch (error) {
        const reason = { code: error instanceof StichtagError ? error.code : 'INTERNAL', message: String(error) }
        ledger.end(run, now(), { outcome: 'failed', reason })
        throw error
      }
    } finally {
      ledger.close()
    }
  })

/**
 * Moves the pointer to a kept version (without one: the newest that is older than current). The delivery that is left
 * is held by its digest, until `release` or a new delivery.
 */
export const rollback = (store: Store, dataset: string, wanted: string | undefined, now: () => Date): Promise<Move> =>
  recorded(store, dataset, `rollback ${wanted ?? ''}`.trim(), now, () => {
    const current = needCurrent(store, dataset)
    const version =
      wanted === undefined ? versionBefore(store, dataset, current.version) : keptVersion(store, dataset, wanted)
    const target = readManifest(store, dataset, version)
    const state = readState(store, dataset)
    if (version === current.version) return { dataset, version, previous: version }
    const left = { contentDigest: current.contentDigest, version: current.version, since: now().toISOString() }
    const rejects = version < current.version && current.contentDigest !== target.contentDigest
    storePublisher(store).point(target)
    writeState(store, {
      ...moved(state, target, 'rollback', now()),
      held: [
        ...state.held.filter((held) => held.contentDigest !== target.contentDigest && held.version !== left.version),
        ...(rejects ? [left] : []),
      ],
    })
    return { dataset, version, previous: current.version }
  })

const moved = (state: State, target: Manifest, by: 'rollback' | 'release', at: Date): State => ({
  ...state,
  validators: validatorsOf(target),
  refused: null,
  history: [...state.history, { version: target.version, at: at.toISOString(), by }].slice(-100),
})

/** Makes a refused version (from quarantine) or a held one current after all. */
export const release = (store: Store, dataset: string, wanted: string, now: () => Date): Promise<Move> =>
  recorded(store, dataset, `release ${wanted}`, now, () => {
    const state = readState(store, dataset)
    const current = currentSnapshot(store, dataset)
    const held = state.held.find((each) => each.version === wanted)
    const target =
      held === undefined
        ? leaveQuarantine(store, dataset, wanted, current)
        : readManifest(store, dataset, keptVersion(store, dataset, wanted))
    storePublisher(store).point(target)
    writeState(store, {
      ...moved(state, target, 'release', now()),
      held: state.held.filter((each) => each.contentDigest !== target.contentDigest),
    })
    return { dataset, version: target.version, previous: current?.version ?? target.version }
  })

/** Moves a refused snapshot into the store, its changes made anew where current is another than it was built on. */
const leaveQuarantine = (store: Store, dataset: string, wanted: string, current: Manifest | null): Manifest => {
  const folder = join(quarantineFolder(store, dataset), wanted)
  if (!isVersion(wanted) || !existsSync(manifestFile(folder))) {
    throw new StichtagError('UNKNOWN_VERSION', `${dataset}: ${wanted} is neither in quarantine nor held`, {
      data: { dataset, version: wanted },
    })
  }
  const target = snapshotFolder(store, dataset, wanted)
  try {
    const refused = manifestSchema.parse(JSON.parse(readFileSync(manifestFile(folder), 'utf8')))
    chmodSync(folder, 0o755)
    const manifest =
      current === null || refused.base === current.version ? refused : rebased(store, folder, refused, current)
    rmSync(join(folder, 'reason.json'), { force: true })
    chmodSync(folder, 0o555)
    renameSync(folder, target)
    syncFolder(datasetFolder(store, dataset))
    return manifest
  } catch (error) {
    throw storeError(error, target)
  }
}

const rebased = (store: Store, folder: string, refused: Manifest, current: Manifest): Manifest => {
  const basePath = dataFile(snapshotFolder(store, current.dataset, current.version as Version))
  rmSync(changesFile(folder))
  const changes = compareSnapshots(sideOf(current, basePath), sideOf(refused, dataFile(folder)), changesFile(folder))
  const manifest: Manifest = { ...refused, base: current.version, changes }
  chmodSync(manifestFile(folder), 0o644)
  writeFileSync(manifestFile(folder), '')
  sealFolder(folder, manifest)
  return manifest
}
