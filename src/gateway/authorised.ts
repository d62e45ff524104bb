/**
 * What each authorisation shows of the catalogue: the same to whoever has the same, whatever the connection. And what
 * somebody lacks who asks for more.
 */
import { z } from 'zod'
import { onlyDatasets } from '../catalogue/restricted.ts'
import type { Catalogue, CatalogueSource } from '../catalogue/types.ts'
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

  /** The dataset that a request, or one of a batch, is about, where it is there and `seen` does not have it. */
  lacking(body: unknown, seen: CatalogueSource): string | undefined {
    if (Array.isArray(body)) {
      for (const each of body) {
        const dataset = this.#lackingIn(each, seen.current)
        if (dataset !== undefined) return dataset
      }
      return undefined
    }
    return this.#lackingIn(body, seen.current)
  }

  #lackingIn(body: unknown, seen: Catalogue): string | undefined {
    const all = this.#source.current
    const uri = uriRequestSchema.safeParse(body)
    const call = uri.success ? undefined : callSchema.safeParse(body)
    const named = uri.success
      ? [all.datasetOf(uri.data.params.uri)]
      : call?.success === true
        ? namedInCall(call.data.params, all, seen)
        : []
    return named.find((dataset) => dataset !== undefined && isLacking(dataset, all, seen))
  }
}

const isLacking = (dataset: string, all: Catalogue, seen: Catalogue): boolean =>
  all.datasets.includes(dataset) && !seen.datasets.includes(dataset)

const uriRequestSchema = z.object({
  method: z.enum(['resources/read', 'resources/subscribe']),
  params: z.object({ uri: z.string() }),
})

const callSchema = z.object({
  method: z.literal('tools/call'),
  params: z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) }),
})

/** What the tools that are about several datasets are given to say which. */
const namingSchema = z.object({
  id: z.string().optional().catch(undefined),
  dataset: z.string().optional().catch(undefined),
  datasets: z.array(z.string()).catch([]).default([]),
})

/** The datasets that a call is about: by what it is given, or since the tool is there for one of them alone. */
const namedInCall = (
  { name, arguments: given }: z.infer<typeof callSchema>['params'],
  all: Catalogue,
  seen: Catalogue,
): readonly (string | undefined)[] => {
  const { id, dataset, datasets } = namingSchema.parse(given)
  const named = [id === undefined ? undefined : all.datasetOf(id), dataset?.toLowerCase(), ...datasets]
  if (seen.hasTool(name) || !all.hasTool(name)) return named
  const others = all.datasets.filter((each) => !seen.datasets.includes(each))
  return [...named, others.find((each) => all.only(new Set([each])).hasTool(name))]
}
