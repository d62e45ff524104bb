/**
 * The gateway's door: who may come in, and how often. A token where an authority asks for one, else the address tells
 * clients apart. A wrong token costs a permit of its address, so that tokens cannot be tried at will.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { StichtagError } from '../errors.ts'
import { type Authorisation, type Authority, authorisationOf, type Grant } from './authority.ts'
import { addressClient, isTelling } from './client-address.ts'
import { type RateLimit, RateLimiter } from './rate-limit.ts'

/** Seconds after which somebody whose token could not be checked may try again. */
const retrySeconds = '10'
const tellEveryMs = 1000

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
  /** Under whose name what it holds is counted; absent where it cannot be told from others. */
  readonly holder?: string
  /** The only datasets that it is shown; all without it. */
  readonly datasets?: readonly string[]
}

/** Under whose name work waits: hosts that cannot be told apart by their address have each a session or a connection. */
export const waitingName = ({ holder, client }: Asker, { headers, socket }: IncomingMessage): string =>
  holder ?? `${client} ${headers['mcp-session-id'] ?? socket.remotePort}`

/** Why somebody was not let in, as HTTP says it. */
export interface DoorRefusal {
  readonly status: 401 | 403 | 429 | 503
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
  readonly #datasets: () => readonly string[]
  readonly #unlisten: () => void

  readonly #unreachable: (error: StichtagError) => void
  #toldAt = 0

  /**
   * `datasets`: those there are, to say which scopes are to be had. `unreachable` hears of it where nobody can tell
   * whether a token is good.
   */
  constructor(
    { authority, rateLimit }: DoorOptions,
    datasets: () => readonly string[],
    unreachable: (error: StichtagError) => void,
  ) {
    this.#unreachable = unreachable
    this.#authority = authority
    this.#datasets = datasets
    this.#limiter = rateLimit === undefined ? undefined : new RateLimiter(rateLimit)
    this.#unlisten = authority?.onRevoked((client) => this.#putOut(client)) ?? (() => undefined)
  }

  /** Lets a request in, or says why not. What is being answered is cut off when the client's token ends. */
  async admit(incoming: IncomingMessage, outgoing: ServerResponse): Promise<Asker | DoorRefusal> {
    const { remoteAddress } = incoming.socket
    const address = addressClient(remoteAddress)
    if (this.#authority === undefined) {
      const holder = isTelling(remoteAddress) ? { holder: address } : {}
      return this.#tooMany(address) ?? { client: address, isAuthenticated: false, ...holder }
    }
    const authorisation = await this.#authorisation(incoming, this.#authority)
    if (authorisation === 'unknown') {
      const message = 'Tokens cannot be checked just now. Try again later.'
      return this.#tooMany(address) ?? { status: 503, message, headers: { 'retry-after': retrySeconds } }
    }
    if (authorisation.kind === 'refused') {
      const { status, message, challenge } = authorisation
      return this.#tooMany(address) ?? { status, message, headers: { 'www-authenticate': challenge } }
    }
    const { client, subject: holder = client, datasets } = authorisation.grant
    const refusal = this.#tooMany(client)
    if (refusal !== undefined) return refusal
    this.#keep(authorisation.grant, outgoing)
    return { client, isAuthenticated: true, holder, ...(datasets === undefined ? {} : { datasets }) }
  }

  /** Whether a request shows a token that is good for everything, or none is needed: for what anybody sees in part. */
  async knows(incoming: IncomingMessage): Promise<boolean> {
    if (this.#authority === undefined) return true
    const authorisation = await this.#authorisation(incoming, this.#authority)
    if (authorisation === 'unknown') return false
    return authorisation.kind === 'granted' && authorisation.grant.datasets === undefined
  }

  close(): void {
    this.#unlisten()
  }

  /** `unknown` where nobody can tell just now whether a token is good. */
  async #authorisation(incoming: IncomingMessage, authority: Authority): Promise<Authorisation | 'unknown'> {
    try {
      return await authorisationOf(incoming.headers.authorization, authority, this.#datasets())
    } catch (error) {
      if (!(error instanceof StichtagError) || error.code !== 'SOURCE_UNREACHABLE') throw error
      this.#tell(error)
      return 'unknown'
    }
  }

  /** Once for all who come in a second: how many there are is not for them to say. */
  #tell(error: StichtagError): void {
    const now = Date.now()
    if (now - this.#toldAt < tellEveryMs) return
    this.#toldAt = now
    this.#unreachable(error)
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
