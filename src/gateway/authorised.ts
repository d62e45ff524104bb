/**
 * What each authorisation shows of the catalogue: the same to whoever has the same, whatever the connection. And what
 * somebody lacks who asks for more.
 */
import { z } from 'zod'
import { onlyDatasets } from '../catalogue/restricted.ts'
import type { CatalogueSource } from '../catalogue/types.ts'
import { LeastRecentMap } from '../query/least-recent.ts'

/** Authorisations kept. One that is made anew costs its legacy sessions a new start. */
const mostKept = 1000

export class AuthorisedSources {
  readonly #source: CatalogueSource
  readonly #restricted = new LeastRecentMap<string, CatalogueSource>(mostKept)

  constructor(source: CatalogueSource) {
    this.#source = source
  }

  /** The catalogue of those who are granted these datasets; all of it for `undefined`. */
  of(datasets: readonly string[] | undefined): CatalogueSource {
    if (datasets === undefined) return this.#source
    const sorted = [...new Set(datasets)].sort()
    const name = sorted.join(' ')
    const source = this.#restricted.get(name) ?? onlyDatasets(this.#source, sorted)
    this.#restricted.set(name, source)
    return source
  }

  /** The dataset that a request is about by its URI, where it is there and `seen` does not have it. */
  lacking(body: unknown, seen: CatalogueSource): string | undefined {
    const asked = uriRequestSchema.safeParse(body)
    if (!asked.success) return undefined
    const dataset = this.#source.current.datasetOf(asked.data.params.uri)
    return dataset === undefined || seen.current.datasets.includes(dataset) ? undefined : dataset
  }
}

const uriRequestSchema = z.object({
  method: z.enum(['resources/read', 'resources/subscribe']),
  params: z.object({ uri: z.string() }),
})
