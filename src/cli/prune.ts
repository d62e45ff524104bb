/** `stichtag prune`: removes snapshots, refused snapshots and raw files that retention does not keep. */
import { defaultKeep, prune } from '../ingest/retention.ts'
import { findPipelines, loadPipeline } from '../pipeline/discover.ts'
import { checkDataset, datasetsOf } from '../store/snapshots.ts'
import { type StoreFlags, writingStore } from './stores.ts'
import { terminal } from './terminal.ts'

/** How many versions a dataset's pipeline keeps; the default where no pipeline is here. */
const keepOf = async (dataset: string): Promise<number> =>
  findPipelines().has(dataset) ? ((await loadPipeline(dataset)).definition.keep ?? defaultKeep) : defaultKeep

interface PrunedDataset {
  readonly dataset: string
  readonly removed: readonly string[]
  readonly quarantined: readonly string[]
  readonly raw: readonly string[]
  readonly leftovers: readonly string[]
}

const described = ({ dataset, removed, quarantined, raw, leftovers }: PrunedDataset): string => {
  const parts = [
    ...removed,
    ...quarantined.map((version) => `${version} from quarantine`),
    ...(raw.length === 0 ? [] : [`${raw.length} raw downloads`]),
    ...(leftovers.length === 0 ? [] : [`${leftovers.length} leftovers of commands that died`]),
  ]
  return `${dataset}: ${parts.join(', ') || 'nothing to remove'}`
}

export const pruneCommand = async (
  datasets: readonly string[],
  flags: StoreFlags & { readonly json?: boolean },
): Promise<number> => {
  const store = writingStore(flags)
  // A name that nothing is kept under must not become a dataset by being pruned.
  for (const dataset of datasets) checkDataset(store, dataset)
  const pruned: PrunedDataset[] = []
  for (const dataset of datasets.length > 0 ? datasets : datasetsOf(store)) {
    const { versions, quarantined, raw, leftovers } = await prune(store, dataset, await keepOf(dataset), new Date())
    pruned.push({ dataset, removed: versions, quarantined, raw, leftovers })
  }
  if (flags.json === true) terminal.json(pruned)
  else for (const each of pruned) terminal.print(described(each))
  return 0
}
