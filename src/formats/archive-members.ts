/** Which members of an archive are wanted, by their paths alone. Pure. */
import { StichtagError } from '../errors.ts'
import type { FormatDefinition } from './definition.ts'

/** What a source says of the archive it comes in. */
export interface ArchiveDefinition {
  /**
   * Which member is read, where there are several: its name, in which `*` stands for anything (`*.csv`). A pattern with
   * a `/` is compared with the whole path in the archive.
   */
  readonly member?: string
  /** Folder in the archive whose files are meant, where several hold any. */
  readonly folder?: string
  /**
   * Patterns of members each of which is a file of its own (`feed.zip#stops.txt`), in place of the one `member`. They lie
   * in one folder; what lies below it, or fits no pattern, is passed over and told.
   */
  readonly every?: readonly string[]
  /** How members that fit a pattern are read, where that is otherwise than the source's format says. */
  readonly formats?: Readonly<Record<string, FormatDefinition>>
}

/** A file in an archive. `path` is the whole one, with `/` between folders. */
export interface MemberPath {
  readonly path: string
}

/** Members that a message lists, at most. */
const mostListed = 20

/** Whether an entry is a folder, or a file that an operating system adds by itself. */
export const isJunk = (path: string): boolean =>
  path.endsWith('/') || /(?:^|\/)(?:__MACOSX\/|\._[^/]*$|\.DS_Store$|desktop\.ini$|Thumbs\.db$)/i.test(path)

/** Whether a path fits a pattern, see {@link ArchiveDefinition}. Capitals are the same letters. */
export const fits = (path: string, pattern: string): boolean => {
  const name = pattern.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1)
  const [first = '', ...parts] = pattern.split('*')
  const expression = [first, ...parts].map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('.*')
  return new RegExp(`^${expression}$`, 'iu').test(name)
}

/** Whether a member is one of those that are read. */
export const isWanted = (path: string, { member, every }: ArchiveDefinition): boolean =>
  every === undefined ? member === undefined || fits(path, member) : every.some((pattern) => fits(path, pattern))

/** The paths, for messages. */
export const listed = (members: readonly MemberPath[]): string => {
  const more = members.length > mostListed ? `, and ${members.length - mostListed} more` : ''
  return `${members
    .slice(0, mostListed)
    .map((member) => member.path)
    .join(', ')}${more}`
}

/**
 * The folder whose files are meant, with its `/`; empty for the archive's root. Folders that hold one folder and nothing
 * else are gone through, as Macs add them.
 *
 * @throws NOT_WHAT_IT_SAYS where there are several, naming them, or the declared one holds nothing
 */
export const folderInUse = (members: readonly MemberPath[], source: string, declared?: string): string => {
  if (declared !== undefined) {
    const folder = declared === '' || declared.endsWith('/') ? declared : `${declared}/`
    if (members.some(({ path }) => path.startsWith(folder))) return folder
    throw notThere(`${source}: the archive has no folder ${declared} (it has: ${listed(members)})`, source)
  }
  let folder = ''
  for (;;) {
    const rests = members.map(({ path }) => path.slice(folder.length))
    if (rests.some((rest) => !rest.includes('/'))) return folder
    const below = [...new Set(rests.map((rest) => rest.slice(0, rest.indexOf('/') + 1)))]
    if (below.length > 1) {
      const candidates = below.map((name) => `${folder}${name}`).sort()
      throw notThere(`${source}: more than one folder of the archive could be meant: ${candidates.join(', ')}`, source)
    }
    folder += below[0] ?? ''
    if (members.length === 0) return folder
  }
}

const notThere = (message: string, source: string): StichtagError =>
  new StichtagError('NOT_WHAT_IT_SAYS', message, { data: { file: source } })
