/**
 * Names of what a person gave: errors speak of a source's file by its usual name, and who gave another file by `--from`
 * looks for that one.
 */
import { basename } from 'node:path'
import { StichtagError } from '../errors.ts'
import type { PipelineDefinition } from '../pipeline/types.ts'
import { fileAt, isRemote, localPathOf } from './location.ts'
import { shownUrl } from './shown-url.ts'

/** What was given in place of a source's file. */
export interface GivenFile {
  readonly name: string
  readonly path: string
}

/** The files that `--from` gives under other names than the usual ones; what it does not lead to is not among them. */
export const givenFiles = (
  from: string | undefined,
  { sources }: Pick<PipelineDefinition, 'sources'>,
): readonly GivenFile[] => {
  if (from === undefined) return []
  if (isRemote(from)) return sources.length === 1 ? sources.map(({ name }) => ({ name, path: shownUrl(from) })) : []
  const given = sources.flatMap(({ name, archive }) => {
    const path = pathIn(from, name, archive?.every)
    return path === undefined ? [] : [{ name, path }]
  })
  // One file is that of the first source.
  const alone = given.filter(({ path }, index) => given.findIndex((each) => each.path === path) === index)
  return alone.filter(({ name, path }) => basename(path) !== name)
}

const pathIn = (from: string, name: string, members: readonly string[] | undefined): string | undefined => {
  try {
    const path = localPathOf(from)
    return path === undefined ? undefined : fileAt(path, name, members)
  } catch (error) {
    if (error instanceof StichtagError) return undefined
    throw error
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const names = (message: string, name: string): boolean =>
  new RegExp(`(?<![\\w./-])${escaped(name)}(?![\\w-]|\\.\\w)`).test(message)

/**
 * A message with the files that were given for those it names. `isShort` leaves their folders out, for messages that hosts
 * may read. Pure.
 */
export const naming = (message: string, given: readonly GivenFile[], { isShort = false } = {}): string => {
  const said = given
    .filter(({ name, path }) => names(message, name) && !message.includes(path))
    .map(({ name, path }) => `${isShort ? basename(path) : path} for ${name}`)
  return said.length === 0 ? message : `${message.replace(/\.$/, '')} (--from gave ${said.join(', ')}).`
}
