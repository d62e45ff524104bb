/** Hosts whose connection breaks, and who come back by themselves. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, describe, expect, it } from 'vitest'
import { serve } from './served.ts'

const [one, two] = ['shop://item/1', 'shop://item/2']
const identity = { name: 'test-host', version: '1.0.0' }
const reconnectionOptions = {
  initialReconnectionDelay: 100,
  maxReconnectionDelay: 100,
  reconnectionDelayGrowFactor: 1,
  maxRetries: 5,
}

/** A fetch whose GETs, the streams, can be cut; it notes from which event each resumed. */
class Network {
  readonly resumedFrom: (string | null)[] = []
  #streams: AbortController[] = []

  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    if (init.method !== 'GET') return fetch(url, init)
    const cutting = new AbortController()
    this.#streams.push(cutting)
    this.resumedFrom.push(new Headers(init.headers).get('last-event-id'))
    const signals = [cutting.signal, ...(init.signal ? [init.signal] : [])]
    return fetch(url, { ...init, signal: AbortSignal.any(signals) })
  }

  cut(): void {
    for (const stream of this.#streams.splice(0)) stream.abort(new Error('cut'))
  }
}

const connect1 = async (url: string, network: Network, updates: string[]) => {
  const client = new Client1(identity)
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updates.push(params.uri))
  const transport = new Http1(new URL(url), { fetch: network.fetch, reconnectionOptions })
  // The 1.x SDK's own types disagree about `sessionId` under exactOptionalPropertyTypes; it is its own transport.
  await client.connect(transport as Parameters<Client1['connect']>[0])
  return client
}

const connect2 = async (url: string, network: Network, updates: string[]) => {
  const client = new Client(identity)
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updates.push(params.uri))
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: network.fetch, reconnectionOptions }))
  return client
}

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

describe.each([
  ['SDK 1.x', connect1],
  ['SDK 2.x', connect2],
] as const)('a host with %s whose stream is cut', (_name, connect) => {
  it('is told on the next one what changed meanwhile, and nothing twice', async () => {
    const { url, source } = await serve()
    const network = new Network()
    const updates: string[] = []
    const client = await connect(url, network, updates)
    closing.push(() => client.close())
    await client.subscribeResource({ uri: one })
    await client.subscribeResource({ uri: two })
    source.publish({ 1: 'A', 2: 'b' })
    await expect.poll(() => updates).toEqual([one])

    network.cut()
    source.publish({ 1: 'A', 2: 'B' })
    await expect.poll(() => updates, { timeout: 5000 }).toEqual([one, two])
    expect(network.resumedFrom.length).toBe(2)

    network.cut()
    await expect.poll(() => network.resumedFrom.length, { timeout: 5000 }).toBe(3)
    source.publish({ 1: 'AA', 2: 'B' })
    await expect.poll(() => updates, { timeout: 5000 }).toEqual([one, two, one])
    expect(network.resumedFrom.slice(1).every((id) => id !== null)).toBe(true)
  })
})
