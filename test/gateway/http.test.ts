import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { StichtagError } from '../../src/errors.ts'
import { serveHttp } from '../../src/gateway/http.ts'
import { gate, tool } from './fake-catalogue.ts'
import { serve } from './served.ts'
import { jsonHeaders, listen, modernRequest, post, RawSession } from './wire.ts'

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

/** Status of a POST with headers that fetch would not let us set. */
const statusWith = (url: string, headers: Record<string, string>): Promise<number | undefined> => {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const asking = request(url, { method: 'POST', headers: { ...jsonHeaders, ...headers } }, (response) => {
    response.resume()
    resolve(response.statusCode)
  })
  asking.on('error', reject)
  asking.end(JSON.stringify(initialize))
  return promise
}

describe('the gateway over HTTP', () => {
  it('refuses a foreign Host or Origin, on every path, and takes those of this machine', async () => {
    const { url } = await serve()
    expect(await statusWith(url, { host: 'evil.example' })).toBe(403)
    expect(await statusWith(url.replace('/mcp', '/'), { host: 'evil.example:80' })).toBe(403)
    expect(await statusWith(url, { origin: 'https://evil.example' })).toBe(403)
    expect(await statusWith(url, { origin: 'null' })).toBe(403)
    expect(await statusWith(url, { host: 'localhost:1', origin: 'http://localhost:3000' })).toBe(200)
  })

  it('takes the further Hosts and Origins that it is told', async () => {
    const { url } = await serve({}, {}, { allowedHosts: ['data.example'], allowedOrigins: ['app.example'] })
    expect(await statusWith(url, { host: 'data.example', origin: 'https://app.example' })).toBe(200)
    expect(await statusWith(url, { host: 'other.example' })).toBe(403)
  })

  it('checks the Origin, but no Host that it cannot know, when it serves other machines too', async () => {
    const { url } = await serve({}, {}, { host: '0.0.0.0' })
    const own = url.replace('0.0.0.0', '127.0.0.1')
    expect(await statusWith(own, { host: 'data.example' })).toBe(200)
    expect(await statusWith(own, { host: 'data.example', origin: 'https://data.example' })).toBe(403)
  })

  it('answers what is no MCP request with the status that says why', async () => {
    const { url } = await serve({}, {}, { maxBodyBytes: 1000 })
    const status = async (path: string, init: RequestInit = {}) => (await fetch(url.replace('/mcp', path), init)).status
    const json = (body: string) => ({ method: 'POST', headers: jsonHeaders, body })
    expect(await status('/')).toBe(404)
    expect(await status('/mcp/x', json('{}'))).toBe(404)
    expect(await status('//')).toBe(404)
    expect(await status('/mcp', { method: 'PUT', body: '' })).toBe(405)
    expect(await status('/mcp')).toBe(405)
    expect(await status('/mcp', { method: 'DELETE' })).toBe(405)
    expect(await status('/mcp', { method: 'POST', body: '{}' })).toBe(415)
    expect(await status('/mcp', json('{'))).toBe(400)
    expect(await status('/mcp', json(''))).toBe(400)
    expect(await status('/mcp', json('[]'))).toBe(400)
    expect(await status('/mcp', json(JSON.stringify({ ...initialize, method: 'tools/list' })))).toBe(400)
    expect(await status('/mcp', json(JSON.stringify({ ...initialize, padding: 'x'.repeat(1000) })))).toBe(413)
  })

  it('measures a body that does not say its length', async () => {
    const { url } = await serve({}, {}, { maxBodyBytes: 1000 })
    const status = Promise.withResolvers<number | undefined>()
    const asking = request(url, { method: 'POST', headers: jsonHeaders }, (response) => {
      response.resume()
      status.resolve(response.statusCode)
    })
    asking.on('error', status.reject)
    for (let part = 0; part < 3; part += 1) asking.write('x'.repeat(500))
    expect(await status.promise).toBe(413)
    asking.destroy()
  })

  it('says where it cannot listen', async () => {
    const { url, source, logged } = await serve()
    const port = Number(new URL(url).port)
    const { log } = await import('../../src/log.ts')
    await expect(serveHttp(source, { host: '127.0.0.1', port, log })).rejects.toMatchObject({
      code: 'ADDRESS_UNAVAILABLE',
    })
    expect(logged).toEqual([])
  })

  it('says nothing of the inside of the machine when something breaks, and logs it', async () => {
    const { url, logged } = await serve(
      {},
      {
        read: () => Promise.reject(new Error('ENOENT /secret/path')),
        tools: [tool('fail')],
        call: () => Promise.reject(new Error('/secret/tool')),
      },
    )
    const session = await RawSession.start(url)
    const answers = [
      await session.request('resources/read', { uri: 'shop://item/1' }),
      await session.request('tools/call', { name: 'fail' }),
      await (await modernRequest(url, 'resources/read', { uri: 'shop://item/1' })).json(),
      await (await modernRequest(url, 'tools/call', { name: 'fail' })).json(),
    ]
    for (const answer of answers) expect(answer).toMatchObject({ error: { code: -32603, message: 'Internal error' } })
    expect(JSON.stringify(answers)).not.toMatch(/secret|\.ts/)
    expect(logged.join()).toContain('/secret/path')
    expect(logged.join()).toContain('/secret/tool')
  })

  it('gives lists page by page', async () => {
    const { url } = await serve({ 1: 'a', 2: 'b', 3: 'c' }, { tools: ['x', 'y', 'z'].map(tool) }, { pageSize: 2 })
    const session = await RawSession.start(url)
    const pages = async (method: string, key: string) => {
      const first = (await session.request(method)).result as Record<string, unknown>
      const second = (await session.request(method, { cursor: first.nextCursor })).result as Record<string, unknown>
      return [first[key], second[key], second.nextCursor]
    }
    expect(await pages('resources/list', 'resources')).toMatchObject([{ length: 2 }, { length: 1 }, undefined])
    expect(await pages('tools/list', 'tools')).toMatchObject([{ length: 2 }, { length: 1 }, undefined])
  })

  it('gives expected failures of a tool as results, and links to the records that it found', async () => {
    const found = { uri: 'shop://item/1', name: '1', title: 'Item 1', mimeType: 'application/json' }
    const answers = {
      find: () => Promise.resolve({ ok: true, structured: { echoed: 'x' }, links: [found] } as const),
      decline: () => Promise.resolve({ ok: false, code: 'QUERY_TIMEOUT', message: 'Narrow it.' } as const),
      fail: () => Promise.reject(new StichtagError('NOT_FOUND', 'There is no such item.')),
    }
    const call = (name: string) => Object.entries(answers).find(([known]) => known === name)?.[1]() ?? answers.fail()
    const { url } = await serve({}, { tools: Object.keys(answers).map(tool), call })
    const session = await RawSession.start(url)
    expect((await session.request('tools/call', { name: 'find' })).result).toEqual({
      content: [
        { type: 'text', text: '{"echoed":"x"}' },
        { type: 'resource_link', ...found },
      ],
      structuredContent: { echoed: 'x' },
    })
    expect((await session.request('tools/call', { name: 'decline' })).result).toEqual({
      content: [{ type: 'text', text: 'Narrow it.' }],
      isError: true,
    })
    expect((await session.request('tools/call', { name: 'fail' })).result).toEqual({
      content: [{ type: 'text', text: 'There is no such item.' }],
      isError: true,
    })
  })

  it('completes the variables of templates, and refuses what is none', async () => {
    const { url } = await serve(Object.fromEntries(Array.from({ length: 150 }, (_, key) => [String(key), 'x'])))
    const session = await RawSession.start(url)
    const complete = (ref: object) =>
      session.request('completion/complete', { ref, argument: { name: 'key', value: '' } })
    expect((await complete({ type: 'ref/resource', uri: 'shop://item/{key}' })).result).toMatchObject({
      completion: { values: { length: 100 }, total: 150, hasMore: true },
    })
    expect((await complete({ type: 'ref/resource', uri: 'shop://nonsense/{x}' })).error).toMatchObject({ code: -32602 })
    expect((await complete({ type: 'ref/prompt', name: 'x' })).error).toMatchObject({ code: -32602 })
  })

  it('hands cancellation on to the catalogue: a notification on the legacy era, a hang-up on the modern one', async () => {
    const signals: AbortSignal[] = []
    const offer = {
      tools: [tool('hang')],
      call: (_name: string, _args: object, signal?: AbortSignal) => {
        if (signal !== undefined) signals.push(signal)
        return new Promise<never>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
      },
    }
    const { url, logged } = await serve({}, offer)
    const session = await RawSession.start(url)
    const call = { jsonrpc: '2.0', id: 'call', method: 'tools/call', params: { name: 'hang' } }
    const answering = post(url, call, session.headers)
    await expect.poll(() => signals.length).toBe(1)
    expect(await session.notify('notifications/cancelled', { requestId: 'call' })).toBe(202)
    expect((await answering).status).toBe(202)
    expect(signals[0]?.aborted).toBe(true)

    const leaving = new AbortController()
    const asked = modernRequest(url, 'tools/call', { name: 'hang' }, leaving.signal)
    await expect.poll(() => signals.length).toBe(2)
    leaving.abort()
    await expect(asked).rejects.toThrow()
    await expect.poll(() => signals[1]?.aborted).toBe(true)
    expect(logged).toEqual([])
  })

  it('lets what is being answered finish when it closes, ends streams, and frees the port', async () => {
    const answering = gate()
    let calls = 0
    const offer = {
      tools: [tool('slow')],
      call: async () => {
        calls += 1
        await answering.held()
        return { ok: true, structured: { echoed: 'done' }, links: [] } as const
      },
    }
    const { url, gateway, source } = await serve({ 1: 'a' }, offer)
    const session = await RawSession.start(url)
    const [legacy, modern] = [await session.stream(), await listen(url, { resourceSubscriptions: ['shop://item/1'] })]
    const asked = session.request('tools/call', { name: 'slow' })
    const askedModern = modernRequest(url, 'tools/call', { name: 'slow' })
    await expect.poll(() => calls).toBe(2)

    const closed = gateway.close()
    answering.release()
    expect(await asked).toMatchObject({ result: { structuredContent: { echoed: 'done' } } })
    expect(await (await askedModern).json()).toMatchObject({ result: { structuredContent: { echoed: 'done' } } })
    await closed
    await Promise.all([legacy.ended, modern.ended])
    expect(modern.messages.at(-1)).toMatchObject({ id: 1, result: { resultType: 'complete' } })
    expect(source.listenerCount).toBe(0)
    const again = await serve({}, {}, { port: Number(new URL(url).port) })
    expect(again.url).toBe(url)
  })

  it('closes though somebody never finishes', async () => {
    const offer = { tools: [tool('hang')], call: () => new Promise<never>(() => undefined) }
    const { url, gateway } = await serve({}, offer, { closeMs: 50 })
    const session = await RawSession.start(url)
    const outcomes = Promise.allSettled([
      post(url, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hang' } }, session.headers),
      modernRequest(url, 'tools/call', { name: 'hang' }),
    ])
    await gateway.close()
    await outcomes
  })
})
