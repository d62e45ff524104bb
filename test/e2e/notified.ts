/** The claim that all of this exists for, shown once for every era and transport. */
import { expect } from 'vitest'
import type { Host } from '../../src/demo/host.ts'
import { collect } from '../../src/demo/told.ts'
import { ways } from './hosts.ts'
import { companyUri, type Stage } from './stage.ts'

const limitMs = 50_000

/**
 * Subscribes a host of each kind to every company of the first delivery, publishes the second, rolls back, and releases
 * it again. Each time each host must be told of exactly `expected`, each once.
 */
export const expectExactlyTold = async (
  stage: Stage,
  companies: readonly string[],
  second: string,
  expected: readonly string[],
): Promise<void> => {
  const url = await stage.gateway()
  const hosts: Host[] = []
  try {
    for (const connect of Object.values(ways)) hosts.push(await connect(stage, url))
    const told = hosts.map(collect)
    for (const host of hosts) await host.subscribe(companies.map(companyUri))
    const wanted = expected.map(companyUri).sort()

    const moves = [
      async () => expect(await stage.ingest(second)).toMatchObject({ status: 0, outcome: 'published' }),
      async () => expect((await stage.run('rollback', 'offeneregister')).status).toBe(0),
      async () => {
        const [newest] = (await stage.json('snapshots', 'offeneregister')) as { version: string }[]
        expect((await stage.run('release', 'offeneregister', newest?.version ?? '')).status).toBe(0)
      },
    ]
    for (const [index, move] of moves.entries()) {
      await move()
      const signal = AbortSignal.timeout(limitMs)
      await Promise.all(told.map((each) => each.atLeast(wanted.length * (index + 1), signal)))
    }
    for (const [index, { uris }] of told.entries()) {
      const rounds = moves.map((_, round) => uris.slice(round * wanted.length, (round + 1) * wanted.length).sort())
      expect({ host: Object.keys(ways)[index], rounds, count: uris.length }).toEqual({
        host: Object.keys(ways)[index],
        rounds: moves.map(() => wanted),
        count: wanted.length * moves.length,
      })
    }
  } finally {
    await Promise.all(hosts.map((host) => host.close()))
  }
}
