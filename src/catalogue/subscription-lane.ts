/**
 * One dataset's subscriptions. All that happens to them goes through one queue, in the order in which it happened, so
 * that a subscription made between two versions is compared with the right one and no state is half told:
 *
 * 1. a job takes the catalogue of its moment: of a subscription being made, of a pointer that moved, of a stream opening;
 * 2. URIs that were not read since the dataset last moved are read from it, in batches, a few at once;
 * 3. whoever was last told something else, and has an open stream, is told; the rest waits until a stream opens.
 *
 * What fails in 2 leaves everything as it was told; the next job reads it again.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Catalogue } from './types.ts'

/** Somebody to tell. `tell` must not throw and must not block: it hands the message to a stream. */
export interface Subscriber {
  /** Client whose it is, where subscriptions are counted per client too. */
  readonly client?: string | undefined
  /** Whether a stream is open on which telling makes sense now. */
  isOpen(): boolean
  /** Says that what is at `uri`, in the spelling it was subscribed in, reads differently now. */
  tell(uri: string): void
}

/** Digest of a reading; `null` where nothing is found. */
type Digest = string | null

interface Held {
  /** What the subscriber was last told, or could read when it subscribed; `undefined` until that has been read. */
  told: Digest | undefined
  /** What it read for itself while it had no stream. */
  shown?: Digest
  /** Its stream has just opened: states of the queue from before that are none of its business. */
  isWaking?: boolean
}

interface Entry {
  /** What is at the URI now; `undefined` until it has been read. */
  digest: Digest | undefined
  /** The lane's revision when it was read. */
  revision: number
  readonly holders: Map<Subscriber, Held>
}

interface Job {
  readonly kind: 'subscribe' | 'move' | 'catch up'
  readonly catalogue: Catalogue
  readonly revision: number
  /** The one whom the job is about; a move is about everybody. */
  readonly subscriber?: Subscriber
  readonly uris: readonly string[] | 'all'
  readonly done: PromiseWithResolvers<void>
}

interface Delivery {
  readonly uri: string
  readonly entry: Entry
  readonly subscriber: Subscriber
  readonly held: Held
}

/** As many as a reader is given in one message. */
const batchSize = 100
/** So that no reader waits for this process, and look-ups of hosts never wait for many. */
const batchesAtOnce = 4
/** URIs looked at between two turns of the event loop, where none is read: some milliseconds. */
const glanceSize = 2000
/** Deliveries between two turns of the event loop: 200 take about a millisecond. */
const sliceSize = 200
/** Moves that wait at most; where more come than can be read, the last one waiting is skipped for the newest. */
const waitingMoves = 4
/** Milliseconds before a move's failed reading is tried again. */
const retryPauses = [200, 1000, 5000]

const differs = (entry: Entry, held: Held): boolean =>
  !held.isWaking &&
  entry.digest !== undefined &&
  held.told !== undefined &&
  (held.told !== entry.digest || (held.shown !== undefined && held.shown !== entry.digest))

/** Whoever has just subscribed could read what is there now. */
const takeBaseline = (job: Job, entry: Entry): void => {
  const held = job.subscriber && entry.holders.get(job.subscriber)
  if (held !== undefined && held.told === undefined) held.told = entry.digest
}

/** Those of an entry's holders whom a job is about. */
const concerned = (job: Job, entry: Entry): Iterable<readonly [Subscriber, Held]> => {
  if (job.subscriber === undefined) return entry.holders
  const held = entry.holders.get(job.subscriber)
  return held === undefined ? [] : [[job.subscriber, held]]
}

const owed = (uri: string, entry: Entry, holders: Iterable<readonly [Subscriber, Held]>): Delivery[] =>
  [...holders].flatMap(([subscriber, held]) => (differs(entry, held) ? [{ uri, entry, subscriber, held }] : []))

function* batchesOf(uris: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < uris.length; start += batchSize) yield uris.slice(start, start + batchSize)
}

/** See the head of this file. */
export class SubscriptionLane {
  readonly #signal: AbortSignal
  readonly #entries = new Map<string, Entry>()
  #waiting: Job[] = []
  #running: Promise<void> | undefined
  #revision = 0

  /** The signal ends all reading and retrying. */
  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /** Resolves when nothing is waiting or being read. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  /** Adds a subscriber to URIs that it does not hold yet, and resolves when what it could read now is known. */
  subscribe(subscriber: Subscriber, uris: readonly string[], catalogue: Catalogue): Promise<void> {
    for (const uri of uris) {
      const entry = this.#entries.get(uri) ?? { digest: undefined, revision: -1, holders: new Map() }
      this.#entries.set(uri, entry)
      entry.holders.set(subscriber, { told: undefined })
    }
    return this.#enqueue('subscribe', catalogue, uris, subscriber)
  }

  unsubscribe(subscriber: Subscriber, uri: string): void {
    const entry = this.#entries.get(uri)
    entry?.holders.delete(subscriber)
    if (entry?.holders.size === 0) this.#entries.delete(uri)
  }

  /** The dataset reads differently in this catalogue. Rejects where it could not be read in the end. */
  moved(catalogue: Catalogue): Promise<void> {
    this.#revision += 1
    const moves = this.#waiting.filter((job) => job.kind === 'move')
    if (moves.length >= waitingMoves) {
      const skipped = moves.at(-1)
      this.#waiting = this.#waiting.filter((job) => job !== skipped)
      skipped?.done.resolve()
    }
    return this.#enqueue('move', catalogue, 'all')
  }

  /** A stream of the subscriber opened: it is told what it missed. */
  catchUp(subscriber: Subscriber, uris: readonly string[], catalogue: Catalogue): Promise<void> {
    for (const uri of uris) {
      const held = this.#entries.get(uri)?.holders.get(subscriber)
      if (held !== undefined) held.isWaking = true
    }
    return this.#enqueue('catch up', catalogue, uris, subscriber)
  }

  /** The subscriber read a URI while it had no stream: should that be something else than is there later, it is told. */
  shown(subscriber: Subscriber, uri: string, digest: string): void {
    const held = this.#entries.get(uri)?.holders.get(subscriber)
    if (held !== undefined) held.shown = digest
  }

  /** Whether a digest is that of what the subscriber was told last. */
  isTold(subscriber: Subscriber, uri: string, digest: string): boolean {
    return this.#entries.get(uri)?.holders.get(subscriber)?.told === digest
  }

  #enqueue(
    kind: Job['kind'],
    catalogue: Catalogue,
    uris: readonly string[] | 'all',
    subscriber?: Subscriber,
  ): Promise<void> {
    const done = Promise.withResolvers<void>()
    const about = subscriber === undefined ? {} : { subscriber }
    this.#waiting.push({ kind, catalogue, revision: this.#revision, uris, done, ...about })
    this.#running ??= this.#run()
    return done.promise
  }

  async #run(): Promise<void> {
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) {
      try {
        await this.#observe(job)
        job.done.resolve()
      } catch (error) {
        job.done.reject(error)
      }
    }
    this.#running = undefined
  }

  async #observe(job: Job): Promise<void> {
    const uris = job.uris === 'all' ? [...this.#entries.keys()] : job.uris
    const deliveries: Delivery[] = []
    const unread: string[] = []
    for (const [index, uri] of uris.entries()) {
      if (index > 0 && index % glanceSize === 0) await nextTurn()
      const entry = this.#entries.get(uri)
      if (entry === undefined) continue
      const own = job.subscriber && entry.holders.get(job.subscriber)
      if (own !== undefined && job.kind === 'catch up') own.isWaking = false
      if (entry.digest === undefined || entry.revision < job.revision) {
        unread.push(uri)
        continue
      }
      takeBaseline(job, entry)
      deliveries.push(...owed(uri, entry, concerned(job, entry)))
    }
    const failures: unknown[] = []
    const batches = batchesOf(unread)
    const readOn = async (): Promise<void> => {
      for (const batch of batches) {
        await nextTurn()
        try {
          this.#signal.throwIfAborted()
          deliveries.push(...this.#take(job, batch, await this.#read(job, batch)))
        } catch (error) {
          failures.push(error)
        }
      }
    }
    if (unread.length > 0) await Promise.all(Array.from({ length: batchesAtOnce }, readOn))
    await this.#deliver(deliveries)
    if (failures.length > 0) throw failures[0]
  }

  /** Takes what was read for what is there now; returns what is to be told. */
  #take(job: Job, uris: readonly string[], digests: readonly Digest[]): Delivery[] {
    return uris.flatMap((uri, index) => {
      const entry = this.#entries.get(uri)
      if (entry === undefined) return []
      entry.digest = digests[index] ?? null
      entry.revision = job.revision
      takeBaseline(job, entry)
      return owed(uri, entry, entry.holders)
    })
  }

  /** Digests at the job's catalogue. */
  async #read(job: Job, uris: readonly string[]): Promise<readonly Digest[]> {
    const pauses = job.kind === 'move' ? [...retryPauses] : []
    for (;;) {
      try {
        return await job.catalogue.digests(uris, this.#signal)
      } catch (error) {
        const wait = pauses.shift()
        if (wait === undefined || this.#signal.aborted) throw error
        await pause(wait, undefined, { signal: this.#signal })
      }
    }
  }

  /** In slices, so that thousands of messages leave room for requests in between. */
  async #deliver(deliveries: readonly Delivery[]): Promise<void> {
    for (const [index, { uri, entry, subscriber, held }] of deliveries.entries()) {
      if (index > 0 && index % sliceSize === 0) await nextTurn()
      if (this.#signal.aborted) return
      const isHeld = entry.holders.get(subscriber) === held
      if (!isHeld || !subscriber.isOpen() || !differs(entry, held)) continue
      held.told = entry.digest
      delete held.shown
      subscriber.tell(uri)
    }
  }
}
