/**
 * The pool of reader processes: a queue per lane, in which clients take turns, and slots that take from them. Slots of the
 * lane `lookup` never run anything else, so that a look-up is answered while every other process is kept busy; searches and
 * look-ups may use idle query slots, where queries come first. One more process is for searches alone: it is started when
 * one would have to wait for queries of strangers. Where more wait than there are idle slots, each slot takes several.
 */
import { availableParallelism } from 'node:os'
import { StichtagError } from '../errors.ts'
import { queryTimeoutMs, readerCount } from '../settings.ts'
import { mostTogether } from './batch.ts'
import { FairQueue, type QueueLimits } from './fair-queue.ts'
import { type ReaderEndReason, type ReaderFigures, readerEnds } from './figures.ts'
import { cancelled, Job } from './job.ts'
import type { PageAnswer, ReaderRequest } from './messages.ts'
import { Slot } from './slot.ts'
import {
  type Digests,
  type Lane,
  lanes,
  type ReaderPool,
  type RecordPage,
  type RecordPageRequest,
  type Rows,
} from './types.ts'

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
  /** Requests that may wait in each lane; those of {@link room} unless said. */
  readonly maxQueued?: number
  /** Who asks, at the moment of asking; nobody in particular unless said. Clients take turns. */
  readonly clientOf?: () => string | undefined
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
/** How many may wait: a look-up is soon done, and a query may take all the time there is. */
const room: Readonly<Record<Lane, QueueLimits>> = {
  lookup: { most: 4096, mostOfOne: 1024 },
  search: { most: 1024, mostOfOne: 512 },
  query: { most: 256, mostOfOne: 128 },
}
/** How long a query may run before the process for searches is started, in milliseconds: most are done by then. */
const shortQueryMs = 50
/** Related rows up to which reading a record counts as a look-up; one with more is read as a search is. */
const mostLookupRows = 2000
/** The lanes that a slot takes from, those first that come first in it. */
const takenBy: Readonly<Record<Lane, readonly Lane[]>> = {
  lookup: ['lookup'],
  search: ['search'],
  query: ['query', 'search', 'lookup'],
}
/** The same of a slot for queries that has just taken one. */
const afterQuery: readonly Lane[] = ['search', 'query', 'lookup']
/** After so many deaths in a row without an answer, requests no longer wait for the process to start. */
const hopelessAfter = 3

/** Makes a pool of reader processes. Close it at the end; an idle one does not keep its parent alive. */
export const createReaderPool = (options: ReaderPoolOptions = {}): ProcessPool => {
  const readers = Math.max(2, options.readers ?? readerCount() ?? availableParallelism())
  const reserved = Math.min(Math.max(1, options.reserved ?? 1), readers - 1)
  const defaultTimeoutMs = options.timeoutMs ?? queryTimeoutMs()
  const memoryLimitBytes = options.memoryLimitBytes ?? 512 * 2 ** 20
  const graceMs = options.graceMs ?? 100
  const { maxQueued, clientOf } = options
  const queueOf = (lane: Lane): FairQueue<Job> =>
    new FairQueue(maxQueued === undefined ? room[lane] : { most: maxQueued, mostOfOne: maxQueued })
  /** Whether a slot for queries has last taken a query. */
  let wasQuery = false
  const queues = { lookup: queueOf('lookup'), search: queueOf('search'), query: queueOf('query') }
  const ended = new Map<ReaderEndReason, number>(readerEnds.map((why) => [why, 0]))
  let closed = false
  let restart: NodeJS.Timeout | undefined

  const count = (why: ReaderEndReason): void => void ended.set(why, (ended.get(why) ?? 0) + 1)

  const slots = Array.from({ length: readers + 1 }, (_, index) => {
    const lane: Lane = index < reserved ? 'lookup' : index < readers ? 'query' : 'search'
    return new Slot({
      lane,
      memoryLimitBytes,
      graceMs,
      companions: (slot, job) => companions(slot, job),
      handBack: (jobs) => takeBack(jobs),
      changed: () => dispatch(),
      ended: count,
    })
  })

  /** The next that somebody waits for. One that was handed back may have been answered all the same. */
  const nextOf = (lane: Lane): Job | undefined => {
    for (;;) {
      const job = queues[lane].take()
      if (job?.isSettled !== true) return job
    }
  }

  /** Searches and queries take turns in the slots for queries. */
  const nextFor = (slot: Slot): Job | undefined => {
    const order = slot.lane === 'query' && wasQuery ? afterQuery : takenBy[slot.lane]
    for (const lane of order) {
      const job = nextOf(lane)
      if (job === undefined) continue
      if (slot.lane === 'query') wasQuery = lane === 'query'
      return job
    }
    return undefined
  }

  /** A slot's fair share of what waits like its job. Look-ups go ahead of nothing else in a slot for queries. */
  const companions = (slot: Slot, { lane, request }: Job): Job[] => {
    const queue = queues[lane]
    const isGuest = lane === 'lookup' && slot.lane !== 'lookup'
    if (request.kind === 'digests' || (isGuest && queues.query.length + queues.search.length > 0)) return []
    const gathering = slots.filter((each) => each.isGathering && takenBy[each.lane].includes(lane)).length + 1
    const share = Math.min(mostTogether - 1, Math.ceil(queue.length / gathering))
    const together: Job[] = []
    while (together.length < share) {
      const job = queue.take((each) => each.request.kind !== 'digests')
      if (job === undefined) break
      if (!job.isSettled) together.push(job)
    }
    return together
  }

  /** Puts jobs back to where they were: before all others. */
  const takeBack = (jobs: readonly Job[]): void => {
    if (jobs.length === 0 || closed) return
    for (const [lane, own] of Map.groupBy(jobs, (job) => job.lane)) queues[lane].putBack(own)
    dispatch()
  }

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
    const heldUp = queues.search.length === 0 ? 0 : searchesHeldUpIn()
    for (const slot of slots.filter((slot) => slot.kind === 'absent')) {
      const spare = Math.max(0, queues.lookup.length - starting('lookup'))
      const wanted = {
        lookup: spare,
        query: queues.query.length + queues.search.length + spare - starting('query'),
        search: heldUp === 0 ? queues.search.length : 0,
      }[slot.lane]
      if (wanted <= 0) continue
      if (slot.notBefore <= Date.now()) slot.start()
    }
    giveUpHopeless()
    if (lanes.every((lane) => queues[lane].length === 0)) return
    const waits = [...slots.map((slot) => slot.notBefore - Date.now()), heldUp]
    const positive = waits.filter((wait) => wait > 0 && wait < Number.POSITIVE_INFINITY)
    if (positive.length > 0) restart = setTimeout(dispatch, Math.min(...positive))
  }

  /** Milliseconds until searches are held up by queries: 0 where they are, infinite where a slot is about to be free. */
  const searchesHeldUpIn = (): number => {
    const now = Date.now()
    const waits = slots.map((slot) => {
      if (slot.lane !== 'query') return 0
      if (slot.kind === 'absent') return slot.notBefore > now ? 0 : Number.POSITIVE_INFINITY
      const since = slot.since('query')
      return since === undefined ? Number.POSITIVE_INFINITY : Math.max(0, since + shortQueryMs - now)
    })
    return Math.max(...waits)
  }

  /** Fails the jobs of a lane all of whose processes keep dying, rather than letting them wait for ever. */
  const giveUpHopeless = (): void => {
    const hopeless = (slot: Slot): boolean => slot.kind === 'absent' && slot.failures >= hopelessAfter
    for (const lane of lanes) {
      const usable = slots.filter((slot) => takenBy[slot.lane].includes(lane))
      if (!usable.every(hopeless)) continue
      for (const job of queues[lane].drain()) {
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
    const aborted = (job: Job): void => {
      if (!queues[lane].remove(job)) for (const slot of slots) slot.abandon(job)
    }
    const client = clientOf?.()
    queues[lane].check(client)
    const job = new Job({ request, lane, client, timeoutMs: timeoutMs ?? defaultTimeoutMs, signal, aborted })
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
    const answer = quick === 'long' ? await read('search', Number.MAX_SAFE_INTEGER) : quick
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
      for (const slot of slots) if (slot.lane !== 'search') slot.start()
    },
    close: async () => {
      closed = true
      clearTimeout(restart)
      for (const job of lanes.flatMap((lane) => queues[lane].drain())) {
        job.reject(cancelled('The readers were closed.'))
      }
      await Promise.all(slots.map((slot) => slot.close()))
    },
    figures: () => {
      const kinds = slots.map(({ kind }) => kind)
      const of = (wanted: Slot['kind']): number => kinds.filter((kind) => kind === wanted).length
      const times = (why: ReaderEndReason): number => ended.get(why) ?? 0
      const waiting = (lane: Lane): number =>
        [...queues[lane], ...slots.flatMap((slot) => slot.waiting)].filter((job) => job.lane === lane).length
      return {
        processes: { busy: of('busy'), idle: of('idle'), starting: of('starting') },
        waiting: { lookup: waiting('lookup'), search: waiting('search'), query: waiting('query') },
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
