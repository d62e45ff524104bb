/** One request on its way through the pool, settled once: by its answer, a failure, its time limit, or its caller. */
import { StichtagError } from '../errors.ts'
import type { ReaderRequest } from './messages.ts'
import type { Lane } from './types.ts'

export interface JobOptions {
  readonly request: ReaderRequest
  readonly lane: Lane
  /** Who asks, where that is known. */
  readonly client: string | undefined
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** Called when the caller aborts before the job is settled. */
  readonly aborted: (job: Job) => void
}

export class Job {
  readonly request: ReaderRequest
  readonly lane: Lane
  readonly client: string | undefined
  readonly timeoutMs: number
  /** What the reader answered; its shape follows from the request. */
  readonly answer: Promise<unknown>
  readonly #settled = Promise.withResolvers<unknown>()
  readonly #signal: AbortSignal | undefined
  readonly #abort: () => void
  #isSettled = false

  constructor({ request, lane, client, timeoutMs, signal, aborted }: JobOptions) {
    this.request = request
    this.lane = lane
    this.client = client
    this.timeoutMs = timeoutMs
    this.answer = this.#settled.promise
    this.#signal = signal
    this.#abort = () => {
      this.reject(cancelled('The request was cancelled.'))
      aborted(this)
    }
    signal?.addEventListener('abort', this.#abort, { once: true })
  }

  /** Whether nobody waits for its answer any more. */
  get isSettled(): boolean {
    return this.#isSettled
  }

  resolve(answer: unknown): void {
    this.#isSettled = true
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#settled.resolve(answer)
  }

  reject(error: StichtagError): void {
    this.#isSettled = true
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#settled.reject(error)
  }
}

export const cancelled = (message: string): StichtagError => new StichtagError('CANCELLED', message)
