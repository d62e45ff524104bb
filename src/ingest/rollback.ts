/**
 * Moves of the pointer that people make: rollback to a kept version, and release of a refused or held one. Both take
 * the dataset's lock, and both are what a publish is: one rename (DESIGN §4.2).
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { asStichtagError, StichtagError } from '../errors.ts'
import { quarantineFolder, type Store } from '../store/layout.ts'
import { openLedger } from '../store/ledger.ts'
import { withLock } from '../store/lock.ts'
import type { Manifest } from '../store/manifest.ts'
import { checkPointerFree } from '../store/pointer.ts'
import {
  currentVersion,
  databaseOf,
  intactManifest,
  keptVersion,
  readManifest,
  readState,
  versionsOf,
  writeState,
} from '../store/snapshots.ts'
import type { State, Validators } from '../store/state.ts'
import type { Version } from '../store/version.ts'
import { publishBuilding, storePublisher } from './publish.ts'
import { buildFromQuarantine, quarantinedManifest } from './quarantine.ts'
import { reconcile, removeFolder, sweep } from './sweep.ts'

/** Where the pointer was and is. */
export interface Move {
  readonly dataset: string
  readonly version: string
  readonly previous: string
}

/** Where the pointer is; `manifest` is null where it cannot be read: one can still roll back from it. */
interface Current {
  readonly version: Version
  readonly manifest: Manifest | null
}

const currentOf = (store: Store, dataset: string): Current | null => {
  const database = databaseOf(store, dataset)
  const version = database === undefined ? null : currentVersion(store, dataset, database)
  return version === null ? null : { version, manifest: intactManifest(store, dataset, version) }
}

const needCurrent = (store: Store, dataset: string): Current => {
  const current = currentOf(store, dataset)
  if (current !== null) return current
  throw new StichtagError('UNKNOWN_DATASET', `${dataset} has no current snapshot in ${store.root}`, {
    data: { dataset, root: store.root },
  })
}

/** The newest kept version older than current; from real data never back to an invented sample. */
const versionBefore = (store: Store, dataset: string, { version: current, manifest }: Current): Version => {
  const before = versionsOf(store, dataset).findLast((version) => {
    const kept = version < current ? intactManifest(store, dataset, version) : null
    return kept !== null && (!kept.sample || manifest?.sample === true)
  })
  if (before !== undefined) return before
  throw new StichtagError('UNKNOWN_VERSION', `${dataset}: no version older than ${current} is kept`, {
    data: { dataset, current },
  })
}

/** Invented samples never take the place of real data, by whatever command (DESIGN §4.2). */
const checkSample = (target: Manifest, current: Current | null): void => {
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

/** Runs a move under the lock, with a row in the ledger. */
const recorded = async (
  store: Store,
  dataset: string,
  command: string,
  now: () => Date,
  work: (run: string) => Move,
): Promise<Move> =>
  withLock(store, dataset, () => {
    const ledger = openLedger(store)
    const run = `${now()
      .toISOString()
      .replace(/[-:]|\.\d+/g, '')}-${randomBytes(4).toString('hex')}`
    try {
      ledger.start(run, dataset, command, now())
      try {
        const move = work(run)
        ledger.end(run, now(), { outcome: 'published', version: move.version, previous: move.previous })
        return move
      } catch (error) {
        const { code, message } = asStichtagError(error)
        ledger.end(run, now(), { outcome: 'failed', reason: { code, message } })
        throw error
      }
    } finally {
      ledger.close()
    }
  })

/**
 * Moves the pointer to a kept version (without one: the newest that is older than current). The delivery that is left
 * is held by its digest, until `release` or a new delivery.
 *
 * @throws UNKNOWN_DATASET, UNKNOWN_VERSION, SAMPLE_OVER_REAL, BUSY, POINTER_OCCUPIED, STORE_UNWRITABLE
 */
export const rollback = (store: Store, dataset: string, wanted: string | undefined, now: () => Date): Promise<Move> =>
  recorded(store, dataset, `rollback ${wanted ?? ''}`.trim(), now, () => {
    const current = needCurrent(store, dataset)
    const version = wanted === undefined ? versionBefore(store, dataset, current) : keptVersion(store, dataset, wanted)
    if (version === current.version) return { dataset, version, previous: version }
    const target = readManifest(store, dataset, version)
    checkSample(target, current)
    const state = reconcile(readState(store, dataset), current.version, now())
    const left = current.manifest?.contentDigest
    const rejects = left !== undefined && version < current.version && left !== target.contentDigest
    const held = [
      ...state.held.filter((each) => each.contentDigest !== target.contentDigest && each.version !== current.version),
      ...(rejects ? [{ contentDigest: left, version: current.version, since: now().toISOString() }] : []),
    ]
    // Noted before the pointer moves: a crash between the two must not let the rejected delivery come back by itself.
    if (rejects) writeState(store, { ...state, held })
    storePublisher(store).point(target)
    writeState(store, { ...moved(state, target, 'rollback', now()), held })
    return { dataset, version, previous: current.version }
  })

const moved = (state: State, target: Manifest, by: 'rollback' | 'release', at: Date): State => ({
  ...state,
  validators: validatorsOf(target),
  refused: null,
  history: [...state.history, { version: target.version, at: at.toISOString(), by }].slice(-100),
})

/**
 * Makes a refused version (from quarantine) or a held one current after all.
 *
 * @throws UNKNOWN_VERSION, SAMPLE_OVER_REAL, BUSY, POINTER_OCCUPIED, STORE_UNWRITABLE
 */
export const release = (store: Store, dataset: string, wanted: string, now: () => Date): Promise<Move> =>
  recorded(store, dataset, `release ${wanted}`, now, (run) => {
    const current = currentOf(store, dataset)
    const state = reconcile(readState(store, dataset), current?.version ?? null, now())
    const refused = quarantinedManifest(store, dataset, wanted)
    const target = refused ?? heldManifest(store, dataset, wanted, state)
    checkSample(target, current)
    const released =
      refused === null || versionsOf(store, dataset).some((version) => version === wanted)
        ? point(store, target)
        : publishFromQuarantine(store, refused, run, current?.manifest ?? null, state)
    const at = now()
    writeState(store, {
      ...moved(state, released, 'release', at),
      // The refusal is overruled: it is not what the dataset's state is about any more.
      lastRun: { run, outcome: 'published', at: at.toISOString() },
      confirmedAt: at.toISOString(),
      held: state.held.filter((each) => each.contentDigest !== target.contentDigest),
    })
    if (refused !== null) removeFolder(join(quarantineFolder(store, dataset), refused.version))
    return { dataset, version: target.version, previous: current?.version ?? target.version }
  })

const heldManifest = (store: Store, dataset: string, wanted: string, state: State): Manifest => {
  if (state.held.some((each) => each.version === wanted)) {
    return readManifest(store, dataset, keptVersion(store, dataset, wanted))
  }
  throw new StichtagError('UNKNOWN_VERSION', `${dataset}: ${wanted} is neither in quarantine nor held`, {
    data: { dataset, version: wanted },
  })
}

const point = (store: Store, target: Manifest): Manifest => {
  storePublisher(store).point(target)
  return target
}

const publishFromQuarantine = (
  store: Store,
  refused: Manifest,
  run: string,
  current: Manifest | null,
  state: State,
): Manifest => {
  checkPointerFree(store, refused.dataset, refused)
  try {
    const { folder, manifest } = buildFromQuarantine(store, refused, run, current)
    publishBuilding(store, folder, manifest, state)
    return manifest
  } catch (error) {
    sweep(store, refused.dataset, refused, readState(store, refused.dataset))
    throw error
  }
}
