/**
 * One legacy session: an SDK transport and server, the stream that its host keeps open, and what the host must be told
 * once it opens one. At most one stream is open: a new GET displaces the old one, which is often dead without the server
 * knowing.
 */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { CatalogueSource } from '../catalogue/types.ts'
import { errorResponse, type OpenStream, sendResponse } from './http-exchange.ts'
import { bothChanges, changedLists, type ListChange, unchanged } from './list-change.ts'
import type { GatewayOptions } from './options.ts'
import { gatewayServer, type LegacyHost, sendListChanged } from './server.ts'
import { SessionEvents } from './session-events.ts'
import type { Audience, Subscriptions } from './subscriptions.ts'

/** First revision whose hosts know an event without data; earlier ones would take it for a broken message. */
const firstWithPriming = '2025-11-25'

const requestSchema = z.object({ id: z.union([z.string(), z.number()]), method: z.string() })
const cancellationSchema = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
})

export interface SessionOptions extends GatewayOptions {
  /** Milliseconds between two keep-alives of a stream. */
  readonly keepAliveMs: number
  /** Client whose token opened it; undefined where nobody needs one. */
  readonly owner: string | undefined
  /** Under whose name it is counted; undefined where that cannot be told. */
  readonly holder: string | undefined
}

export class Session implements Audience {
  readonly id = randomUUID()
  /** The catalogue that its host sees. */
  readonly sees: CatalogueSource
  readonly #options: SessionOptions
  readonly #subscriptions: Subscriptions
  readonly #events = new SessionEvents()
  readonly #transport: WebStandardStreamableHTTPServerTransport
  readonly #server: ReturnType<typeof gatewayServer>
  /** Ends the wait for answers that the SDK never gives: those of cancelled requests, and of an ended session. */
  readonly #answering = new Map<string | number, (response: Response) => void>()
  #stream: ServerResponse | undefined
  #lastUse = Date.now()
  #unheard: ListChange = unchanged

  constructor(source: CatalogueSource, subscriptions: Subscriptions, options: SessionOptions, ended: () => void) {
    this.sees = source
    this.#options = options
    this.#subscriptions = subscriptions
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => this.id,
      enableJsonResponse: true,
      eventStore: this.#events,
      keepAliveMs: options.keepAliveMs,
    })
    const host: LegacyHost = {
      audience: this,
      book: subscriptions.book,
      unsubscribed: (uri) => this.#events.forget(uri),
      knows: (subject) => this.#events.known(subject),
    }
    this.#server = gatewayServer(source, 'legacy', options, { host })
    this.#server.onclose = () => {
      subscriptions.leave(this)
      for (const answer of this.#answering.values()) answer(errorResponse(404, -32001, 'Session not found'))
      ended()
    }
  }

  /** Client whose token opened it, and who alone may use it. */
  get owner(): string | undefined {
    return this.#options.owner
  }

  get client(): string | undefined {
    return this.#options.holder
  }

  /** Whether the host's `initialize` was accepted. */
  get isInitialized(): boolean {
    return this.#transport.sessionId !== undefined
  }

  /** Milliseconds for which nothing was asked and no stream was open. */
  idleMs(now: number): number {
    return this.isOpen() || this.#answering.size > 0 ? 0 : now - this.#lastUse
  }

  async start(): Promise<void> {
    await this.#server.connect(this.#transport)
    this.#subscriptions.join(this, this.sees)
  }

  async close(): Promise<void> {
    await this.#server.close()
  }

  isOpen(): boolean {
    return this.#stream !== undefined
  }

  tell(uri: string): void {
    this.#options.observer?.notified('resource_updated')
    this.#send(this.#server.sendResourceUpdated({ uri }))
  }

  listsChanged(change: ListChange): void {
    if (!this.isOpen()) {
      this.#unheard = bothChanges(this.#unheard, change)
      return
    }
    for (const list of changedLists(change)) {
      this.#options.observer?.notified(`${list}_list_changed`)
      this.#send(sendListChanged(this.#server, list))
    }
  }

  /** Answers a POST or DELETE of this session. */
  async answer(request: Request, body: unknown): Promise<Response> {
    this.#lastUse = Date.now()
    const asked = requestSchema.safeParse(body)
    if (!asked.success) {
      const response = await this.#transport.handleRequest(request, { parsedBody: body })
      this.#endCancelled(body)
      return response
    }
    const { id } = asked.data
    const unanswered = Promise.withResolvers<Response>()
    this.#answering.set(id, unanswered.resolve)
    const hungUp = (): void => this.#cancel(id)
    request.signal.addEventListener('abort', hungUp, { once: true })
    try {
      return await Promise.race([this.#transport.handleRequest(request, { parsedBody: body }), unanswered.promise])
    } finally {
      request.signal.removeEventListener('abort', hungUp)
      this.#answering.delete(id)
      this.#lastUse = Date.now()
    }
  }

  /** Opens the session's stream on a GET, and tells what the host missed. */
  async openStream(request: Request, outgoing: ServerResponse): Promise<OpenStream | undefined> {
    const lastEventId = request.headers.get('last-event-id')
    if (request.headers.get('accept')?.includes('text/event-stream')) this.#transport.closeStandaloneSSEStream()
    const from = this.#resumeFrom(request, lastEventId)
    const response = await this.#transport.handleRequest(request)
    const version = request.headers.get('mcp-protocol-version') ?? ''
    const first = version >= firstWithPriming ? `id: ${from}\ndata: \n\n` : ': open\n\n'
    const stream = await sendResponse(response, outgoing, first)
    if (stream === undefined) return undefined
    this.#stream = outgoing
    const ended = stream.ended.finally(() => {
      if (this.#stream === outgoing) this.#stream = undefined
      this.#lastUse = Date.now()
    })
    this.#catchUp()
    return { ended }
  }

  /** The event after which the stream goes on. Where the host names none, the request is made to ask for the unseen ones. */
  #resumeFrom(request: Request, lastEventId: string | null): string {
    if (lastEventId !== null) {
      this.#events.saw(lastEventId)
      return this.#events.resumable(lastEventId)
    }
    const { from, id } = this.#events.start
    if (from !== null) request.headers.set('last-event-id', from)
    return id
  }

  #catchUp(): void {
    const unheard = this.#unheard
    this.#unheard = unchanged
    this.listsChanged(unheard)
    this.#subscriptions.book.opened(this)
  }

  /** Cancels a request whose host hung up: its answer was to be this connection's, and could be fetched by no other. */
  #cancel(requestId: string | number): void {
    const cancellation = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId, reason: 'The connection was closed.' },
    } as const
    this.#transport.onmessage?.(cancellation)
    this.#endCancelled(cancellation)
  }

  /** Ends the POST of a cancelled request, which gets no answer. */
  #endCancelled(body: unknown): void {
    const cancellation = cancellationSchema.safeParse(body)
    if (!cancellation.success) return
    const { requestId } = cancellation.data.params
    this.#transport.closeSSEStream(requestId)
    this.#answering.get(requestId)?.(new Response(null, { status: 202 }))
  }

  /** A stream that ends while something is sent is no failure: the event is kept until the host resumes. */
  #send(sending: Promise<void>): void {
    sending.catch((error: unknown) => this.#options.log.debug({ err: error, session: this.id }, 'could not be told'))
  }
}
