/** Under whose name the work of a request waits its turn. */
import { describe, expect, it } from 'vitest'
import type { Authority } from '../../src/gateway/authority.ts'
import { currentClient, currentRequest } from '../../src/gateway/request-context.ts'
import { tool } from './fake-catalogue.ts'
import { serve } from './served.ts'
import { modernRequest, RawSession } from './wire.ts'

const asking = async (authority?: Authority) => {
  const clients: (string | undefined)[] = []
  const call = async () => {
    clients.push(currentClient())
    return { ok: true as const, structured: { told: Object.keys(currentRequest()) }, links: [] }
  }
  const { url } = await serve({}, { tools: [tool('who')], call }, authority === undefined ? {} : { authority })
  return { url, clients }
}

describe('the work of a request', () => {
  it('waits as the subject of its token, whatever connection or client it comes by', async () => {
    const { url, clients } = await asking({
      grantOf: async (token) => ({ client: token, subject: token.split('-')[0] ?? token }),
      onRevoked: () => () => undefined,
    })
    for (const token of ['anna-1', 'anna-2', 'berta-1']) {
      const headers = { authorization: `Bearer ${token}` }
      expect((await modernRequest(url, 'tools/call', { name: 'who' }, undefined, headers)).status).toBe(200)
    }
    expect(clients).toEqual(['anna', 'anna', 'berta'])
  })

  it('waits as its session where addresses tell nobody apart', async () => {
    const { url, clients } = await asking()
    const [first, second] = [await RawSession.start(url), await RawSession.start(url)]
    for (const session of [first, second, first]) await session.request('tools/call', { name: 'who' })
    expect(clients[0]).toBe(clients[2])
    expect(clients[0]).not.toBe(clients[1])
  })

  it('is told of in the log without that', async () => {
    const { url } = await asking()
    const session = await RawSession.start(url)
    const { result } = await session.request('tools/call', { name: 'who' })
    expect(result).toMatchObject({ structuredContent: { told: ['request', 'client'] } })
  })

  it('waits as nobody in particular outside of any', () => {
    expect(currentClient()).toBeUndefined()
  })
})
