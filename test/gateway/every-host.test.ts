/** What holds for every host, whichever SDK, era and transport it uses. */
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { serveHttp } from '../../src/gateway/http.ts'
import { FakeSource, tool } from './fake-catalogue.ts'
import { type Host, hosts, type Place } from './hosts.ts'

const log = pino({ level: 'silent' })
const [one, two, three] = ['shop://item/1', 'shop://item/2', 'shop://item/3']

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** A gateway with the content `{1: 'a', 2: 'b'}`, and how to publish other content. */
const overHttp = async (): Promise<{ place: Place; publish: (host: Host, content: object) => Promise<void> }> => {
  const source = new FakeSource(
    { 1: 'a', 2: 'b' },
    {
      tools: [tool('echo'), tool('fail')],
      call: async (name, args) => {
        if (name === 'fail') throw new Error('/secret/path')
        return { ok: true, structured: { echoed: String(args.word) }, links: [] }
      },
    },
  )
  const gateway = await serveHttp(source, { host: '127.0.0.1', port: 0, log })
  closing.push(() => gateway.close())
  return {
    place: { url: gateway.url },
    publish: async (_host, content) => source.publish({ ...content }, { toolsChanged: true }),
  }
}

const overStdio: typeof overHttp = async () => ({
  place: 'stdio',
  publish: async (host, content) => {
    await host.client.callTool({ name: 'publish', arguments: { content } })
  },
})

const transports = { HTTP: overHttp, stdio: overStdio }

describe.each(Object.keys(transports) as (keyof typeof transports)[])('over %s', (transport) => {
  describe.each(Object.keys(hosts) as (keyof typeof hosts)[])('a host with %s', (kind) => {
    const start = async () => {
      const { place, publish } = await transports[transport]()
      const host = await hosts[kind](place)
      closing.push(() => host.close())
      return { host, publish: (content: object) => publish(host, content) }
    }

    it('lists, reads, calls and completes', async () => {
      const { host } = await start()
      const { resources } = await host.client.listResources()
      expect(resources.map((resource) => resource.uri)).toEqual([one, two])
      const { resourceTemplates } = await host.client.listResourceTemplates()
      expect(resourceTemplates.map((template) => template.uriTemplate)).toEqual(['shop://item/{key}'])

      const { contents } = await host.client.readResource({ uri: one })
      expect(contents).toEqual([{ uri: one, mimeType: 'application/json', text: 'a' }])

      const { tools } = await host.client.listTools()
      expect(tools[0]?.annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false })
      const called = await host.client.callTool({ name: 'echo', arguments: { word: 'hello' } })
      expect(called.structuredContent).toEqual({ echoed: 'hello' })
      expect(called.content).toMatchObject([{ type: 'text', text: '{"echoed":"hello"}' }])

      const { completion } = await host.client.complete({
        ref: { type: 'ref/resource', uri: 'shop://item/{key}' },
        argument: { name: 'key', value: '2' },
      })
      expect(completion).toEqual({ values: ['2'], total: 1, hasMore: false })
    })

    it('is told exactly once of exactly the resources that read differently, rollbacks included', async () => {
      const { host, publish } = await start()
      await host.subscribe(one, two, three)

      await publish({ 1: 'A', 2: 'b' })
      await expect.poll(() => host.updates).toEqual([one])
      const { contents } = await host.client.readResource({ uri: one })
      expect(contents).toMatchObject([{ text: 'A' }])

      await publish({ 1: 'a', 2: 'b' })
      await expect.poll(() => host.updates).toEqual([one, one])
      await publish({ 1: 'a', 2: 'b', 3: 'c' })
      await expect.poll(() => host.updates).toEqual([one, one, three])
    })

    it('is told no more once it unsubscribed', async () => {
      const { host, publish } = await start()
      const unsubscribe = await host.subscribe(one)
      await host.subscribe(two)
      await unsubscribe()

      await publish({ 1: 'A', 2: 'B' })

      await expect.poll(() => host.updates).toEqual([two])
    })

    it('is told that a list changed only when it did', async () => {
      const { host, publish } = await start()
      await host.subscribe(one)
      await publish({ 1: 'A' })
      await expect.poll(() => host.updates).toEqual([one])
      await expect.poll(() => host.changedLists).toEqual(['tools'])
    })

    it('gets an error with the URI where nothing is found', async () => {
      const { host } = await start()
      const missing = host.client.readResource({ uri: three })
      await expect(missing).rejects.toMatchObject({
        code: host.notFoundCode,
        data: { uri: three },
      })
    })

    it('gets -32602 for an unknown tool and for a cursor that it was not given', async () => {
      const { host } = await start()
      await expect(host.client.callTool({ name: 'nonesuch' })).rejects.toMatchObject({ code: -32602 })
      await expect(host.client.listResources({ cursor: 'nonsense' })).rejects.toMatchObject({ code: -32602 })
    })

    it('gets nothing of the inside of the machine when something breaks', async () => {
      const { host } = await start()
      const failure = await host.client.callTool({ name: 'fail' }).catch((error: unknown) => error)
      expect(failure).toMatchObject({ code: -32603 })
      expect(JSON.stringify([failure, String(failure)])).not.toContain('secret')
    })
  })
})
