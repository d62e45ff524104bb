/** How the datasets are, for those who operate a gateway: from the catalogue's own `list_datasets`, as a host sees it. */
import { z } from 'zod'
import type { Catalogue } from '../catalogue/types.ts'

const healthSchema = z.object({
  dataset: z.string(),
  state: z.string(),
  version: z.string().optional(),
  asOf: z.string().optional(),
  confirmedAt: z.string().nullish(),
})

const answerSchema = z.object({ datasets: z.array(healthSchema) })

/** A dataset and how fresh it is; `state` is one of DESIGN §4.3, or `missing` or `broken` where it cannot be read. */
export type DatasetHealth = z.infer<typeof healthSchema>

/** How each dataset is at this moment. */
export const datasetHealth = async (catalogue: Catalogue): Promise<readonly DatasetHealth[]> => {
  if (!catalogue.hasTool('list_datasets')) return []
  const answer = await catalogue.call('list_datasets', {})
  return answer.ok ? answerSchema.parse(answer.structured).datasets : []
}

/** Whether a gateway can do what it was started for. */
export interface Readiness {
  readonly ready: boolean
  /** Datasets that were asked for by name and cannot be read. */
  readonly missing: readonly string[]
  /** Datasets that can be read and are not as fresh as they should be. They do not make a gateway unready. */
  readonly stale: readonly string[]
}

const unreadable: ReadonlySet<string> = new Set(['missing', 'broken'])
const belated: ReadonlySet<string> = new Set(['stale', 'failing', 'expired'])

/** Not ready while a required dataset cannot be read: an old answer is better than none, no answer is none. */
export const readinessOf = (datasets: readonly DatasetHealth[], required: readonly string[]): Readiness => {
  const readable = new Set(datasets.filter(({ state }) => !unreadable.has(state)).map(({ dataset }) => dataset))
  const missing = required.filter((dataset) => !readable.has(dataset))
  const stale = datasets.filter(({ state }) => belated.has(state)).map(({ dataset }) => dataset)
  return { ready: missing.length === 0, missing, stale }
}
