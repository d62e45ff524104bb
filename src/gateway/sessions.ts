/**
 * The legacy sessions. Hosts rarely end theirs, so that one which is not used for long is ended here, and at a limit the
 * one that has been idle longest: of the client that reached its own, or, at that of all, of whoever has most. A host whose session is gone gets 404 and initialises again.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isInitializeRequest } from '@modelcontextprotocol/server'
import type { CatalogueSource } from '../catalogue/types.ts'
import type { Asker } from './door.ts'
import { errorResponse, type OpenStream, sendResponse } from './http-exchange.ts'
import { Session, type SessionOptions } from './session.ts'
import { type Limit, obstacle } from './shares.ts'
import type { Subscriptions } from './subscriptions.ts'

export interface SessionsOptions extends Omit<SessionOptions, 'owner' | 'holder'> {
  readonly sessions: Limit
  /** Milliseconds without a request or an open stream after which a session ends. */
  readonly sessionIdleMs: number
}

export class Sessions {
  readonly #subscriptions: Subscriptions
  readonly #options: SessionsOptions
  readonly #sessions = new Map<string, Session>()
  readonly #sweeping: NodeJS.Timeout

  constructor(subscriptions: Subscriptions, options: SessionsOptions) {
    this.#subscriptions = subscriptions
    this.#options = options
    this.#sweeping = setInterval(() => this.#sweep(), Math.max(10, options.sessionIdleMs / 4))
    this.#sweeping.unref()
  }

  /** How many there are. */
  get size(): number {
    return this.#sessions.size
  }

  /** Ends those that a token opened which is not good any more. */
  endOf(client: string): void {
    for (const session of this.#sessions.values()) if (session.owner === client) this.#end(session)
  }

  /**
   * Answers a request of the legacy era, from the catalogue that the asker sees. A session is there only for the token
   * that opened it, and for the client's next one only where that shows the same.
   */
  async answer(
    incoming: IncomingMessage,
    request: Request,
    body: unknown,
    outgoing: ServerResponse,
    asker: Asker,
    sees: CatalogueSource,
  ): Promise<OpenStream | undefined> {
    const owner = asker.isAuthenticated ? asker.client : undefined
    const { holder } = asker
    const id = incoming.headers['mcp-session-id']
    if (typeof id === 'string') return this.#answerIn(id, request, body, outgoing, owner, sees)
    if (request.method === 'POST')
      return sendResponse(await this.#initialize(request, body, { owner, holder }, sees), outgoing)
    const message = 'There is no stream without a session: send initialize in a POST first.'
    return sendResponse(errorResponse(405, -32000, message, { allow: 'POST' }), outgoing)
  }

  /** Ends all sessions and the timer. */
  async close(): Promise<void> {
    clearInterval(this.#sweeping)
    await Promise.all([...this.#sessions.values()].map((session) => session.close()))
  }

  async #answerIn(
    id: string,
    request: Request,
    body: unknown,
    outgoing: ServerResponse,
    owner: string | undefined,
    sees: CatalogueSource,
  ): Promise<OpenStream | undefined> {
    const session = this.#sessions.get(id)
    if (session === undefined || session.owner !== owner || session.sees !== sees)
      return sendResponse(errorResponse(404, -32001, 'Session not found'), outgoing)
    if (request.method === 'GET') return session.openStream(request, outgoing)
    return sendResponse(await session.answer(request, body), outgoing)
  }

  async #initialize(
    request: Request,
    body: unknown,
    whose: Pick<SessionOptions, 'owner' | 'holder'>,
    sees: CatalogueSource,
  ): Promise<Response> {
    if (!isInitializeRequest(body)) {
      return errorResponse(400, -32000, 'Bad Request: Mcp-Session-Id header is required')
    }
    const refusal = this.#makeRoom(whose.holder)
    if (refusal !== undefined) return refusal
    const session = new Session(sees, this.#subscriptions, { ...this.#options, ...whose }, () => {
      this.#sessions.delete(session.id)
    })
    this.#sessions.set(session.id, session)
    await session.start()
    const response = await session.answer(request, body)
    if (!session.isInitialized) await session.close()
    return response
  }

  /** Sees to it that there may be one more of a holder; the refusal where there may not. */
  #makeRoom(holder: string | undefined): Response | undefined {
    const all = [...this.#sessions.values()]
    const byHolder = Map.groupBy(all, ({ client }) => client)
    const own = holder === undefined ? undefined : (byHolder.get(holder) ?? [])
    const { sessions } = this.#options
    const inTheWay = obstacle(sessions, { inAll: all.length, ofOne: own?.length })
    if (inTheWay === undefined) return undefined
    if (inTheWay === 'own') {
      if (this.#endIdlest(own ?? [])) return undefined
      const message = `This client has ${sessions.mostOfOne} sessions in use, as many as one may have. End one first.`
      return errorResponse(429, -32000, message, { 'retry-after': '30' })
    }
    const biggestFirst = [...byHolder.values()].toSorted((a, b) => b.length - a.length)
    if (biggestFirst.some((held) => this.#endIdlest(held))) return undefined
    return errorResponse(503, -32000, 'Too many sessions are in use. Try again later.', { 'retry-after': '30' })
  }

  /** Ends the one of these that has been idle longest; whether there was one. */
  #endIdlest(sessions: readonly Session[]): boolean {
    const now = Date.now()
    const idle = sessions.filter((session) => session.idleMs(now) > 0)
    const idlest = idle.toSorted((a, b) => b.idleMs(now) - a.idleMs(now))[0]
    if (idlest === undefined) return false
    // Out of the count at once: others may ask for room while it ends.
    this.#sessions.delete(idlest.id)
    this.#end(idlest)
    return true
  }

  #sweep(): void {
    const now = Date.now()
    for (const session of this.#sessions.values()) {
      if (session.idleMs(now) < this.#options.sessionIdleMs) continue
      this.#end(session)
    }
  }

  #end(session: Session): void {
    session.close().catch((error: unknown) => this.#options.log.warn({ err: error }, 'a session did not end well'))
  }
}
