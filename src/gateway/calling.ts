/** Calling a tool: what a model can act on is a result, what it cannot is an error of the protocol. */
import { ProtocolError } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Catalogue, Content, ResourceLink, ToolAnswer } from '../catalogue/types.ts'
import { asStichtagError, type ErrorCode } from '../errors.ts'
import type { Log } from '../log.ts'
import { hostWords, rpcCode } from './host-error.ts'

export const callParameters = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
})

const link = (entry: ResourceLink) => ({ type: 'resource_link' as const, ...entry })

const embedded = (content: Content) => ({ type: 'resource' as const, resource: { ...content } })

const refusal = (message: string) => ({ content: [{ type: 'text' as const, text: message }], isError: true })

const result = (answer: ToolAnswer) =>
  answer.ok
    ? {
        content: [
          { type: 'text' as const, text: JSON.stringify(answer.structured) },
          ...answer.links.map(link),
          ...(answer.embedded ?? []).map(embedded),
        ],
        structuredContent: { ...answer.structured },
      }
    : refusal(answer.message)

/**
 * The result of a `tools/call`; `failed` hears the code behind a result that is an error. Throws a ProtocolError for an
 * unknown tool, and what must not travel as it came.
 */
export const callTool = async (
  catalogue: Catalogue,
  call: z.infer<typeof callParameters>,
  signal: AbortSignal,
  log: Log,
  failed: (code: ErrorCode) => void,
) => {
  if (!catalogue.hasTool(call.name)) throw new ProtocolError(rpcCode.invalidParams, `Unknown tool: ${call.name}`)
  try {
    const answer = await catalogue.call(call.name, call.arguments, signal)
    if (!answer.ok) failed(answer.code)
    return result(answer)
  } catch (error) {
    if (signal.aborted) throw error
    failed(asStichtagError(error).code)
    const words = hostWords(error, { method: `tools/call ${call.name}` }, log)
    if (words === undefined) throw new ProtocolError(rpcCode.internal, 'Internal error')
    return refusal(words.message)
  }
}
