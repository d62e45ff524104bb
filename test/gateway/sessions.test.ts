/** Legacy sessions over HTTP: their streams, and what their hosts are told however these break. */
import { describe, expect, it } from 'vitest'
import { gate, tool } from './fake-catalogue.ts'
import { serve } from './served.ts'
import { RawSession } from './wire.ts'

const [one, two] = ['shop://item/1', 'shop://item/2']

describe('a legacy session', () => {
  it('is told what changed while it had no stream when it opens one, once', async () => {
    const { url, source } = await serve()
    const session = await RawSession.start(url)
    await session.request('resources/subscribe', { uri: one })
    await session.request('resources/subscribe', { uri: two })
    source.publish({ 1: 'A', 2: 'b' }, { resourcesChanged: true })

    const stream = await session.stream()
    await expect.poll(() => stream.updates).toEqual([one])
    source.publish({ 1: 'A', 2: 'B' })
    await expect.poll(() => stream.updates).toEqual([one, two])
    expect(stream.messages).toContainEqual({ jsonrpc: '2.0', method: 'notifications/resources/list_changed' })
    expect(stream.messages).toHaveLength(3)
  })

  it('is not told of what changed back while it had no stream', async () => {
    const { url, source } = await serve()
    const session = await RawSession.start(url)
    await session.request('resources/subscribe', { uri: one })
    await session.request('resources/subscribe', { uri: two })
    source.publish({ 1: 'A', 2: 'b' })
    source.publish({ 1: 'a', 2: 'B' })

    const stream = await session.stream()
    await expect.poll(() => stream.updates).toEqual([two])
  })

  it('is told of what changed back where it has read what was in between', async () => {
    const { url, source } = await serve()
    const session = await RawSession.start(url)
    await session.request('resources/subscribe', { uri: one })
    source.publish({ 1: 'A' })
    await session.request('resources/read', { uri: one })
    source.publish({ 1: 'a' })

    const stream = await session.stream()
    await expect.poll(() => stream.updates).toEqual([one])
  })

  it('gets a first byte at once, headers that keep proxies from buffering, and keep-alives', async () => {
    const { url } = await serve({}, {}, { keepAliveMs: 20 })
    const session = await RawSession.start(url)
    const stream = await session.stream()
    await expect.poll(() => stream.events).toEqual([{ id: '0', data: '' }])
    await expect.poll(() => stream.comments.length).toBeGreaterThan(1)
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no')
    expect(stream.response.headers.get('cache-control')).toContain('no-transform')
  })

  it('gets no event without data where its revision does not know such', async () => {
    const { url } = await serve()
    const session = await RawSession.start(url, '2025-06-18')
    const stream = await session.stream()
    await expect.poll(() => stream.comments).toEqual([': open'])
    expect(stream.events).toEqual([])
  })

  it('gets again what came after the event that it saw last', async () => {
    const { url, source } = await serve()
    const session = await RawSession.start(url)
    await session.request('resources/subscribe', { uri: one })
    await session.request('resources/subscribe', { uri: two })
    const first = await session.stream()
    source.publish({ 1: 'A', 2: 'b' })
    await expect.poll(() => first.updates).toEqual([one])
    const seen = first.lastEventId
    source.publish({ 1: 'A', 2: 'B' })
    await expect.poll(() => first.updates).toEqual([one, two])
    await first.cut()
    source.publish({ 1: 'AA', 2: 'B' })

    const second = await session.stream({ 'last-event-id': seen ?? '' })
    await expect.poll(() => second.updates).toEqual([two, one])
    expect(second.events[0]).toEqual({ id: seen, data: '' })
  })

  it('resumes from before the first event, and from one that it was never given', async () => {
    const { url, source } = await serve()
    const session = await RawSession.start(url)
    await session.request('resources/subscribe', { uri: one })
    const first = await session.stream()
    await expect.poll(() => first.lastEventId).toBe('0')
    source.publish({ 1: 'A' })
    await expect.poll(() => first.updates).toEqual([one])

    for (const id of ['0', '999', 'nonsense']) {
      const again = await session.stream({ 'last-event-id': id })
      await expect.poll(() => again.updates).toEqual([one])
    }
    const upToDate = await session.stream({ 'last-event-id': '1' })
    source.publish({ 1: 'AA' })
    await expect.poll(() => upToDate.updates).toEqual([one])
    expect(upToDate.lastEventId).toBe('2')
  })

  it('gets nothing again of what it has unsubscribed from', async () => {
    const { url, source } = await serve()
    const session = await RawSession.start(url)
    await session.request('resources/subscribe', { uri: one })
    await session.request('resources/subscribe', { uri: two })
    const first = await session.stream()
    source.publish({ 1: 'A', 2: 'B' })
    await expect.poll(() => first.updates).toEqual([one, two])
    await session.request('resources/unsubscribe', { uri: one })

    const second = await session.stream({ 'last-event-id': '0' })
    await expect.poll(() => second.updates).toEqual([two])
  })

  it('has its old stream displaced by a new one', async () => {
    const { url, source } = await serve()
    const session = await RawSession.start(url)
    await session.request('resources/subscribe', { uri: one })
    const first = await session.stream()
    const second = await session.stream()
    expect(second.response.status).toBe(200)
    await first.ended
    source.publish({ 1: 'A' })
    await expect.poll(() => second.updates).toEqual([one])
    expect(first.updates).toEqual([])
  })

  it('keeps its stream where a GET is not for one', async () => {
    const { url, source } = await serve()
    const session = await RawSession.start(url)
    await session.request('resources/subscribe', { uri: one })
    const stream = await session.stream()
    expect((await session.stream({ accept: 'application/json' })).response.status).toBe(406)
    source.publish({ 1: 'A' })
    await expect.poll(() => stream.updates).toEqual([one])
  })

  it('answers 404 where it is not known or has ended', async () => {
    const { url } = await serve()
    const unknown = new RawSession(url, 'nonesuch', '2025-11-25')
    expect(await unknown.notify('notifications/initialized')).toBe(404)
    expect((await unknown.stream()).response.status).toBe(404)

    const session = await RawSession.start(url)
    const stream = await session.stream()
    expect((await fetch(url, { method: 'DELETE', headers: session.headers })).status).toBe(200)
    await stream.ended
    expect(await session.notify('notifications/initialized')).toBe(404)
  })

  it('answers what was asked when the session is ended meanwhile', async () => {
    const call = gate()
    const { url } = await serve({}, { tools: [tool('hang')], call: () => call.held().then(() => Promise.reject()) })
    const session = await RawSession.start(url)
    const asked = session.request('tools/call', { name: 'hang' })
    await call.reached
    await fetch(url, { method: 'DELETE', headers: session.headers })
    expect(await asked).toMatchObject({ error: { code: -32001 } })
  })

  it('ends when it is not used for long, but not while it has a stream', async () => {
    const { url } = await serve({}, {}, { sessionIdleMs: 60 })
    const [idle, streaming] = [await RawSession.start(url), await RawSession.start(url)]
    await streaming.stream()
    await expect
      .poll(() => idle.notify('notifications/initialized').then((status) => status), { interval: 100 })
      .toBe(404)
    expect(await streaming.notify('notifications/initialized')).toBe(202)
  })

  it('gives way at the limit where it is idle, and keeps newcomers out where none is', async () => {
    const { url } = await serve({}, {}, { maxSessions: 2 })
    const [idle, streaming] = [await RawSession.start(url), await RawSession.start(url)]
    const stream = await streaming.stream()
    await expect.poll(() => stream.events.length).toBe(1)
    const newcomer = await RawSession.start(url)
    expect(await idle.notify('notifications/initialized')).toBe(404)
    await newcomer.stream()
    await expect(RawSession.start(url)).rejects.toThrow('503')
  })

  it('keeps no session of an initialize that is refused', async () => {
    const { url } = await serve({}, {}, { maxSessions: 1 })
    const bad = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    }
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(bad),
    })
    expect(response.status).toBe(406)
    await RawSession.start(url)
  })

  it('gets the error codes that its revision says', async () => {
    const { url } = await serve()
    const session = await RawSession.start(url)
    const missing = await session.request('resources/read', { uri: 'shop://item/none' })
    expect(missing.error).toMatchObject({ code: -32002, data: { uri: 'shop://item/none' } })
    const impossible = await session.request('resources/subscribe', { uri: 'shop://nonsense' })
    expect(impossible.error).toMatchObject({ code: -32002, data: { uri: 'shop://nonsense' } })
    expect((await session.request('resources/read', {})).error).toMatchObject({ code: -32602 })
    expect((await session.request('nonsense')).error).toMatchObject({ code: -32601 })
  })

  it('gets no cache fields, which its era does not know', async () => {
    const { url } = await serve()
    const session = await RawSession.start(url)
    const { result } = await session.request('resources/list')
    expect(result).not.toHaveProperty('ttlMs')
  })

  it('may subscribe to a bounded number of URIs', async () => {
    const { url } = await serve({}, {}, { maxSubscriptions: 1 })
    const session = await RawSession.start(url)
    expect(await session.request('resources/subscribe', { uri: one })).toMatchObject({ result: {} })
    expect(await session.request('resources/subscribe', { uri: two })).toMatchObject({ error: { code: -32602 } })
  })
})
