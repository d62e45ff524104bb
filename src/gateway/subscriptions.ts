/**
 * Who is told what: subscribed URIs through the book, and that a list changed to everybody who has a stream. Legacy
 * sessions, modern streams and stdio connections are all an {@link Audience}.
 */
import { type Subscriber, SubscriptionBook } from '../catalogue/subscription-book.ts'
import type { CatalogueSource } from '../catalogue/types.ts'
import type { Log } from '../log.ts'
import { changedLists, type ListChange } from './list-change.ts'
import { promptFingerprint } from './prompts.ts'

/** Somebody who may hold subscriptions and hears of changed lists. */
export interface Audience extends Subscriber {
  /** Says, or remembers until a stream opens, that lists changed. */
  listsChanged(change: ListChange): void
}

export class Subscriptions {
  readonly book: SubscriptionBook
  readonly #audiences = new Set<Audience>()
  readonly #unlisten: () => void

  constructor(source: CatalogueSource, log: Log) {
    this.book = new SubscriptionBook(source, (dataset, error) =>
      log.error(
        { err: error, dataset },
        'subscribed resources could not be read; they are read again at the next change',
      ),
    )
    let prompts = promptFingerprint(source.current)
    this.#unlisten = source.onMove((move) => {
      const before = prompts
      prompts = promptFingerprint(source.current)
      const change = { tools: move.toolsChanged, resources: move.resourcesChanged, prompts: prompts !== before }
      if (changedLists(change).length === 0) return
      for (const audience of this.#audiences) audience.listsChanged(change)
    })
  }

  /** Subscriptions of all hosts, each counted per host. */
  get count(): number {
    return [...this.#audiences].reduce((sum, audience) => sum + this.book.count(audience), 0)
  }

  /** Hosts, of either era, that have a stream open now. */
  get openStreams(): number {
    return [...this.#audiences].filter((audience) => audience.isOpen()).length
  }

  join(audience: Audience): void {
    this.#audiences.add(audience)
  }

  /** Frees everything kept for an audience. */
  leave(audience: Audience): void {
    this.#audiences.delete(audience)
    this.book.forget(audience)
  }

  async close(): Promise<void> {
    this.#unlisten()
    this.#audiences.clear()
    await this.book.close()
  }
}
