/** What is kept of a request until it is answered: for the figures, and for its line in the log. */
import { ProtocolError } from '@modelcontextprotocol/server'
import { asStichtagError, type ErrorCode } from '../errors.ts'
import type { RequestOutcome } from './observer.ts'
import type { Era, GatewayOptions } from './options.ts'
import { currentRequest } from './request-context.ts'

export class RequestRecord {
  readonly #method: string
  readonly #era: Era
  readonly #given: unknown
  readonly #began = performance.now()
  #outcome: RequestOutcome = 'ok'

  constructor(method: string, era: Era, given: unknown) {
    this.#method = method
    this.#era = era
    this.#given = given
  }

  failedWith(code: ErrorCode): void {
    this.#outcome = code
  }

  failed(thrown: unknown): void {
    if (thrown instanceof ProtocolError && this.#outcome === 'ok') this.#outcome = 'error'
    else if (!(thrown instanceof ProtocolError)) this.#outcome = asStichtagError(thrown).code
  }

  /** The request is answered, or was given up: counts it, and writes its line. */
  end({ log, observer, logArguments }: GatewayOptions, isCancelled: boolean): void {
    const milliseconds = performance.now() - this.#began
    const outcome = isCancelled ? 'cancelled' : this.#outcome
    observer?.answered({ method: this.#method, era: this.#era, outcome, seconds: milliseconds / 1000 })
    if (!log.isLevelEnabled('debug')) return
    const ms = Math.round(milliseconds * 10) / 10
    const asked = logArguments === true ? { asked: this.#given } : {}
    log.debug({ ...currentRequest(), method: this.#method, era: this.#era, outcome, ms, ...asked }, 'answered')
  }
}
