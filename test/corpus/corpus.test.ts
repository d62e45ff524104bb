/**
 * Everything known to have broken such gateways, made against the real one, by hosts of both eras: each attempt comes to
 * what it must, leaves every file as it was, tells nothing of the machine, and keeps nobody from being answered.
 */
import { homedir, tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { type Host, hosts } from '../gateway/hosts.ts'
import type { Attempt } from './attempt.ts'
import { attempt } from './attempting.ts'
import { type CorpusGateway, memoryOf, startGateway } from './gateway.ts'
import { isOutcome, shownGot } from './outcome.ts'
import { requests } from './requests.ts'
import { statements } from './statements.ts'

const queryTimeoutMs = 400
/** The readers' limit, and what one can take in the moments until its watchdog looks: see src/query/watchdog.ts. */
const readerLimitMiB = 512 + 128
const gatewayLimitMiB = 400
const patience = 300_000

/** A look-up. Hosts of the modern era keep what they read by URI, so that another reading would ask nobody. */
const lookUp = ({ client }: Host) =>
  client.callTool({ name: 'fetch', arguments: { id: 'offeneregister://company/K1101R_HRB150148' } })
const eras = ['SDK 1.x (2025-11-25)', 'SDK 2.x, modern era'] as const

/** Most memory seen of the gateway and of its readers while something goes on, in MiB. */
const watchMemory = (gateway: CorpusGateway) => {
  const most = { gateway: 0, reader: 0 }
  const timer = setInterval(() => {
    most.gateway = Math.max(most.gateway, memoryOf(gateway.processId))
    most.reader = Math.max(most.reader, ...gateway.readers().map(memoryOf))
  }, 10)
  return {
    stop: () => {
      clearInterval(timer)
      return most
    },
  }
}

describe('the corpus', () => {
  it('has at least 150 attempts, none twice', () => {
    const all = [...statements, ...requests].map(({ request }) => JSON.stringify(request))
    expect(all.length).toBeGreaterThan(150)
    expect(all.filter((each, index) => all.indexOf(each) !== index)).toEqual([])
  })
})

describe.skipIf(process.platform !== 'linux').each(eras)('a gateway that a host with %s tries to break', (era) => {
  let gateway: CorpusGateway
  let host: Host
  let bystander: Host
  let untouched: readonly string[]
  let expected: unknown
  beforeAll(async () => {
    gateway = await startGateway(queryTimeoutMs)
    host = await hosts[era]({ url: gateway.url })
    bystander = await hosts[era]({ url: gateway.url })
    expected = await lookUp(bystander)
    untouched = gateway.files()
  })
  afterAll(async () => {
    await host.close()
    await bystander.close()
    await gateway.close()
  })

  /** All that an attempt does which it must not. */
  const faultsOf = async (each: Attempt): Promise<readonly string[]> => {
    const got = await attempt(host, each)
    const faults: string[] = []
    if (!isOutcome(got, each.outcome)) faults.push(`came to ${shownGot(got)}, not to ${JSON.stringify(each.outcome)}`)
    const secrets = [gateway.folder, packageRoot, `${homedir()}/`, `${tmpdir()}/`, process.execPath]
    const text = JSON.stringify(got)
    for (const secret of secrets) if (text.includes(secret)) faults.push(`tells ${secret}`)
    const files = gateway.files()
    const changed = files.filter((file) => !untouched.includes(file))
    if (files.length !== untouched.length || changed.length > 0) faults.push(`changes files: ${changed.join(', ')}`)
    if (JSON.stringify(await lookUp(bystander)) !== JSON.stringify(expected))
      faults.push('changes what another host reads')
    return faults.map((fault) => `${JSON.stringify(each.request).slice(0, 120)} ${fault}`)
  }

  it.each([
    ['statements', statements],
    ['requests', requests],
  ] as const)(
    'answers %s as it must, writes nothing, tells nothing, stays within its memory, and goes on',
    async (_, attempts) => {
      const memory = watchMemory(gateway)
      const faults: string[] = []
      for (const each of attempts) faults.push(...(await faultsOf(each)))
      const most = memory.stop()
      expect(faults).toEqual([])
      expect(most.gateway).toBeLessThan(gatewayLimitMiB)
      expect(most.reader).toBeLessThan(readerLimitMiB)
      expect(gateway.readers().length).toBeLessThanOrEqual(2)
    },
    patience,
  )

  it(
    'answers others while several are tried at once',
    async () => {
      const hostile = statements.filter(({ outcome }) => outcome === 'timed out' || outcome === 'stopped').slice(8, 18)
      const memory = watchMemory(gateway)
      const running = hostile.map((each) => attempt(host, each))
      let answered = 0
      let over = false
      const all = Promise.all(running).finally(() => {
        over = true
      })
      while (!over) {
        expect(await lookUp(bystander)).toEqual(expected)
        answered += 1
      }
      for (const got of await all) expect(isOutcome(got, 'stopped'), shownGot(got)).toBe(true)
      expect(answered).toBeGreaterThan(hostile.length)
      expect(memory.stop().gateway).toBeLessThan(gatewayLimitMiB)
      expect(gateway.files()).toEqual(untouched)
    },
    patience,
  )
})
