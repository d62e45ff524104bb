/** The modern era over HTTP, on the wire. */
import { describe, expect, it } from 'vitest'
import { StichtagError } from '../../src/errors.ts'
import { gate } from './fake-catalogue.ts'
import { serve } from './served.ts'
import { listen, modernRequest } from './wire.ts'

const [one, two] = ['shop://item/1', 'shop://item/2']
const subscriptionId = 'io.modelcontextprotocol/subscriptionId'

describe('the modern era', () => {
  it.each(['public', 'private'] as const)(
    'says how long everything stays fresh, and to whom (%s)',
    async (cacheScope) => {
      const { url } = await serve({ 1: 'a' }, { listTtlMs: 1234.5 }, { cacheScope })
      const fields = async (method: string, params = {}) => {
        const answer = (await (await modernRequest(url, method, params)).json()) as { result?: Record<string, unknown> }
        return [answer.result?.ttlMs, answer.result?.cacheScope]
      }
      expect(await fields('server/discover')).toEqual([3_600_000, cacheScope])
      expect(await fields('tools/list')).toEqual([1235, cacheScope])
      expect(await fields('prompts/list')).toEqual([1235, cacheScope])
      expect(await fields('resources/list')).toEqual([1235, cacheScope])
      expect(await fields('resources/templates/list')).toEqual([1235, cacheScope])
      expect(await fields('resources/read', { uri: one })).toEqual([5000, cacheScope])
    },
  )

  it('says what it can do, and how to work with it', async () => {
    const { url } = await serve()
    const answer = await (await modernRequest(url, 'server/discover')).json()
    expect(answer).toMatchObject({
      result: {
        supportedVersions: ['2026-07-28'],
        capabilities: {
          tools: { listChanged: true },
          resources: { subscribe: true, listChanged: true },
          completions: {},
        },
      },
    })
    expect(JSON.stringify(answer)).toContain('licence')
  })

  it('says -32602 with the URI where nothing is found', async () => {
    const { url } = await serve()
    const answer = await (await modernRequest(url, 'resources/read', { uri: 'shop://item/none' })).json()
    expect(answer).toMatchObject({ error: { code: -32602, data: { uri: 'shop://item/none' } } })
  })

  it('acknowledges a stream first, and says with each update whose it is', async () => {
    const { url, source } = await serve()
    const stream = await listen(url, { resourceSubscriptions: [one] })
    source.publish({ 1: 'A', 2: 'B' })
    await expect.poll(() => stream.messages.length).toBe(2)
    expect(stream.messages).toMatchObject([
      {
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: { resourceSubscriptions: [one] }, _meta: { [subscriptionId]: 1 } },
      },
      { method: 'notifications/resources/updated', params: { uri: one, _meta: { [subscriptionId]: 1 } } },
    ])
  })

  it('tells what was published between the request and its acknowledgement', async () => {
    const { url, source } = await serve()
    const reading = gate()
    source.beforeDigests = reading.held
    const opening = listen(url, { resourceSubscriptions: [one] })
    await reading.reached
    source.publish({ 1: 'A' })
    reading.release()
    const stream = await opening
    await expect.poll(() => stream.updates).toEqual([one])
  })

  it('gives each stream its own, and lists only to those who asked', async () => {
    const { url, source } = await serve()
    const [first, second, lists] = await Promise.all([
      listen(url, { resourceSubscriptions: [one] }),
      listen(url, { resourceSubscriptions: [one, two] }),
      listen(url, { toolsListChanged: true }),
    ])
    source.publish({ 1: 'A', 2: 'B' }, { toolsChanged: true, resourcesChanged: true })
    await expect.poll(() => second.updates.toSorted()).toEqual([one, two])
    await expect.poll(() => first.updates).toEqual([one])
    await expect.poll(() => lists.messages.length).toBe(2)
    expect(lists.messages[1]).toMatchObject({ method: 'notifications/tools/list_changed' })
    expect([first.messages.length, second.messages.length]).toEqual([2, 3])
  })

  it('acknowledges only what can ever be', async () => {
    const { url } = await serve()
    const stream = await listen(url, { resourceSubscriptions: [one, 'shop://nonsense', 'other://item/1'] })
    await expect.poll(() => stream.messages.length).toBe(1)
    expect(stream.messages[0]).toMatchObject({ params: { notifications: { resourceSubscriptions: [one] } } })
  })

  it('frees the subscriptions of a stream that is cut', async () => {
    const { url, source } = await serve()
    const stream = await listen(url, { resourceSubscriptions: [one] })
    await stream.cut()
    await listen(url, { resourceSubscriptions: [two] })
    let version = 0
    const urisRead = async () => {
      source.digestCalls.length = 0
      version += 1
      source.publish({ 1: `v${version}`, 2: `v${version}` })
      await expect.poll(() => source.digestCalls.length).toBeGreaterThan(0)
      return source.digestCalls.flat()
    }
    await expect.poll(urisRead).toEqual([two])
  })

  it('keeps nothing of a stream that is refused', async () => {
    const { url, source } = await serve({}, {}, { maxStreams: 1 })
    await listen(url, { resourceSubscriptions: [one] })
    const refused = await modernRequest(url, 'subscriptions/listen', {
      notifications: { resourceSubscriptions: [two] },
    })
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining('Try again later') },
    })
    source.digestCalls.length = 0
    source.publish({ 1: 'A', 2: 'B' })
    await expect.poll(() => source.digestCalls.flat()).toEqual([one])
  })

  it('refuses a stream with more subscriptions than it keeps, in words to act on', async () => {
    const { url } = await serve({}, {}, { maxSubscriptions: 2 })
    const uris = ['shop://item/1', 'shop://item/2', 'shop://item/3']
    const listening = { notifications: { resourceSubscriptions: uris } }
    const refused = await (await modernRequest(url, 'subscriptions/listen', listening)).json()
    expect(refused).toMatchObject({ id: 1, error: { code: -32602, message: expect.stringContaining('At most 2') } })
    const stream = await listen(url, { resourceSubscriptions: uris.slice(0, 2) })
    await expect.poll(() => stream.messages.length).toBe(1)
    await stream.cut()
  })

  it('says what is wrong with a listen request', async () => {
    const { url } = await serve()
    const answer = await modernRequest(url, 'subscriptions/listen', { notifications: { resourceSubscriptions: 1 } })
    expect(await answer.json()).toMatchObject({ error: { code: -32602 } })
  })

  it('refuses a stream whose resources cannot be read', async () => {
    const { url, source } = await serve()
    source.beforeDigests = () => Promise.reject(new StichtagError('QUEUE_FULL', 'Too many statements wait.'))
    const answer = await modernRequest(url, 'subscriptions/listen', { notifications: { resourceSubscriptions: [one] } })
    expect(await answer.json()).toMatchObject({ id: 1, error: { code: -32603, message: 'Too many statements wait.' } })
  })

  it('keeps an idle stream alive', async () => {
    const { url } = await serve({}, {}, { keepAliveMs: 20 })
    const stream = await listen(url, { toolsListChanged: true })
    await expect.poll(() => stream.comments.length).toBeGreaterThan(1)
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no')
  })

  it('says 405 where a session of the other era is meant', async () => {
    const { url } = await serve()
    expect((await fetch(url, { headers: { accept: 'text/event-stream' } })).status).toBe(405)
  })
})
