import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it } from 'vitest'
import { sendResponse } from '../../src/gateway/http-exchange.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A response under way to a host that reads nothing of it. */
const answering = async (): Promise<{ outgoing: ServerResponse; leave: () => void; take: () => void }> => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // It listens on a port, not on a pipe.
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  closing.push(() => {
    socket.destroy()
    server.close()
  })
  const [, outgoing] = await once(server, 'request')
  return { outgoing, leave: () => socket.destroy(), take: () => void socket.resume() }
}

const eventStream = (pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void, cancel: () => void) =>
  new Response(new ReadableStream<Uint8Array>({ pull, cancel }), { headers: { 'content-type': 'text/event-stream' } })

describe('a stream to a host', () => {
  it('is cut when the host leaves too much of it unread', async () => {
    const { outgoing } = await answering()
    const cancelled = Promise.withResolvers<void>()
    const response = eventStream((controller) => controller.enqueue(new Uint8Array(65_536)), cancelled.resolve)
    const stream = await sendResponse(response, outgoing, '', 100_000)
    await stream?.ended
    await cancelled.promise
    expect(outgoing.destroyed).toBe(true)
  })

  it('ends where it comes from when the host goes away', async () => {
    const { outgoing, leave } = await answering()
    const cancelled = Promise.withResolvers<void>()
    const stream = await sendResponse(
      eventStream(() => undefined, cancelled.resolve),
      outgoing,
    )
    leave()
    await Promise.all([stream?.ended, cancelled.promise])
  })

  it('keeps nothing of what it has sent, however long it stays open', async () => {
    const { outgoing, take } = await answering()
    take()
    const sent: WeakRef<Uint8Array>[] = []
    const cancelled = Promise.withResolvers<void>()
    const response = eventStream((controller) => {
      if (sent.length === 100) return
      const chunk = new Uint8Array(1000)
      sent.push(new WeakRef(chunk))
      controller.enqueue(chunk)
    }, cancelled.resolve)
    const stream = await sendResponse(response, outgoing)
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const kept = async (): Promise<number> => {
      await nextTurn()
      collect()
      return sent.filter((each) => each.deref() !== undefined).length
    }
    await expect.poll(() => sent.length).toBe(100)
    await expect.poll(kept, { timeout: 5000 }).toBeLessThan(10)
    outgoing.destroy()
    await Promise.all([stream?.ended, cancelled.promise])
  })

  it('is not begun where the host has gone already', async () => {
    const { outgoing, leave } = await answering()
    leave()
    await once(outgoing, 'close')
    const cancelled = Promise.withResolvers<void>()
    const response = eventStream(() => undefined, cancelled.resolve)
    expect(await sendResponse(response, outgoing)).toBeUndefined()
    await cancelled.promise
  })
})
