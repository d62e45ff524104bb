/**
 * How long after a pointer moved the last subscriber of a changed company is told, and that nobody else is:
 *
 *     node bench/notify.ts [--hosts 500] [--uris 100,1000,10000] [--rounds 4] [--profile FOLDER]
 *
 * Half of the hosts are of each era, as bare HTTP (bench/raw-hosts.ts). One in a hundred of the subscribed companies
 * changes, and as many that nobody subscribed to. The first move is a publish by `stichtag ingest`, the others are
 * rollbacks and releases. Measured from the pointer's rename to the last notification's arrival.
 */
import { lstatSync } from 'node:fs'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type CompanyStore, createCompanyStore } from './company-store.ts'
import { type GatewayFigures, startMeasuredGateway } from './gateway-process.ts'
import { type RawHost, startRawHost } from './raw-hosts.ts'

export interface MoveReport {
  readonly by: string
  /** Notifications in all, those to hosts that did not subscribe to that URI, and those of companies that stayed. */
  readonly told: number
  readonly wrong: number
  /** Milliseconds from the pointer's move to the last notification. */
  readonly lastMs: number
  readonly blockedMs: number
  readonly busyMs: number
  readonly load: number
}

export interface NotifyReport {
  readonly hosts: number
  readonly uris: number
  readonly changed: number
  readonly before: GatewayFigures
  readonly subscribed: GatewayFigures
  readonly after: GatewayFigures
  readonly moves: readonly MoveReport[]
}

export interface NotifyOptions {
  readonly hosts: number
  readonly uris: number
  readonly rounds: number
  /** Folder into which the gateway writes a profile when it ends. */
  readonly profile?: string
}

/** Milliseconds without a notification after which no further one is expected. */
const quietMs = 1500
const patienceMs = 30_000

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

const sumOf = (hosts: readonly RawHost[]): number => hosts.reduce((sum, { heard }) => sum + heard.length, 0)

/** Resolves when so many were told and then none for a while, or none at all for long. */
const quiet = async (hosts: readonly RawHost[], wanted: number): Promise<void> => {
  const started = performance.now()
  let last = { count: 0, at: started }
  for (;;) {
    await pause(20)
    const count = sumOf(hosts)
    const now = performance.now()
    if (count !== last.count) last = { count, at: now }
    if (count >= wanted && now - last.at > quietMs) return
    if (now - started > patienceMs) return
  }
}

/** Subscribes each host to its share of the URIs, some hosts at once. */
const listenAll = async (hosts: readonly RawHost[], shares: readonly (readonly string[])[]): Promise<void> => {
  const next = hosts.entries()
  const work = async (): Promise<void> => {
    for (const [index, host] of next) await host.listen(shares[index] ?? [])
  }
  await Promise.all(Array.from({ length: 8 }, work))
}

const measureMove = async (
  by: string,
  move: () => Promise<unknown>,
  scene: {
    readonly companies: CompanyStore
    readonly hosts: readonly RawHost[]
    readonly shares: readonly ReadonlySet<string>[]
    readonly changed: ReadonlySet<string>
    readonly measure: () => Promise<GatewayFigures>
  },
): Promise<MoveReport> => {
  const { hosts, shares, changed } = scene
  for (const { heard } of hosts) heard.length = 0
  await scene.measure()
  await move()
  const movedAt = lstatSync(scene.companies.pointer).mtimeMs
  await quiet(hosts, changed.size)
  const { blockedMs, busyMs } = await scene.measure()
  const heard = hosts.flatMap((host, index) => host.heard.map((each) => ({ ...each, share: shares[index] })))
  return {
    by,
    told: heard.length,
    wrong: heard.filter(({ uri, share }) => !changed.has(uri) || share?.has(uri) !== true).length,
    lastMs: Math.max(...heard.map(({ at }) => at)) - movedAt,
    blockedMs,
    busyMs,
    load: loadavg()[0] ?? 0,
  }
}

/** Lets a publish, and then rollbacks and releases, change one in a hundred of the subscribed companies. */
export const notify = async ({ hosts: count, uris, rounds, profile }: NotifyOptions): Promise<NotifyReport> => {
  const changing = Math.max(1, Math.floor(uris / 100))
  const companies = await createCompanyStore(uris + changing)
  const hosts: RawHost[] = []
  try {
    const first = await companies.publish(new Map())
    const nodeFlags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
    const gateway = await startMeasuredGateway(companies.env, { nodeFlags })
    try {
      const before = await gateway.measure()
      for (let index = 0; index < count; index += 1) {
        hosts.push(await startRawHost(index % 2 === 0 ? 'legacy' : 'modern', gateway.url))
      }
      const all = Array.from({ length: uris }, (_, index) => companies.uriOf(index))
      const shares = hosts.map((_, host) => all.filter((_uri, index) => index % count === host))
      await listenAll(hosts, shares)
      const subscribed = await gateway.measure()

      const changedIndexes = Array.from({ length: changing }, (_, index) => index * 100)
      const changed = new Set(changedIndexes.map(companies.uriOf))
      const beside = Array.from({ length: changing }, (_, index) => uris + index)
      const edition = new Map([...changedIndexes, ...beside].map((index, place) => [index, 1 + (place % 2)]))
      const shareSets = shares.map((share) => new Set(share))
      const scene = { companies, hosts, shares: shareSets, changed, measure: gateway.measure }
      let second = ''
      const publish = async (): Promise<void> => {
        second = await companies.publish(edition)
      }
      const moves = [await measureMove('publish', publish, scene)]
      for (let round = 1; round < rounds; round += 1) {
        const command = round % 2 === 1 ? ['rollback', 'offeneregister', first] : ['release', 'offeneregister', second]
        moves.push(await measureMove(command[0] ?? '', () => companies.run(...command), scene))
      }
      const after = await gateway.measure()
      return { hosts: count, uris, changed: changed.size, before, subscribed, after, moves }
    } finally {
      await Promise.allSettled(hosts.map((host) => host.close()))
      await gateway.stop()
    }
  } finally {
    await companies.remove()
  }
}

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)

const inWords = ({ gatewayMiB, readersMiB, heapBytes, handles }: GatewayFigures): string =>
  `${gatewayMiB.toFixed(0)} MiB (heap ${mebibytes(heapBytes)}), readers ${readersMiB.toFixed(0)} MiB, ${handles} handles`

const print = ({ hosts, uris, changed, before, subscribed, after, moves }: NotifyReport): void => {
  const write = (text: string): void => void process.stdout.write(`${text}\n`)
  write(`\n${uris} URIs over ${hosts} hosts, ${changed} of them changed`)
  for (const { by, told, wrong, lastMs, blockedMs, busyMs, load } of moves) {
    write(
      `  ${by}: ${told} told, ${wrong} wrongly; last after ${lastMs.toFixed(0)} ms ` +
        `(${((lastMs * 1000) / uris).toFixed(0)} µs per URI); main blocked ${blockedMs.toFixed(1)} ms, ` +
        `busy ${busyMs.toFixed(1)} ms at most; load ${load.toFixed(1)}`,
    )
  }
  write(`  gateway before:     ${inWords(before)}`)
  write(`  with subscriptions: ${inWords(subscribed)}`)
  write(`  after all moves:    ${inWords(after)}`)
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      hosts: { type: 'string', default: '500' },
      uris: { type: 'string', default: '100,1000,10000' },
      rounds: { type: 'string', default: '4' },
      profile: { type: 'string' },
    },
  })
  const profile = values.profile === undefined ? {} : { profile: values.profile }
  for (const uris of values.uris.split(',').map(Number)) {
    const hosts = Math.min(uris, Number(values.hosts))
    print(await notify({ hosts, uris, rounds: Number(values.rounds), ...profile }))
  }
}
