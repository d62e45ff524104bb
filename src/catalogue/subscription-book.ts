/**
 * Whom to tell when a pointer moved (DESIGN §4.6). Level-triggered: kept is, per subscriber and URI, the digest of what
 * it was last shown or told, and per URI the digest of what is there now. Whoever differs and has an open stream is told.
 * So a subscriber whose stream was away is told when one opens, if it still differs: A → B → A unseen is no change.
 */
import { StichtagError } from '../errors.ts'
import { type Subscriber, SubscriptionLane } from './subscription-lane.ts'
import type { CatalogueMove, CatalogueSource } from './types.ts'

export type { Subscriber } from './subscription-lane.ts'

/** What became of an evaluation that could not be read in the end: nobody was told; the next move reads again. */
export type EvaluationFailed = (dataset: string, error: unknown) => void

export class SubscriptionBook {
  readonly #source: CatalogueSource
  readonly #failed: EvaluationFailed
  readonly #ending = new AbortController()
  readonly #lanes = new Map<string, SubscriptionLane>()
  /** Dataset by URI, as it was subscribed in, by subscriber. */
  readonly #held = new Map<Subscriber, Map<string, string>>()
  /** Subscriptions by client, and of all. */
  readonly #byClient = new Map<string, number>()
  #size = 0
  readonly #unlisten: () => void

  constructor(source: CatalogueSource, failed: EvaluationFailed) {
    this.#source = source
    this.#failed = failed
    this.#unlisten = source.onMove((move) => this.#moved(move))
  }

  /** How many URIs a subscriber holds. */
  count(subscriber: Subscriber): number {
    return this.#held.get(subscriber)?.size ?? 0
  }

  /** How many URIs all subscribers of a client hold, each counted for itself. */
  countOf(client: string): number {
    return this.#byClient.get(client) ?? 0
  }

  /** How many URIs all subscribers hold, each counted for itself. */
  get size(): number {
    return this.#size
  }

  /**
   * Subscribes to URIs, and resolves when it is known what they read like now: whatever is published later is told,
   * however long that takes. Those held already stay as they are.
   * @throws NOT_FOUND, with `data: {uri}`, for a URI that could never exist; then none is subscribed.
   */
  async subscribe(subscriber: Subscriber, uris: Iterable<string>): Promise<void> {
    const catalogue = this.#source.current
    const held = this.#held.get(subscriber)
    const byDataset = new Map<string, string[]>()
    for (const uri of new Set(uris)) {
      if (held?.has(uri)) continue
      const dataset = catalogue.datasetOf(uri)
      if (dataset === undefined || !catalogue.canSubscribe(uri)) {
        throw new StichtagError('NOT_FOUND', `No resource can be at ${uri}.`, { data: { uri } })
      }
      const added = byDataset.get(dataset)
      if (added === undefined) byDataset.set(dataset, [uri])
      else added.push(uri)
    }
    const baselines = [...byDataset].map(([dataset, added]) => {
      this.#remember(subscriber, added, dataset)
      return this.#lane(dataset).subscribe(subscriber, added, catalogue)
    })
    const outcomes = await Promise.allSettled(baselines)
    const failure = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failure === undefined) return
    for (const uri of [...byDataset.values()].flat()) this.unsubscribe(subscriber, uri)
    throw failure.reason
  }

  unsubscribe(subscriber: Subscriber, uri: string): void {
    const held = this.#held.get(subscriber)
    const dataset = held?.get(uri)
    if (held === undefined || dataset === undefined) return
    held.delete(uri)
    this.#counted(subscriber, -1)
    if (held.size === 0) this.#held.delete(subscriber)
    this.#lanes.get(dataset)?.unsubscribe(subscriber, uri)
  }

  /** The subscriber is gone for good: frees all that was kept for it. */
  forget(subscriber: Subscriber): void {
    for (const uri of [...(this.#held.get(subscriber)?.keys() ?? [])]) this.unsubscribe(subscriber, uri)
  }

  /** A stream of the subscriber opened: tells what changed while it had none. */
  opened(subscriber: Subscriber): void {
    const byDataset = Map.groupBy(this.#held.get(subscriber) ?? [], ([, dataset]) => dataset)
    for (const [dataset, held] of byDataset) {
      const uris = held.map(([uri]) => uri)
      this.#watch(dataset, this.#lane(dataset).catchUp(subscriber, uris, this.#source.current))
    }
  }

  /**
   * The subscriber read a URI for itself. With an open stream that changes nothing: it is told of each change whatever
   * it reads. Without one it may have seen a state that is gone again by the time a stream opens. Returns whether it read
   * what it was told last, so that telling it again would be no news.
   */
  shown(subscriber: Subscriber, uri: string, digest: string): boolean {
    const dataset = this.#held.get(subscriber)?.get(uri)
    const lane = dataset === undefined ? undefined : this.#lanes.get(dataset)
    if (!subscriber.isOpen()) lane?.shown(subscriber, uri, digest)
    return lane?.isTold(subscriber, uri, digest) ?? false
  }

  /** Resolves when everything that moved so far has been told. */
  async settled(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.settled()))
  }

  /** Hears of no further moves, and ends what is being read. */
  async close(): Promise<void> {
    this.#unlisten()
    this.#ending.abort()
    await this.settled()
    this.#held.clear()
    this.#byClient.clear()
    this.#size = 0
    this.#lanes.clear()
  }

  #moved(move: CatalogueMove): void {
    for (const dataset of move.datasets) {
      const lane = this.#lanes.get(dataset)
      if (lane !== undefined) this.#watch(dataset, lane.moved(this.#source.current))
    }
  }

  #watch(dataset: string, evaluation: Promise<void>): void {
    evaluation.catch((error: unknown) => {
      if (!this.#ending.signal.aborted) this.#failed(dataset, error)
    })
  }

  #remember(subscriber: Subscriber, uris: readonly string[], dataset: string): void {
    const held = this.#held.get(subscriber) ?? new Map<string, string>()
    this.#held.set(subscriber, held)
    for (const uri of uris) held.set(uri, dataset)
    this.#counted(subscriber, uris.length)
  }

  #counted({ client }: Subscriber, more: number): void {
    this.#size += more
    if (client === undefined) return
    const count = this.countOf(client) + more
    if (count === 0) this.#byClient.delete(client)
    else this.#byClient.set(client, count)
  }

  #lane(dataset: string): SubscriptionLane {
    const lane = this.#lanes.get(dataset) ?? new SubscriptionLane(this.#ending.signal)
    this.#lanes.set(dataset, lane)
    return lane
  }
}
