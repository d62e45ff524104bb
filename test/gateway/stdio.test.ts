/** Stdio by hand: what is written to stdout, in which order, and how it ends. */
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { type StdioGateway, type StdioOptions, serveStdioGateway } from '../../src/gateway/stdio.ts'
import { FakeSource, gate, type Offer, tool } from './fake-catalogue.ts'

const log = pino({ level: 'silent' })
const [one, two] = ['shop://item/1', 'shop://item/2']
const gateways: StdioGateway[] = []

afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close()
})

const start = (offer: Offer = {}, options: Partial<StdioOptions> = {}) => {
  const source = new FakeSource({ 1: 'a', 2: 'b' }, offer)
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const lines: string[] = []
  stdout.setEncoding('utf8').on('data', (text: string) => void lines.push(...text.split('\n').filter(Boolean)))
  const gateway = serveStdioGateway(source, { log, stdin, stdout, ...options })
  gateways.push(gateway)
  return {
    source,
    gateway,
    stdin,
    messages: (): { id?: unknown; method?: string; params?: Record<string, unknown> }[] =>
      lines.map((line) => JSON.parse(line)),
    send: (...messages: object[]) => {
      stdin.write(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''))
    },
  }
}

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const listen = (id: string, uris: string[]) => ({
  id,
  method: 'subscriptions/listen',
  params: { notifications: { resourceSubscriptions: uris }, _meta },
})
const cancel = (requestId: string) => ({ method: 'notifications/cancelled', params: { requestId, _meta } })
const initialize = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

describe('the gateway over stdio', () => {
  it('answers what is no message, says so in the log, and goes on', async () => {
    const logged: string[] = []
    const noting = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })
    const { send, stdin, messages } = start({}, { log: noting })
    stdin.write('not json\n{"jsonrpc": "2.0", "id": 1,\n\n{"hello": "world"}\n')
    await expect
      .poll(() => messages())
      .toMatchObject([
        { id: null, error: { code: -32700 } },
        { id: null, error: { code: -32700 } },
        { id: null, error: { code: -32600 } },
      ])
    expect(logged).toHaveLength(3)
    expect(logged.join()).not.toContain('not json')
    send({ id: 'ping', method: 'tools/list', params: { _meta } })
    await expect.poll(() => messages().at(-1)).toMatchObject({ id: 'ping', result: {} })
  })

  it('takes a message in whatever pieces it comes, and several at once', async () => {
    const { stdin, messages } = start()
    const line = `${JSON.stringify({ jsonrpc: '2.0', id: 'ü', method: 'tools/list', params: { _meta } })}\n`
    for (const byte of Buffer.from(line)) stdin.write(Buffer.of(byte))
    stdin.write(line.replace('ü', 'b') + line.replace('ü', 'c'))
    await expect.poll(() => messages().map((message) => message.id)).toEqual(['ü', 'b', 'c'])
  })

  it('tells each modern stream its own, once, however many hold a URI', async () => {
    const { source, send, messages } = start()
    send(listen('first', [one]))
    await expect.poll(() => messages().length).toBe(1)
    send(listen('second', [one, two]))
    await expect.poll(() => messages().length).toBe(2)

    source.publish({ 1: 'A', 2: 'B' })
    await expect.poll(() => messages().length).toBe(5)
    const told = messages().flatMap(({ params }) => (params?.uri === undefined ? [] : [params]))
    const tellings = told.map((params) => [Object(params._meta)['io.modelcontextprotocol/subscriptionId'], params.uri])
    expect(tellings.toSorted()).toEqual([
      ['first', one],
      ['second', one],
      ['second', two],
    ])
  })

  it('tells what was published before a stream is acknowledged, after that', async () => {
    const { source, send, messages } = start()
    const reading = gate()
    source.beforeDigests = reading.held
    send(listen('it', [one]))
    await reading.reached
    source.publish({ 1: 'A' })
    reading.release()
    await expect
      .poll(() => messages().map((message) => message.method))
      .toEqual(['notifications/subscriptions/acknowledged', 'notifications/resources/updated'])
  })

  it('tells a cancelled stream nothing, even where it is cancelled before it is acknowledged', async () => {
    const { source, send, messages } = start()
    send(listen('early', [one]), cancel('early'), listen('late', [one]), listen('staying', [two]))
    await expect.poll(() => messages().length).toBe(2)
    send(cancel('late'))
    send({ id: 'ping', method: 'tools/list', params: { _meta } })
    await expect.poll(() => messages().length).toBe(3)
    source.publish({ 1: 'A', 2: 'B' })
    await expect.poll(() => messages().length).toBe(4)
    expect(messages().at(-1)?.params).toMatchObject({ uri: two })
  })

  it('serves the other requests of a connection while a stream is being opened', async () => {
    const { source, send, messages } = start()
    const reading = gate()
    source.beforeDigests = reading.held
    send(listen('it', [one]), { id: 'list', method: 'tools/list', params: { _meta } })
    await expect.poll(() => messages().map((message) => message.id)).toEqual(['list'])
    reading.release()
    await expect.poll(() => messages().length).toBe(2)
  })

  it('takes a host that asks for the modern era first and then initialises', async () => {
    const { source, send, messages } = start()
    send({ id: 'probe', method: 'server/discover', params: { _meta } }, initialize)
    await expect.poll(() => messages().map((message) => message.id)).toEqual(['probe', 0])
    send({ method: 'notifications/initialized' }, { id: 1, method: 'resources/subscribe', params: { uri: one } })
    await expect.poll(() => messages().length).toBe(3)
    source.publish({ 1: 'A' })
    await expect.poll(() => messages().at(-1)).toMatchObject({ method: 'notifications/resources/updated' })
  })

  it('says -32002 with the URI on the legacy era where nothing is found', async () => {
    const { send, messages } = start()
    send(initialize, { id: 1, method: 'resources/read', params: { uri: 'shop://item/none' } })
    await expect
      .poll(() => messages().at(-1))
      .toMatchObject({ id: 1, error: { code: -32002, data: { uri: 'shop://item/none' } } })
  })

  it('ends with stdin, but answers first what was asked', async () => {
    const call = gate()
    const { source, gateway, stdin, send, messages } = start({
      tools: [tool('slow')],
      call: async () => {
        await call.held()
        return { ok: true, structured: { echoed: 'done' }, links: [] }
      },
    })
    send(initialize, { id: 1, method: 'tools/call', params: { name: 'slow' } })
    await call.reached
    stdin.end()
    await finished(stdin)
    // Turns in which a gateway that does not wait would end.
    for (let turn = 0; turn < 20; turn += 1) await nextTurn()
    call.release()
    await gateway.closed
    expect(messages().at(-1)).toMatchObject({ id: 1, result: { structuredContent: { echoed: 'done' } } })
    expect(source.listenerCount).toBe(0)
  })

  it('answers first what was asked when it is closed, though stdin stays open, and lets go of that', async () => {
    const call = gate()
    const { gateway, stdin, send, messages } = start({
      tools: [tool('slow')],
      call: async () => {
        await call.held()
        return { ok: true, structured: { echoed: 'done' }, links: [] }
      },
    })
    send(initialize, { id: 1, method: 'tools/call', params: { name: 'slow' } })
    await call.reached
    const closing = gateway.close()
    for (let turn = 0; turn < 20; turn += 1) await nextTurn()
    expect(stdin.destroyed).toBe(false)
    call.release()
    await closing
    expect(messages().at(-1)).toMatchObject({ id: 1, result: { structuredContent: { echoed: 'done' } } })
    expect(stdin.destroyed).toBe(true)
  })

  it('does not wait for ever for what is not answered when it is closed', async () => {
    const call = gate()
    const slow: Offer = {
      tools: [tool('slow')],
      call: async () => {
        await call.held()
        return { ok: true, structured: {}, links: [] }
      },
    }
    const { gateway, send, messages } = start(slow, { closeMs: 20 })
    send(initialize, { id: 1, method: 'tools/call', params: { name: 'slow' } })
    await call.reached
    await gateway.close()
    expect(messages().map((message) => message.id)).toEqual([0])
    call.release()
  })

  it('refuses more subscriptions on one stream, or in one connection, than it keeps', async () => {
    const modern = start({}, { maxSubscriptions: 1 })
    modern.send(listen('it', [one, two]), listen('fits', [one]))
    await expect.poll(() => modern.messages().length).toBe(2)
    expect(modern.messages().find((message) => message.id === 'it')).toMatchObject({ error: { code: -32602 } })
    const legacy = start({}, { maxSubscriptions: 1 })
    legacy.send(initialize, { method: 'notifications/initialized' })
    legacy.send(...[one, two].map((uri, id) => ({ id: id + 1, method: 'resources/subscribe', params: { uri } })))
    await expect.poll(() => legacy.messages().length).toBe(3)
    const answers = legacy.messages().toSorted((a, b) => Number(a.id) - Number(b.id))
    expect(answers).toMatchObject([{ id: 0 }, { id: 1, result: {} }, { id: 2, error: { code: -32602 } }])
  })

  it('ends its streams when it is closed', async () => {
    const { gateway, send, messages } = start()
    send(listen('it', [one]))
    await expect.poll(() => messages().length).toBe(1)
    await gateway.close()
    expect(messages().at(-1)).toMatchObject({ id: 'it', result: { resultType: 'complete' } })
  })

  it('ends when stdout breaks', async () => {
    const { gateway, send } = start()
    const stdout = new PassThrough()
    const broken = serveStdioGateway(new FakeSource({}), { log, stdin: new PassThrough(), stdout })
    stdout.destroy(new Error('EPIPE'))
    await broken.closed
    send(initialize)
    await gateway.close()
  })
})
