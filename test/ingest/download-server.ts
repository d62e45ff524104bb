/** An HTTP server on the loopback interface that does, request by request, what a test's script says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void

export interface ScriptedServer extends AsyncDisposable {
  readonly url: string
  /** Headers of the requests that came, in order. */
  readonly requests: readonly IncomingMessage[]
  /** Cuts all connections. */
  cut(): void
}

/** Answers the n-th request by the n-th behaviour, and all further ones by the last. */
export const serve = async (...script: readonly Behaviour[]): Promise<ScriptedServer> => {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    const behaviour = script[Math.min(requests.length, script.length - 1)]
    requests.push(request)
    behaviour?.(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has an address of this shape.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/register.csv`,
    requests,
    cut: () => server.closeAllConnections(),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** 200 with this body and these headers. */
export const ok =
  (body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (_request, response) => {
    response.writeHead(200, { 'content-length': Buffer.byteLength(body), ...headers }).end(body)
  }

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (_request, response) => {
    response.writeHead(code, headers).end()
  }

/** Announces the whole body, sends its first `bytes`, and no more. */
export const stallAfter =
  (bytes: number, body: string, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (_request, response) => {
    response.writeHead(200, { 'content-length': Buffer.byteLength(body), ...headers })
    response.write(Buffer.from(body).subarray(0, bytes))
  }

/** Announces the whole body, sends its first `bytes`, and closes the connection right after. */
export const cutAfter =
  (bytes: number, body: string, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (_request, response) => {
    response.writeHead(200, { 'content-length': Buffer.byteLength(body), ...headers })
    response.write(Buffer.from(body).subarray(0, bytes), () => response.destroy())
  }

/** A server of files that keeps to RFC 9110: conditions, ranges, If-Range. */
export const fileServer =
  (body: string | Buffer, headers: { readonly etag?: string; readonly 'last-modified'?: string }): Behaviour =>
  (request, response) => {
    const condition = request.headers
    if (condition['if-none-match'] !== undefined && condition['if-none-match'] === headers.etag) {
      response.writeHead(304, headers).end()
      return
    }
    const bytes = Buffer.from(body)
    const start = Number(/^bytes=(\d+)-$/.exec(condition.range ?? '')?.[1])
    const isSame = [headers.etag, headers['last-modified']].includes(String(condition['if-range']))
    if (Number.isNaN(start) || !isSame) return void ok(body, { ...headers })(request, response)
    if (start >= bytes.length) {
      response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end()
      return
    }
    const rest = bytes.subarray(start)
    const range = `bytes ${start}-${bytes.length - 1}/${bytes.length}`
    response.writeHead(206, { ...headers, 'content-range': range, 'content-length': rest.length }).end(rest)
  }
