import { describe, expect, it } from 'vitest'
import type { Authority, Grant } from '../../src/gateway/authority.ts'
import { serve } from './served.ts'
import { EventStream, jsonHeaders, modernRequest, post } from './wire.ts'

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

/** Tokens that are good until they are revoked. */
class FakeAuthority implements Authority {
  readonly #tokens = new Set<string>()
  readonly #listeners = new Set<(client: string) => void>()

  constructor(...tokens: string[]) {
    for (const token of tokens) this.#tokens.add(token)
  }

  async grantOf(token: string): Promise<Grant | undefined> {
    return this.#tokens.has(token) ? { client: `client-${token}` } : undefined
  }

  onRevoked(listener: (client: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  revoke(token: string): void {
    this.#tokens.delete(token)
    for (const listener of this.#listeners) listener(`client-${token}`)
  }

  get listenerCount(): number {
    return this.#listeners.size
  }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const read = (url: string, token?: string) =>
  modernRequest(url, 'resources/read', { uri: 'shop://item/1' }, undefined, token === undefined ? {} : bearer(token))

const session = async (url: string, token: string): Promise<Record<string, string>> => {
  const response = await post(url, initialize, bearer(token))
  return {
    'mcp-session-id': response.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': '2025-11-25',
    ...bearer(token),
  }
}

const open = async (url: string, headers: Record<string, string>): Promise<EventStream> => {
  const abort = new AbortController()
  const all = { accept: 'text/event-stream', ...headers }
  return new EventStream(await fetch(url, { headers: all, signal: abort.signal }), abort)
}

const list = { jsonrpc: '2.0', id: 2, method: 'resources/list' }

describe('a gateway that asks for tokens', () => {
  it('answers 401 with a challenge, in either era, to those who have none or a wrong one', async () => {
    const { url } = await serve({ 1: 'a' }, {}, { authority: new FakeAuthority('good') })
    for (const answer of [await post(url, initialize), await read(url), await fetch(url)]) {
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="stichtag"')
    }
    const wrong = await read(url, 'bad')
    expect(wrong.status).toBe(401)
    expect(wrong.headers.get('www-authenticate')).toContain('invalid_token')
    expect((await post(url, initialize, bearer('good'))).status).toBe(200)
    expect((await read(url, 'good')).status).toBe(200)
  })

  it('lets nobody else keep its answers', async () => {
    const scopeOf = async (answer: Response) => ((await answer.json()) as { result: object }).result
    const guarded = await serve({ 1: 'a' }, {}, { authority: new FakeAuthority('good') })
    const free = await serve({ 1: 'a' })
    expect(await scopeOf(await read(guarded.url, 'good'))).toMatchObject({ cacheScope: 'private' })
    expect(await scopeOf(await read(free.url))).toMatchObject({ cacheScope: 'public' })
    const discovered = await modernRequest(guarded.url, 'server/discover', {}, undefined, bearer('good'))
    expect(await scopeOf(discovered)).toMatchObject({ cacheScope: 'private' })
  })

  it('keeps a session for the token that opened it', async () => {
    const { url } = await serve({ 1: 'a' }, {}, { authority: new FakeAuthority('one', 'two') })
    const headers = await session(url, 'one')
    expect((await post(url, list, { ...headers, ...bearer('two') })).status).toBe(404)
    expect((await fetch(url, { method: 'DELETE', headers: { ...headers, ...bearer('two') } })).status).toBe(404)
    expect((await post(url, list, headers)).status).toBe(200)
  })

  it('ends the streams and sessions of a token that is revoked, and of no other', async () => {
    const authority = new FakeAuthority('old', 'new')
    const { url, source, gateway } = await serve({ 1: 'a' }, {}, { authority })
    const [revoked, kept] = [await session(url, 'old'), await session(url, 'new')]
    const [legacy, other] = [await open(url, revoked), await open(url, kept)]
    const abort = new AbortController()
    const listening = { notifications: { resourceSubscriptions: ['shop://item/1'] } }
    const modern = new EventStream(
      await modernRequest(url, 'subscriptions/listen', listening, abort.signal, bearer('old')),
      abort,
    )
    await expect.poll(() => modern.messages.length).toBe(1)
    const ended = Promise.allSettled([legacy.ended, modern.ended])
    authority.revoke('old')
    await ended
    expect((await post(url, list, revoked)).status).toBe(401)
    source.publish({ 1: 'A' }, { toolsChanged: true })
    await expect.poll(() => other.messages).toMatchObject([{ method: 'notifications/tools/list_changed' }])
    expect(modern.updates).toEqual([])
    await gateway.close()
    expect(authority.listenerCount).toBe(0)
  })
})

describe('a gateway with a rate limit', () => {
  it('answers 429 with Retry-After, each client for itself', async () => {
    const rateLimit = { perSecond: 0.01, burst: 2 }
    const { url } = await serve({ 1: 'a' }, {}, { rateLimit, authority: new FakeAuthority('one', 'two') })
    expect([await read(url, 'one'), await read(url, 'one')].map(({ status }) => status)).toEqual([200, 200])
    const refused = await read(url, 'one')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1)
    expect((await read(url, 'two')).status).toBe(200)
  })

  it('counts by address where nobody needs a token', async () => {
    const { url } = await serve({ 1: 'a' }, {}, { rateLimit: { perSecond: 0.01, burst: 1 } })
    expect((await read(url)).status).toBe(200)
    expect((await read(url)).status).toBe(429)
    expect((await post(url, initialize, jsonHeaders)).status).toBe(429)
  })

  it('slows down those who try tokens, and nobody who has one', async () => {
    const rateLimit = { perSecond: 0.01, burst: 2 }
    const { url } = await serve({ 1: 'a' }, {}, { rateLimit, authority: new FakeAuthority('good') })
    const tries = [await read(url, 'a'), await read(url, 'b'), await read(url, 'c')]
    expect(tries.map(({ status }) => status)).toEqual([401, 401, 429])
    expect((await read(url, 'good')).status).toBe(200)
  })
})
