/**
 * Legacy hosts whose streams break at random while publishes go on, and what each of them was told in the end:
 *
 *     node bench/dropped-streams.ts [--hosts 100] [--publishes 20] [--seed 1]
 *
 * A stream is cut, or goes silent (what is written to it is never received), and its host opens another, with the id of
 * the last event that it saw or without. One host in ten keeps its stream: it must be told of each change once. What
 * changed is read from each snapshot by SQL of our own. The tests do the same with ten hosts.
 */
import { lstatSync } from 'node:fs'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type Random, randomOf } from '../data/offeneregister/invent.ts'
import { type Readings, readCompanies } from './company-readings.ts'
import { type CompanyStore, createCompanyStore } from './company-store.ts'
import { startMeasuredGateway } from './gateway-process.ts'
import { LegacyRawHost } from './raw-hosts.ts'
import { openRoad, type UnreliableRoad } from './unreliable-road.ts'

export interface DroppedStreamsOptions {
  readonly hosts: number
  readonly publishes: number
  readonly seed: number
}

export interface DroppedStreamsReport {
  readonly hosts: number
  readonly publishes: number
  /** Changes of subscribed companies, each counted per subscriber. */
  readonly changes: number
  readonly notifications: number
  readonly cut: number
  readonly silenced: number
  readonly reopenedWithId: number
  readonly reopenedWithout: number
  /** What went wrong: a change that was not told, something told that did not change, or told twice on a whole stream. */
  readonly faults: readonly string[]
}

const urisPerHost = 10
/** Share of the companies that change in a publish. */
const changing = 0.15
const quietMs = 700

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

interface Traveller {
  readonly host: LegacyRawHost
  readonly road: UnreliableRoad
  readonly uris: readonly string[]
  readonly isSteady: boolean
  readonly random: Random
}

/** The readings of all companies from an instant on. */
interface Moment {
  readonly at: number
  readonly readings: Readings
}

interface Counts {
  cut: number
  silenced: number
  reopenedWithId: number
  reopenedWithout: number
}

const reopen = async ({ host, road, random }: Traveller, counts: Counts): Promise<void> => {
  const lastEventId = random() < 0.5 ? host.stream?.lastEventId() : undefined
  counts[lastEventId === undefined ? 'reopenedWithout' : 'reopenedWithId'] += 1
  await host.open(lastEventId, road.url)
}

/** Breaks a host's stream over and over, each time in another way, until told to stop. */
const travel = async (traveller: Traveller, counts: Counts, isOver: () => boolean): Promise<void> => {
  const { road, host, random } = traveller
  while (!isOver()) {
    await pause(200 + random() * 1500)
    const isCut = random() < 0.5
    counts[isCut ? 'cut' : 'silenced'] += 1
    if (isCut) road.cut()
    else road.silence()
    if (isCut) await host.stream?.ended
    await pause(random() * 1000)
    await reopen(traveller, counts)
  }
}

/** Some companies change, and some of those that changed are as before again. */
const nextEdition = (before: ReadonlyMap<number, number>, companies: number, random: Random): Map<number, number> => {
  const edition = new Map(before)
  for (let index = 0; index < companies; index += 1) {
    if (random() >= changing) continue
    const state = before.get(index) ?? 0
    edition.set(index, state > 0 && random() < 0.3 ? state - 1 : state + 1)
  }
  return edition
}

const momentOf = ({ pointer }: CompanyStore): Moment => ({
  at: lstatSync(pointer).mtimeMs,
  readings: readCompanies(pointer),
})

const numberOf = (uri: string): string => uri.slice(uri.lastIndexOf('/') + 1)

/** The instants at which a URI came to read differently. */
const changesOf = (uri: string, moments: readonly Moment[]): readonly number[] => {
  const texts = moments.map(({ readings }) => readings.get(numberOf(uri)))
  return moments.filter((_, index) => index > 0 && texts[index] !== texts[index - 1]).map(({ at }) => at)
}

const readingAt = (uri: string, moments: readonly Moment[], at: number): string | undefined =>
  (moments.findLast((moment) => moment.at <= at) ?? moments[0])?.readings.get(numberOf(uri))

const faultsOf = ({ host, uris, isSteady }: Traveller, name: string, moments: readonly Moment[]): string[] => {
  const strange = host.heard.filter(
    ({ uri, at }) => !uris.includes(uri) || !changesOf(uri, moments).some((change) => change <= at),
  )
  const faults = strange.map(({ uri }) => `${name} was told of ${uri}, which had not changed or was not its own`)
  for (const uri of uris) {
    const changes = changesOf(uri, moments)
    const told = host.heard.filter((heard) => heard.uri === uri)
    const lastTold = told.at(-1)?.at ?? 0
    const isToldSince = lastTold >= (changes.at(-1) ?? 0)
    // What was taken back before the host could hear of it is no change.
    const knows = readingAt(uri, moments, lastTold) === readingAt(uri, moments, Number.MAX_VALUE)
    if (!isToldSince && !knows) faults.push(`${name} does not know the last of ${changes.length} changes of ${uri}`)
    if (isSteady && told.length !== changes.length) {
      faults.push(`${name} kept its stream and was told ${told.length} times of ${changes.length} changes of ${uri}`)
    }
  }
  return faults
}

/** Resolves when no host has heard anything for a while. */
const quiet = async (travellers: readonly Traveller[]): Promise<void> => {
  const count = (): number => travellers.reduce((sum, { host }) => sum + host.heard.length, 0)
  for (let last = -1, now = count(); now !== last; now = count()) {
    last = now
    await pause(quietMs)
  }
}

/** Lets hosts lose their streams while companies change, and reports what they were told. */
export const dropStreams = async ({ hosts, publishes, seed }: DroppedStreamsOptions): Promise<DroppedStreamsReport> => {
  const total = hosts * urisPerHost
  const companies = await createCompanyStore(total)
  const roads: UnreliableRoad[] = []
  const counts = { cut: 0, silenced: 0, reopenedWithId: 0, reopenedWithout: 0 }
  try {
    await companies.publish(new Map())
    const gateway = await startMeasuredGateway(companies.env)
    try {
      const travellers: Traveller[] = []
      for (let index = 0; index < hosts; index += 1) {
        const road = await openRoad(gateway.url)
        roads.push(road)
        // Each has its own companies, and the first two of the host after it.
        const own = Array.from({ length: urisPerHost + 2 }, (_, place) => (index * urisPerHost + place) % total)
        const host = await LegacyRawHost.start(gateway.url)
        const uris = [...new Set(own)].map(companies.uriOf)
        await host.open(undefined, road.url)
        for (const uri of uris) await host.ask('resources/subscribe', { uri })
        travellers.push({ host, road, uris, isSteady: index % 10 === 0, random: randomOf(seed, index) })
      }
      let over = false
      const moments = [momentOf(companies)]
      const random = randomOf(seed, hosts)
      const travelling = travellers
        .filter(({ isSteady }) => !isSteady)
        .map((traveller) => travel(traveller, counts, () => over))
      const publishing = async (): Promise<void> => {
        let edition: Map<number, number> = new Map()
        for (let publish = 0; publish < publishes; publish += 1) {
          edition = nextEdition(edition, total, random)
          await companies.publish(edition)
          moments.push(momentOf(companies))
        }
      }
      try {
        await publishing()
      } finally {
        over = true
        await Promise.all(travelling)
      }
      // Whoever's stream has gone silent does not know it, and opens another in the end.
      for (const traveller of travellers) if (!traveller.isSteady) await reopen(traveller, counts)
      await quiet(travellers)
      const subscribed = travellers.flatMap(({ uris }) => uris)
      return {
        hosts,
        publishes,
        changes: subscribed.reduce((sum, uri) => sum + changesOf(uri, moments).length, 0),
        notifications: travellers.reduce((sum, { host }) => sum + host.heard.length, 0),
        ...counts,
        faults: travellers.flatMap((traveller, index) => faultsOf(traveller, `host ${index}`, moments)),
      }
    } finally {
      await Promise.all(roads.map((road) => road.close()))
      await gateway.stop()
    }
  } finally {
    await companies.remove()
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      hosts: { type: 'string', default: '100' },
      publishes: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
    },
  })
  const report = await dropStreams({
    hosts: Number(values.hosts),
    publishes: Number(values.publishes),
    seed: Number(values.seed),
  })
  process.stdout.write(`${JSON.stringify({ ...report, load: loadavg()[0] }, null, 2)}\n`)
  if (report.faults.length > 0) process.exitCode = 1
}
