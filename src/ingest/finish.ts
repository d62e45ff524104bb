/** Finish: indexes, full text and views of a loaded snapshot; full text in threads where that is worth it and can be done. */
import type { PipelineDefinition } from '../pipeline/types.ts'
import type { Building } from './building.ts'
import { FullTextThreads, sharesOf } from './full-text-threads.ts'

export interface FinishOptions {
  readonly signal: AbortSignal
  readonly onStep: (step: 'index' | 'full text') => void
  /** Hears why a thread built nothing; its share is then built without. */
  readonly onGaveUp: (why: string) => void
  /** Fewest texts that threads are started for; see `textsForThreads` for what holds unless said. */
  readonly threadsFrom?: number
}

/** Finishes a snapshot whose rows are in. Errors as of `Building.finish`; no thread and no file of one is left after one. */
export const finish = async (
  building: Building,
  definition: PipelineDefinition,
  { signal, onStep, onGaveUp, threadsFrom }: FinishOptions,
): Promise<void> => {
  const totals = building.totals()
  const shares = sharesOf(definition.fullText ?? [], (table) => totals.get(table)?.rows ?? 0, { atLeast: threadsFrom })
  if (shares.length === 0 || !building.letOthersRead()) {
    building.finish(onStep)
    return
  }
  const threads = new FullTextThreads(building.path, shares)
  try {
    building.buildIndexes(onStep)
    const built = await threads.built(signal, onGaveUp)
    building.readAlone()
    building.buildFullText(built, onStep)
    building.buildViews()
  } finally {
    await threads.stop()
  }
}
