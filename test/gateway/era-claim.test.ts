import { isLegacyRequest } from '@modelcontextprotocol/server'
import { describe, expect, it } from 'vitest'
import { claimsModern } from '../../src/gateway/era-claim.ts'

const claim = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
const call = (params?: unknown, more = {}) => ({ jsonrpc: '2.0', id: 1, method: 'resources/read', params, ...more })

/** Whether the SDK would have a body answered by the legacy side, whatever its headers say. */
const isLegacy = async (body: unknown): Promise<readonly boolean[]> =>
  Promise.all(
    [undefined, '2025-11-25', '2026-07-28'].map((version) => {
      const headers = { 'content-type': 'application/json', ...(version && { 'mcp-protocol-version': version }) }
      return isLegacyRequest(new Request('http://localhost/mcp', { method: 'POST', headers }), body)
    }),
  )

describe('a claim of the modern era', () => {
  it.each([
    call({ uri: 'a://b', _meta: claim }),
    call({ _meta: { 'io.modelcontextprotocol/protocolVersion': 7 } }),
    call({ _meta: claim }, { id: undefined }),
    call({ _meta: claim }, { jsonrpc: '1.0' }),
    { method: 'subscriptions/listen', params: { _meta: claim } },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { _meta: claim } },
  ])('is one that the SDK, too, has answered by the modern side: %j', async (body) => {
    expect(claimsModern(body)).toBe(true)
    expect(await isLegacy(body)).toEqual([false, false, false])
  })

  it.each([
    call(),
    call({ uri: 'a://b' }),
    call({ _meta: {} }),
    call({ _meta: null }),
    call([claim]),
    { ...call({ _meta: claim }), method: 'initialize' },
    { ...call({ _meta: claim }), method: 7 },
    { jsonrpc: '2.0', id: 1, result: {}, method: 'x', params: { _meta: claim } },
    [call({ _meta: claim })],
    'text',
    null,
  ])('is not made by %j: there the SDK decides', (body) => {
    expect(claimsModern(body)).toBe(false)
  })
})
