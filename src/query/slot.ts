/**
 * A place for one reader process, which outlives the processes in it. A process that is killed or dies takes only the
 * job it was on with it; one that dies for no job's sake is started again later and later.
 *
 * A job makes the slot busy at once, and goes to the process at the end of the turn, with what came to wait meanwhile. Those
 * behind a job that takes long are handed back after a moment, and wait for whichever process is free first.
 */
import { type ErrorCode, errorKinds, StichtagError } from '../errors.ts'
import { Batch } from './batch.ts'
import type { ReaderEndReason } from './figures.ts'
import { cancelled, type Job } from './job.ts'
import type { ReaderReply } from './messages.ts'
import { type Reader, type ReaderEnd, startReader } from './reader.ts'
import type { Lane } from './types.ts'

/** How long a process may take to start before it counts as dead, in milliseconds. */
const startLimitMs = 30_000
const backoffMs = { first: 100, longest: 10_000 }
/** How long jobs wait behind another one in a process before they are handed back, in milliseconds. */
const behindLimitMs = 25

type State =
  | { readonly kind: 'absent' }
  | { readonly kind: 'starting'; readonly reader: Reader; readonly timer: NodeJS.Timeout }
  | { readonly kind: 'idle'; readonly reader: Reader }
  | Busy
  /** Killed; its exit is awaited. */
  | { readonly kind: 'ending'; readonly reader: Reader }

interface Busy {
  readonly kind: 'busy'
  readonly reader: Reader
  readonly batch: Batch
  /** There until the batch is sent. */
  sending: NodeJS.Immediate | undefined
  /** Limit of the job that is being run. */
  timer: NodeJS.Timeout | undefined
  /** After which those behind it are handed back. */
  readonly behind: NodeJS.Timeout
  /** When the job that is being run was begun, in milliseconds. */
  since: number
}

export interface SlotOptions {
  /** `lookup` and `search`: only such run here. `query`: all. */
  readonly lane: Lane
  readonly memoryLimitBytes: number
  /**
   * How long a process is given to finish a job that nobody waits for any more, in milliseconds: most are done sooner
   * than a new process would have started.
   */
  readonly graceMs: number
  /** Jobs that may go to the process together with one, just before they do. */
  readonly companions: (slot: Slot, job: Job) => readonly Job[]
  /** Called with jobs that went to the process and were not run. */
  readonly handBack: (jobs: readonly Job[]) => void
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

  /** Whether a job is about to go to its process, and others may go with it. */
  get isGathering(): boolean {
    return this.#state.kind === 'busy' && this.#state.sending !== undefined
  }

  /** Since when it is at a job of a lane, in milliseconds; undefined where it is at none. */
  since(lane: Lane): number | undefined {
    return this.#state.kind === 'busy' && this.#state.batch.running?.lane === lane ? this.#state.since : undefined
  }

  /** Jobs that wait behind the one its process is at. */
  get waiting(): readonly Job[] {
    return this.#state.kind === 'busy' ? this.#state.batch.waiting : []
  }

  start(): void {
    if (this.#state.kind !== 'absent') return
    this.#exit = Promise.withResolvers()
    const { lane, memoryLimitBytes } = this.#options
    const reader = startReader(
      { memoryLimitBytes, yields: lane !== 'lookup' },
      { reply: (reply) => this.#onReply(reply), end: (end) => this.#onEnd(end) },
    )
    this.#state = { kind: 'starting', reader, timer: setTimeout(() => reader.kill(), startLimitMs) }
  }

  /** Gives the idle process a job; its time begins with this turn's end. */
  run(job: Job): void {
    if (this.#state.kind !== 'idle') throw new StichtagError('INTERNAL', `A ${this.kind} reader was given a job.`)
    const { reader } = this.#state
    reader.keepParentAlive(true)
    const busy: Busy = {
      kind: 'busy',
      reader,
      batch: new Batch(job),
      sending: setImmediate(() => this.#sendBatch(busy)),
      timer: undefined,
      behind: setTimeout(() => this.#lookBehind(busy), behindLimitMs),
      since: Date.now(),
    }
    this.#state = busy
  }

  /** Frees the slot of a job that is settled already: kills its process unless it is done in a moment. */
  abandon(job: Job): void {
    if (this.#state.kind === 'busy' && this.#state.batch.running === job) this.#limitRunning(this.#state)
  }

  /** Ends the process for good and cancels its jobs; resolves when it is gone. */
  close(): Promise<void> {
    this.#closed = true
    if (this.#state.kind === 'busy') {
      const { batch } = this.#state
      for (const job of [batch.running, ...batch.takeBack()]) job?.reject(cancelled('The readers were closed.'))
    }
    return this.kill()
  }

  /** Ends the process, if there is one; resolves when it is gone. Another takes its place. */
  kill(): Promise<void> {
    const state = this.#state
    if (state.kind === 'absent') return Promise.resolve()
    if (state.kind === 'starting') clearTimeout(state.timer)
    const { reader } = state
    this.#state = { kind: 'ending', reader }
    reader.keepParentAlive(true)
    reader.kill()
    if (state.kind === 'busy') this.#leave(state)
    return this.#exit?.promise ?? Promise.resolve()
  }

  #sendBatch(busy: Busy): void {
    busy.sending = undefined
    const { batch, reader } = busy
    const { running } = batch
    if (running !== undefined) batch.add(this.#options.companions(this, running))
    this.#limitRunning(busy)
    reader.ask(batch.requests)
  }

  /** The running job's time begins, or a moment to be done in where nobody waits for it. */
  #limitRunning(busy: Busy): void {
    clearTimeout(busy.timer)
    const job = busy.batch.running
    busy.since = Date.now()
    if (job === undefined) return
    const limit = (why: ReaderEndReason, milliseconds: number): NodeJS.Timeout =>
      setTimeout(() => {
        if (why === 'timeout') job.reject(timedOut(milliseconds))
        this.#options.ended(why)
        this.kill()
      }, milliseconds)
    busy.timer = job.isSettled ? limit('cancelled', this.#options.graceMs) : limit('timeout', job.timeoutMs)
  }

  /** The running job takes long. What was answered meanwhile may lie unread yet, and is read first. */
  #lookBehind(busy: Busy): void {
    const { running } = busy.batch
    setImmediate(() => {
      if (this.#state !== busy) return
      if (busy.batch.running !== running) busy.behind.refresh()
      else this.#options.handBack(busy.batch.takeBack())
    })
  }

  /** Stops all that a busy state does by itself; jobs that were not run are handed back. */
  #leave(busy: Busy): void {
    clearImmediate(busy.sending)
    clearTimeout(busy.timer)
    clearTimeout(busy.behind)
    this.#options.handBack(busy.batch.takeBack())
  }

  #onReply(reply: ReaderReply): void {
    const state = this.#state
    if (state.kind === 'starting' && reply.kind === 'ready') {
      clearTimeout(state.timer)
      this.#becomeIdle(state.reader)
    }
    if (state.kind !== 'busy' || reply.kind === 'ready') return
    if (reply.kind !== 'rest') this.#onAnswer(state, reply)
    else {
      this.#options.handBack(state.batch.takeRest())
      this.#leave(state)
      this.#becomeIdle(state.reader)
    }
  }

  #onAnswer(busy: Busy, reply: Extract<ReaderReply, { kind: 'answer' | 'failure' }>): void {
    const { batch, reader } = busy
    this.failures = 0
    if (reply.kind === 'answer') batch.running?.resolve(reply.answer)
    else batch.running?.reject(new StichtagError(codeOf(reply.code), reply.message))
    batch.advance()
    if (reply.spent) {
      this.#options.handBack(batch.takeRest())
      this.kill()
    } else if (batch.running !== undefined) this.#limitRunning(busy)
    else {
      this.#leave(busy)
      this.#becomeIdle(reader)
    }
  }

  #becomeIdle(reader: Reader): void {
    reader.keepParentAlive(false)
    this.#state = { kind: 'idle', reader }
    this.#options.changed()
  }

  #onEnd(end: ReaderEnd): void {
    const state = this.#state
    if (state.kind === 'starting') clearTimeout(state.timer)
    this.#state = { kind: 'absent' }
    if (state.kind === 'busy') {
      const { running } = state.batch
      // One that was taken back is another process's by now.
      if (running !== undefined && !state.batch.isTakenBack(running)) {
        running.reject(died(end, this.#options.memoryLimitBytes))
      }
      this.#options.ended(end.forMemory ? 'memory' : 'died')
      this.#leave(state)
    }
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
