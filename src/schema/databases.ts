/** Where a resource's database lies: how its schema says so, and the paths that this can mean. */
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
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

/** Names of the folder in which FlowMCP keeps databases: the older, and that of version 3.1 and later. */
const folders = ['data', 'resources'] as const

const inRoot = (root: string, file: string): readonly string[] => folders.map((folder) => join(root, folder, file))

const candidates = (reference: DatabaseReference, roots: DatabaseRoots): readonly string[] => {
  const schemaFolder = dirname(roots.schemaFile)
  if (reference.kind === 'origin') {
    if (reference.origin === 'global') return inRoot(roots.globalRoot, reference.file)
    if (reference.origin === 'project') return inRoot(roots.projectRoot, reference.file)
    const beside = (folder: string): string => join(schemaFolder, folder, reference.file)
    return ['.', 'resources', 'data'].map(beside)
  }
  const { path } = reference
  if (isAbsolute(path)) return [path]
  if (path.startsWith('~/')) {
    // `~/.flowmcp` is how schemas spell the global root, wherever a setting has put it.
    const inStore = /^~\/\.flowmcp\/(?:data|resources)\/(.+)$/.exec(path)?.[1]
    const literal = join(homedir(), path.slice(2))
    return inStore === undefined ? [literal] : [...inRoot(roots.globalRoot, inStore), literal]
  }
  // FlowMCP's specification says relative to the schema; its own runtime takes the working directory.
  return [join(schemaFolder, path), join(dirname(roots.projectRoot), path)]
}

/** All paths at which a database may lie, absolute, the one to prefer first. */
export const databaseCandidates = (reference: DatabaseReference, roots: DatabaseRoots): string[] => [
  ...new Set(candidates(reference, roots).map((path) => resolve(path))),
]
