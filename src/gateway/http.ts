/**
 * The gateway over HTTP: one address for both eras. Each request passes, in this order: who asks (403), where (404), how
 * (405, 415), how much (413), and goes to the leg of its era, which the SDK tells apart. `close` lets what is being
 * answered finish, then ends the streams, the sessions and the timers, and frees the port.
 */
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMcpHandler, isJsonContentType, isLegacyRequest, type McpHttpHandler } from '@modelcontextprotocol/server'
import type { CatalogueSource } from '../catalogue/types.ts'
import { StichtagError } from '../errors.ts'
import { protocolError } from './host-error.ts'
import { errorResponse, type OpenStream, readBody, sendResponse, webRequest } from './http-exchange.ts'
import { type GuardOptions, refusalOf } from './http-guard.ts'
import { ListenStreams, listenSchema } from './listen-streams.ts'
import type { GatewayOptions } from './options.ts'
import { gatewayServer } from './server.ts'
import { Sessions } from './sessions.ts'
import { Subscriptions } from './subscriptions.ts'

export interface HttpOptions extends GatewayOptions, GuardOptions {
  /** Address to listen on: `127.0.0.1` for this machine only. */
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Milliseconds between two keep-alives of a stream; 15,000 unless said. */
  readonly keepAliveMs?: number
  /** Bytes of a request's body; 4 MiB unless said. */
  readonly maxBodyBytes?: number
  /** Legacy sessions kept; 1,000 unless said. */
  readonly maxSessions?: number
  /** Milliseconds without a request or a stream after which a session ends; an hour unless said. */
  readonly sessionIdleMs?: number
  /** Modern streams open at once; 1,024 unless said. */
  readonly maxStreams?: number
  /** Milliseconds that `close` waits for what is being answered; 5,000 unless said. */
  readonly closeMs?: number
}

export interface HttpGateway {
  /** Where hosts connect, the path included. */
  readonly url: string
  close(): Promise<void>
}

const path = '/mcp'
const methods = 'GET, POST, DELETE'
const internalError = JSON.stringify({ jsonrpc: '2.0', error: { code: -32603, message: 'Internal error' }, id: null })

/**
 * Serves a catalogue over HTTP.
 * @throws ADDRESS_UNAVAILABLE where the address cannot be listened on.
 */
export const serveHttp = async (source: CatalogueSource, options: HttpOptions): Promise<HttpGateway> => {
  const gateway = new Gateway(source, options)
  return { url: await gateway.listen(), close: () => gateway.close() }
}

class Gateway {
  readonly #options: HttpOptions
  readonly #subscriptions: Subscriptions
  readonly #sessions: Sessions
  readonly #streams: ListenStreams
  readonly #modern: McpHttpHandler
  readonly #server: HttpServer
  readonly #answering = new Set<Promise<void>>()
  readonly #streaming = new Set<Promise<void>>()
  #closing: Promise<void> | undefined

  constructor(source: CatalogueSource, options: HttpOptions) {
    this.#options = options
    const keepAliveMs = options.keepAliveMs ?? 15_000
    this.#subscriptions = new Subscriptions(source, options.log)
    this.#sessions = new Sessions(source, this.#subscriptions, {
      ...options,
      keepAliveMs,
      maxSessions: options.maxSessions ?? 1000,
      sessionIdleMs: options.sessionIdleMs ?? 3_600_000,
    })
    this.#streams = new ListenStreams(source, this.#subscriptions)
    this.#modern = createMcpHandler(({ era }) => gatewayServer(source, era, options), {
      legacy: 'reject',
      bus: this.#streams,
      keepAliveMs,
      maxSubscriptions: options.maxStreams ?? 1024,
      onerror: (error) => options.log.debug({ err: error }, 'the protocol reported an error'),
    })
    this.#server = createServer((incoming, outgoing) => this.#take(incoming, outgoing))
  }

  async listen(): Promise<string> {
    const { host, port } = this.#options
    const listening = Promise.withResolvers<void>()
    this.#server.once('error', listening.reject)
    this.#server.listen(port, host, listening.resolve)
    try {
      await listening.promise
    } catch (cause) {
      await this.close()
      throw new StichtagError('ADDRESS_UNAVAILABLE', `Cannot serve on ${host}:${port}: ${String(cause)}`, { cause })
    }
    this.#server.removeListener('error', listening.reject)
    this.#server.on('error', (error) => this.#options.log.error({ err: error }, 'the HTTP server reported an error'))
    // A server that listens on a port, not a pipe, has an address of this shape.
    const address = this.#server.address() as AddressInfo
    return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}${path}`
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    const patience = Promise.withResolvers<void>()
    const timer = setTimeout(patience.resolve, this.#options.closeMs ?? 5000)
    await Promise.race([Promise.allSettled(this.#answering), patience.promise])
    await Promise.all([this.#modern.close(), this.#sessions.close()])
    await Promise.race([Promise.allSettled(this.#streaming), patience.promise])
    clearTimeout(timer)
    await this.#subscriptions.close()
    this.#server.closeAllConnections()
    await closed
  }

  #take(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const gone = new AbortController()
    outgoing.once('close', () => gone.abort())
    outgoing.on('error', (error) => this.#options.log.debug({ err: error }, 'an answer could not be written'))
    const answering = this.#answer(incoming, outgoing, gone.signal)
      .then((stream) => {
        if (stream !== undefined) this.#follow(stream, outgoing)
      })
      .catch((error: unknown) => this.#failed(error, outgoing))
      .finally(() => this.#answering.delete(answering))
    this.#answering.add(answering)
  }

  #follow(stream: OpenStream, outgoing: ServerResponse): void {
    const streaming = stream.ended
      .catch((error: unknown) => this.#failed(error, outgoing))
      .finally(() => this.#streaming.delete(streaming))
    this.#streaming.add(streaming)
  }

  #failed(error: unknown, outgoing: ServerResponse): void {
    if (outgoing.destroyed) return
    this.#options.log.error({ err: error }, 'an HTTP request failed')
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(500, { 'content-type': 'application/json' }).end(internalError)
  }

  async #answer(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    gone: AbortSignal,
  ): Promise<OpenStream | undefined> {
    const refuse = (status: number, code: number, message: string, headers?: Record<string, string>) =>
      sendResponse(errorResponse(status, code, message, headers), outgoing)
    const refusal = refusalOf(incoming, this.#options.host, this.#options)
    if (refusal !== undefined) return refuse(403, -32000, refusal)
    if (incoming.url?.split('?')[0] !== path)
      return refuse(404, -32000, `Nothing is here. Stichtag speaks MCP at ${path}.`)
    const method = incoming.method ?? ''
    if (!methods.split(', ').includes(method)) return refuse(405, -32000, 'Method not allowed', { allow: methods })
    if (this.#closing !== undefined) return refuse(503, -32000, 'The gateway is shutting down', { connection: 'close' })
    const request = webRequest(incoming, gone)
    if (method !== 'POST') return this.#sessions.answer(incoming, request, undefined, outgoing)
    if (!isJsonContentType(request.headers.get('content-type'))) {
      return refuse(415, -32000, 'Unsupported Media Type: Content-Type must be application/json')
    }
    const body = await readBody(incoming, this.#options.maxBodyBytes ?? 4 * 1024 * 1024)
    if (body.kind === 'too large') return refuse(413, -32000, 'The request is too large', { connection: 'close' })
    if (body.kind === 'not json') return refuse(400, -32700, 'Parse error: the body is not JSON')
    return (await isLegacyRequest(request, body.value))
      ? this.#sessions.answer(incoming, request, body.value, outgoing)
      : sendResponse(await this.#answerModern(request, body.value), outgoing)
  }

  async #answerModern(request: Request, body: unknown): Promise<Response> {
    const listen = listenSchema.safeParse(body)
    if (!listen.success) return this.#modern.fetch(request, { parsedBody: body })
    try {
      return await this.#streams.opening(listen.data, (served) => this.#modern.fetch(request, { parsedBody: served }))
    } catch (thrown) {
      const { code, message } = protocolError(thrown, { method: 'subscriptions/listen' }, this.#options.log)
      return Response.json({ jsonrpc: '2.0', id: listen.data.id, error: { code, message } })
    }
  }
}
