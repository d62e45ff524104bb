/** Values for the variables of a template and the arguments of a prompt, as a person types them. */
import { z } from 'zod'
import type { Catalogue } from '../catalogue/types.ts'
import { promptValues } from './prompts.ts'

export const completeParameters = z.object({
  ref: z.discriminatedUnion('type', [
    z.object({ type: z.literal('ref/resource'), uri: z.string() }),
    z.object({ type: z.literal('ref/prompt'), name: z.string() }),
  ]),
  argument: z.object({ name: z.string(), value: z.string() }),
  context: z.object({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
})

/** The most values that MCP lets a completion return. */
const mostValues = 100

/** The result of a `completion/complete`. */
export const complete = async (
  catalogue: Catalogue,
  { ref, argument, context }: z.infer<typeof completeParameters>,
  signal: AbortSignal,
) => {
  if (ref.type === 'ref/prompt') {
    const values = promptValues(catalogue, ref.name, argument.name, argument.value)
    return {
      completion: { values: values.slice(0, mostValues), total: values.length, hasMore: values.length > mostValues },
    }
  }
  const given = context?.arguments ?? {}
  const { values, total, hasMore } = await catalogue.complete(ref.uri, argument.name, argument.value, given, signal)
  return {
    completion: {
      values: values.slice(0, mostValues),
      ...(total === undefined ? {} : { total }),
      hasMore: hasMore || values.length > mostValues,
    },
  }
}
