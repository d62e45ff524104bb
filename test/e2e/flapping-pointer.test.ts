/** A pointer that moves to and fro faster than anybody can read. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { type CompanyStore, createCompanyStore } from '../../bench/company-store.ts'
import { type MeasuredGateway, startMeasuredGateway } from '../../bench/gateway-process.ts'
import { type RawHost, startRawHost } from '../../bench/raw-hosts.ts'
import { manifestSchema } from '../../src/store/manifest.ts'
import { movePointer } from '../../src/store/pointer.ts'
import { versionsOf } from '../../src/store/snapshots.ts'

const dataset = 'offeneregister'
const changed = [1, 2, 3]

let companies: CompanyStore | undefined
let gateway: MeasuredGateway | undefined
afterEach(async () => {
  await gateway?.kill()
  await companies?.remove()
})

const versionShown = async (host: RawHost): Promise<unknown> => {
  const { contents } = await host.ask('resources/read', { uri: `${dataset}://dataset` })
  const [first] = contents as { text: string }[]
  return (JSON.parse(first?.text ?? '{}') as { version?: string }).version
}

it('leaves the gateway on the right version, and hosts told of the net effect, when the pointer flaps', async () => {
  const store = await createCompanyStore(10)
  companies = store
  const first = await store.publish(new Map())
  const second = await store.publish(new Map(changed.map((index) => [index, 1])))
  const names = manifestSchema.parse(
    JSON.parse(readFileSync(join(dirname(store.pointer), 'snapshots', dataset, first, 'manifest.json'), 'utf8')),
  )
  const versions = versionsOf(store.store, dataset)
  const point = (version: string): void => {
    const known = versions.find((each) => each === version)
    if (known !== undefined) movePointer(store.store, dataset, names, known)
  }
  const { url } = await startMeasuredGateway(store.env).then((started) => {
    gateway = started
    return started
  })
  const hosts = await Promise.all((['legacy', 'modern'] as const).map((era) => startRawHost(era, url)))
  for (const host of hosts) await host.listen(Array.from({ length: 10 }, (_, index) => store.uriOf(index)))
  const uris = new Set(changed.map(store.uriOf))

  let current = second
  for (const pauses of [
    [0, 0, 0],
    [5, 40, 90, 3],
    [120, 20, 200],
    [10, 60, 1, 1, 130, 30],
  ]) {
    for (const ms of pauses) {
      current = current === first ? second : first
      point(current)
      await pause(ms)
    }
    for (const host of hosts) {
      await expect.poll(() => versionShown(host), { timeout: 10_000 }).toBe(current)
      // Whoever was told an odd number of times knows the first version, an even number the second.
      const parity = current === first ? 1 : 0
      const odd = (): unknown => [...uris].map((uri) => host.heard.filter((heard) => heard.uri === uri).length % 2)
      await expect.poll(odd, { timeout: 10_000 }).toEqual(changed.map(() => parity))
      expect(host.heard.filter(({ uri }) => !uris.has(uri))).toEqual([])
    }
  }
  // Everything is read once more a second after the last move: that must be no news.
  const before = hosts.map(({ heard }) => heard.length)
  await pause(1500)
  expect(hosts.map(({ heard }) => heard.length)).toEqual(before)
}, 90_000)
