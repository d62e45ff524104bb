/** Two registers behind one gateway, and tokens that reach one of them, both, or none. */
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { CatalogueSource } from '../../src/catalogue/types.ts'
import type { Authority, Grant } from '../../src/gateway/authority.ts'
import { serveHttp } from '../../src/gateway/http.ts'
import { afterTest, open } from '../catalogue/opened.ts'
import { Register } from '../catalogue/register.ts'
import { EventStream, modernRequest, post } from './wire.ts'

const acme = { number: 'A1', name: 'Acme GmbH', officers: ['Anna Muster'] }
const [own, other] = ['offeneregister://company/A1', 'otherregister://company/A1']

/** Tokens are the datasets they are for, separated by commas; `all` is for all of them. */
const authority = (tellsLackingDatasets: boolean): Authority => ({
  tellsLackingDatasets,
  grantOf: async (token): Promise<Grant> => ({
    client: 'somebody',
    ...(token === 'all' ? {} : { datasets: token.split(',') }),
  }),
  onRevoked: () => () => undefined,
  challenge: (datasets) => `scope="${datasets.map((dataset) => `data:${dataset}`).join(' ')}"`,
})

interface Stage {
  readonly url: string
  readonly source: CatalogueSource
  readonly registers: { readonly own: Register; readonly other: Register }
}

const stage = async (tellsLackingDatasets = false, watch = false): Promise<Stage> => {
  const first = new Register()
  afterTest(() => first.remove())
  const second = new Register('otherregister', first.store.root)
  first.publish([acme])
  second.publish([acme])
  const source = await open(first, { watch })
  const log = pino({ level: 'silent' })
  const gateway = await serveHttp(source, {
    host: '127.0.0.1',
    port: 0,
    log,
    authority: authority(tellsLackingDatasets),
  })
  afterTest(() => gateway.close())
  return { url: gateway.url, source, registers: { own: first, other: second } }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: {
    readonly result?: Readonly<Record<string, unknown>>
    readonly error?: { readonly code: number; readonly message: string }
  }
}

/** Asks as a host of either era would. */
const askers = {
  modern: async (url: string, token: string, method: string, params: Record<string, unknown>): Promise<Answer> =>
    answerOf(await modernRequest(url, method, params, undefined, bearer(token))),
  legacy: async (url: string, token: string, method: string, params: Record<string, unknown>): Promise<Answer> =>
    answerOf(
      await post(url, { jsonrpc: '2.0', id: 2, method, params }, { ...(await session(url, token)), ...bearer(token) }),
    ),
}

const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}

const session = async (url: string, token: string): Promise<Record<string, string>> => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  const response = await post(url, { jsonrpc: '2.0', id: 1, method: 'initialize', params }, bearer(token))
  return {
    'mcp-session-id': response.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': '2025-11-25',
  }
}

const template = (dataset: string) => ({ type: 'ref/resource', uri: `${dataset}://company/{company_number}` })

describe.each(['modern', 'legacy'] as const)('a token for one dataset, on the %s era', (era) => {
  const ask = askers[era]

  it('shows the same as if there were no other', async () => {
    const { url } = await stage()
    for (const [method, params] of [
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['tools/list', {}],
      ['prompts/list', {}],
      ['tools/call', { name: 'list_datasets', arguments: {} }],
      ['tools/call', { name: 'search', arguments: { query: 'Acme' } }],
    ] as const) {
      const limited = await ask(url, 'offeneregister', method, { ...params })
      expect(limited.body.result).toBeDefined()
      expect(limited.text).toContain('offeneregister')
      expect(limited.text).not.toContain('otherregister')
      expect((await ask(url, 'all', method, { ...params })).text).toContain('otherregister')
    }
  })

  it.each([
    ['reads', 'resources/read', { uri: other }],
    [
      'completes',
      'completion/complete',
      { ref: template('otherregister'), argument: { name: 'company_number', value: 'A' } },
    ],
    ['calls', 'tools/call', { name: 'freeQuery_otherregister', arguments: { sql: 'SELECT 1' } }],
    [
      'asks a prompt about',
      'prompts/get',
      { name: 'look_up_company', arguments: { name: 'x', dataset: 'otherregister' } },
    ],
  ])('gets an error where it %s another', async (_what, method, params) => {
    const { url } = await stage()
    expect((await ask(url, 'all', method, params)).body.error).toBeUndefined()
    const refused = await ask(url, 'offeneregister', method, params)
    expect(refused.body.error).toBeDefined()
  })

  it.each([
    ['fetch', { id: other }],
    ['changes', { dataset: 'otherregister' }],
    ['search', { query: 'Acme', datasets: ['otherregister'] }],
    ['list_datasets', { dataset: 'otherregister' }],
  ])('gets no more out of the tool %s than of one that is not there', async (name, args) => {
    const { url } = await stage()
    const refused = await ask(url, 'offeneregister', 'tools/call', { name, arguments: args })
    expect(refused.body.result).toMatchObject({ isError: true })
    const unknown = JSON.parse(JSON.stringify(args).replace('otherregister', 'nosuchthing'))
    const missing = await ask(url, 'offeneregister', 'tools/call', { name, arguments: unknown })
    expect(refused.text.replaceAll('otherregister', 'nosuchthing')).toBe(missing.text)
  })

  it('reads another as not found, unless scopes are to be had: then it is told which', async () => {
    const hidden = await ask((await stage()).url, 'offeneregister', 'resources/read', { uri: other })
    expect(hidden.body.error?.code).toBe(era === 'modern' ? -32602 : -32002)
    const { url } = await stage(true)
    const told = await ask(url, 'offeneregister', 'resources/read', { uri: other })
    expect(told.status).toBe(403)
    expect(told.headers.get('www-authenticate')).toBe(
      'Bearer realm="stichtag", scope="data:offeneregister data:otherregister", error="insufficient_scope", ' +
        'error_description="This token does not reach the dataset otherregister."',
    )
    const calls = [
      { name: 'fetch', arguments: { id: other } },
      { name: 'changes', arguments: { dataset: 'otherregister' } },
      { name: 'search', arguments: { query: 'Acme', datasets: ['offeneregister', 'otherregister'] } },
      { name: 'freeQuery_otherregister', arguments: { sql: 'SELECT 1' } },
      { name: 'query_otherregister', arguments: {} },
    ]
    for (const call of calls) {
      const called = await ask(url, 'offeneregister', 'tools/call', call)
      expect([call.name, called.status]).toEqual([call.name, 403])
      expect(called.headers.get('www-authenticate')).toContain('data:otherregister')
      expect((await ask(url, 'all', 'tools/call', call)).status).toBe(200)
    }
    for (const call of [
      { name: 'fetch', arguments: { id: own } },
      { name: 'fetch', arguments: { id: 7 } },
      { name: 'nothing', arguments: {} },
    ]) {
      expect((await ask(url, 'offeneregister', 'tools/call', call)).status).toBe(200)
    }
    const batch = [{ jsonrpc: '2.0', id: 9, method: 'resources/read', params: { uri: other } }]
    expect((await post(url, batch, bearer('offeneregister'))).status).toBe(403)
    const nowhere = await ask(url, 'offeneregister', 'resources/read', { uri: 'nowhere://company/1' })
    expect(nowhere.status).not.toBe(403)
    expect((await ask(url, 'otherregister', 'resources/read', { uri: other })).status).toBe(200)
  })
})

describe('a stream opened with a token for one dataset', () => {
  it('is acknowledged for that one alone', async () => {
    const { url } = await stage()
    const abort = new AbortController()
    const notifications = { resourceSubscriptions: [own, other] }
    const response = await modernRequest(
      url,
      'subscriptions/listen',
      { notifications },
      abort.signal,
      bearer('offeneregister'),
    )
    const stream = new EventStream(response, abort)
    await expect.poll(() => stream.messages.length).toBe(1)
    expect(stream.messages).toMatchObject([{ params: { notifications: { resourceSubscriptions: [own] } } }])
    await stream.cut()
  })

  it('hears of changes and lists of that one, and nothing of another', async () => {
    const { url, source, registers } = await stage(false, true)
    const abort = new AbortController()
    const notifications = { resourcesListChanged: true, toolsListChanged: true, resourceSubscriptions: [own] }
    const listen = async (token: string) =>
      new EventStream(
        await modernRequest(url, 'subscriptions/listen', { notifications }, abort.signal, bearer(token)),
        abort,
      )
    const [limited, full] = [await listen('offeneregister'), await listen('all')]
    await expect.poll(() => [limited.messages.length, full.messages.length]).toEqual([1, 1])
    registers.other.publish([{ ...acme, name: 'Beta AG' }], { tables: [] })
    await expect.poll(() => full.messages.length, { timeout: 5000 }).toBe(2)
    registers.own.publish([{ ...acme, name: 'Gamma AG' }])
    await expect.poll(() => limited.updates, { timeout: 5000 }).toEqual([own])
    expect(limited.messages).toHaveLength(2)
    expect(source.current.datasets).toEqual(['offeneregister', 'otherregister'])
    abort.abort()
  })

  it('may not subscribe to another in a session', async () => {
    const { url } = await stage()
    const headers = { ...(await session(url, 'offeneregister')), ...bearer('offeneregister') }
    const subscribe = async (uri: string) =>
      answerOf(await post(url, { jsonrpc: '2.0', id: 3, method: 'resources/subscribe', params: { uri } }, headers))
    expect((await subscribe(own)).body.error).toBeUndefined()
    expect((await subscribe(other)).body.error).toMatchObject({ code: -32002 })
  })
})

it('keeps a session for the datasets it was opened for, whoever comes with others', async () => {
  const { url } = await stage()
  const headers = await session(url, 'offeneregister')
  const list = { jsonrpc: '2.0', id: 2, method: 'resources/list' }
  expect((await post(url, list, { ...headers, ...bearer('offeneregister') })).status).toBe(200)
  expect((await post(url, list, { ...headers, ...bearer('all') })).status).toBe(404)
  expect((await post(url, list, { ...headers, ...bearer('otherregister') })).status).toBe(404)
})

it('shows figures about everything only to tokens for everything', async () => {
  const { url } = await stage()
  const at = (path: string, token: string) => fetch(url.replace('/mcp', path), { headers: bearer(token) })
  expect((await at('/metrics', 'all')).status).toBe(200)
  expect((await at('/metrics', 'offeneregister')).status).toBe(403)
  expect(await (await at('/readyz', 'offeneregister')).text()).not.toContain('otherregister')
  expect(await (await at('/readyz', 'all')).text()).toContain('otherregister')
})
