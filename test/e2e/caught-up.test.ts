/** A gateway that is killed and started again during publishes, and hosts that come back with the version they saw last. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Readings, readCompanies } from '../../bench/company-readings.ts'
import { type CompanyStore, createCompanyStore } from '../../bench/company-store.ts'
import { type MeasuredGateway, startMeasuredGateway } from '../../bench/gateway-process.ts'
import { type RawHost, startRawHost } from '../../bench/raw-hosts.ts'
import { prune } from '../../src/ingest/retention.ts'
import { snapshotsFolder } from '../../src/store/layout.ts'
import { versionsOf } from '../../src/store/snapshots.ts'

const dataset = 'offeneregister'
const eras = ['legacy', 'modern'] as const

let companies: CompanyStore
let gateway: MeasuredGateway | undefined
beforeAll(async () => {
  companies = await createCompanyStore(80)
})
afterAll(async () => {
  await gateway?.kill()
  await companies.remove()
})

const start = async (): Promise<string> => {
  gateway = await startMeasuredGateway(companies.env)
  return gateway.url
}

const kill = async (): Promise<void> => {
  await gateway?.kill()
  gateway = undefined
}

interface Changes {
  readonly version: string
  readonly truncated: boolean
  readonly changes: readonly { readonly uri?: string; readonly belongsTo?: readonly string[] }[]
}

const changesSince = async (host: RawHost, since: string | undefined): Promise<Changes> => {
  const { structuredContent, isError, content } = await host.ask('tools/call', {
    name: 'changes',
    arguments: { dataset, limit: 1000, ...(since === undefined ? {} : { since }) },
  })
  expect({ isError, content: isError === true ? content : '' }).toEqual({ isError: undefined, content: '' })
  // The documented output of the tool.
  return structuredContent as Changes
}

const companiesIn = ({ changes }: Changes): string[] =>
  [...new Set(changes.flatMap(({ uri, belongsTo = [] }) => [...(uri === undefined ? [] : [uri]), ...belongsTo]))]
    .filter((uri) => uri.startsWith(`${dataset}://company/`))
    .sort()

const readingsOf = (version: string): Readings =>
  readCompanies(`${snapshotsFolder(companies.store)}/${dataset}/${version}/data.db`)

/** URIs of the companies that read differently in two versions, by SQL of our own. */
const differing = (before: string, after: string): string[] => {
  const [old, fresh] = [readingsOf(before), readingsOf(after)]
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .filter((number) => old.get(number) !== fresh.get(number))
    .map((number) => `${dataset}://company/${number}`)
    .sort()
}

describe('a host of a gateway that was killed', () => {
  it('misses nothing when it comes back and asks for the changes since the version that it saw', async () => {
    const first = await companies.publish(new Map())
    const known = new Map<RawHost['era'], string>(eras.map((era) => [era, first]))
    const comeBack = async (): Promise<string> => {
      const url = await start()
      for (const era of eras) {
        const since = known.get(era) ?? ''
        const answer = await changesSince(await startRawHost(era, url), since)
        expect({ era, since, companies: companiesIn(answer) }).toEqual({
          era,
          since,
          companies: differing(since, answer.version),
        })
        expect(answer.truncated).toBe(false)
        known.set(era, answer.version)
      }
      return known.get('legacy') ?? ''
    }
    await comeBack()

    // Killed somewhere in a publish.
    const during = companies.publish(new Map([1, 2, 3].map((index) => [index, 1])))
    await pause(Math.random() * 800)
    await kill()
    const second = await during
    expect(await comeBack()).toBe(second)

    // Two publishes and a rollback while it was down: what the last of the two said is no change at all.
    await kill()
    await companies.publish(new Map([1, 2, 4].map((index) => [index, 2])))
    await companies.publish(new Map([5, 6].map((index) => [index, 1])))
    await companies.run('rollback', dataset)
    expect(await comeBack()).not.toBe(second)

    // What came and went unseen is nothing to tell.
    await kill()
    await companies.publish(new Map([[7, 1]]))
    await companies.publish(new Map([1, 2, 4].map((index) => [index, 2])))
    await comeBack()
    expect(new Set(known.values()).size).toBe(1)
  }, 120_000)

  it('is told which versions are kept when its own is not', async () => {
    const [oldest = ''] = versionsOf(companies.store, dataset)
    prune(companies.store, dataset, 2, new Date('2999-01-01T00:00:00Z'))
    const kept = versionsOf(companies.store, dataset)
    expect(kept).not.toContain(oldest)
    await kill()
    const url = await start()
    for (const era of eras) {
      const host = await startRawHost(era, url)
      const answer = await host.ask('tools/call', { name: 'changes', arguments: { dataset, since: oldest } })
      expect({ era, isError: answer.isError }).toEqual({ era, isError: true })
      for (const version of kept) expect(JSON.stringify(answer.content)).toContain(version)
      expect(companiesIn(await changesSince(host, kept[0]))).toEqual(differing(kept[0] ?? '', kept.at(-1) ?? ''))
    }
  }, 60_000)
})
