/** The demo's publisher: a local HTTP server with one file, which answers conditional requests as a real one does. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Publisher {
  readonly url: string
  /** Puts out a new delivery. */
  publish(delivery: Buffer): void
  /** Requests so far, and how many of them were answered `304 Not Modified`. */
  readonly requests: { readonly all: number; readonly notModified: number }
  close(): Promise<void>
}

/** Starts the publisher with its first delivery, under the file's usual name. */
export const startPublisher = async (name: string, first: Buffer): Promise<Publisher> => {
  let delivery = first
  const requests = { all: 0, notModified: 0 }
  const server = createServer((request, response) => {
    requests.all += 1
    const etag = `"${createHash('sha256').update(delivery).digest('hex').slice(0, 16)}"`
    if (request.headers['if-none-match'] === etag) {
      requests.notModified += 1
      response.writeHead(304, { etag }).end()
      return
    }
    response.writeHead(200, { etag, 'content-length': delivery.length, 'content-type': 'application/octet-stream' })
    response.end(request.method === 'HEAD' ? undefined : delivery)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address of this shape.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/${name}`,
    publish: (next) => {
      delivery = next
    },
    requests,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
