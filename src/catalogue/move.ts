/** What moved between two states of the stores. */
import type { Discovery } from './discovery/discover.ts'
import type { Catalogue, CatalogueMove, ResourceEntry } from './types.ts'

interface State {
  readonly discovery: Pick<Discovery, 'datasets'>
  readonly catalogue: Pick<Catalogue, 'listResources' | 'listTemplates' | 'listTools'>
}

/** Compares two states. A list changed only where an entry did: that something was modified is told by its own URI. */
export const moveBetween = (before: State, after: State): CatalogueMove => {
  const ids = new Set([...before.discovery.datasets.keys(), ...after.discovery.datasets.keys()])
  const fingerprint = (state: State, id: string): string | undefined => state.discovery.datasets.get(id)?.fingerprint
  return {
    datasets: [...ids].filter((id) => fingerprint(before, id) !== fingerprint(after, id)),
    toolsChanged: differ(before, after, (catalogue) => catalogue.listTools()),
    resourcesChanged: differ(before, after, (catalogue) => [
      catalogue.listResources().map(withoutTime),
      catalogue.listTemplates(),
    ]),
  }
}

export const hasMoved = ({ datasets, toolsChanged, resourcesChanged }: CatalogueMove): boolean =>
  datasets.length > 0 || toolsChanged || resourcesChanged

const differ = (before: State, after: State, list: (catalogue: State['catalogue']) => unknown): boolean =>
  JSON.stringify(list(before.catalogue)) !== JSON.stringify(list(after.catalogue))

const withoutTime = ({ lastModified: _, ...entry }: ResourceEntry): Omit<ResourceEntry, 'lastModified'> => entry
