/**
 * The legacy sessions. Hosts rarely end theirs, so that one which is not used for long is ended here, and at the limit
 * the one that has been idle longest. A host whose session is gone gets 404 and initialises again.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isInitializeRequest } from '@modelcontextprotocol/server'
import type { CatalogueSource } from '../catalogue/types.ts'
import type { Asker } from './door.ts'
import { errorResponse, type OpenStream, sendResponse } from './http-exchange.ts'
import { Session, type SessionOptions } from './session.ts'
import type { Subscriptions } from './subscriptions.ts'

export interface SessionsOptions extends Omit<SessionOptions, 'owner'> {
  readonly maxSessions: number
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
    const id = incoming.headers['mcp-session-id']
    if (typeof id === 'string') return this.#answerIn(id, request, body, outgoing, owner, sees)
    if (request.method === 'POST') return sendResponse(await this.#initialize(request, body, owner, sees), outgoing)
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
    owner: string | undefined,
    sees: CatalogueSource,
  ): Promise<Response> {
    if (!isInitializeRequest(body)) {
      return errorResponse(400, -32000, 'Bad Request: Mcp-Session-Id header is required')
    }
    if (this.#sessions.size >= this.#options.maxSessions && !(await this.#endIdlest())) {
      return errorResponse(503, -32000, 'Too many sessions are in use. Try again later.', { 'retry-after': '30' })
    }
    const session = new Session(sees, this.#subscriptions, { ...this.#options, owner }, () => {
      this.#sessions.delete(session.id)
    })
    this.#sessions.set(session.id, session)
    await session.start()
    const response = await session.answer(request, body)
    if (!session.isInitialized) await session.close()
    return response
  }

  async #endIdlest(): Promise<boolean> {
    const now = Date.now()
    const idle = [...this.#sessions.values()].filter((session) => session.idleMs(now) > 0)
    const idlest = idle.toSorted((a, b) => b.idleMs(now) - a.idleMs(now))[0]
    await idlest?.close()
    return idlest !== undefined
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
