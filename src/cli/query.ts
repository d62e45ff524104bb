/** `stichtag query`: what a host would get from a FlowMCP query. */
import { z } from 'zod'
import { queryToolName } from '../catalogue/tools/names.ts'
import type { Catalogue } from '../catalogue/types.ts'
import { StichtagError } from '../errors.ts'
import { openCommandCatalogue } from './catalogue.ts'
import { suggestion } from './nearest.ts'
import type { StoreFlags } from './stores.ts'
import { terminal } from './terminal.ts'

/** `name=value` pairs as an object; values stay text, the query's schema says what they are. */
export const parseParameters = (pairs: readonly string[]): Record<string, string> => {
  const parameters = new Map<string, string>()
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1) throw new StichtagError('USAGE', `parameters are given as name=value, not ${pair}`)
    const name = pair.slice(0, at)
    if (parameters.has(name)) throw new StichtagError('USAGE', `the parameter ${name} is given twice`)
    parameters.set(name, pair.slice(at + 1))
  }
  return Object.fromEntries(parameters)
}

/** The names of a dataset's queries, of the tools that `list_datasets` has for it. Throws UNKNOWN_DATASET. */
const queriesOf = async (catalogue: Catalogue, dataset: string): Promise<string[]> => {
  const known = catalogue.datasets
  if (!known.includes(dataset)) {
    const message = `nothing is served of ${dataset}. There are: ${known.join(', ') || 'none yet'}.`
    throw new StichtagError('UNKNOWN_DATASET', message, { data: { dataset, known } })
  }
  const answer = await catalogue.call('list_datasets', { dataset })
  const [found] = answer.ok ? listed.parse(answer.structured).datasets : []
  if (found?.notIngested !== undefined) throw new StichtagError('DATABASE_MISSING', found.notIngested)
  return (found?.tools ?? []).map((tool) => tool.replace(new RegExp(`_${dataset}$`), ''))
}

const listed = z.object({
  datasets: z.array(z.object({ tools: z.array(z.string()), notIngested: z.string().optional() })),
})

export const query = async (
  dataset: string,
  name: string,
  pairs: readonly string[],
  flags: StoreFlags & { readonly json?: boolean },
): Promise<number> => {
  const parameters = parseParameters(pairs)
  const catalogue = await openCommandCatalogue(flags, { watch: false, readers: 2 })
  try {
    const current = catalogue.source.current
    const tool = queryToolName(name, dataset)
    if (!current.hasTool(tool)) {
      const known = await queriesOf(current, dataset)
      const message = `${dataset} has no query ${name}. It has: ${known.join(', ') || 'none'}.${suggestion(name, known)}`
      throw new StichtagError('USAGE', message)
    }
    const answer = await current.call(tool, parameters)
    if (!answer.ok) throw new StichtagError(answer.code, answer.message)
    terminal.json(answer.structured)
    return 0
  } finally {
    await catalogue.close()
  }
}
