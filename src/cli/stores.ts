/** Which stores a command works on: `--project` means the working directory's, otherwise the global one. */
import { existsSync } from 'node:fs'
import { StichtagError } from '../errors.ts'
import { globalRoot, projectRoot } from '../settings.ts'
import type { Store } from '../store/layout.ts'
import { datasetsOf, versionsOf } from '../store/snapshots.ts'

export interface StoreFlags {
  readonly project?: boolean
}

export const globalStore = (): Store => ({ root: globalRoot(), origin: 'global' })
export const projectStore = (): Store => ({ root: projectRoot(), origin: 'project' })

/** The store that a command writes to. */
export const writingStore = ({ project }: StoreFlags): Store => (project === true ? projectStore() : globalStore())

/** The stores that a command reads, strongest last: where both hold a dataset, project wins. */
export const readingStores = ({ project }: StoreFlags): Store[] => {
  if (project === true) return [projectStore()]
  const here = projectStore()
  return existsSync(here.root) && here.root !== globalRoot() ? [globalStore(), here] : [globalStore()]
}

/**
 * The stores that are served, strongest last. Both, whatever the flag: a schema of origin `global` finds the global
 * database anyway, and without its store it would be served as a file that nobody knows the date of.
 */
export const servedStores = ({ project }: StoreFlags): Store[] =>
  project === true ? [globalStore(), projectStore()] : readingStores({})

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
