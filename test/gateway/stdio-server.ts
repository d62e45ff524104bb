/** Serves the fake catalogue on stdio. Its tool `publish` makes its argument the content. */
import { z } from 'zod'
import { serveStdioGateway } from '../../src/gateway/stdio.ts'
import { log } from '../../src/log.ts'
import { FakeSource, tool } from './fake-catalogue.ts'

const argumentsSchema = z.object({ content: z.record(z.string(), z.string()) })

const source = new FakeSource(
  { 1: 'a', 2: 'b' },
  {
    tools: [tool('echo'), tool('publish'), tool('fail'), tool('slow')],
    call: async (name, args) => {
      if (name === 'fail') throw new Error('/secret/path')
      if (name === 'slow') await new Promise((resolve) => setTimeout(resolve, 300))
      if (name === 'publish') source.publish(argumentsSchema.parse(args).content, { toolsChanged: true })
      return { ok: true, structured: { echoed: String(args.word) }, links: [] }
    },
  },
)

const gateway = serveStdioGateway(source, { log: log.child({}, { level: 'silent' }) })
await gateway.closed
