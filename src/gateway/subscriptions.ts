/**
 * Who is told what: subscribed URIs through the book, and that a list changed to everybody who has a stream. Legacy
 * sessions, modern streams and stdio connections are all an {@link Audience}.
 */
import { type Subscriber, SubscriptionBook } from '../catalogue/subscription-book.ts'
import type { CatalogueSource } from '../catalogue/types.ts'
import type { Log } from '../log.ts'
import { type ListAudience, ListWatch } from './list-watch.ts'
import type { HeldSoFar } from './shares.ts'

/** Somebody who may hold subscriptions and hears of changed lists. */
export interface Audience extends Subscriber, ListAudience {}

/** What a book holds of all subscribers, and of a subscriber's client. */
export const heldFor = ({ client }: Subscriber, book: SubscriptionBook): HeldSoFar => ({
  inAll: book.size,
  ofOne: client === undefined ? undefined : book.countOf(client),
})

export class Subscriptions {
  readonly book: SubscriptionBook
  readonly #source: CatalogueSource
  /** By audience, the catalogue that it sees. */
  readonly #audiences = new Map<Audience, CatalogueSource>()
  readonly #lists = new Map<CatalogueSource, ListWatch>()

  constructor(source: CatalogueSource, log: Log) {
    this.#source = source
    this.book = new SubscriptionBook(source, (dataset, error) =>
      log.error(
        { err: error, dataset },
        'subscribed resources could not be read; they are read again at the next change',
      ),
    )
  }

  /** Subscriptions of all hosts, each counted per host. */
  get count(): number {
    return this.book.size
  }

  /** Hosts, of either era, that have a stream open now. */
  get openStreams(): number {
    return [...this.#audiences.keys()].filter((audience) => audience.isOpen()).length
  }

  /** `sees`: the catalogue whose lists it hears of; all of it unless said. */
  join(audience: Audience, sees: CatalogueSource = this.#source): void {
    this.#audiences.set(audience, sees)
    const watch = this.#lists.get(sees) ?? new ListWatch(sees)
    this.#lists.set(sees, watch)
    watch.add(audience)
  }

  /** Frees everything kept for an audience. */
  leave(audience: Audience): void {
    const sees = this.#audiences.get(audience)
    this.#audiences.delete(audience)
    this.book.forget(audience)
    const watch = sees && this.#lists.get(sees)
    if (sees === undefined || watch === undefined) return
    watch.delete(audience)
    if (!watch.isEmpty) return
    watch.close()
    this.#lists.delete(sees)
  }

  async close(): Promise<void> {
    for (const watch of this.#lists.values()) watch.close()
    this.#lists.clear()
    this.#audiences.clear()
    await this.book.close()
  }
}
