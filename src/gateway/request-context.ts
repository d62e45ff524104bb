/** The request that is being answered, for lines of the log: found in the asynchronous context, wherever that is. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

export interface RequestContext {
  /** In every line of the log about the request, and in the answer's `X-Request-Id`. */
  readonly request: string
  /** Who asks: a name for a token or an address; absent where a host has started this process itself. */
  readonly client?: string
}

/** What {@link withinRequest} is told of a request. */
export interface CurrentRequest extends RequestContext {
  /** Under whose name its work waits its turn: the client's, or a finer one where that may be several hosts'. */
  readonly waitsAs?: string
}

const contexts = new AsyncLocalStorage<CurrentRequest>()

/** As many as tell the requests of a log apart. Node draws the bits of UUIDs in stock, other random bytes one call at a time. */
const idDigits = 12

/** A request's id: the one that a proxy gave it, so that both logs say the same, else a new one. */
export const requestId = (given?: string | readonly string[]): string =>
  typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID().slice(-idDigits)

/** Runs `answer` as the answer to a request. */
export const withinRequest = <Result>(context: CurrentRequest, answer: () => Result): Result =>
  contexts.run(context, answer)

/** The request that is being answered; nothing where none is. */
export const currentRequest = (): Partial<RequestContext> => {
  const { waitsAs: _, ...told }: Partial<CurrentRequest> = contexts.getStore() ?? {}
  return told
}

/** Under whose name what is asked for now waits its turn; undefined where it is for nobody in particular. */
export const currentClient = (): string | undefined => contexts.getStore()?.waitsAs
