import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { sendResponse } from '../../src/gateway/http-exchange.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A response under way to a host that reads nothing of it. */
const answering = async (): Promise<{ outgoing: ServerResponse; leave: () => void }> => {
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
  return { outgoing, leave: () => socket.destroy() }
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
