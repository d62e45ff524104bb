/** What one client may hold of what all share: streams, sessions, subscriptions. */
import { describe, expect, it } from 'vitest'
import type { Authority } from '../../src/gateway/authority.ts'
import { addressClient, isTelling } from '../../src/gateway/client-address.ts'
import type { HttpOptions } from '../../src/gateway/http-options.ts'
import { limitOf, obstacle } from '../../src/gateway/shares.ts'
import { serve } from './served.ts'
import { EventStream, modernRequest, post, RawSession } from './wire.ts'

/** A token is good for the client of its name; `greedy-2` is another client of the same subject as `greedy`. */
const anybody: Authority = {
  grantOf: async (token) => ({ client: token, subject: token.split('-')[0] ?? token }),
  onRevoked: () => () => undefined,
}
const bearing = (token: string) => ({ authorization: `Bearer ${token}` })

const serveMany = (options: Partial<HttpOptions>) => serve({ 1: 'a', 2: 'b' }, {}, { authority: anybody, ...options })

const listenAs = async (url: string, token: string, uris: readonly string[] = ['shop://item/1']) => {
  const abort = new AbortController()
  const listening = { notifications: { resourceSubscriptions: uris } }
  const response = await modernRequest(url, 'subscriptions/listen', listening, abort.signal, bearing(token))
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  return isStream
    ? { status: response.status, stream: new EventStream(response, abort), body: undefined }
    : { status: response.status, stream: undefined, body: await response.json(), headers: response.headers }
}

const initialize = (url: string, token: string) => {
  const clientInfo = { name: 'raw', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  return post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, bearing(token))
}

const sessionAs = async (url: string, token: string): Promise<RawSession> => {
  const id = (await initialize(url, token)).headers.get('mcp-session-id') ?? ''
  const session = new RawSession(url, id, '2025-11-25')
  Object.assign(session.headers, bearing(token))
  return session
}

describe('what one client may hold', () => {
  it('is a part of what there is, and never less than one', () => {
    expect(limitOf(1024, 0.25)).toEqual({ most: 1024, mostOfOne: 256 })
    expect(limitOf(2, 0.25)).toEqual({ most: 2, mostOfOne: 1 })
    const limit = limitOf(8, 0.25)
    expect(obstacle(limit, { inAll: 7, ofOne: 1 })).toBeUndefined()
    expect(obstacle(limit, { inAll: 7, ofOne: 2 })).toBe('own')
    expect(obstacle(limit, { inAll: 8, ofOne: 0 })).toBe('all')
    expect(obstacle(limit, { inAll: 7 })).toBeUndefined()
  })

  it('leaves streams for others, and is free again when one ends', async () => {
    const { url } = await serveMany({ maxStreams: 4, clientShare: 0.5 })
    const first = await listenAs(url, 'greedy')
    await listenAs(url, 'greedy-2')
    const refused = await listenAs(url, 'greedy')
    expect(refused).toMatchObject({
      status: 429,
      body: { id: 1, error: { message: expect.stringMatching(/This client has 2 streams open.*Close one/) } },
    })
    expect(refused.headers?.get('retry-after')).toBe('30')
    expect((await listenAs(url, 'modest')).status).toBe(200)
    await first.stream?.cut()
    await expect.poll(async () => (await listenAs(url, 'greedy')).status).toBe(200)
  })

  it('counts no stream that was refused for what it asked for', async () => {
    const { url } = await serveMany({ maxStreams: 4, clientShare: 0.25, maxSubscriptions: 1 })
    for (let round = 0; round < 3; round += 1) {
      const refused = await listenAs(url, 'clumsy', ['shop://item/1', 'shop://item/2'])
      expect(refused.body).toMatchObject({ error: { code: -32602 } })
    }
    expect((await listenAs(url, 'clumsy')).status).toBe(200)
  })

  it('leaves sessions for others: its own idlest gives way, or it is told to end one', async () => {
    const { url } = await serveMany({ maxSessions: 4, clientShare: 0.5 })
    const modest = await sessionAs(url, 'modest')
    const [idle, busy] = [await sessionAs(url, 'greedy'), await sessionAs(url, 'greedy')]
    const streams = [await busy.stream()]
    const third = await sessionAs(url, 'greedy')
    expect(await idle.notify('notifications/initialized')).toBe(404)
    expect(await modest.notify('notifications/initialized')).toBe(202)
    streams.push(await third.stream())
    await expect.poll(() => streams.every(({ events }) => events.length > 0)).toBe(true)
    const refused = await initialize(url, 'greedy')
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({
      error: { message: expect.stringContaining('This client has 2 sessions') },
    })
    expect((await initialize(url, 'modest')).status).toBe(200)
  })

  it('loses a session before others do where all are in use', async () => {
    const { url } = await serveMany({ maxSessions: 3, clientShare: 1 })
    const modest = await sessionAs(url, 'modest')
    const greedy = [await sessionAs(url, 'greedy'), await sessionAs(url, 'greedy')]
    await sessionAs(url, 'new')
    expect(await modest.notify('notifications/initialized')).toBe(202)
    expect(await greedy[0]?.notify('notifications/initialized')).toBe(404)
  })

  it('leaves subscriptions for others, whatever sessions and streams they are in', async () => {
    const { url } = await serveMany({ maxAllSubscriptions: 4, clientShare: 0.5 })
    const stream = await listenAs(url, 'greedy', ['shop://item/1'])
    const session = await sessionAs(url, 'greedy')
    const subscribe = (to: RawSession, uri: string) => to.request('resources/subscribe', { uri })
    expect(await subscribe(session, 'shop://item/1')).toMatchObject({ result: {} })
    const words = /At most 2 subscriptions are kept for one client.*It has 2/
    expect(await subscribe(session, 'shop://item/2')).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(words) },
    })
    expect((await listenAs(url, 'greedy')).body).toMatchObject({ error: { code: -32602 } })
    const modest = await sessionAs(url, 'modest')
    expect(await subscribe(modest, 'shop://item/1')).toMatchObject({ result: {} })
    await stream.stream?.cut()
    await expect.poll(() => subscribe(session, 'shop://item/2')).toMatchObject({ result: {} })
  })

  it('is told that it is not to blame where all are used up', async () => {
    const { url } = await serveMany({ maxAllSubscriptions: 1, clientShare: 1 })
    await listenAs(url, 'first', ['shop://item/1'])
    const session = await sessionAs(url, 'second')
    expect(await session.request('resources/subscribe', { uri: 'shop://item/1' })).toMatchObject({
      error: { code: -32603, message: expect.stringContaining('Try again later') },
    })
  })

  it('is not counted for addresses of this machine, which everybody has behind a proxy', async () => {
    const { url } = await serve({ 1: 'a' }, {}, { maxSessions: 4, clientShare: 0.25 })
    const sessions = await Promise.all([RawSession.start(url), RawSession.start(url), RawSession.start(url)])
    const known = await Promise.all(sessions.map((session) => session.notify('notifications/initialized')))
    expect(known).toEqual([202, 202, 202])
  })
})

describe('an address', () => {
  it.each([
    ['203.0.113.7', 'address 203.0.113.7'],
    ['::ffff:203.0.113.7', 'address 203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', 'address 2001:db8:1:2::/64'],
    ['2001:db8::6', 'address 2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'address fe80:0:0:0::/64'],
    ['::1', 'address ::1'],
  ])('%s is of the client %s', (remote, client) => {
    expect(addressClient(remote)).toBe(client)
  })

  it('tells clients apart unless it is of this machine', () => {
    expect(['203.0.113.7', '2001:db8::6'].filter((remote) => !isTelling(remote))).toEqual([])
    expect(['127.0.0.1', '::1', '::ffff:127.0.0.1', undefined].filter(isTelling)).toEqual([])
  })
})
