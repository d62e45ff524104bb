/**
 * The wire under a stdio connection. The SDK serves `subscriptions/listen` on it by itself and tells nobody, so that its
 * messages are read here as they pass:
 *
 * 1. a listen request is held until its subscriptions are in the book, then handed on;
 * 2. its acknowledgement going out opens the stream, a refusal or the SDK's final result ends it;
 * 3. `notifications/cancelled` ends it, before it is handed on;
 * 4. events are written here, past the SDK: it would send each to every stream that holds the URI, whatever that stream
 *    was told already.
 *
 * Requests that are being answered are counted, so that the end of stdin does not cut them off.
 */
import {
  type JSONRPCMessage,
  type RequestId,
  type ServerEvent,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server'
import type { CatalogueSource } from '../catalogue/types.ts'
import { protocolError } from './host-error.ts'
import { type Listen, ListenStream, listenSchema, possible } from './listen-streams.ts'
import type { GatewayOptions } from './options.ts'
import { requestId, withinRequest } from './request-context.ts'
import type { Subscriptions } from './subscriptions.ts'

const eventMethods = {
  resource_updated: 'notifications/resources/updated',
  tools_list_changed: 'notifications/tools/list_changed',
  resources_list_changed: 'notifications/resources/list_changed',
  prompts_list_changed: 'notifications/prompts/list_changed',
} as const satisfies Record<ServerEvent['kind'], string>

const eventMessage = (event: ServerEvent, subscriptionId: RequestId): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: eventMethods[event.kind],
  params: {
    ...('uri' in event ? { uri: event.uri } : {}),
    _meta: { [SUBSCRIPTION_ID_META_KEY]: subscriptionId },
  },
})

const isRequestId = (value: unknown): value is RequestId => typeof value === 'string' || typeof value === 'number'

/** The id of the listen stream that a message acknowledges, if it does. */
const acknowledgedId = (message: JSONRPCMessage): RequestId | undefined => {
  if (!('method' in message) || message.method !== 'notifications/subscriptions/acknowledged') return undefined
  const id = message.params?._meta?.[SUBSCRIPTION_ID_META_KEY]
  return isRequestId(id) ? id : undefined
}

const cancelledId = (message: JSONRPCMessage): RequestId | undefined => {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined
  const id = message.params?.requestId
  return isRequestId(id) ? id : undefined
}

export class StdioWire implements Transport {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: ((message: JSONRPCMessage) => void) | undefined
  readonly #inner: Transport
  readonly #source: CatalogueSource
  readonly #subscriptions: Subscriptions
  readonly #options: GatewayOptions
  readonly #closed: () => void
  readonly #streams = new Map<RequestId, ListenStream>()
  readonly #answering = new Set<RequestId>()
  #answered: (() => void) | undefined

  constructor(
    inner: Transport,
    source: CatalogueSource,
    subscriptions: Subscriptions,
    options: GatewayOptions,
    closed: () => void,
  ) {
    this.#inner = inner
    this.#source = source
    this.#subscriptions = subscriptions
    this.#options = options
    this.#closed = closed
  }

  async start(): Promise<void> {
    this.#inner.onmessage = (message: JSONRPCMessage) => this.#receive(message)
    this.#inner.onerror = (error) => {
      if (error.name === 'ZodError') this.#refuseStrange()
      this.onerror?.(error)
    }
    this.#inner.onclose = () => {
      for (const id of [...this.#streams.keys()]) this.#endStream(id)
      this.#answering.clear()
      this.#answered?.()
      this.onclose?.()
      this.#closed()
    }
    await this.#inner.start()
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const isAnswer = !('method' in message) && message.id !== undefined
    if (isAnswer && message.id !== undefined) {
      this.#endStream(message.id)
      this.#answering.delete(message.id)
    }
    await this.#inner.send(message, options)
    const id = acknowledgedId(message)
    if (id !== undefined) this.#openStream(id)
    if (this.#answering.size === 0) this.#answered?.()
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  /** Answers what is no message at all: nobody can tell which request it may have been meant as. */
  refuseMessage(code: number, message: string): void {
    // JSON-RPC 2.0 §5 has null there, which the SDK's type leaves out; it is written as it is.
    this.#write({ jsonrpc: '2.0', id: null, error: { code, message } } as unknown as JSONRPCMessage)
  }

  #refuseStrange(): void {
    this.#options.log.warn({}, 'a line on stdin is JSON and no message of JSON-RPC: it was answered with -32600')
    this.refuseMessage(-32600, 'Invalid Request: this is no message of JSON-RPC 2.0.')
  }

  /** Resolves when every request has been answered. */
  async answered(): Promise<void> {
    if (this.#answering.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#answered = resolve
    await promise
  }

  #receive(message: JSONRPCMessage): void {
    const listen = listenSchema.safeParse(message)
    if (listen.success) {
      this.#prepare(listen.data)
      return
    }
    const cancelled = cancelledId(message)
    if (cancelled !== undefined) {
      this.#endStream(cancelled)
      this.#answering.delete(cancelled)
    }
    if ('method' in message && 'id' in message) this.#answering.add(message.id)
    // Everything that follows from a message is said, in the log, to be about one request.
    withinRequest({ request: requestId() }, () => this.onmessage?.(message))
  }

  #prepare(asked: Listen): void {
    let listen: Listen
    try {
      listen = possible(asked, this.#source, this.#options.maxSubscriptions)
    } catch (thrown) {
      this.#refuse(asked.id, thrown)
      return
    }
    const stream = new ListenStream(listen)
    this.#endStream(listen.id)
    this.#streams.set(listen.id, stream)
    this.#subscriptions.book
      .subscribe(stream, listen.params.notifications.resourceSubscriptions ?? [])
      .then(() => {
        // The rest of the message is as it came; only URIs were taken out of it.
        if (this.#streams.get(listen.id) === stream) this.onmessage?.(listen as unknown as JSONRPCMessage)
      })
      .catch((thrown: unknown) => {
        this.#refuse(listen.id, thrown)
        this.#endStream(listen.id)
      })
  }

  #refuse(id: RequestId, thrown: unknown): void {
    const { code, message } = protocolError(thrown, { method: 'subscriptions/listen' }, this.#options.log)
    this.#write({ jsonrpc: '2.0', id, error: { code, message } })
  }

  #openStream(id: RequestId): void {
    const stream = this.#streams.get(id)
    if (stream === undefined) return
    stream.open((event) => this.#write(eventMessage(event, id)))
    this.#subscriptions.join(stream)
    this.#subscriptions.book.opened(stream)
  }

  #endStream(id: RequestId): void {
    const stream = this.#streams.get(id)
    if (stream === undefined) return
    this.#streams.delete(id)
    this.#subscriptions.leave(stream)
  }

  #write(message: JSONRPCMessage): void {
    this.#inner.send(message).catch((error: unknown) => this.#options.log.debug({ err: error }, 'could not be told'))
  }
}
