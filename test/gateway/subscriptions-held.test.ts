/** What a gateway keeps for a host: each spelling, each stream, and nothing once the host is gone. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { SubscriptionBook } from '../../src/catalogue/subscription-book.ts'
import { FakeSource } from './fake-catalogue.ts'
import { serve } from './served.ts'
import { listen, RawSession } from './wire.ts'

const one = 'shop://item/1'
const respelled = 'shop://ITEM/1'

describe('a URI that a session subscribed to in several spellings', () => {
  it('is told in each of them, each once, however often it was subscribed to', async () => {
    const { url, source } = await serve()
    const session = await RawSession.start(url)
    for (const uri of [one, respelled, one, respelled]) await session.request('resources/subscribe', { uri })
    const stream = await session.stream()
    source.publish({ 1: 'A', 2: 'b' })
    await expect.poll(() => stream.updates.toSorted()).toEqual([respelled, one])
    source.publish({ 1: 'AA', 2: 'b' })
    await expect.poll(() => stream.updates.toSorted()).toEqual([respelled, respelled, one, one])
  })

  it('stays subscribed in the others when one spelling is given up', async () => {
    const { url, source } = await serve()
    const session = await RawSession.start(url)
    for (const uri of [one, respelled]) await session.request('resources/subscribe', { uri })
    await session.request('resources/unsubscribe', { uri: one })
    const stream = await session.stream()
    source.publish({ 1: 'A', 2: 'b' })
    await expect.poll(() => stream.updates).toEqual([respelled])
    await session.request('resources/unsubscribe', { uri: respelled })
    await session.request('resources/subscribe', { uri: 'shop://item/2' })
    source.publish({ 1: 'AA', 2: 'B' })
    await expect.poll(() => stream.updates).toEqual([respelled, 'shop://item/2'])
  })

  it('is given up without a word in a spelling that was never subscribed to', async () => {
    const { url } = await serve()
    const session = await RawSession.start(url)
    expect(await session.request('resources/unsubscribe', { uri: one })).toMatchObject({ result: {} })
  })
})

describe('a session that opens several streams at once', () => {
  it('has one in the end, and is told of each change on it alone', async () => {
    const { url, source } = await serve()
    const session = await RawSession.start(url)
    await session.request('resources/subscribe', { uri: one })
    const streams = await Promise.all(Array.from({ length: 4 }, () => session.stream()))
    const open = new Set(streams)
    for (const stream of streams) void stream.ended.then(() => open.delete(stream))
    await expect.poll(() => open.size).toBe(1)
    source.publish({ 1: 'A', 2: 'b' })
    await expect.poll(() => [...open].flatMap(({ updates }) => updates)).toEqual([one])
    expect(streams.flatMap(({ updates }) => updates)).toEqual([one])
  })
})

/** Bytes of the heap without garbage. */
const liveHeap = (): number => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

describe('what was kept for a host', () => {
  it('is no longer read when its session has expired, or its stream has ended', async () => {
    const { url, source } = await serve({}, {}, { sessionIdleMs: 60 })
    const session = await RawSession.start(url)
    await session.request('resources/subscribe', { uri: one })
    const modern = await listen(url, { resourceSubscriptions: ['shop://item/2'] })
    const staying = await listen(url, { resourceSubscriptions: ['shop://item/3'] })
    await modern.cut()
    await expect.poll(() => session.notify('notifications/initialized'), { interval: 100 }).toBe(404)
    source.digestCalls.length = 0
    source.publish({ 1: 'A', 2: 'B', 3: 'C' })
    await expect.poll(() => staying.updates).toEqual(['shop://item/3'])
    expect(source.digestCalls).toEqual([['shop://item/3']])
  })

  it('is freed: subscribers that come and go leave no memory behind', async () => {
    const source = new FakeSource({})
    const book = new SubscriptionBook(source, () => undefined)
    const round = async (): Promise<number> => {
      for (let host = 0; host < 20; host += 1) {
        const subscriber = { isOpen: () => false, tell: () => undefined }
        await book.subscribe(
          subscriber,
          Array.from({ length: 500 }, (_, item) => `shop://item/${host}-${item}`),
        )
        book.shown(subscriber, `shop://item/${host}-0`, 'x')
        book.forget(subscriber)
      }
      await book.settled()
      source.digestCalls.length = 0
      return liveHeap()
    }
    // The first rounds compile and cache.
    await round()
    const before = await round()
    for (let index = 0; index < 3; index += 1) await round()
    // Each round holds some megabytes while it lasts.
    expect((await round()) - before).toBeLessThan(1024 * 1024)
    await book.close()
  })
})
