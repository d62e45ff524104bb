/**
 * A place for one reader process, which outlives the processes in it. A process that is killed or dies takes only the
 * job it was on with it; one that dies for no job's sake is started again later and later.
 */
import { type ErrorCode, errorKinds, StichtagError } from '../errors.ts'
import type { ReaderEndReason } from './figures.ts'
import { cancelled, type Job } from './job.ts'
import type { ReaderReply } from './messages.ts'
import { type Reader, type ReaderEnd, startReader } from './reader.ts'
import type { Lane } from './types.ts'

/** How long a process may take to start before it counts as dead, in milliseconds. */
const startLimitMs = 30_000
const backoffMs = { first: 100, longest: 10_000 }

type State =
  | { readonly kind: 'absent' }
  | { readonly kind: 'starting'; readonly reader: Reader; readonly timer: NodeJS.Timeout }
  | { readonly kind: 'idle'; readonly reader: Reader }
  | { readonly kind: 'busy'; readonly reader: Reader; readonly job: Job; timer: NodeJS.Timeout }
  /** Killed; its exit is awaited. */
  | { readonly kind: 'ending'; readonly reader: Reader }

export interface SlotOptions {
  /** `lookup`: only look-ups run here. `query`: both. */
  readonly lane: Lane
  readonly memoryLimitBytes: number
  /**
   * How long a process is given to finish a job that nobody waits for any more, in milliseconds: most are done sooner
   * than a new process would have started.
   */
  readonly graceMs: number
  /** Called whenever the slot became idle or absent. */
  readonly changed: () => void
  /** Called when a process ends, or is ended, that is on a request. */
  readonly ended: (why: ReaderEndReason) => void
}

export class Slot {
  readonly lane: Lane
  readonly #options: SlotOptions
  #state: State = { kind: 'absent' }
  #exit: PromiseWithResolvers<void> | undefined
  #closed = false
  /** Deaths since the last answer that no job caused. */
  failures = 0
  /** When a process may be started again (milliseconds of `Date.now`). */
  notBefore = 0

  constructor(options: SlotOptions) {
    this.lane = options.lane
    this.#options = options
  }

  get kind(): State['kind'] {
    return this.#state.kind
  }

  get processId(): number | undefined {
    return this.#state.kind === 'absent' ? undefined : this.#state.reader.processId
  }

  start(): void {
    if (this.#state.kind !== 'absent') return
    this.#exit = Promise.withResolvers()
    const { lane, memoryLimitBytes } = this.#options
    const reader = startReader(
      { memoryLimitBytes, yields: lane === 'query' },
      { reply: (reply) => this.#onReply(reply), end: (end) => this.#onEnd(end) },
    )
    this.#state = { kind: 'starting', reader, timer: setTimeout(() => reader.kill(), startLimitMs) }
  }

  /** Gives the idle process a job; its time begins now. */
  run(job: Job): void {
    if (this.#state.kind !== 'idle') throw new StichtagError('INTERNAL', `A ${this.kind} reader was given a job.`)
    const { reader } = this.#state
    reader.keepParentAlive(true)
    const timer = setTimeout(() => {
      job.reject(timedOut(job.timeoutMs))
      this.#options.ended('timeout')
      this.kill()
    }, job.timeoutMs)
    this.#state = { kind: 'busy', reader, job, timer }
    reader.ask(job.request)
  }

  /** Frees the slot of a job that is settled already: kills its process unless it is done in a moment. */
  abandon(job: Job): void {
    if (this.#state.kind !== 'busy' || this.#state.job !== job) return
    clearTimeout(this.#state.timer)
    this.#state.timer = setTimeout(() => {
      this.#options.ended('cancelled')
      this.kill()
    }, this.#options.graceMs)
  }

  /** Ends the process for good and cancels its job; resolves when it is gone. */
  close(): Promise<void> {
    this.#closed = true
    if (this.#state.kind === 'busy') this.#state.job.reject(cancelled('The readers were closed.'))
    return this.kill()
  }

  /** Ends the process, if there is one; resolves when it is gone. Another takes its place. */
  kill(): Promise<void> {
    if (this.#state.kind === 'absent') return Promise.resolve()
    if (this.#state.kind === 'starting' || this.#state.kind === 'busy') clearTimeout(this.#state.timer)
    const { reader } = this.#state
    this.#state = { kind: 'ending', reader }
    reader.keepParentAlive(true)
    reader.kill()
    return this.#exit?.promise ?? Promise.resolve()
  }

  #onReply(reply: ReaderReply): void {
    const state = this.#state
    if (state.kind === 'starting' && reply.kind === 'ready') clearTimeout(state.timer)
    else if (state.kind === 'busy' && reply.kind !== 'ready') {
      clearTimeout(state.timer)
      this.failures = 0
      if (reply.kind === 'answer') state.job.resolve(reply.answer)
      else state.job.reject(new StichtagError(codeOf(reply.code), reply.message))
      if (reply.spent) {
        this.kill()
        return
      }
    } else return
    state.reader.keepParentAlive(false)
    this.#state = { kind: 'idle', reader: state.reader }
    this.#options.changed()
  }

  #onEnd(end: ReaderEnd): void {
    const state = this.#state
    if (state.kind === 'starting' || state.kind === 'busy') clearTimeout(state.timer)
    if (state.kind === 'busy') {
      state.job.reject(died(end, this.#options.memoryLimitBytes))
      this.#options.ended(end.forMemory ? 'memory' : 'died')
    }
    this.#state = { kind: 'absent' }
    this.#exit?.resolve()
    if (state.kind === 'starting' || state.kind === 'idle') {
      this.failures += 1
      this.notBefore = Date.now() + Math.min(backoffMs.first * 2 ** (this.failures - 1), backoffMs.longest)
    } else if (!this.#closed) {
      // Its job was the cause: a fresh process stands ready before the next one comes.
      this.start()
    }
    this.#options.changed()
  }
}

const timedOut = (limit: number): StichtagError =>
  new StichtagError(
    'QUERY_TIMEOUT',
    `The statement ran past its limit of ${limit} ms and was stopped. Narrow it: filter on indexed columns, join less.`,
    { data: { timeoutMs: limit } },
  )

const died = (end: ReaderEnd, limit: number): StichtagError =>
  end.forMemory
    ? new StichtagError(
        'QUERY_FAILED',
        `The statement used more than its ${Math.round(limit / 2 ** 20)} MiB of memory and was stopped. ` +
          'Sort, group or concatenate less.',
      )
    : new StichtagError('QUERY_FAILED', `The process that ran the statement ended (${end.how}). Try again.`)

const codeOf = (code: string): ErrorCode =>
  // `in` has just shown that it is one of the table's keys.
  code in errorKinds ? (code as ErrorCode) : 'INTERNAL'
