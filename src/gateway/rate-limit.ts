/**
 * How much each client may ask: a bucket of permits per client, refilled at a steady rate. A burst is fine (a host that
 * starts lists everything and subscribes to much), going on like that is not.
 */

export interface RateLimit {
  /** Requests a second that a client may go on making. */
  readonly perSecond: number
  /** Requests that it may make at once after a pause; ten seconds' worth unless said. */
  readonly burst?: number
}

interface Bucket {
  permits: number
  /** When `permits` was counted, in milliseconds. */
  at: number
}

/** Buckets kept before those that have filled up again are dropped, at most once a second: a full one is as good as none. */
const mostBuckets = 10_000

export class RateLimiter {
  readonly #perSecond: number
  readonly #burst: number
  readonly #buckets = new Map<string, Bucket>()
  #droppedAt = 0

  constructor({ perSecond, burst = perSecond * 10 }: RateLimit) {
    this.#perSecond = perSecond
    this.#burst = Math.max(1, burst)
  }

  /** Takes a permit of a client: 0, or the whole seconds after which there is one. */
  secondsToWait(client: string, now: number): number {
    if (this.#buckets.size >= mostBuckets && now - this.#droppedAt >= 1000) this.#dropFull(now)
    const bucket = this.#buckets.get(client) ?? { permits: this.#burst, at: now }
    this.#buckets.set(client, bucket)
    bucket.permits = this.#permitsAt(bucket, now)
    bucket.at = now
    if (bucket.permits < 1) return Math.ceil((1 - bucket.permits) / this.#perSecond)
    bucket.permits -= 1
    return 0
  }

  /** Clients that are kept count of. */
  get size(): number {
    return this.#buckets.size
  }

  #permitsAt({ permits, at }: Bucket, now: number): number {
    return Math.min(this.#burst, permits + (Math.max(0, now - at) / 1000) * this.#perSecond)
  }

  #dropFull(now: number): void {
    this.#droppedAt = now
    for (const [client, bucket] of this.#buckets) {
      if (this.#permitsAt(bucket, now) >= this.#burst) this.#buckets.delete(client)
    }
  }
}
