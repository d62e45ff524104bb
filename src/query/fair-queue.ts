/**
 * What waits in a lane, fairly: clients take turns, and within a client's own what came first goes first. So whoever
 * asks for much at once waits behind himself, and others hardly notice. Bounded in all and for each client, so that one
 * cannot fill it for the others.
 */
import { StichtagError } from '../errors.ts'

/** How many may wait. */
export interface QueueLimits {
  readonly most: number
  readonly mostOfOne: number
}

/** Something that waits, for a client. All without one count as one, which may fill the queue: nobody else is known. */
export interface Waiting {
  readonly client?: string | undefined
}

/** Takings from which the pace is told. */
const pacedBy = 16
/** Nobody is told to wait longer, in seconds: by then all may be different. */
const longestWait = 60

export class FairQueue<Item extends Waiting> {
  readonly #limits: QueueLimits
  readonly #now: () => number
  /** By client, the one whose turn is next first. No list is empty. */
  #byClient = new Map<string | undefined, Item[]>()
  #length = 0
  /** When the last ones were taken, in milliseconds. */
  readonly #taken: number[] = []

  constructor(limits: QueueLimits, now: () => number = Date.now) {
    this.#limits = limits
    this.#now = now
  }

  get length(): number {
    return this.#length
  }

  /** Throws QUEUE_FULL, saying when to try again, where there is no room for one more of a client. */
  check(client: string | undefined): void {
    const { most, mostOfOne } = this.#limits
    if (this.#length >= most) throw this.#full(`${most} requests wait already`, this.#length)
    const own = client === undefined ? 0 : (this.#byClient.get(client)?.length ?? 0)
    if (own < mostOfOne) return
    const words = `${own} requests of this client wait already, as many as one may have`
    throw this.#full(words, own * this.#byClient.size)
  }

  /** Puts something at the end of its client's. Throws as `check` does. */
  push(item: Item): void {
    this.check(item.client)
    const own = this.#byClient.get(item.client)
    if (own === undefined) this.#byClient.set(item.client, [item])
    else own.push(item)
    this.#length += 1
  }

  /** Puts back what was taken and not done: it is next, whatever the limits. */
  putBack(items: readonly Item[]): void {
    if (items.length === 0) return
    const returned = Map.groupBy(items, ({ client }) => client)
    const first = [...returned].map(([client, own]): [string | undefined, Item[]] => [
      client,
      [...own, ...(this.#byClient.get(client) ?? [])],
    ])
    const others = [...this.#byClient].filter(([client]) => !returned.has(client))
    this.#byClient = new Map([...first, ...others])
    this.#length += items.length
  }

  /** Takes what is next, where it `fits`. */
  take(fits: (item: Item) => boolean = () => true): Item | undefined {
    const [turn] = this.#byClient
    if (turn === undefined) return undefined
    const [client, own] = turn
    const [item] = own
    if (item === undefined || !fits(item)) return undefined
    own.shift()
    this.#byClient.delete(client)
    if (own.length > 0) this.#byClient.set(client, own)
    this.#length -= 1
    this.#taken.push(this.#now())
    if (this.#taken.length > pacedBy) this.#taken.shift()
    return item
  }

  /** Takes something out, wherever it is; whether it was there. */
  remove(item: Item): boolean {
    const own = this.#byClient.get(item.client)
    const place = own?.indexOf(item) ?? -1
    if (own === undefined || place === -1) return false
    own.splice(place, 1)
    if (own.length === 0) this.#byClient.delete(item.client)
    this.#length -= 1
    return true
  }

  /** Takes everything. */
  drain(): Item[] {
    const all = [...this]
    this.#byClient.clear()
    this.#length = 0
    return all
  }

  /** All that waits, by client. */
  *[Symbol.iterator](): Iterator<Item> {
    for (const own of this.#byClient.values()) yield* own
  }

  #full(why: string, ahead: number): StichtagError {
    const seconds = this.#secondsFor(ahead)
    return new StichtagError('QUEUE_FULL', `${why}. Try again in ${seconds} s.`, { data: { retryAfter: seconds } })
  }

  /** Whole seconds until as many will have been taken, at the pace of the last ones. */
  #secondsFor(ahead: number): number {
    const [first] = this.#taken
    if (first === undefined) return 1
    const pace = (this.#now() - first) / this.#taken.length
    return Math.min(longestWait, Math.max(1, Math.ceil((ahead * pace) / 1000)))
  }
}
