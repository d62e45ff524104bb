/** The least that the SDK does over HTTP: one tool and one kind of resource that echo, for both eras. What our gateway is measured against. */
import { createServer } from 'node:http'
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { z } from 'zod'

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' }, {})
  server.registerTool(
    'echo',
    { description: 'Says what it is told.', inputSchema: z.object({ text: z.string() }) },
    async ({ text }) => ({ content: [{ type: 'text', text }] }),
  )
  server.registerResource(
    'text',
    new ResourceTemplate('bare://{text}', { list: undefined }),
    {},
    async (uri, { text }) => ({
      contents: [{ uri: uri.href, text: String(text) }],
    }),
  )
  return server
})
const handle = toNodeHandler(handler)
// Node's own request, whose method may be undefined where the SDK's type leaves it out.
const server = createServer((request, response) => void handle(request as NodeIncomingMessageLike, response))
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it listens on no port')
  process.stderr.write(`${JSON.stringify({ url: `http://127.0.0.1:${address.port}/mcp` })}\n`)
})
process.once('SIGTERM', () => process.exit(0))
