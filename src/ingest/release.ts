/** Release: a delivery that a guard refused, or that a rollback rejected, becomes current after all. */
import { StichtagError } from '../errors.ts'
import type { Store } from '../store/layout.ts'
import type { Manifest } from '../store/manifest.ts'
import { checkPointerFree } from '../store/pointer.ts'
import { keptVersion, readState, versionsOf, writeState } from '../store/snapshots.ts'
import type { State } from '../store/state.ts'
import { type Base, baseFor, unknownChanges } from './compare-with-base.ts'
import { faultOfData } from './found-current.ts'
import { type Current, checkSample, currentOf, type Move, moved, recorded, soundManifest } from './move.ts'
import { publishBuilding, storePublisher } from './publish.ts'
import { buildFromQuarantine, leaveQuarantine, quarantinedManifest, quarantinedVersions } from './quarantine.ts'
import { reconcile, sweep } from './sweep.ts'

/**
 * Makes a refused version (from quarantine) or a held one current after all. A refused one that is older than a kept
 * version gets a later one, so that versions stay in order: the move says which.
 *
 * @throws UNKNOWN_DATASET, UNKNOWN_VERSION, SNAPSHOT_INVALID, SAMPLE_OVER_REAL, BUSY, POINTER_OCCUPIED, STORE_UNWRITABLE
 */
export const release = (
  store: Store,
  dataset: string,
  wanted: string,
  now: () => Date,
  signal: AbortSignal = new AbortController().signal,
): Promise<Move> =>
  recorded(store, dataset, `release ${wanted}`, now, async (run) => {
    const current = currentOf(store, dataset)
    const state = reconcile(readState(store, dataset), current?.version ?? null, now())
    const refused = quarantinedManifest(store, dataset, wanted)
    const target = refused ?? (await heldManifest(store, dataset, wanted, state, signal))
    checkSample(store, target, current)
    const released =
      refused === null || versionsOf(store, dataset).some((version) => version === wanted)
        ? point(store, target)
        : await publishFromQuarantine(store, refused, run, current, state, now(), signal)
    const at = now()
    writeState(store, {
      ...moved(state, released, 'release', at),
      // The refusal is overruled: it is not what the dataset's state is about any more.
      lastRun: { run, outcome: 'published', at: at.toISOString() },
      held: state.held.filter((each) => each.contentDigest !== target.contentDigest),
    })
    leaveQuarantine(store, dataset, released.contentDigest)
    return { dataset, version: released.version, previous: current?.version ?? null }
  })

const heldManifest = (
  store: Store,
  dataset: string,
  wanted: string,
  state: State,
  signal: AbortSignal,
): Promise<Manifest> => {
  if (state.held.some((each) => each.version === wanted)) {
    return soundManifest(store, dataset, keptVersion(store, dataset, wanted), signal)
  }
  const there = [...quarantinedVersions(store, dataset), ...state.held.map(({ version }) => version)]
  throw new StichtagError(
    'UNKNOWN_VERSION',
    `${dataset}: ${wanted} is neither in quarantine nor held. Those that are: ${there.join(', ') || 'none'}.`,
    { data: { dataset, version: wanted, there } },
  )
}

const point = (store: Store, target: Manifest): Manifest => {
  storePublisher(store).point(target)
  return target
}

const publishFromQuarantine = async (
  store: Store,
  refused: Manifest,
  run: string,
  current: Current | null,
  state: State,
  now: Date,
  signal: AbortSignal,
): Promise<Manifest> => {
  checkPointerFree(store, refused.dataset, refused)
  const { base, warnings } = await baseOf(store, current, refused.sample, signal)
  try {
    const warned = { ...refused, warnings: [...refused.warnings, ...warnings] }
    const { folder, manifest } = await buildFromQuarantine(store, warned, run, base, now, signal)
    publishBuilding(store, folder, manifest, state)
    return manifest
  } catch (error) {
    sweep(store, refused.dataset, refused, readState(store, refused.dataset))
    throw error
  }
}

/** What a released snapshot is compared with: current, where it is sound. */
const baseOf = async (store: Store, current: Current | null, isSample: boolean, signal: AbortSignal): Promise<Base> => {
  if (current === null) return { base: null, warnings: [] }
  const { manifest, version } = current
  const fault = manifest === null ? 'its manifest cannot be read' : await faultOfData(store, manifest, false, signal)
  if (fault === null) return baseFor(manifest, isSample)
  return { base: null, warnings: [unknownChanges(version, fault)] }
}
