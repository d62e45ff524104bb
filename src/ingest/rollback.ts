/** Rollback: the pointer goes back to a kept version, and the delivery that it leaves is held. */
import { StichtagError } from '../errors.ts'
import type { Store } from '../store/layout.ts'
import type { Manifest } from '../store/manifest.ts'
import { intactManifest, keptVersion, readState, versionsOf, writeState } from '../store/snapshots.ts'
import type { State } from '../store/state.ts'
import type { Version } from '../store/version.ts'
import {
  type Current,
  checkSample,
  currentOf,
  isSound,
  type Move,
  moved,
  recorded,
  soundManifest,
  unwrittenBeside,
} from './move.ts'
import { storePublisher } from './publish.ts'
import { reconcile } from './sweep.ts'

/**
 * The newest sound version older than current, or of all where there is no current one; from real data never back to an
 * invented sample.
 */
const versionBefore = async (
  store: Store,
  dataset: string,
  current: Current | null,
  signal: AbortSignal,
): Promise<Version> => {
  const kept = versionsOf(store, dataset)
  // Nothing can be told by a pointer that leads nowhere.
  const standing = current !== null && kept.includes(current.version) ? current : null
  const older = standing === null ? kept : kept.filter((version) => version < standing.version)
  const manifests = older.toReversed().map((version) => intactManifest(store, dataset, version))
  const mayBeReal =
    standing === null ? manifests.some((each) => each?.sample === false) : standing.manifest?.sample !== true
  for (const manifest of manifests) {
    if (manifest === null || (manifest.sample && mayBeReal)) continue
    if (await isSound(store, manifest, signal)) return keptVersion(store, dataset, manifest.version)
  }
  const than = standing === null ? '' : ` older than ${standing.version}`
  throw new StichtagError(
    'UNKNOWN_VERSION',
    `${dataset}: no sound version${than} is kept in ${store.root}.${passedOver(manifests)}`,
    { data: { dataset, current: current?.version ?? null, kept } },
  )
}

/** Why versions that are kept would not do: whoever sees them listed wants to know. */
const passedOver = (manifests: readonly (Manifest | null)[]): string => {
  const samples = manifests.filter((manifest) => manifest?.sample === true).map((manifest) => manifest?.version)
  const passed =
    samples.length === 0
      ? ''
      : ` Passed over: ${samples.join(', ')}. They are invented samples, which never take the place of real data.`
  return samples.length < manifests.length ? `${passed} Others are damaged: stichtag doctor says how.` : passed
}

/**
 * Moves the pointer to a kept version (without one: the newest sound one that is older than current, or of all where the
 * pointer is lost). The delivery that is left is held by its digest, until `release` or a new delivery; where it is left
 * because its snapshot is damaged, it may come again.
 *
 * @throws UNKNOWN_DATASET, UNKNOWN_VERSION, SNAPSHOT_INVALID, SAMPLE_OVER_REAL, BUSY, POINTER_OCCUPIED, STORE_UNWRITABLE
 */
export const rollback = (
  store: Store,
  dataset: string,
  wanted: string | undefined,
  now: () => Date,
  signal: AbortSignal = new AbortController().signal,
): Promise<Move> =>
  recorded(store, dataset, `rollback ${wanted ?? ''}`.trim(), now, async (_run, warn) => {
    const current = currentOf(store, dataset)
    const version =
      wanted === undefined ? await versionBefore(store, dataset, current, signal) : keptVersion(store, dataset, wanted)
    if (version === current?.version) {
      // Nothing moves, but names that were lost come back, and a move that could not be noted is.
      if (current.manifest !== null) storePublisher(store).point(current.manifest)
      await noteLateMove(store, dataset, current, now(), signal)
      return { dataset, version, previous: version }
    }
    const target = await soundManifest(store, dataset, version, signal)
    checkSample(store, target, current)
    const state = reconcile(readState(store, dataset), current?.version ?? null, now())
    const held = await heldAfter(store, state, current, target, now(), signal)
    const note = (noted: State): void => {
      try {
        writeState(store, noted)
      } catch (error) {
        if (!(error instanceof StichtagError) || error.code !== 'STORE_UNWRITABLE') throw error
        warn(
          `state.json could not be written, so that what was left is not held, and may come again: ${unwrittenBeside(error)} ` +
            `Once that is mended: stichtag rollback ${dataset} ${version}`,
        )
      }
    }
    // Noted before the pointer moves: a crash between the two must not let the rejected delivery come back by itself. A
    // disk that is full does not keep people from leaving a snapshot that is wrong.
    if (held.length > state.held.length) note({ ...state, held })
    storePublisher(store).point(target)
    note({ ...moved(state, target, 'rollback', now()), held })
    return { dataset, version, previous: current?.version ?? null }
  })

/** What is held after a move from `left` to `target`: a later delivery is rejected by it, unless its snapshot is damaged. */
const heldAfter = async (
  store: Store,
  state: State,
  left: Current | null,
  target: Manifest,
  now: Date,
  signal: AbortSignal,
): Promise<State['held']> => {
  const rejected = left?.manifest ?? null
  const rejects =
    rejected !== null &&
    target.version < rejected.version &&
    rejected.contentDigest !== target.contentDigest &&
    (await isSound(store, rejected, signal))
  return [
    ...state.held.filter((each) => each.contentDigest !== target.contentDigest && each.version !== left?.version),
    ...(rejects
      ? [{ contentDigest: rejected.contentDigest, version: rejected.version, since: now.toISOString() }]
      : []),
  ]
}

/** Notes a move of the pointer that state.json knows nothing of: the disk was full when it was made. */
const noteLateMove = async (
  store: Store,
  dataset: string,
  { version, manifest }: Current,
  now: Date,
  signal: AbortSignal,
): Promise<void> => {
  const state = readState(store, dataset)
  const last = state.history.at(-1)?.version
  const left = versionsOf(store, dataset).find((each) => each === last)
  if (manifest === null || left === undefined || left <= version) return
  const leftOne = { version: left, manifest: intactManifest(store, dataset, left) }
  const held = await heldAfter(store, state, leftOne, manifest, now, signal)
  writeState(store, { ...moved(state, manifest, 'rollback', now), held })
}
