/**
 * Plan: what a run will do, decided from facts before anything happens. Pure, so that `--dry-run` prints exactly what
 * a run would execute.
 */
import { basename } from 'node:path'
import type { PipelineDefinition } from '../pipeline/types.ts'
import type { Manifest } from '../store/manifest.ts'
import type { State } from '../store/state.ts'
import { builtWith } from './converter.ts'

/** Where a delivery comes from. */
export type Origin = 'declared' | 'setting' | 'from' | 'sample'

/** What the command line asked for. */
export interface RunOptions {
  /** A file, folder or URL in place of the declared source. */
  readonly from?: string
  readonly sample?: boolean
  readonly force?: boolean
  readonly acceptShrink?: boolean
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
}

export interface Plan {
  readonly dataset: string
  readonly origin: Origin
  readonly files: readonly PlannedFile[]
  /** Current version, which becomes the new snapshot's base. */
  readonly base: string | null
  /** The mapping is another one than current was built with: build again even where the source is unchanged. */
  readonly rebuild: boolean
  /** Which delivery it is that the source still has where it answers `not modified`. */
  readonly notModified: 'current' | 'refused'
  /** Whether absolute guards refuse, or only warn. */
  readonly absoluteGuards: 'refuse' | 'warn'
  readonly sample: boolean
  readonly acceptShrink: boolean
  readonly force: boolean
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

const isRemote = (location: string): boolean => /^https?:/.test(location)

/** A mirror's user and password are no host's business. */
const withoutCredentials = (url: string): string => url.replace(/^(https?:\/\/)[^/?#]*@/, '$1')

/** Where the data say they come from. A local file is named without its folder: a host need not know this machine. */
const recordedUrl = (origin: Origin, location: string, declared: string): string => {
  if (origin === 'declared') return declared
  if (isRemote(location)) return withoutCredentials(location)
  return `${origin === 'sample' ? 'sample' : 'file'}:${basename(location)}`
}

/** What a run will do. */
export const planRun = (facts: PlanFacts): Plan => {
  const { definition, state, current, options, override } = facts
  const origin = originOf(facts)
  const rebuild = wantsRebuild(facts)
  // A delivery that is to be accepted after all must come again, so its own validators must not be sent.
  const refused = options.acceptShrink === true ? null : state.refused
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
    const known = (refused?.validators ?? state.validators)[source.name]
    const conditional = options.force !== true && current !== null && known !== undefined && known.url === location
    const validators = {
      ...(known?.etag === undefined ? {} : { etag: known.etag }),
      ...(known?.lastModified === undefined ? {} : { lastModified: known.lastModified }),
    }
    return {
      name: source.name,
      url: recordedUrl(origin, location, source.url),
      location,
      ...(conditional && Object.keys(validators).length > 0 ? { validators } : {}),
    }
  })
  return {
    dataset: definition.id,
    origin,
    files,
    base: current?.version ?? null,
    rebuild,
    notModified: refused === null ? 'current' : 'refused',
    absoluteGuards: origin === 'declared' ? 'refuse' : 'warn',
    sample: origin === 'sample',
    acceptShrink: options.acceptShrink === true,
    force: options.force === true,
  }
}
