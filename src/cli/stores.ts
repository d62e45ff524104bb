/** Which stores a command works on: `--project` means the working directory's, otherwise the global one. */
import { lstatSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StichtagError } from '../errors.ts'
import { globalRoot, projectRoot } from '../settings.ts'
import type { Store } from '../store/layout.ts'
import { datasetsOf, versionsOf } from '../store/snapshots.ts'

export interface StoreFlags {
  readonly project?: boolean
}

export const globalStore = (): Store => ({ root: globalRoot(), origin: 'global' })
export const projectStore = (): Store => ({ root: projectRoot(), origin: 'project' })

/**
 * A store that a person named, to be read. A root that is no folder and cannot become one would read as a store that holds
 * nothing; a run that writes to it says so itself.
 *
 * @throws USAGE
 */
const readable = (store: Store): Store => {
  const why = whyNoFolder(store.root)
  if (why === undefined) return store
  const advice = store.origin === 'global' ? ' STICHTAG_HOME must name a folder.' : ''
  throw new StichtagError('USAGE', `there can be no store at ${store.root}: ${why}.${advice}`, {
    data: { root: store.root },
  })
}

/** The global store, to be read. Nobody named the home folder of a system's user, who may well have none. */
const readableGlobal = (): Store => (process.env.STICHTAG_HOME ? readable(globalStore()) : globalStore())

/** What keeps a path from being a folder, or from becoming one when it is written to; undefined where nothing does. */
const whyNoFolder = (path: string): string | undefined => {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found !== undefined) return found.isDirectory() ? undefined : `${path} is no folder`
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return `${path} is a link that leads nowhere`
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    // A file lies on the way: which one, its turn tells.
    if (error.code !== 'ENOTDIR') return `${path} cannot be read (${String(error.code)})`
  }
  const parent = dirname(path)
  return parent === path ? undefined : whyNoFolder(parent)
}

/** The store that a command writes to. */
export const writingStore = ({ project }: StoreFlags): Store => (project === true ? projectStore() : globalStore())

/** The stores that a command reads, strongest last: where both hold a dataset, project wins. */
export const readingStores = ({ project }: StoreFlags): Store[] => {
  if (project === true) return [readable(projectStore())]
  const here = projectRoot()
  const isThere = statSync(here, { throwIfNoEntry: false })?.isDirectory() === true
  return isThere && here !== globalRoot() ? [readableGlobal(), projectStore()] : [readableGlobal()]
}

/**
 * The stores that are served, strongest last. Both, whatever the flag: a schema of origin `global` finds the global
 * database anyway, and without its store it would be served as a file that nobody knows the date of.
 */
export const servedStores = ({ project }: StoreFlags): Store[] =>
  project === true ? [readableGlobal(), readable(projectStore())] : readingStores({})

const holds = (store: Store, dataset: string): boolean =>
  datasetsOf(store).includes(dataset) && versionsOf(store, dataset).length > 0

/** The store to read a dataset from. Throws UNKNOWN_DATASET, saying where it was looked for. */
export const storeHolding = (flags: StoreFlags, dataset: string): Store => {
  const stores = readingStores(flags)
  const found = stores.findLast((store) => holds(store, dataset))
  if (found !== undefined) return found
  const known = [...new Set(stores.flatMap(datasetsOf))]
  throw new StichtagError(
    'UNKNOWN_DATASET',
    `no snapshot of ${dataset} in ${stores.map((store) => store.root).join(' or ')}. ` +
      `There are: ${known.join(', ') || 'none yet'}. To make one: stichtag ingest ${dataset}`,
    { data: { dataset, known } },
  )
}
