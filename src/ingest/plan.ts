/**
 * Plan: what a run will do, decided from facts before anything happens. Pure, so that `--dry-run` prints exactly what
 * a run would execute.
 */
import { basename } from 'node:path'
import type { PipelineDefinition } from '../pipeline/types.ts'
import type { Manifest } from '../store/manifest.ts'
import type { State } from '../store/state.ts'
import { builtWith } from './converter.ts'
import type { GuardName } from './guard.ts'
import { isRemote } from './location.ts'
import { shownUrl } from './shown-url.ts'

/** Where a delivery comes from. */
export type Origin = 'declared' | 'setting' | 'from' | 'sample'

/** What the command line asked for. */
export interface RunOptions {
  /** A file, folder or URL in place of the declared source. */
  readonly from?: string
  readonly sample?: boolean
  readonly force?: boolean
  readonly acceptShrink?: boolean
  /** Guards that are overridden by name; `acceptShrink` is `max-shrink` by its own option. */
  readonly accept?: readonly GuardName[]
  readonly adopt?: boolean
}

/** One file to obtain. */
export interface PlannedFile {
  /** Usual name of the file. */
  readonly name: string
  /** Where it comes from, recorded in the manifest: never a redirect's target. */
  readonly url: string
  /** URL, local file, or folder that holds the file under its usual name. */
  readonly location: string
  /** Sent with the request, so that an unchanged source costs no bytes. */
  readonly validators?: { readonly etag?: string; readonly lastModified?: string }
  /** SHA-256 of the file that the source is known to have had last, at this very location. */
  readonly knownSha256?: string
  /** The location is looked up when the run begins: `url` is the declared one. */
  readonly resolves?: true
  /** What the publisher says of the file. */
  readonly expected?: Expected
  /** What the publisher says of the records in it. */
  readonly said?: SaidOfRecords
  /** The run goes on without it where it is not there. */
  readonly optional?: true
  /** The same, where a person gives a folder: what is not there without the file. */
  readonly byHand?: string
  /** Patterns of the members of an archive that may lie unpacked in a folder. */
  readonly members?: readonly string[]
}

/** Size and checksums of a file, where an index of the publisher's says them. */
export interface Expected {
  readonly bytes?: number | undefined
  readonly sha1?: string | undefined
  readonly sha256?: string | undefined
}

/** What an index of the publisher's says of a file's records, see `RemoteFile`. */
export interface SaidOfRecords {
  readonly publisherDate?: string | undefined
  readonly records?: number | undefined
}

export interface Plan {
  readonly dataset: string
  readonly origin: Origin
  readonly files: readonly PlannedFile[]
  /** Current version, which becomes the new snapshot's base; null where it is an invented sample, and this is none. */
  readonly base: string | null
  /** The mapping is another one than current was built with: build again even where the source is unchanged. */
  readonly rebuild: boolean
  /** Which delivery it is that the source still has where it answers `not modified`. */
  readonly notModified: 'current' | 'refused'
  /** Whether absolute guards refuse, or only warn. */
  readonly absoluteGuards: 'refuse' | 'warn'
  readonly sample: boolean
  /** Where the files hold only what changed: what they are laid over. */
  readonly delta?: PlannedDelta
  /** Guards that only warn this time. */
  readonly accept: readonly GuardName[]
  readonly force: boolean
}

/** A delivery that holds only what changed. */
export interface PlannedDelta {
  /** Its files, by their own names. */
  readonly files: readonly string[]
  /** The version that they are laid over; null where there is none that they could be. */
  readonly over: string | null
  /** Whether there was no whole delivery before it, so that nothing is there but what deltas held. */
  readonly partial: boolean
}

export interface PlanFacts {
  readonly definition: PipelineDefinition
  readonly fingerprint: string
  readonly state: State
  readonly current: Manifest | null
  readonly options: RunOptions
  /** URL that a setting gives the dataset. */
  readonly override: string | undefined
  /** Folder of the bundled sample to ingest. */
  readonly sampleFolder: string
}

const originOf = ({ options, override }: PlanFacts): Origin => {
  if (options.sample === true) return 'sample'
  if (options.from !== undefined) return 'from'
  return override === undefined ? 'declared' : 'setting'
}

/**
 * Whether current was built by other means than a run would build it with today. Where that was tried already, and was
 * refused, it is not tried again on the same delivery.
 */
const wantsRebuild = ({ fingerprint, state, current }: PlanFacts): boolean =>
  current !== null &&
  builtWith(current) !== builtWith({ fingerprint }) &&
  state.refused?.builtWith !== builtWith({ fingerprint })

/** An override of a dataset with several sources is the folder they lie in; of one with one source, the file itself. */
const overridden = (base: string, name: string, alone: boolean): string =>
  alone ? base : `${base.replace(/\/+$/, '')}/${name}`

/** Where the data say they come from. A local file is named without its folder: a host need not know this machine. */
const recordedUrl = (origin: Origin, location: string, declared: string): string => {
  if (origin === 'declared') return shownUrl(declared)
  if (isRemote(location)) return shownUrl(location)
  return `${origin === 'sample' ? 'sample' : 'file'}:${basename(location)}`
}

/** Guards that a person overrides, by whichever option. */
const acceptedGuards = ({ accept, acceptShrink }: RunOptions): GuardName[] => [
  ...new Set([...(acceptShrink === true ? (['max-shrink'] as const) : []), ...(accept ?? [])]),
]

/**
 * The delivery that the source is asked for a change of: one that was refused, unless it is to be
 * accepted after all: then it must come again, so its own validators must not be sent.
 */
const refusedBefore = ({ state, options }: Pick<PlanFacts, 'state' | 'options'>): State['refused'] =>
  acceptedGuards(options).length > 0 ? null : state.refused

/** The file with what is known of its last delivery, where that came from the same location. */
export const withKnown = (file: PlannedFile, facts: Pick<PlanFacts, 'state' | 'current' | 'options'>): PlannedFile => {
  const { state, current, options } = facts
  const known = (refusedBefore(facts)?.validators ?? state.validators)[file.name]
  if (options.force === true || current === null || known?.url !== shownUrl(file.location)) return file
  const { etag, lastModified, sha256 } = known
  const validators = {
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified }),
  }
  return { ...file, knownSha256: sha256, ...(Object.keys(validators).length > 0 ? { validators } : {}) }
}

/** What a run will do. */
export const planRun = (facts: PlanFacts): Plan => {
  const { definition, current, options, override } = facts
  const origin = originOf(facts)
  const rebuild = wantsRebuild(facts)
  const alone = definition.sources.length === 1
  const files = definition.sources.map((source): PlannedFile => {
    const location = {
      declared: source.url,
      setting: overridden(override ?? source.url, source.name, alone),
      from: isRemote(options.from ?? '')
        ? overridden(options.from ?? source.url, source.name, alone)
        : (options.from ?? source.url),
      sample: facts.sampleFolder,
    }[origin]
    const file: PlannedFile = {
      name: source.name,
      url: recordedUrl(origin, location, source.url),
      location,
      ...(source.optional === true ? { optional: true } : {}),
      ...(typeof source.optional === 'object' && origin === 'from' && !isRemote(location)
        ? { byHand: source.optional.byHand }
        : {}),
      ...(source.archive?.every === undefined ? {} : { members: source.archive.every }),
    }
    if (origin === 'declared' && source.resolve !== undefined) return { ...file, resolves: true }
    return withKnown(file, facts)
  })
  return {
    dataset: definition.id,
    origin,
    files,
    // What is real is compared with nothing invented.
    base: current?.sample === true && origin !== 'sample' ? null : (current?.version ?? null),
    rebuild,
    notModified: refusedBefore(facts) === null ? 'current' : 'refused',
    absoluteGuards: origin === 'declared' ? 'refuse' : 'warn',
    sample: origin === 'sample',
    accept: acceptedGuards(options),
    force: options.force === true,
  }
}
