/** `stichtag prune`: removes snapshots that retention does not keep. */
import { defaultKeep, prune } from '../ingest/retention.ts'
import { findPipelines, loadPipeline } from '../pipeline/discover.ts'
import { datasetsOf } from '../store/snapshots.ts'
import { type StoreFlags, writingStore } from './stores.ts'
import { terminal } from './terminal.ts'

/** How many versions a dataset's pipeline keeps; the default where no pipeline is here. */
const keepOf = async (dataset: string): Promise<number> =>
  findPipelines().has(dataset) ? ((await loadPipeline(dataset)).definition.keep ?? defaultKeep) : defaultKeep

export const pruneCommand = async (
  datasets: readonly string[],
  flags: StoreFlags & { readonly json?: boolean },
): Promise<number> => {
  const store = writingStore(flags)
  const removed: { dataset: string; removed: string[] }[] = []
  for (const dataset of datasets.length > 0 ? datasets : datasetsOf(store)) {
    removed.push({ dataset, removed: await prune(store, dataset, await keepOf(dataset), new Date()) })
  }
  if (flags.json === true) terminal.json(removed)
  else for (const each of removed) terminal.print(`${each.dataset}: ${each.removed.join(', ') || 'nothing to remove'}`)
  return 0
}
