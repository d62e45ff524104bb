/**
 * Locations: what a person or a pipeline names as the place of a file. By HTTP, or on this machine: a regular file, or a
 * folder that holds a source's file under one of its usual names. Pipes, sockets and devices are none: they can be read
 * once, or never end.
 */
import { readdirSync, type Stats, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StichtagError } from '../errors.ts'
import { isWanted } from '../formats/archive-members.ts'
import type { SourceDefinition } from '../pipeline/source-types.ts'

/** Whether a location is fetched by HTTP. Schemes are case-insensitive (RFC 3986 §3.1). */
export const isRemote = (location: string): boolean => /^https?:\/\//i.test(location)

/** The local path that a location names; undefined for what HTTP fetches. @throws USAGE for other schemes */
export const localPathOf = (location: string): string | undefined => {
  if (isRemote(location)) return undefined
  if (/^file:\/\//i.test(location)) return pathOfFileUrl(location)
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(location) ?? []
  if (scheme === undefined) return resolve(location)
  throw new StichtagError('USAGE', `${location}: cannot fetch by ${scheme}, only by http, https or file`)
}

const pathOfFileUrl = (url: string): string => {
  try {
    return fileURLToPath(url)
  } catch (error) {
    throw new StichtagError('USAGE', `${url}: no file URL of this machine (${String(error)})`, { cause: error })
  }
}

/** An archive's ending goes where one of a format is before it: `x.csv.zip` is `x.csv`, a `feed.zip` stays one. */
const compressionEndings = /\.(bz2|gz|zst|br|xz)$|(?<=[^.]\.[a-z]+)\.zip$/

/** Names under which a file may lie in a folder: as declared, plain, or as `.gz`. */
export const usualNames = (name: string): string[] => {
  const plain = name.replace(compressionEndings, '')
  return [...new Set([name, plain, `${plain}.gz`, `${name}.gz`])]
}

/** What lies at a path, symbolic links followed; undefined where nothing does. @throws FILE_NOT_FOUND where it is hidden */
const found = (path: string): Stats | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw new StichtagError('FILE_NOT_FOUND', `${path} cannot be read (${String(error)})`, {
      data: { path },
      cause: error,
    })
  }
}

const missing = (path: string): StichtagError =>
  new StichtagError('FILE_NOT_FOUND', `${path} does not exist`, { data: { path } })

const irregular = (path: string): StichtagError =>
  new StichtagError(
    'FILE_NOT_FOUND',
    `${path} is no regular file (a pipe, a socket or a device): write what it gives to a file first`,
    { data: { path } },
  )

/**
 * The file of a source at a local path: the path itself, or the one of its usual names that lies in that folder; the
 * folder, where it holds an archive's `members` unpacked.
 *
 * @throws FILE_NOT_FOUND, with the paths `tried` where a folder holds none
 */
export const fileAt = (path: string, name: string, members?: readonly string[]): string => {
  const there = found(path)
  if (there === undefined) throw missing(path)
  if (there.isFile()) return path
  if (!there.isDirectory()) throw irregular(path)
  const tried = usualNames(name).map((each) => join(path, each))
  for (const each of tried) {
    const entry = found(each)
    if (entry?.isFile() === true) return each
    if (entry !== undefined && !entry.isDirectory()) throw irregular(each)
  }
  if (members !== undefined && readdirSync(path).some((each) => isWanted(each, { every: members }))) return path
  throw new StichtagError(
    'FILE_NOT_FOUND',
    `${path} holds none of ${[...usualNames(name), ...(members ?? [])].join(', ')}; ` +
      'a file of another name can be given itself, by its path',
    {
      data: { path, tried },
    },
  )
}

/** One file cannot be several sources. */
export const oneForSeveral = (path: string, names: readonly string[]): StichtagError =>
  new StichtagError('USAGE', `${path} cannot be all of ${names.join(', ')}: give a folder that holds them`, {
    data: { path },
  })

/**
 * Refuses a location in place of the declared sources that no run can read, before there is a run: a mistyped path is
 * the person's mistake, and says nothing about the dataset.
 *
 * @throws USAGE
 */
export const checkFrom = (
  from: string,
  sources: readonly Pick<SourceDefinition, 'name' | 'optional' | 'archive'>[],
): void => {
  if (from.trim() === '') throw new StichtagError('USAGE', '--from names nothing')
  const path = localPathOf(from)
  if (path === undefined) return
  // One file is that of the only source that must be there; the others are absent.
  const isOneEnough = sources.filter(({ optional }) => optional !== true).length === 1
  for (const { name, archive } of sources) {
    try {
      if (fileAt(path, name, archive?.every) === path && !isOneEnough)
        throw oneForSeveral(
          path,
          sources.map((source) => source.name),
        )
    } catch (error) {
      if (!(error instanceof StichtagError) || error.code !== 'FILE_NOT_FOUND') throw error
      // A folder that lacks a file is a delivery that is not whole: the run says so, and the dataset's state.
      if (!('tried' in error.data))
        throw new StichtagError('USAGE', `--from: ${error.message}`, { data: { path }, cause: error })
    }
  }
}
