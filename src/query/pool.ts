/**
 * The pool of reader processes: two queues, one per lane, and slots that take from them. Slots of the lane `lookup` never
 * run a query, so that a look-up is answered while every other process is kept busy; look-ups may use idle query slots,
 * where queries come first.
 */
import { availableParallelism } from 'node:os'
import { StichtagError } from '../errors.ts'
import { queryTimeoutMs, readerCount } from '../settings.ts'
import { type ReaderEndReason, type ReaderFigures, readerEnds } from './figures.ts'
import { cancelled, Job } from './job.ts'
import type { PageAnswer, ReaderRequest } from './messages.ts'
import { Slot } from './slot.ts'
import type { Digests, Lane, ReaderPool, RecordPage, RecordPageRequest, Rows } from './types.ts'

export interface ReaderPoolOptions {
  /** Processes in all, at least two; by default what the settings say, else as many as cores. */
  readonly readers?: number
  /** How many of them take look-ups alone; one unless said. At least one is left for queries. */
  readonly reserved?: number
  /** Milliseconds a request may run; what the settings say unless said here or with the request. */
  readonly timeoutMs?: number
  /** Memory (resident set) at which a process is ended, in bytes; 512 MiB unless said. */
  readonly memoryLimitBytes?: number
  /** Milliseconds a process is given to finish a request that was cancelled, before it is killed; 100 unless said. */
  readonly graceMs?: number
  /** Requests that may wait in each lane; 256 unless said. */
  readonly maxQueued?: number
}

/** A pool that can also tell of its processes. */
export interface ProcessPool extends ReaderPool {
  /** Starts all processes now, rather than each when it is first needed. */
  warm(): void
  processIds(): readonly number[]
  figures(): ReaderFigures
}

/** Keys per message: few enough that none is big or runs into the time limit, and that other look-ups come in between. */
const keysPerMessage = 100
/** Related rows up to which reading a record counts as a look-up; one with more is read as a query is. */
const mostLookupRows = 2000
/** After so many deaths in a row without an answer, requests no longer wait for the process to start. */
const hopelessAfter = 3

/** Makes a pool of reader processes. Close it at the end; an idle one does not keep its parent alive. */
export const createReaderPool = (options: ReaderPoolOptions = {}): ProcessPool => {
  const readers = Math.max(2, options.readers ?? readerCount() ?? availableParallelism())
  const reserved = Math.min(Math.max(1, options.reserved ?? 1), readers - 1)
  const defaultTimeoutMs = options.timeoutMs ?? queryTimeoutMs()
  const memoryLimitBytes = options.memoryLimitBytes ?? 512 * 2 ** 20
  const graceMs = options.graceMs ?? 100
  const maxQueued = options.maxQueued ?? 256
  const queues: Readonly<Record<Lane, Job[]>> = { lookup: [], query: [] }
  const ended = new Map<ReaderEndReason, number>(readerEnds.map((why) => [why, 0]))
  let closed = false
  let restart: NodeJS.Timeout | undefined

  const count = (why: ReaderEndReason): void => void ended.set(why, (ended.get(why) ?? 0) + 1)

  const slots = Array.from({ length: readers }, (_, index) => {
    const lane: Lane = index < reserved ? 'lookup' : 'query'
    return new Slot({ lane, memoryLimitBytes, graceMs, changed: () => dispatch(), ended: count })
  })

  const nextFor = (slot: Slot): Job | undefined =>
    slot.lane === 'lookup' ? queues.lookup.shift() : (queues.query.shift() ?? queues.lookup.shift())

  const dispatch = (): void => {
    if (closed) return
    for (const slot of slots) {
      if (slot.kind !== 'idle') continue
      const job = nextFor(slot)
      if (job !== undefined) slot.run(job)
    }
    startWanted()
  }

  /** Starts as many processes as jobs wait for, reserved ones first, and none before its time. */
  const startWanted = (): void => {
    clearTimeout(restart)
    const starting = (lane: Lane): number =>
      slots.filter((slot) => slot.kind === 'starting' && slot.lane === lane).length
    for (const slot of slots.filter((slot) => slot.kind === 'absent')) {
      const spare = Math.max(0, queues.lookup.length - starting('lookup'))
      const wanted = slot.lane === 'lookup' ? spare : queues.query.length + spare - starting('query')
      if (wanted <= 0) continue
      if (slot.notBefore <= Date.now()) slot.start()
    }
    giveUpHopeless()
    if (queues.lookup.length + queues.query.length === 0) return
    const waits = slots.map((slot) => slot.notBefore - Date.now()).filter((wait) => wait > 0)
    if (waits.length > 0) restart = setTimeout(dispatch, Math.min(...waits))
  }

  /** Fails the jobs of a lane all of whose processes keep dying, rather than letting them wait for ever. */
  const giveUpHopeless = (): void => {
    const hopeless = (slot: Slot): boolean => slot.kind === 'absent' && slot.failures >= hopelessAfter
    for (const lane of ['lookup', 'query'] as const) {
      const usable = slots.filter((slot) => lane === 'lookup' || slot.lane === lane)
      if (!usable.every(hopeless)) continue
      for (const job of queues[lane].splice(0)) {
        job.reject(new StichtagError('INTERNAL', 'The processes that read databases do not start. See their errors.'))
      }
    }
  }

  const submit = async (
    request: ReaderRequest,
    lane: Lane,
    timeoutMs?: number,
    signal?: AbortSignal,
  ): Promise<unknown> => {
    if (closed) throw cancelled('The readers are closed.')
    if (signal?.aborted) throw cancelled('The request was cancelled.')
    if (queues[lane].length >= maxQueued) {
      throw new StichtagError('QUEUE_FULL', `${maxQueued} requests wait already. Try again shortly.`)
    }
    const aborted = (job: Job): void => {
      const waiting = queues[lane].indexOf(job)
      if (waiting !== -1) queues[lane].splice(waiting, 1)
      else for (const slot of slots) slot.abandon(job)
    }
    const job = new Job({ request, lane, timeoutMs: timeoutMs ?? defaultTimeoutMs, signal, aborted })
    queues[lane].push(job)
    dispatch()
    return job.answer
  }

  const digests: ReaderPool['digests'] = async (request, signal) => {
    const found: (string | null)[] = []
    for (let start = 0; start < request.keys.length; start += keysPerMessage) {
      const keys = request.keys.slice(start, start + keysPerMessage)
      // One answer per key: that is what `readDigests` gives.
      const chunk = (await submit(
        { kind: 'digests', request: { ...request, keys } },
        'lookup',
        undefined,
        signal,
      )) as Digests
      for (const digest of chunk) found.push(digest)
    }
    return found
  }

  const recordPage = async (request: RecordPageRequest, signal?: AbortSignal): Promise<RecordPage | null> => {
    const read = async (lane: Lane, mostRows: number): Promise<PageAnswer> =>
      // That is what `readRecordPage` gives.
      (await submit({ kind: 'page', request, mostRows }, lane, undefined, signal)) as PageAnswer
    const quick = await read('lookup', mostLookupRows)
    const answer = quick === 'long' ? await read('query', Number.MAX_SAFE_INTEGER) : quick
    if (answer === 'long') throw new StichtagError('INTERNAL', 'A record has more rows than can be counted.')
    return answer.page
  }

  return {
    // That is what `readRows` gives.
    rows: async (request, signal) =>
      (await submit({ kind: 'rows', request }, request.lane, request.timeoutMs, signal)) as Rows,
    recordPage,
    digests,
    warm: () => {
      for (const slot of slots) slot.start()
    },
    close: async () => {
      closed = true
      clearTimeout(restart)
      for (const job of [...queues.lookup.splice(0), ...queues.query.splice(0)]) {
        job.reject(cancelled('The readers were closed.'))
      }
      await Promise.all(slots.map((slot) => slot.close()))
    },
    figures: () => {
      const kinds = slots.map(({ kind }) => kind)
      const of = (wanted: Slot['kind']): number => kinds.filter((kind) => kind === wanted).length
      const times = (why: ReaderEndReason): number => ended.get(why) ?? 0
      return {
        processes: { busy: of('busy'), idle: of('idle'), starting: of('starting') },
        waiting: { lookup: queues.lookup.length, query: queues.query.length },
        ended: {
          timeout: times('timeout'),
          cancelled: times('cancelled'),
          memory: times('memory'),
          died: times('died'),
        },
      }
    },
    processIds: () => slots.flatMap((slot) => slot.processId ?? []),
  }
}
