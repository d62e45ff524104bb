/**
 * Which delivery this is: what the source gave, and whether these very files were seen before. Content that was seen
 * before is never built again, and a refused delivery never looks unchanged (DESIGN §4.2).
 */
import { StichtagError } from '../errors.ts'
import { downloadsFolder } from '../store/layout.ts'
import type { SourceInfo } from '../store/manifest.ts'
import { intactManifest, versionsOf } from '../store/snapshots.ts'
import type { State, Validators } from '../store/state.ts'
import { type DeliveredFile, type Delivery, obtainDelivery } from './delivery.ts'
import { checkReceivedFor } from './download-bounds.ts'
import type { Execution } from './execute.ts'
import { isRemote } from './location.ts'
import type { Plan, PlannedFile } from './plan.ts'
import { rawFile } from './raw-files.ts'
import { shownUrl } from './shown-url.ts'

/** Obtains what the plan says; where the mapping changed and the source did not, what is kept of it. */
export const deliver = async (plan: Plan, execution: Execution): Promise<Delivery> => {
  const { store, pipeline, signal, log, onProgress, current, state } = execution
  const options = {
    folder: downloadsFolder(store, plan.dataset),
    signal,
    // A person who waits at a terminal is told within 30 s that a URL cannot be reached (DESIGN §4.3).
    ...(plan.origin === 'from' ? { connectTimeoutMs: 25_000 } : {}),
    log,
    checkReceived: checkReceivedFor({
      store,
      dataset: plan.dataset,
      space: pipeline.definition.space,
      current,
      freeBytes: execution.freeBytes,
    }),
    onProgress: (file: string, bytes: number, total: number | undefined): void =>
      onProgress({
        dataset: plan.dataset,
        step: 'download',
        ...(plan.files.some(({ name, location }) => name === file && !isRemote(location)) ? { isLocal: true } : {}),
        file,
        done: bytes,
        unit: 'bytes',
        ...(total === undefined ? {} : { total }),
      }),
  }
  const delivery = await obtainDelivery(plan.files, options)
  if (delivery.kind === 'files' || !plan.rebuild || current === null) return delivery
  const refused = plan.notModified === 'refused' ? state.refused : null
  return keptDelivery(plan, refused === null ? current.sources : seenBefore(refused.validators), options)
}

/** The files that the source still has, out of `downloads/`; fetched again where they are not there any more. */
const keptDelivery = async (
  plan: Plan,
  seen: readonly SeenFile[],
  options: Parameters<typeof obtainDelivery>[1],
): Promise<Delivery> => {
  const isSeen = ({ name }: PlannedFile): boolean => seen.some((each) => each.name === name)
  const there = plan.files.filter((file) => (file.optional !== true && file.byHand === undefined) || isSeen(file))
  const local = there.map(({ validators: _, expected: __, optional: ___, byHand: ____, resolves: _____, ...file }) => {
    const known = seen.find(({ name }) => name === file.name)
    // Without a digest no file is the one that was seen; the name alone leads nowhere.
    const location = rawFile(options.folder, file.name, known?.sha256 ?? '')
    return { ...file, location }
  })
  try {
    const kept = await obtainDelivery(local, options)
    if (kept.kind === 'files' && sameFiles(kept.files, seen)) {
      // What the server said of these bytes when they came still holds: they are the same.
      const files = kept.files.map((file) => {
        const known = seen.find(({ name }) => name === file.name)
        if (known === undefined) return file
        const { modifiedAt: _, ...kept } = file
        return { ...kept, ...asDelivered(known) }
      })
      const absent = plan.files.filter((file) => !there.includes(file)).map(({ name }) => name)
      return { kind: 'files', files, absent }
    }
  } catch (error) {
    if (!(error instanceof StichtagError) || error.code !== 'FILE_NOT_FOUND') throw error
    options.log.info({ dataset: plan.dataset }, 'the download is not kept; fetching it again')
  }
  return obtainDelivery(
    plan.files.map(({ validators: _, knownSha256: __, ...file }) => file),
    options,
  )
}

/** A file of an earlier delivery, with what the source said of it. */
type SeenFile = Pick<SourceInfo, 'name' | 'sha256' | 'etag' | 'lastModified'> &
  Partial<Pick<SourceInfo, 'retrievedAt' | 'modifiedAt' | 'resolvedUrl'>>

const asDelivered = ({
  etag,
  lastModified,
  retrievedAt,
  modifiedAt,
  resolvedUrl,
}: SeenFile): Partial<DeliveredFile> => ({
  ...(resolvedUrl === undefined ? {} : { resolvedUrl }),
  ...(retrievedAt === undefined ? {} : { retrievedAt }),
  ...(modifiedAt === undefined ? {} : { modifiedAt }),
  ...(etag === undefined ? {} : { etag }),
  ...(lastModified === undefined ? {} : { lastModified }),
})

interface Hashed {
  readonly name: string
  readonly sha256: string
}

const sameFiles = (files: readonly Hashed[], others: readonly Hashed[]): boolean =>
  files.length === others.length &&
  files.every((file) => others.some((other) => other.name === file.name && other.sha256 === file.sha256))

const seenBefore = (validators: Validators): SeenFile[] =>
  Object.entries(validators).map(([name, { url: _, ...said }]) => ({ name, ...said }))

/** What to ask the source with next time, so that these files cost no bytes again. */
export const validatorsOf = (plan: Plan, files: readonly DeliveredFile[]): Validators =>
  Object.fromEntries(
    files.map((file) => [
      file.name,
      {
        url: shownUrl(plan.files.find((planned) => planned.name === file.name)?.location ?? file.url),
        sha256: file.sha256,
        ...(file.etag === undefined ? {} : { etag: file.etag }),
        ...(file.lastModified === undefined ? {} : { lastModified: file.lastModified }),
      },
    ]),
  )

/** A delivery that is refused again without being built. */
export type Refusal = NonNullable<State['refused']>

/** Whether these very files were seen before: as current, or as a delivery that was refused or is held. */
export const recognise = (
  files: readonly DeliveredFile[],
  plan: Plan,
  execution: Execution,
): 'current' | Refusal | null => {
  const { store, state, current } = execution
  if (plan.rebuild || plan.force) return null
  if (current !== null && current.sample === plan.sample) {
    // Files of another shape (packed otherwise, in another order) were found to hold the same rows by an earlier run.
    const same = [current.sources, seenBefore(state.validators)].some((seen) => sameFiles(files, seen))
    if (same) return 'current'
  }
  if (state.refused !== null && plan.accept.length === 0 && sameFiles(files, seenBefore(state.refused.validators))) {
    return state.refused
  }
  const held = state.held.find(({ version }) => {
    const kept = versionsOf(store, plan.dataset).find((each) => each === version)
    const manifest = kept === undefined ? null : intactManifest(store, plan.dataset, kept)
    return manifest !== null && sameFiles(files, manifest.sources)
  })
  return held === undefined ? null : heldRefusal(plan.dataset, held.version, validatorsOf(plan, files))
}

/** The refusal of a delivery that a rollback rejected. */
export const heldRefusal = (dataset: string, version: string, validators: Validators): Refusal => ({
  version,
  validators,
  reason: {
    code: 'HELD',
    message:
      `${dataset}: this delivery is that of ${version}, which a rollback rejected. ` +
      `It is held until the publisher brings out another one, or: stichtag release ${dataset} ${version}`,
  },
})
