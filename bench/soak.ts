/**
 * A gateway at full load for minutes, with a publish every five seconds: does anything grow?
 *
 *     node bench/soak.ts [minutes] [--pause MS]
 *
 * Sixteen readers of mixed requests and fifty subscribers, half of each era, as bare HTTP (bench/raw-hosts.ts). Each
 * publish is an hour after the one before by the publisher's clock, so that retention prunes as it does in weeks. What
 * the first fifth of the samples says is set against the last fifth; each subscriber must be told of each change once.
 * `--pause` is the readers' rest between two requests, for machines that are shared.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type CompanyStore, createCompanyStore, deliveryOf } from './company-store.ts'
import { type MeasuredGateway, startMeasuredGateway } from './gateway-process.ts'
import { type RawHost, startRawHost } from './raw-hosts.ts'
import { figuresOf, type SoakReport, type SoakSample } from './soak-figures.ts'
import type { PublisherAnswer } from './soak-publisher.ts'

export interface SoakOptions {
  readonly minutes: number
  readonly pauseMs: number
}

const companies = 2000
const readers = 16
const subscribers = 50
const urisPerSubscriber = 20
const changesPerPublish = 40
const publishEveryMs = 5000
const sampleEveryMs = 5000

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    // What is pruned at this moment is gone.
    .reduce(
      (sum, entry) => sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    )

/** Requests that hosts make, in turn. */
const requestsOf = (store: CompanyStore, turn: number): readonly [string, Record<string, unknown>] => {
  const uri = store.uriOf((turn * 7919) % companies)
  const call = (name: string, args: object) => ['tools/call', { name, arguments: args }] as const
  switch (turn % 8) {
    case 0:
      return call('search', { query: 'Handels GmbH', limit: 5 })
    case 1:
      return call('changes', { dataset: 'offeneregister', limit: 20 })
    case 2:
      return call('fetch', { id: uri })
    case 3:
      return ['resources/list', {}]
    case 4:
      return ['resources/read', { uri: 'offeneregister://dataset' }]
    case 5:
      return call('freeQuery_offeneregister', { sql: 'SELECT count(*) AS n FROM officer WHERE position IS NOT NULL' })
    default:
      return ['resources/read', { uri }]
  }
}

interface Work {
  readonly times: number[]
  readonly failed: string[]
  count: number
}

const readOn = async (
  host: RawHost,
  reader: number,
  store: CompanyStore,
  { pauseMs, work, isOver }: { readonly pauseMs: number; readonly work: Work; readonly isOver: () => boolean },
): Promise<void> => {
  for (let turn = reader; !isOver(); turn += readers + 1) {
    const [method, params] = requestsOf(store, turn)
    const started = performance.now()
    try {
      const result = await host.ask(method, params)
      if (result.isError === true) work.failed.push(`${method} ${JSON.stringify(result.content).slice(0, 200)}`)
    } catch (error) {
      work.failed.push(`${method} ${String(error)}`)
    }
    work.times.push(performance.now() - started)
    work.count += 1
    await pause(pauseMs)
  }
}

const publishOn = async (
  publisher: ChildProcess,
  store: CompanyStore,
  isOver: () => boolean,
): Promise<readonly ReadonlySet<number>[]> => {
  const states = new Map<number, number>()
  const published: Set<number>[] = []
  let due = performance.now()
  while (!isOver()) {
    const start = published.length * 61
    const changed = new Set(Array.from({ length: changesPerPublish }, (_, place) => (start + place * 13) % companies))
    for (const index of changed) states.set(index, (states.get(index) ?? 0) + 1)
    writeFileSync(store.file, deliveryOf(companies, states))
    publisher.send('publish')
    const [message] = await once(publisher, 'message')
    // The publisher is our own module, and sends nothing else.
    const { outcome } = message as PublisherAnswer
    if (outcome !== 'published') throw new Error(`publish ${published.length + 1} came to ${outcome}`)
    published.push(changed)
    due += publishEveryMs
    while (!isOver() && performance.now() < due) await pause(50)
  }
  return published
}

const at = (sorted: readonly number[], share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0

const sampleOf = async (
  gateway: MeasuredGateway,
  store: CompanyStore,
  work: Work,
  since: number,
): Promise<SoakSample> => {
  const times = work.times.splice(0).sort((left, right) => left - right)
  const figures = await gateway.measure()
  return {
    seconds: (performance.now() - since) / 1000,
    heapMiB: (figures.heapBytes + figures.externalBytes) / 2 ** 20,
    gatewayMiB: figures.gatewayMiB,
    readersMiB: figures.readersMiB,
    handles: figures.handles,
    readerHandles: figures.readerHandles,
    storeMiB: bytesBelow(store.store.root) / 2 ** 20,
    medianMs: at(times, 0.5),
    p99Ms: at(times, 0.99),
    requests: times.length,
    blockedMs: figures.blockedMs,
    busyMs: figures.busyMs,
    load: loadavg()[0] ?? 0,
  }
}

/** Keeps a gateway under load. Samples begin when the store holds as many versions as it keeps. */
export const soak = async (
  { minutes, pauseMs }: SoakOptions,
  onSample: (sample: SoakSample) => void = () => undefined,
): Promise<SoakReport> => {
  const store = await createCompanyStore(companies)
  const work: Work = { times: [], failed: [], count: 0 }
  const publisher = fork(new URL('soak-publisher.ts', import.meta.url), [store.store.root, store.file])
  const hosts: RawHost[] = []
  try {
    await once(publisher, 'message')
    const states = new Map<number, number>()
    for (let version = 0; version < 7; version += 1) {
      // Companies that no later publish begins with: those are in their first state yet.
      states.set(companies - 1, version)
      writeFileSync(store.file, deliveryOf(companies, states))
      publisher.send('publish')
      await once(publisher, 'message')
    }
    writeFileSync(store.file, deliveryOf(companies, new Map()))
    publisher.send('publish')
    await once(publisher, 'message')
    const gateway = await startMeasuredGateway(store.env)
    try {
      const listening = await Promise.all(
        Array.from({ length: subscribers }, async (_, index) => {
          const host = await startRawHost(index % 2 === 0 ? 'legacy' : 'modern', gateway.url)
          const indexes = Array.from(
            { length: urisPerSubscriber },
            (__, place) => (index * 31 + place * 17) % companies,
          )
          await host.listen(indexes.map(store.uriOf))
          hosts.push(host)
          return { host, indexes: new Set(indexes) }
        }),
      )
      const reading = await Promise.all(
        Array.from({ length: readers }, (_, index) => startRawHost(index % 2 === 0 ? 'legacy' : 'modern', gateway.url)),
      )
      hosts.push(...reading)
      let over = false
      const isOver = (): boolean => over
      const loads = reading.map((host, index) => readOn(host, index, store, { pauseMs, work, isOver }))
      const publishing = publishOn(publisher, store, isOver)
      const samples: SoakSample[] = []
      const started = performance.now()
      try {
        while (performance.now() - started < minutes * 60_000) {
          await Promise.race([pause(sampleEveryMs), publishing])
          const sample = await sampleOf(gateway, store, work, started)
          samples.push(sample)
          onSample(sample)
        }
      } finally {
        over = true
        await Promise.allSettled(loads)
      }
      const published = await publishing
      await pause(3000)
      const expected = listening.map(({ indexes }) =>
        published.reduce((sum, changed) => sum + [...changed].filter((index) => indexes.has(index)).length, 0),
      )
      return {
        publishes: published.length,
        requests: work.count,
        failed: work.failed.slice(0, 10),
        changes: expected.reduce((sum, each) => sum + each, 0),
        notifications: listening.reduce((sum, { host }) => sum + host.heard.length, 0),
        figures: figuresOf(samples),
      }
    } finally {
      await Promise.allSettled(hosts.map((host) => host.close()))
      await gateway.stop()
    }
  } finally {
    publisher.kill()
    await store.remove()
  }
}

const rounded = (value: number): number => Math.round(value * 10) / 10

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { pause: { type: 'string', default: '0' } },
  })
  const options = { minutes: Number(positionals[0] ?? 10), pauseMs: Number(values.pause) }
  const show = (of: Readonly<Record<string, number>>): string =>
    JSON.stringify(Object.fromEntries(Object.entries(of).map(([name, value]) => [name, rounded(value)])))
  const report = await soak(options, (sample) => process.stderr.write(`${show({ ...sample })}\n`))
  const { figures, ...rest } = report
  process.stdout.write(`${JSON.stringify(rest)}\n`)
  for (const [name, figure] of Object.entries(figures)) process.stdout.write(`${name.padEnd(14)} ${show(figure)}\n`)
}
