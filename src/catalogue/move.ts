/** What moved between two states of the stores. */
import type { Discovery } from './discovery/discover.ts'
import type { Catalogue, CatalogueMove, ResourceEntry } from './types.ts'

type Lists = Pick<Catalogue, 'listResources' | 'listTemplates' | 'listTools'>

interface State {
  readonly discovery: Pick<Discovery, 'datasets'>
  readonly catalogue: Lists
}

/** Compares two states. A list changed only where an entry did: that something was modified is told by its own URI. */
export const moveBetween = (before: State, after: State): CatalogueMove => {
  const ids = new Set([...before.discovery.datasets.keys(), ...after.discovery.datasets.keys()])
  const fingerprint = (state: State, id: string): string | undefined => state.discovery.datasets.get(id)?.fingerprint
  return {
    datasets: [...ids].filter((id) => fingerprint(before, id) !== fingerprint(after, id)),
    ...listsBetween(before.catalogue, after.catalogue),
  }
}

/** Which lists differ between two catalogues. */
export const listsBetween = (before: Lists, after: Lists): Omit<CatalogueMove, 'datasets'> => ({
  toolsChanged: differ(before, after, (lists) => lists.listTools()),
  resourcesChanged: differ(before, after, (lists) => [lists.listResources().map(asOffered), lists.listTemplates()]),
})

export const hasMoved = ({ datasets, toolsChanged, resourcesChanged }: CatalogueMove): boolean =>
  datasets.length > 0 || toolsChanged || resourcesChanged

const differ = (before: Lists, after: Lists, list: (lists: Lists) => unknown): boolean =>
  JSON.stringify(list(before)) !== JSON.stringify(list(after))

const asOffered = ({
  lastModified: _,
  size: __,
  ...entry
}: ResourceEntry): Omit<ResourceEntry, 'lastModified' | 'size'> => entry
