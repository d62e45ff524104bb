/** The request that is being answered, for lines of the log: found in the asynchronous context, wherever that is. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

export interface RequestContext {
  /** In every line of the log about the request, and in the answer's `X-Request-Id`. */
  readonly request: string
  /** Who asks: a name for a token or an address; absent where a host has started this process itself. */
  readonly client?: string
}

const contexts = new AsyncLocalStorage<RequestContext>()

/** A request's id: the one that a proxy gave it, so that both logs say the same, else a new one. */
export const requestId = (given?: string | readonly string[]): string =>
  typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomBytes(6).toString('hex')

/** Runs `answer` as the answer to a request. */
export const withinRequest = <Result>(context: RequestContext, answer: () => Result): Result =>
  contexts.run(context, answer)

/** The request that is being answered; nothing where none is. */
export const currentRequest = (): Partial<RequestContext> => contexts.getStore() ?? {}
