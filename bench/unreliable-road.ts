/**
 * A way to the gateway on which connections can break: cut, which both ends notice, or gone silent, which neither does.
 * Whatever is written to a silent one is received, by the system's books, and arrives nowhere.
 */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface UnreliableRoad {
  /** The gateway's URL by this way. */
  readonly url: string
  /** Cuts all connections of now. */
  cut(): void
  /** Lets all connections of now go silent; they stay open on both sides. */
  silence(): void
  close(): Promise<void>
}

interface Connection {
  readonly host: Socket
  readonly gateway: Socket
}

export const openRoad = async (gatewayUrl: string): Promise<UnreliableRoad> => {
  const target = new URL(gatewayUrl)
  const connections = new Set<Connection>()
  const server = createServer((host) => {
    const gateway = connect(Number(target.port), target.hostname)
    const connection = { host, gateway }
    connections.add(connection)
    host.pipe(gateway)
    gateway.pipe(host)
    const over = (): void => {
      connections.delete(connection)
      host.destroy()
      gateway.destroy()
    }
    for (const socket of [host, gateway]) socket.on('error', over).on('close', over)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the road has no port')
  const cut = (): void => {
    for (const { host, gateway } of connections) {
      host.destroy()
      gateway.destroy()
    }
  }
  return {
    url: `http://127.0.0.1:${address.port}${target.pathname}`,
    cut,
    silence: () => {
      for (const { host, gateway } of connections) {
        host.unpipe(gateway)
        gateway.unpipe(host)
        host.resume()
        gateway.resume()
      }
    },
    close: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
