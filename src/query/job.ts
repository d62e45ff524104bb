/** One request on its way through the pool, settled once: by its answer, a failure, its time limit, or its caller. */
import { StichtagError } from '../errors.ts'
import type { ReaderRequest } from './messages.ts'
import type { Lane } from './types.ts'

export interface JobOptions {
  readonly request: ReaderRequest
  readonly lane: Lane
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** Called when the caller aborts before the job is settled. */
  readonly aborted: (job: Job) => void
}

export class Job {
  readonly request: ReaderRequest
  readonly lane: Lane
  readonly timeoutMs: number
  /** What the reader answered; its shape follows from the request. */
  readonly answer: Promise<unknown>
  readonly #settled = Promise.withResolvers<unknown>()
  readonly #signal: AbortSignal | undefined
  readonly #abort: () => void

  constructor({ request, lane, timeoutMs, signal, aborted }: JobOptions) {
    this.request = request
    this.lane = lane
    this.timeoutMs = timeoutMs
    this.answer = this.#settled.promise
    this.#signal = signal
    this.#abort = () => {
      this.reject(cancelled('The request was cancelled.'))
      aborted(this)
    }
    signal?.addEventListener('abort', this.#abort, { once: true })
  }

  resolve(answer: unknown): void {
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#settled.resolve(answer)
  }

  reject(error: StichtagError): void {
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#settled.reject(error)
  }
}

export const cancelled = (message: string): StichtagError => new StichtagError('CANCELLED', message)
