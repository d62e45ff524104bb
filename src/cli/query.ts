/** `stichtag query`: what a host would get from a FlowMCP query. */
import { StichtagError } from '../errors.ts'
import { openCommandCatalogue } from './catalogue.ts'
import type { StoreFlags } from './stores.ts'
import { terminal } from './terminal.ts'

/** `name=value` pairs as an object; values stay text, the query's schema says what they are. */
export const parseParameters = (pairs: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new StichtagError('USAGE', `parameters are given as name=value, not ${pair}`)
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )

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
    const tool = `${name}_${dataset}`
    if (!current.hasTool(tool)) {
      const known = current.listTools().map((each) => each.name)
      throw new StichtagError('USAGE', `${dataset} has no query ${name}. Tools there are: ${known.join(', ')}.`)
    }
    const answer = await current.call(tool, parameters)
    if (!answer.ok) throw new StichtagError(answer.code, answer.message)
    terminal.json(answer.structured)
    return 0
  } finally {
    await catalogue.close()
  }
}
