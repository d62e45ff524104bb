/**
 * Asks an MCP server over HTTP as fast as it answers, on some connections at once, and counts. A process of its own, so that it takes
 * nothing from the server's; on bare sockets, since Node's HTTP client would cost more than some servers do.
 *
 *     node bench/load-generator.ts '{"url": …, "era": "legacy", "method": …, "asked": [{"params": …, "expects": …}], …}'
 *
 * Prints `{"requests": n, "seconds": s, "cpuSeconds": c}`; `cpuSeconds` is what the server and its children took. An answer that is
 * no result, or lacks what is expected of it, ends it with status 1: speed of wrong answers is none.
 */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { cpuSecondsOf } from './harness/measure.ts'

export interface Load {
  readonly url: string
  readonly era: 'legacy' | 'modern'
  readonly method: string
  /** Asked in turn, each connection beginning elsewhere. `expects` is in every answer to it. */
  readonly asked: readonly { readonly params: Readonly<Record<string, unknown>>; readonly expects: string }[]
  readonly connections: number
  /** Requests of each connection before it counts. */
  readonly warmUp: number
  readonly seconds: number
  /** Process of the server. */
  readonly processId: number
}

export interface LoadReport {
  readonly requests: number
  readonly seconds: number
  readonly cpuSeconds: number
}

const versions = { legacy: '2025-11-25', modern: '2026-07-28' } as const
const clientInfo = { name: 'load-generator', version: '1.0.0' }

interface Answer {
  readonly head: string
  readonly body: string
}

/** Where an answer's body ends in the text, once all of it is there. */
const endOf = (text: string, bodyAt: number): number | undefined => {
  const head = text.slice(0, bodyAt).toLowerCase()
  const [, length] = /\r\ncontent-length: *(\d+)/.exec(head) ?? []
  if (length !== undefined) return text.length >= bodyAt + Number(length) ? bodyAt + Number(length) : undefined
  // One request at a time: what ends so is the end of its only answer.
  return text.endsWith('0\r\n\r\n') ? text.length : undefined
}

/** One connection that is kept, with one request at a time. Texts are latin1: lengths are bytes. */
class Connection {
  readonly #socket: Socket
  readonly #head: string
  #text = ''
  #answered: ((answer: Answer) => void) | undefined
  #failed: ((error: Error) => void) | undefined

  private constructor(socket: Socket, { host, pathname }: URL) {
    this.#socket = socket
    this.#head =
      `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n` +
      'accept: application/json, text/event-stream\r\n'
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => this.#hear(chunk))
    socket.on('error', (error) => this.#failed?.(error))
    socket.on('close', () => this.#failed?.(new Error('the server closed the connection')))
  }

  static async open(url: URL): Promise<Connection> {
    const socket = connect(Number(url.port), url.hostname)
    await once(socket, 'connect')
    return new Connection(socket, url)
  }

  post(message: string, headers: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve
      this.#failed = reject
      this.#socket.write(
        `${this.#head}${headers}content-length: ${Buffer.byteLength(message)}\r\n\r\n${message}`,
        'utf8',
      )
    })
  }

  end(): void {
    this.#failed = undefined
    this.#socket.destroy()
  }

  #hear(chunk: string): void {
    this.#text += chunk
    const headEnd = this.#text.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const end = endOf(this.#text, headEnd + 4)
    if (end === undefined) return
    const answer = { head: this.#text.slice(0, headEnd), body: this.#text.slice(headEnd + 4, end) }
    this.#text = this.#text.slice(end)
    this.#answered?.(answer)
  }
}

const check = ({ head, body }: Answer, expects: string): void => {
  const isResult = head.startsWith('HTTP/1.1 200') && body.includes('"result"') && !body.includes('"isError":true')
  if (!isResult || !body.includes(expects))
    throw new Error(`not the answer: ${head.slice(0, 200)}\n${body.slice(0, 500)}`)
}

/** Begins a session on a connection; returns the headers of its requests. */
const beginSession = async (connection: Connection): Promise<string> => {
  const params = { protocolVersion: versions.legacy, capabilities: {}, clientInfo }
  const answer = await connection.post(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }), '')
  check(answer, '"protocolVersion"')
  const [, session] = /\r\nmcp-session-id: *([^\r\n]+)/i.exec(answer.head) ?? []
  const headers = `mcp-protocol-version: ${versions.legacy}\r\n${session === undefined ? '' : `mcp-session-id: ${session}\r\n`}`
  await connection.post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }), headers)
  return headers
}

/** A request, ready to be sent. The same on all connections: only a session's headers belong to one. */
interface Prepared {
  readonly headers: string
  readonly message: string
  readonly expects: string
}

const prepared = ({ era, method, asked }: Load): readonly Prepared[] => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': versions.modern,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': clientInfo,
  }
  return asked.map(({ params, expects }, index) => ({
    headers:
      era === 'legacy'
        ? ''
        : `mcp-protocol-version: ${versions.modern}\r\nmcp-method: ${method}\r\nmcp-name: ${String(params.uri ?? params.name)}\r\n`,
    message: JSON.stringify({
      jsonrpc: '2.0',
      id: index + 1,
      method,
      params: era === 'legacy' ? params : { ...params, _meta: meta },
    }),
    expects,
  }))
}

interface Ready {
  readonly connection: Connection
  /** Headers of the connection's session; none on the modern era. */
  readonly session: string
}

const ready = async ({ url, era }: Load): Promise<Ready> => {
  const connection = await Connection.open(new URL(url))
  return { connection, session: era === 'legacy' ? await beginSession(connection) : '' }
}

/** Asks on from a place until a time, or so many times; returns how often. */
const ask = async (
  { connection, session }: Ready,
  requests: readonly Prepared[],
  begin: number,
  goesOn: (count: number) => boolean,
): Promise<number> => {
  let count = 0
  while (goesOn(count)) {
    const request = requests[(begin + count) % requests.length]
    if (request === undefined) throw new Error('there is nothing to ask')
    check(await connection.post(request.message, session + request.headers), request.expects)
    count += 1
  }
  return count
}

/** Loads a server, and counts. */
export const generateLoad = async (load: Load): Promise<LoadReport> => {
  const requests = prepared(load)
  const connections = await Promise.all(Array.from({ length: load.connections }, () => ready(load)))
  const stride = Math.max(1, Math.floor(requests.length / load.connections))
  /** Where each connection is: it goes on there after the warm-up, so that it asks nothing twice before it has asked everything. */
  const places = connections.map((_, index) => index * stride)
  const all = async (goesOn: (count: number) => boolean): Promise<number> => {
    const counts = await Promise.all(connections.map((each, index) => ask(each, requests, places[index] ?? 0, goesOn)))
    for (const [index, count] of counts.entries()) places[index] = (places[index] ?? 0) + count
    return counts.reduce((sum, count) => sum + count, 0)
  }
  await all((count) => count < load.warmUp)
  const cpuBefore = cpuSecondsOf(load.processId)
  const started = performance.now()
  const until = started + load.seconds * 1000
  const asked = await all(() => performance.now() < until)
  const seconds = (performance.now() - started) / 1000
  const cpuSeconds = cpuSecondsOf(load.processId) - cpuBefore
  for (const { connection } of connections) connection.end()
  return { requests: asked, seconds, cpuSeconds }
}

if (import.meta.main) {
  const [path = ''] = process.argv.slice(2)
  // Written by the harness, which has the type.
  const load = JSON.parse(readFileSync(path, 'utf8')) as Load
  process.stdout.write(`${JSON.stringify(await generateLoad(load))}\n`)
}
