/** Streams that are dead without anybody knowing: what was written to them is owed until the host shows that it knows. */
import { afterEach, describe, expect, it } from 'vitest'
import { openRoad, type UnreliableRoad } from '../../bench/unreliable-road.ts'
import { SessionEvents, unseen } from '../../src/gateway/session-events.ts'
import { serve } from './served.ts'
import { type EventStream, RawSession } from './wire.ts'

const [one, two] = ['shop://item/1', 'shop://item/2']
const listChanged = { jsonrpc: '2.0', method: 'notifications/resources/list_changed' }

const roads: UnreliableRoad[] = []
const streams: EventStream[] = []
afterEach(async () => {
  for (const stream of streams.splice(0)) await stream.cut()
  for (const road of roads.splice(0)) await road.close()
})

/** A session that is subscribed to two items, and asks straight; its streams go by roads that can fall silent. */
const start = async () => {
  const { url, source } = await serve()
  const session = await RawSession.start(url)
  await session.request('resources/subscribe', { uri: one })
  await session.request('resources/subscribe', { uri: two })
  const { 'mcp-session-id': id = '', 'mcp-protocol-version': version = '' } = session.headers
  const stream = async (headers?: Record<string, string>): Promise<EventStream> => {
    // One for each: fetch may have a connection ready for the next request, which would fall silent with the others.
    const road = await openRoad(url)
    roads.push(road)
    const opened = await new RawSession(road.url, id, version).stream(headers)
    streams.push(opened)
    return opened
  }
  const silence = (): void => {
    for (const road of roads) road.silence()
  }
  return { source, session, silence, stream }
}

describe('a legacy session whose stream fell silent', () => {
  it('is told on the next stream of what was written to the silent one, without naming an event', async () => {
    const { source, silence, stream } = await start()
    const silent = await stream()
    await expect.poll(() => silent.events.length).toBe(1)
    silence()
    source.publish({ 1: 'A', 2: 'b' }, { resourcesChanged: true })

    const next = await stream()
    await expect.poll(() => next.updates).toEqual([one])
    expect(next.messages).toContainEqual(listChanged)
    expect(silent.updates).toEqual([])
    source.publish({ 1: 'A', 2: 'B' })
    await expect.poll(() => next.updates).toEqual([one, two])
  })

  it('is told on the third stream of what was written to two silent ones', async () => {
    const { source, silence, stream } = await start()
    await stream()
    silence()
    source.publish({ 1: 'A', 2: 'b' })
    const second = await stream()
    silence()
    source.publish({ 1: 'A', 2: 'B' })

    const third = await stream()
    await expect.poll(() => third.updates).toEqual([one, two])
    expect(second.updates.length).toBeLessThan(2)
  })

  it('is not told again of what it read since, nor that a list changed which it asked for since', async () => {
    const { source, session, stream } = await start()
    const first = await stream()
    source.publish({ 1: 'A', 2: 'B' }, { resourcesChanged: true })
    await expect.poll(() => first.updates).toEqual([one, two])
    await session.request('resources/read', { uri: one })
    await session.request('resources/list')
    await first.cut()

    const next = await stream()
    await expect.poll(() => next.updates).toEqual([two])
    source.publish({ 1: 'AA', 2: 'B' })
    await expect.poll(() => next.updates).toEqual([two, one])
    expect(next.messages).not.toContainEqual(listChanged)
  })

  it('is told again of what it read before it changed', async () => {
    const { source, session, silence, stream } = await start()
    await stream()
    await session.request('resources/read', { uri: one })
    silence()
    source.publish({ 1: 'A', 2: 'b' })

    const next = await stream()
    await expect.poll(() => next.updates).toEqual([one])
  })

  it('is not told again of what it showed to have seen by naming a later event, whatever it names afterwards', async () => {
    const { source, silence, stream } = await start()
    const first = await stream()
    source.publish({ 1: 'A', 2: 'b' })
    await expect.poll(() => first.updates).toEqual([one])
    await first.cut()
    const second = await stream({ 'last-event-id': first.lastEventId ?? '' })
    silence()
    source.publish({ 1: 'A', 2: 'B' })

    const third = await stream()
    await expect.poll(() => third.updates).toEqual([two])
    expect(second.updates).toEqual([])
  })
})

describe('the events of a session', () => {
  const update = (uri: string) => ({
    jsonrpc: '2.0' as const,
    method: 'notifications/resources/updated',
    params: { uri },
  })
  const replayed = async (events: SessionEvents, from: string): Promise<string[]> => {
    const ids: string[] = []
    await events.replayEventsAfter(from, { send: async (id) => void ids.push(id) })
    return ids
  }

  it('are one per thing that can change, however often it did', async () => {
    const events = new SessionEvents()
    for (let change = 0; change < 50; change += 1) await events.storeEvent('', update(one))
    await events.storeEvent('', update(two))
    await events.storeEvent('', update(one))
    expect(await replayed(events, '0')).toEqual(['51', '52'])
  })

  it('are none that the host must get again where all of them are known', async () => {
    const events = new SessionEvents()
    expect(events.start).toEqual({ from: null, id: '0' })
    await events.storeEvent('', update(one))
    expect(events.start).toEqual({ from: unseen, id: '0' })
    events.known({ uri: one })
    expect(events.start).toEqual({ from: null, id: '1' })
    await events.storeEvent('', update(one))
    expect(await replayed(events, unseen)).toEqual(['2'])
    events.saw('2')
    expect(events.start).toEqual({ from: null, id: '2' })
    events.saw('0')
    expect(await replayed(events, unseen)).toEqual([])
  })
})
