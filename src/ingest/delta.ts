/**
 * Deltas: deliveries that hold only what changed. Told by their files' own names, and only of files that somebody gives
 * in place of the declared ones, which are whole. What they are laid over is the current snapshot: where it is not
 * sound, or was made by another mapping, there is nothing to lay them over, and nothing is guessed.
 */
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { StichtagError } from '../errors.ts'
import { isArchive } from '../formats/read.ts'
import { wantedPaths } from '../formats/zip.ts'
import { isDeltaName } from '../pipeline/delta.ts'
import type { PipelineDefinition, SourceDefinition } from '../pipeline/types.ts'
import type { Store } from '../store/layout.ts'
import type { Manifest } from '../store/manifest.ts'
import { builtWith } from './converter.ts'
import { type FoundCurrent, faultOfData } from './found-current.ts'
import { fileAt, isRemote, localPathOf } from './location.ts'
import type { Plan } from './plan.ts'

/** A file by the name of its source, and where it lies on this machine; undefined where it does not yet. */
export interface LocatedFile {
  readonly name: string
  readonly path: string | undefined
}

/** The plan, with what of these files is a delta. @throws USAGE where others of them are whole */
export const withDelta = async (
  plan: Plan,
  { delta, sources }: PipelineDefinition,
  current: Manifest | null,
  files: readonly LocatedFile[],
): Promise<Plan> => {
  if (delta === undefined || plan.origin === 'declared' || plan.origin === 'sample') return plan
  const deltas = new Set<string>()
  const whole = new Set<string>()
  for (const { name, path } of files) {
    const location = plan.files.find((file) => file.name === name)?.location ?? name
    const [own, member] = await ownNames(
      location,
      path,
      sources.find((source) => source.name === name),
    )
    const found = [own, member].find((each) => each !== undefined && isDeltaName(each, delta.files))
    if (found === undefined) whole.add(own)
    else deltas.add(found)
  }
  if (deltas.size === 0) return plan
  if (whole.size > 0) throw mixed(plan.dataset, [...deltas], [...whole])
  // A sample never mixes with real data (DESIGN §4.2).
  const over = current?.sample === plan.sample ? current : null
  const partial = over === null || over.delta?.partial === true
  return { ...plan, delta: { files: [...deltas], over: over?.version ?? null, partial } }
}

const mixed = (dataset: string, deltas: readonly string[], whole: readonly string[]): StichtagError =>
  new StichtagError(
    'USAGE',
    `${dataset}: ${deltas.join(', ')} holds only what changed, ${whole.join(', ')} all there is: ` +
      'give them one after the other, what is whole first',
    { data: { dataset, deltas, whole } },
  )

/** What a file is called where it comes from: by its own name, and, where it is an archive of one file, by that one's. */
const ownNames = async (
  location: string,
  path: string | undefined,
  source: SourceDefinition | undefined,
): Promise<readonly [string, string?]> => {
  const own = isRemote(location) ? nameInUrl(location) : basename(path ?? location)
  const archive = source?.archive
  const isFile = path !== undefined && statSync(path, { throwIfNoEntry: false })?.isFile() === true
  if (archive === undefined || archive.every !== undefined || !isFile) return [own]
  if (!(await isArchive(path, source?.name ?? own))) return [own]
  const [member, ...others] = await wantedPaths(path, { ...archive, source: own })
  return member === undefined || others.length > 0 ? [own] : [own, basename(member)]
}

const nameInUrl = (url: string): string => {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch (error) {
    if (error instanceof URIError) return last
    throw error
  }
}

/** The files of a plan where they lie before there is a run. A file that is not there is a run's to tell. */
export const locatedFiles = ({ files }: Plan): LocatedFile[] =>
  files.flatMap(({ name, location, members }) => {
    const path = localPathOf(location)
    try {
      return [{ name, path: path === undefined ? undefined : fileAt(path, name, members) }]
    } catch (error) {
      if (error instanceof StichtagError && error.code === 'FILE_NOT_FOUND') return []
      throw error
    }
  })

/**
 * The snapshot that a delta is laid over, read from end to end: what is wrong with it would be in the new one. Null where
 * there is none.
 *
 * @throws BASE_UNUSABLE
 */
export const baseOfDelta = async (
  { dataset, delta }: Plan,
  {
    store,
    standing,
    fingerprint,
    signal,
  }: {
    readonly store: Store
    readonly standing: FoundCurrent
    readonly fingerprint: string
    readonly signal: AbortSignal
  },
): Promise<Manifest | null> => {
  if (delta === undefined) return null
  const unusable = (why: string): StichtagError =>
    new StichtagError(
      'BASE_UNUSABLE',
      `${dataset}: ${delta.files.join(', ')} holds only what changed, and cannot be laid over the current snapshot ` +
        `${standing.version}: ${why}. It stays as it is. Ingest a whole file first, with --force, then this one.`,
      { data: { dataset, files: delta.files, current: standing.version } },
    )
  if (standing.fault !== null) throw unusable(standing.fault)
  if (delta.over === null || standing.manifest === null) return null
  if (builtWith(standing.manifest) !== builtWith({ fingerprint })) {
    throw unusable('it was built by an earlier mapping, and what the delta does not hold would stay as that made it')
  }
  const fault = await faultOfData(store, standing.manifest, true, signal)
  if (fault !== null) throw unusable(fault)
  return standing.manifest
}

/** What a manifest warns of where its snapshot was built from a delta. */
export const deltaWarnings = ({ delta }: Pick<Plan, 'delta'>): string[] => {
  if (delta === undefined) return []
  const { files, over, partial } = delta
  const what = `${files.join(', ')}: a delta, by its name; `
  return [
    over === null
      ? `${what}there was no snapshot to lay it over`
      : `${what}laid over ${over}, and what it does not hold is as in that version`,
    ...(partial ? ['there is nothing here but what deltas held: no whole file was ingested before them'] : []),
  ]
}
