/** Where a resource's database lies: how its schema says so, and the paths that this can mean. */
import { dirname, isAbsolute, join, posix, resolve } from 'node:path'
import { homeFolder } from '../settings.ts'
import type { Place, RawResource } from './raw.ts'
import type { DatabaseReference } from './types.ts'

/** The folders that references are relative to. */
export interface DatabaseRoots {
  readonly schemaFile: string
  /** Root of the global store, `~/.flowmcp` unless a setting says otherwise. */
  readonly globalRoot: string
  /** `.flowmcp` in the working directory. */
  readonly projectRoot: string
}

/** Reads where a resource's database lies. Throws SCHEMA_INVALID where it does not say, or points out of its folder. */
export const databaseReferenceOf = (resource: RawResource, place: Place): DatabaseReference => {
  // FlowMCP's own runtime lets `database` win over `name` where both are there.
  const field = resource.database === undefined ? 'name' : 'database'
  const file = resource.database ?? resource.name
  if (file === undefined) return place.refuse('must say where its database lies: database, or origin and name')
  const named = place.at(field)
  // A schema comes from strangers: it must not open whatever file of this machine it likes.
  if (!file.endsWith('.db')) return named.refuse(`must end in .db, not ${file}`)
  const isHome = file.startsWith('~/')
  const isPath = resource.origin === undefined && resource.database !== undefined
  if (file.split(/[/\\]/).includes('..')) return named.refuse('must not lead out of its folder with ..')
  if (isPath) return { kind: 'path', path: file }
  if (isHome || isAbsolute(file)) {
    // A path that says all needs no origin; the dialects that have one forbid such paths, but they are clear.
    return { kind: 'path', path: file }
  }
  return { kind: 'origin', origin: resource.origin ?? 'global', file }
}

/** A place at which a database may lie. */
export interface Candidate {
  /** Absolute. */
  readonly path: string
  /** The same in the words of whoever wrote the schema, for hosts: they learn nothing of this machine's folders. */
  readonly shown: string
}

/** A folder, by its path and as {@link Candidate.shown} calls it. */
type Folder = Candidate

const fileIn = (folder: Folder, ...names: readonly string[]): Candidate => ({
  path: resolve(folder.path, ...names),
  shown: posix.join(folder.shown, ...names),
})

/** How a store's root is written in schemas; one that a setting has put elsewhere by the name of the setting. */
export const globalRootAs = (globalRoot: string): Folder => ({
  path: globalRoot,
  shown: resolve(globalRoot) === join(homeFolder() ?? '/', '.flowmcp') ? '~/.flowmcp' : '$STICHTAG_HOME',
})
export const projectRootAs = (projectRoot: string): Folder => ({ path: projectRoot, shown: '.flowmcp' })

/** Names of the folder in which FlowMCP keeps databases: the older, and that of version 3.1 and later. */
const folders = ['data', 'resources'] as const

const inRoot = (root: Folder, file: string): readonly Candidate[] => folders.map((folder) => fileIn(root, folder, file))

const candidates = (reference: DatabaseReference, roots: DatabaseRoots): readonly Candidate[] => {
  const schemaFolder: Folder = { path: dirname(roots.schemaFile), shown: "(the schema's folder)" }
  if (reference.kind === 'origin') {
    const { file } = reference
    if (reference.origin === 'global') return inRoot(globalRootAs(roots.globalRoot), file)
    if (reference.origin === 'project') return inRoot(projectRootAs(roots.projectRoot), file)
    return [fileIn(schemaFolder, file), ...inRoot(schemaFolder, file).toReversed()]
  }
  const { path } = reference
  if (isAbsolute(path)) return [{ path, shown: path }]
  if (path.startsWith('~/')) {
    // `~/.flowmcp` is how schemas spell the global root, wherever a setting has put it.
    const inStore = /^~\/\.flowmcp\/(?:data|resources)\/(.+)$/.exec(path)?.[1]
    const home = homeFolder()
    const literal = home === undefined ? [] : [{ path: join(home, path.slice(2)), shown: path }]
    return inStore === undefined ? literal : [...inRoot(globalRootAs(roots.globalRoot), inStore), ...literal]
  }
  // FlowMCP's specification says relative to the schema; its own runtime takes the working directory.
  const workingFolder: Folder = { path: dirname(roots.projectRoot), shown: '(the working folder)' }
  return [fileIn(schemaFolder, path), fileIn(workingFolder, path)]
}

/** All places at which a database may lie, the one to prefer first. */
export const databaseCandidates = (reference: DatabaseReference, roots: DatabaseRoots): readonly Candidate[] => {
  const all = candidates(reference, roots)
  return all.filter(({ path }, index) => all.findIndex((each) => each.path === path) === index)
}
