/**
 * The gateway over HTTP: one address for both eras. Each request passes, in this order: from where (403), to what (404),
 * how (405), who asks (401) and how often (429), what (415) and how much (413), and goes to the leg of its era, which the
 * SDK tells apart. `close` lets what is being answered finish, then ends the streams, the sessions and the timers, and
 * frees the port.
 */
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpHttpHandler,
  type McpRequestContext,
} from '@modelcontextprotocol/server'
import type { CatalogueSource } from '../catalogue/types.ts'
import { StichtagError } from '../errors.ts'
import { AuthorisedSources } from './authorised.ts'
import { lackingDataset, metadataPath } from './authority.ts'
import { type Asker, Door, waitingName } from './door.ts'
import { claimsModern } from './era-claim.ts'
import { protocolError } from './host-error.ts'
import { errorResponse, type OpenStream, type Refuse, readBody, sendResponse, webRequest } from './http-exchange.ts'
import { guardOf } from './http-guard.ts'
import { isOperationPath, needsToken, type OperationPath, operationResponse } from './http-operations.ts'
import type { HttpOptions } from './http-options.ts'
import { type Listener, ListenStreams, listenSchema } from './listen-streams.ts'
import { Metrics } from './metrics.ts'
import { requestId, withinRequest } from './request-context.ts'
import { gatewayServer } from './server.ts'
import { Sessions } from './sessions.ts'
import { defaultShare, limitOf } from './shares.ts'
import { Subscriptions } from './subscriptions.ts'

export interface HttpGateway {
  /** Where hosts connect, the path included. */
  readonly url: string
  close(): Promise<void>
}

const path = '/mcp'
const methods = 'GET, POST, DELETE'
const internalError = JSON.stringify({ jsonrpc: '2.0', error: { code: -32603, message: 'Internal error' }, id: null })

const isMetadataPath = (asked: string): boolean => asked === metadataPath || asked === `${metadataPath}${path}`

/**
 * Serves a catalogue over HTTP.
 * @throws ADDRESS_UNAVAILABLE where the address cannot be listened on.
 */
export const serveHttp = async (source: CatalogueSource, options: HttpOptions): Promise<HttpGateway> => {
  const gateway = new Gateway(source, options)
  return { url: await gateway.listen(), close: () => gateway.close() }
}

class Gateway {
  readonly #source: CatalogueSource
  readonly #options: HttpOptions
  readonly #refusalOf: ReturnType<typeof guardOf>
  readonly #door: Door
  readonly #authorised: AuthorisedSources
  /** The catalogue that a modern request is answered from. */
  readonly #seenBy = new WeakMap<Request, CatalogueSource>()
  readonly #metrics: Metrics
  readonly #unlisten: (() => void)[] = []
  readonly #subscriptions: Subscriptions
  readonly #sessions: Sessions
  readonly #streams: ListenStreams
  readonly #modern: McpHttpHandler
  readonly #server: HttpServer
  readonly #answering = new Set<Promise<void>>()
  readonly #streaming = new Set<Promise<void>>()
  #closing: Promise<void> | undefined

  constructor(source: CatalogueSource, given: HttpOptions) {
    this.#metrics = new Metrics(() => ({
      catalogue: source.current,
      sessions: this.#sessions.size,
      streams: this.#subscriptions.openStreams,
      subscriptions: this.#subscriptions.count,
      readers: given.readers?.(),
    }))
    // What only those with a token may see, no proxy may keep for others (DESIGN §4.7).
    const isPrivate = given.authority === undefined ? {} : { cacheScope: 'private' as const }
    const share = given.clientShare ?? defaultShare
    const allSubscriptions = limitOf(given.maxAllSubscriptions ?? 1_000_000, share)
    const options = { ...given, ...isPrivate, observer: this.#metrics, allSubscriptions }
    this.#source = source
    this.#options = options
    this.#refusalOf = guardOf(options.host, options)
    const keepAliveMs = options.keepAliveMs ?? 15_000
    this.#door = new Door(
      options,
      () => source.current.datasets,
      (error) => options.log.error({ err: error }, 'nobody is let in while tokens cannot be checked'),
    )
    this.#authorised = new AuthorisedSources(source)
    this.#subscriptions = new Subscriptions(source, options.log)
    this.#sessions = new Sessions(this.#subscriptions, {
      ...options,
      keepAliveMs,
      sessions: limitOf(options.maxSessions ?? 1000, share),
      sessionIdleMs: options.sessionIdleMs ?? 3_600_000,
    })
    if (given.authority !== undefined) {
      this.#unlisten.push(given.authority.onRevoked((client) => this.#sessions.endOf(client)))
    }
    const streams = limitOf(options.maxStreams ?? 1024, share)
    this.#streams = new ListenStreams(this.#subscriptions, { ...options, streams })
    const seenBy = (request: Request | undefined) => (request && this.#seenBy.get(request)) ?? source
    // The SDK turns away requests whose method is not also in this header, before it asks for a server.
    const only = (request: Request | undefined) => {
      const method = request?.headers.get('mcp-method')
      return method ? { only: method.trim() } : {}
    }
    const serverFor = ({ era, requestInfo }: McpRequestContext) =>
      gatewayServer(seenBy(requestInfo), era, options, only(requestInfo))
    this.#modern = createMcpHandler(serverFor, {
      legacy: 'reject',
      bus: this.#streams,
      keepAliveMs,
      maxSubscriptions: streams.most,
      onerror: (error) => options.log.debug({ err: error }, 'the protocol reported an error'),
    })
    const take = (incoming: IncomingMessage, outgoing: ServerResponse) => this.#take(incoming, outgoing)
    if (options.tls === undefined) this.#server = createServer(take)
    else {
      const server = createTlsServer(options.tls.current, take)
      this.#unlisten.push(options.tls.onRenewed((renewed) => server.setSecureContext(renewed)))
      this.#server = server
    }
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
    return `${this.#options.tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${address.port}${path}`
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
    for (const unlisten of this.#unlisten) unlisten()
    this.#door.close()
    await this.#subscriptions.close()
    this.#server.closeAllConnections()
    await closed
  }

  #take(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const gone = new AbortController()
    const request = requestId(incoming.headers['x-request-id'])
    outgoing.setHeader('x-request-id', request)
    // Once it is answered, there is nothing to break off; the error that aborting makes would cost more than the answer's head.
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) gone.abort()
    })
    outgoing.on('error', (error) => this.#options.log.debug({ err: error, request }, 'an answer could not be written'))
    const answering = withinRequest({ request }, () => this.#answer(incoming, outgoing, gone.signal, request))
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
    this.#options.log.error({ err: error, request: outgoing.getHeader('x-request-id') }, 'an HTTP request failed')
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(500, { 'content-type': 'application/json' }).end(internalError)
  }

  async #answer(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    gone: AbortSignal,
    request: string,
  ): Promise<OpenStream | undefined> {
    const refuse: Refuse = (status, code, message, headers) => {
      this.#metrics.refused(status)
      return sendResponse(errorResponse(status, code, message, headers), outgoing)
    }
    const refusal = this.#refusalOf(incoming)
    if (refusal !== undefined) return refuse(403, -32000, refusal)
    const asked = incoming.url?.split('?')[0] ?? ''
    const method = incoming.method ?? ''
    const { authority } = this.#options
    const metadata = authority?.metadata?.bind(authority)
    if (metadata !== undefined && method === 'GET' && isMetadataPath(asked)) {
      return sendResponse(Response.json(metadata(this.#source.current.datasets)), outgoing)
    }
    if (asked !== path && !isOperationPath(asked))
      return refuse(404, -32000, `Nothing is here. Stichtag speaks MCP at ${path}.`)
    const allow = asked === path ? methods : 'GET'
    if (!allow.split(', ').includes(method)) return refuse(405, -32000, 'Method not allowed', { allow })
    if (isOperationPath(asked) && !needsToken(asked)) {
      return sendResponse(await this.#operate(asked, await this.#door.knows(incoming)), outgoing)
    }
    const admitted = await this.#door.admit(incoming, outgoing)
    if ('status' in admitted) return refuse(admitted.status, -32000, admitted.message, admitted.headers)
    if (isOperationPath(asked)) {
      if (admitted.datasets !== undefined) return refuse(403, -32000, 'This token is limited to some datasets.')
      return sendResponse(await this.#operate(asked, true), outgoing)
    }
    if (this.#closing !== undefined) return refuse(503, -32000, 'The gateway is shutting down', { connection: 'close' })
    return withinRequest({ request, client: admitted.client, waitsAs: waitingName(admitted, incoming) }, () =>
      this.#answerMcp(incoming, outgoing, gone, admitted, refuse),
    )
  }

  #operate(asked: OperationPath, isKnown: boolean): Promise<Response> {
    return operationResponse(
      asked,
      {
        catalogue: this.#source.current,
        metrics: this.#metrics,
        required: this.#options.requiredDatasets ?? [],
        isClosing: this.#closing !== undefined,
      },
      isKnown,
    )
  }

  async #answerMcp(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    gone: AbortSignal,
    asker: Asker,
    refuse: Refuse,
  ): Promise<OpenStream | undefined> {
    const request = webRequest(incoming, gone)
    const sees = this.#authorised.of(asker.datasets)
    if (incoming.method !== 'POST') return this.#sessions.answer(incoming, request, undefined, outgoing, asker, sees)
    if (!isJsonContentType(request.headers.get('content-type'))) {
      return refuse(415, -32000, 'Unsupported Media Type: Content-Type must be application/json')
    }
    const body = await readBody(incoming, this.#options.maxBodyBytes ?? 4 * 1024 * 1024)
    if (body.kind === 'too large') return refuse(413, -32000, 'The request is too large', { connection: 'close' })
    if (body.kind === 'not json') return refuse(400, -32700, 'Parse error: the body is not JSON')
    const lacking = this.#lacking(body.value, asker, sees)
    if (lacking !== undefined) return refuse(403, -32000, lacking.message, { 'www-authenticate': lacking.challenge })
    return !claimsModern(body.value) && (await isLegacyRequest(request, body.value))
      ? this.#sessions.answer(incoming, request, body.value, outgoing, asker, sees)
      : sendResponse(await this.#answerModern(request, body.value, { ...asker, sees }), outgoing)
  }

  /** Where tokens come from a server, a host can get one for more: it is told which, instead of that nothing is there. */
  #lacking(body: unknown, { datasets }: Asker, sees: CatalogueSource) {
    const { authority } = this.#options
    if (datasets === undefined || authority?.tellsLackingDatasets !== true) return undefined
    const dataset = this.#authorised.lacking(body, sees)
    return dataset === undefined ? undefined : lackingDataset(authority, datasets, dataset)
  }

  async #answerModern(request: Request, body: unknown, listener: Listener): Promise<Response> {
    this.#seenBy.set(request, listener.sees)
    const listen = listenSchema.safeParse(body)
    if (!listen.success) return this.#modern.fetch(request, { parsedBody: body })
    try {
      return await this.#streams.opening(listen.data, listener, (served) =>
        this.#modern.fetch(request, { parsedBody: served }),
      )
    } catch (thrown) {
      const { code, message } = protocolError(thrown, { method: 'subscriptions/listen' }, this.#options.log)
      return Response.json({ jsonrpc: '2.0', id: listen.data.id, error: { code, message } })
    }
  }
}
