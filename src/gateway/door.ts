/**
 * The gateway's door: who may come in, and how often. A token where an authority asks for one, else the address tells
 * clients apart. A wrong token costs a permit of its address, so that tokens cannot be tried at will.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Authority, authorisationOf, type Grant } from './authority.ts'
import { type RateLimit, RateLimiter } from './rate-limit.ts'

export interface DoorOptions {
  /** Who says which tokens are good; nobody needs one without it. */
  readonly authority?: Authority
  /** Per client; none without it. */
  readonly rateLimit?: RateLimit
}

/** Somebody who was let in. */
export interface Asker {
  readonly client: string
  /** Whether a token says so, rather than an address: then nobody else may use what belongs to this client. */
  readonly isAuthenticated: boolean
}

/** Why somebody was not let in, as HTTP says it. */
export interface DoorRefusal {
  readonly status: 401 | 403 | 429
  readonly message: string
  readonly headers: Record<string, string>
}

/** Never more than a timer can wait; whatever was opened that long ago is opened again. */
const msUntil = (instant: number): number => Math.min(2 ** 31 - 1, Math.max(0, instant - Date.now()))

export class Door {
  readonly #authority: Authority | undefined
  readonly #limiter: RateLimiter | undefined
  /** Answers under way of each client that a token let in. */
  readonly #inside = new Map<string, Set<ServerResponse>>()
  readonly #unlisten: () => void

  constructor({ authority, rateLimit }: DoorOptions) {
    this.#authority = authority
    this.#limiter = rateLimit === undefined ? undefined : new RateLimiter(rateLimit)
    this.#unlisten = authority?.onRevoked((client) => this.#putOut(client)) ?? (() => undefined)
  }

  /** Lets a request in, or says why not. What is being answered is cut off when the client's token ends. */
  async admit(incoming: IncomingMessage, outgoing: ServerResponse): Promise<Asker | DoorRefusal> {
    const address = `address ${incoming.socket.remoteAddress ?? 'unknown'}`
    if (this.#authority === undefined) {
      return this.#tooMany(address) ?? { client: address, isAuthenticated: false }
    }
    const authorisation = await authorisationOf(incoming.headers.authorization, this.#authority)
    if (authorisation.kind === 'refused') {
      const { status, message, challenge } = authorisation
      return this.#tooMany(address) ?? { status, message, headers: { 'www-authenticate': challenge } }
    }
    const { client } = authorisation.grant
    const refusal = this.#tooMany(client)
    if (refusal !== undefined) return refusal
    this.#keep(authorisation.grant, outgoing)
    return { client, isAuthenticated: true }
  }

  /** Whether a request shows a token that is good, or none is needed: for what is shown in part to anybody. */
  async knows(incoming: IncomingMessage): Promise<boolean> {
    if (this.#authority === undefined) return true
    return (await authorisationOf(incoming.headers.authorization, this.#authority)).kind === 'granted'
  }

  close(): void {
    this.#unlisten()
  }

  #tooMany(client: string): DoorRefusal | undefined {
    const seconds = this.#limiter?.secondsToWait(client, Date.now()) ?? 0
    if (seconds === 0) return undefined
    const message = `Too many requests. Try again in ${seconds} s.`
    return { status: 429, message, headers: { 'retry-after': String(seconds) } }
  }

  #keep({ client, expiresAt }: Grant, outgoing: ServerResponse): void {
    // It went away while its token was being looked at, and closes no second time.
    if (outgoing.destroyed) return
    const answers = this.#inside.get(client) ?? new Set()
    this.#inside.set(client, answers.add(outgoing))
    const timer = expiresAt === undefined ? undefined : setTimeout(() => outgoing.destroy(), msUntil(expiresAt))
    outgoing.once('close', () => {
      clearTimeout(timer)
      answers.delete(outgoing)
      if (answers.size === 0 && this.#inside.get(client) === answers) this.#inside.delete(client)
    })
  }

  #putOut(client: string): void {
    for (const outgoing of this.#inside.get(client) ?? []) outgoing.destroy()
  }
}
