/**
 * What a second host notices of a hostile one: the time its look-ups take while the first makes every attempt of
 * test/corpus over and over, several at once, and how long after its limit a runaway statement has ended.
 *
 *     node bench/hostile-latency.ts [seconds per era]
 */
import { attempt } from '../test/corpus/attempting.ts'
import { type CorpusGateway, memoryOf, startGateway } from '../test/corpus/gateway.ts'
import { isOutcome } from '../test/corpus/outcome.ts'
import { requests } from '../test/corpus/requests.ts'
import { statements } from '../test/corpus/statements.ts'
import { type Host, hosts } from '../test/gateway/hosts.ts'

const limitMs = 2000
const hostileAtOnce = 4
const pauseMs = 5

const keys = ['K1101R_HRB150148', 'D2601V_HRB900148', 'K1101R_HRB900902']

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Milliseconds that one look-up takes. By the tool: modern hosts keep what they read by URI. */
const lookUp = async ({ client }: Host, turn: number): Promise<number> => {
  const started = performance.now()
  const id = `offeneregister://company/${keys[turn % keys.length]}`
  const { isError } = await client.callTool({ name: 'fetch', arguments: { id } })
  if (isError === true) throw new Error(`the look-up of ${id} failed`)
  return performance.now() - started
}

/** Look-ups one after the other until told to stop. */
const lookUpsUntil = async (host: Host, isOver: () => boolean): Promise<readonly number[]> => {
  const times: number[] = []
  while (!isOver()) {
    times.push(await lookUp(host, times.length))
    await pause(pauseMs)
  }
  return times
}

const percentile = (times: readonly number[], share: number): number => {
  const sorted = times.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

const shown = (times: readonly number[]): string => {
  const [half, most] = [0.5, 0.99].map((share) => percentile(times, share).toFixed(1))
  return `${times.length} look-ups: median ${half} ms, p99 ${most} ms, longest ${Math.max(...times).toFixed(1)} ms`
}

/** Attempts of the corpus in turn, by one of several hostile workers, until told to stop. Gives how many came out wrong. */
const beHostile = async (
  host: Host,
  worker: number,
  isOver: () => boolean,
): Promise<{ made: number; wrong: number }> => {
  const all = [...statements, ...requests]
  const count = { made: 0, wrong: 0 }
  for (let turn = worker; !isOver(); turn += hostileAtOnce) {
    const each = all[turn % all.length]
    if (each === undefined) continue
    const got = await attempt(host, each)
    count.made += 1
    // A queue that is full, or a slot that another statement holds, is no fault of the attempt's outcome.
    if (!isOutcome(got, each.outcome) && !('message' in got && /wait already|ran past/.test(got.message)))
      count.wrong += 1
  }
  return count
}

/** Most memory of the gateway and of a reader, in MiB, looked at every 10 ms. */
const watchMemory = ({ processId, readers }: CorpusGateway) => {
  const most = { gateway: 0, reader: 0 }
  const timer = setInterval(() => {
    most.gateway = Math.max(most.gateway, memoryOf(processId))
    most.reader = Math.max(most.reader, ...readers().map(memoryOf))
  }, 10)
  return {
    most,
    stop: () => {
      clearInterval(timer)
    },
  }
}

/** Milliseconds past its limit after which a runaway statement was told as stopped, and the next statement's time. */
const measureRunaways = async (host: Host, count: number) => {
  const past: number[] = []
  const next: number[] = []
  const runaway = statements.find(({ outcome }) => outcome === 'timed out')
  const plain = { request: { sql: 'SELECT 1 AS a' }, outcome: { rows: [[1]] } }
  if (runaway === undefined) throw new Error('the corpus has a runaway statement')
  for (let turn = 0; turn < count; turn += 1) {
    const started = performance.now()
    await attempt(host, runaway)
    const ended = performance.now()
    past.push(ended - started - limitMs)
    if (!isOutcome(await attempt(host, plain), plain.outcome)) throw new Error('the next statement did not work')
    next.push(performance.now() - ended)
  }
  return { past, next }
}

const measure = async (era: keyof typeof hosts, seconds: number): Promise<void> => {
  const gateway = await startGateway(limitMs)
  const [hostile, other] = await Promise.all([hosts[era]({ url: gateway.url }), hosts[era]({ url: gateway.url })])
  const memory = watchMemory(gateway)
  try {
    process.stdout.write(`\n${era}\n`)
    const { past, next } = await measureRunaways(hostile, 5)
    process.stdout.write(`a runaway ends ${Math.max(...past).toFixed(0)} ms after its limit at most; `)
    process.stdout.write(`the next statement is answered within ${Math.max(...next).toFixed(0)} ms\n`)
    let over = false
    setTimeout(() => {
      over = true
    }, 3000)
    process.stdout.write(`alone:   ${shown(await lookUpsUntil(other, () => over))}\n`)
    over = false
    setTimeout(() => {
      over = true
    }, seconds * 1000)
    const workers = Array.from({ length: hostileAtOnce }, (_, worker) => beHostile(hostile, worker, () => over))
    process.stdout.write(`hostile: ${shown(await lookUpsUntil(other, () => over))}\n`)
    const counts = await Promise.all(workers)
    const [made, wrong] = (['made', 'wrong'] as const).map((of) => counts.reduce((sum, each) => sum + each[of], 0))
    process.stdout.write(`${made} attempts, ${wrong} came out wrong; most memory: gateway `)
    process.stdout.write(`${memory.most.gateway.toFixed(0)} MiB, reader ${memory.most.reader.toFixed(0)} MiB\n`)
  } finally {
    memory.stop()
    await hostile.close()
    await other.close()
    await gateway.close()
  }
}

if (import.meta.main) {
  const seconds = Number(process.argv[2] ?? 60)
  for (const era of ['SDK 1.x (2025-11-25)', 'SDK 2.x, modern era'] as const) await measure(era, seconds)
}
