/**
 * The streams of the modern era. The SDK serves them, and fetches its events from a bus that hears of each stream when
 * it starts and ends, but not what it wants: that is in the request. So the request is read here first, its subscriptions
 * are taken in the book *before* the stream is acknowledged (nothing published meanwhile is missed), and the bus finds
 * the stream that is being opened in the asynchronous context.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { CatalogueSource } from '../catalogue/types.ts'
import { StichtagError } from '../errors.ts'
import { changedLists, type ListChange } from './list-change.ts'
import { defaultMaxSubscriptions, type GatewayOptions, tooManySubscriptions } from './options.ts'
import { checkSubscriptionRoom, type Limit, obstacle } from './shares.ts'
import { type Audience, heldFor, type Subscriptions } from './subscriptions.ts'

const filterSchema = z.looseObject({
  toolsListChanged: z.boolean().optional(),
  resourcesListChanged: z.boolean().optional(),
  promptsListChanged: z.boolean().optional(),
  resourceSubscriptions: z.array(z.string()).optional(),
})

/** A `subscriptions/listen` request, of HTTP or stdio alike. */
export const listenSchema = z.looseObject({
  id: z.union([z.string(), z.number()]),
  method: z.literal('subscriptions/listen'),
  params: z.looseObject({ notifications: filterSchema }),
})

export type Listen = z.infer<typeof listenSchema>

/**
 * The same request without the URIs that nothing can ever be at: what is acknowledged is what will be served. Throws USAGE
 * where more URIs are asked for than one stream may have.
 */
export const possible = (listen: Listen, source: CatalogueSource, most = defaultMaxSubscriptions): Listen => {
  const { notifications } = listen.params
  if ((notifications.resourceSubscriptions?.length ?? 0) > most) throw tooManySubscriptions(most)
  const uris = notifications.resourceSubscriptions?.filter((uri) => source.current.canSubscribe(uri))
  if (uris === undefined) return listen
  return { ...listen, params: { ...listen.params, notifications: { ...notifications, resourceSubscriptions: uris } } }
}

/** One stream, from before it is acknowledged until it ends. */
export class ListenStream implements Audience {
  readonly client: string | undefined
  readonly #wants: z.infer<typeof filterSchema>
  #emit: ((event: ServerEvent) => void) | undefined

  /** `client`: under whose name it is counted, where that can be told. */
  constructor(listen: Listen, client?: string) {
    this.client = client
    this.#wants = listen.params.notifications
  }

  /** It is acknowledged: from now on it takes events. */
  open(emit: (event: ServerEvent) => void): void {
    this.#emit = emit
  }

  isOpen(): boolean {
    return this.#emit !== undefined
  }

  tell(uri: string): void {
    this.#emit?.({ kind: 'resource_updated', uri })
  }

  listsChanged(change: ListChange): void {
    for (const list of changedLists(change)) {
      if (this.#wants[`${list}ListChanged`]) this.#emit?.({ kind: `${list}_list_changed` })
    }
  }
}

/** What streams are told of the gateway that they belong to. */
export interface ListenStreamsOptions
  extends Pick<GatewayOptions, 'observer' | 'maxSubscriptions' | 'allSubscriptions'> {
  readonly streams: Limit
}

/** Who opens a stream, and what of the catalogue it is shown. */
export interface Listener {
  readonly sees: CatalogueSource
  readonly holder?: string
}

export class ListenStreams implements ServerEventBus {
  readonly #subscriptions: Subscriptions
  readonly #options: ListenStreamsOptions
  /** Those that are open or being opened. */
  readonly #streams = new Set<ListenStream>()
  readonly #opening = new AsyncLocalStorage<{ readonly stream: ListenStream; readonly sees: CatalogueSource }>()

  constructor(subscriptions: Subscriptions, options: ListenStreamsOptions) {
    this.#subscriptions = subscriptions
    this.#options = options
  }

  /**
   * Takes a listen request's subscriptions and has it served to whoever listens. `serve` gets the request to serve in
   * place of the given one. Resolves with 429 or 503 where there may be no more streams; rejects with USAGE or GATEWAY_FULL
   * where there are too many subscriptions, and where what they read like now cannot be read.
   */
  async opening(asked: Listen, listener: Listener, serve: (listen: Listen) => Promise<Response>): Promise<Response> {
    const { sees, holder } = listener
    const refusal = this.#refusal(asked, holder)
    if (refusal !== undefined) return refusal
    const { maxSubscriptions, allSubscriptions } = this.#options
    const listen = possible(asked, sees, maxSubscriptions)
    const uris = new Set(listen.params.notifications.resourceSubscriptions)
    const stream = new ListenStream(listen, holder)
    const { book } = this.#subscriptions
    checkSubscriptionRoom(allSubscriptions, heldFor(stream, book), uris.size)
    this.#streams.add(stream)
    try {
      await book.subscribe(stream, uris)
      return await this.#opening.run({ stream, sees }, () => serve(listen))
    } finally {
      if (!stream.isOpen()) this.#leave(stream)
    }
  }

  #refusal({ id }: Listen, holder: string | undefined): Response | undefined {
    const { streams } = this.#options
    const own = holder === undefined ? undefined : [...this.#streams].filter(({ client }) => client === holder)
    const inTheWay = obstacle(streams, { inAll: this.#streams.size, ofOne: own?.length })
    if (inTheWay === undefined) return undefined
    const message =
      inTheWay === 'own'
        ? `This client has ${streams.mostOfOne} streams open, as many as one may have. Close one first.`
        : `This gateway has ${streams.most} streams open, as many as it keeps. Try again later.`
    return Response.json(
      { jsonrpc: '2.0', error: { code: -32000, message }, id },
      { status: inTheWay === 'own' ? 429 : 503, headers: { 'retry-after': '30' } },
    )
  }

  #leave(stream: ListenStream): void {
    this.#streams.delete(stream)
    this.#subscriptions.leave(stream)
  }

  /** Called by the SDK as it acknowledges a stream; what is returned, as the stream ends. */
  subscribe(emit: (event: ServerEvent) => void): () => void {
    const opening = this.#opening.getStore()
    if (opening === undefined) throw new StichtagError('INTERNAL', 'a stream was opened that nobody asked for')
    const { stream, sees } = opening
    stream.open((event) => {
      this.#options.observer?.notified(event.kind)
      emit(event)
    })
    this.#subscriptions.join(stream, sees)
    this.#subscriptions.book.opened(stream)
    return () => this.#leave(stream)
  }

  publish(event: ServerEvent): void {
    throw new StichtagError('INTERNAL', `${event.kind} was published past the subscriptions`)
  }
}
