/** Making an attempt through a host of either era. */
import type { Host } from '../gateway/hosts.ts'
import type { Attempt, Request } from './attempt.ts'
import type { Got } from './outcome.ts'

export const freeQuery = 'freeQuery_offeneregister'

const callOf = (request: Extract<Request, { sql: string } | { tool: string }>) =>
  'sql' in request
    ? { name: freeQuery, arguments: { sql: request.sql } }
    : { name: request.tool, arguments: { ...request.arguments } }

/** What a host gets for a request, whatever it is. */
export const attempt = async ({ client }: Host, { request }: Attempt): Promise<Got> => {
  try {
    if ('uri' in request) return { kind: 'answer', structured: { ...(await client.readResource(request)) } }
    if ('complete' in request) {
      const { complete: uri, argument: name, value } = request
      const completed = await client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } })
      return { kind: 'answer', structured: { ...completed } }
    }
    const { isError, content, structuredContent } = await client.callTool(callOf(request))
    // Tools of ours answer with text first, and with an object beside it where they succeed.
    const [first] = content as { readonly text?: string }[]
    if (isError === true) return { kind: 'refusal', message: first?.text ?? '' }
    return { kind: 'answer', structured: { ...(structuredContent as object) } }
  } catch (error) {
    return { kind: 'error', message: error instanceof Error ? error.message : String(error) }
  }
}
