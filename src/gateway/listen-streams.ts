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
import type { Observer } from './observer.ts'
import { defaultMaxSubscriptions, tooManySubscriptions } from './options.ts'
import type { Audience, Subscriptions } from './subscriptions.ts'

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
  readonly #wants: z.infer<typeof filterSchema>
  #emit: ((event: ServerEvent) => void) | undefined

  constructor(listen: Listen) {
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

export class ListenStreams implements ServerEventBus {
  readonly #subscriptions: Subscriptions
  readonly #observer: Observer | undefined
  readonly #most: number | undefined
  readonly #opening = new AsyncLocalStorage<{ readonly stream: ListenStream; readonly sees: CatalogueSource }>()

  /** `most`: URIs that one stream may subscribe to. */
  constructor(subscriptions: Subscriptions, observer?: Observer, most?: number) {
    this.#subscriptions = subscriptions
    this.#observer = observer
    this.#most = most
  }

  /**
   * Takes a listen request's subscriptions and has it served to somebody who sees a catalogue. `serve` gets the request to
   * serve in place of the given one. Rejects with USAGE where there are too many, and where what the subscriptions read
   * like now cannot be read.
   */
  async opening(asked: Listen, sees: CatalogueSource, serve: (listen: Listen) => Promise<Response>): Promise<Response> {
    const listen = possible(asked, sees, this.#most)
    const stream = new ListenStream(listen)
    try {
      await this.#subscriptions.book.subscribe(stream, listen.params.notifications.resourceSubscriptions ?? [])
      return await this.#opening.run({ stream, sees }, () => serve(listen))
    } finally {
      if (!stream.isOpen()) this.#subscriptions.leave(stream)
    }
  }

  /** Called by the SDK as it acknowledges a stream; what is returned, as the stream ends. */
  subscribe(emit: (event: ServerEvent) => void): () => void {
    const opening = this.#opening.getStore()
    if (opening === undefined) throw new StichtagError('INTERNAL', 'a stream was opened that nobody asked for')
    const { stream, sees } = opening
    stream.open((event) => {
      this.#observer?.notified(event.kind)
      emit(event)
    })
    this.#subscriptions.join(stream, sees)
    this.#subscriptions.book.opened(stream)
    return () => this.#subscriptions.leave(stream)
  }

  publish(event: ServerEvent): void {
    throw new StichtagError('INTERNAL', `${event.kind} was published past the subscriptions`)
  }
}
