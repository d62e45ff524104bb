/**
 * The interop matrix: each kind of host, on each transport, does each thing with a real `stichtag serve` over a real store.
 * Every cell is there. What a cell means on its transport and era:
 *
 * - subscribe: `resources/subscribe` on the legacy era, a `subscriptions/listen` stream on the modern one;
 * - reconnect: the host is gone while a version is published, and asks `changes` with the version it saw when it is back.
 *   Over stdio that is another process, over HTTP another session or stream. That a legacy session whose stream was cut
 *   is told by itself is in reconnect.test.ts; modern streams have no replay (DESIGN §4.6), and a stdio process has no past.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { main, type Running, startCommand } from '../../src/demo/processes.ts'
import { Register } from '../catalogue/register.ts'
import { type Host, hosts, type Place } from './hosts.ts'

const acme = { number: 'A1', name: 'Acme GmbH', officers: ['Anna Muster'] }
const beta = { number: 'B1', name: 'Beta AG' }
const uri = 'offeneregister://company/A1'

interface Row {
  readonly register: Register
  host: Host
  /** Another connection of the same kind of host. */
  readonly connect: () => Promise<Host>
}

/** Publishes the first company under another name, and the second as it was. */
const publish = (register: Register, name: string): void => void register.publish([{ ...acme, name }, beta])

/** What is done in each cell, in this order; one host does it all. */
const cells: Readonly<Record<string, (row: Row) => Promise<void>>> = {
  list: async ({ host: { client } }) => {
    expect((await client.listResources()).resources.map((each) => each.uri)).toContain('offeneregister://dataset')
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('search')
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map((each) => each.uriTemplate)).toContain('offeneregister://company/{company_number}')
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('look_up_company')
  },
  read: async ({ host: { client } }) => {
    const [content] = (await client.readResource({ uri })).contents
    expect(content).toMatchObject({ uri, text: expect.stringContaining('Acme GmbH') })
  },
  call: async ({ host: { client } }) => {
    const { structuredContent } = await client.callTool({ name: 'search', arguments: { query: 'Acme' } })
    expect(structuredContent).toMatchObject({ results: [{ title: 'Acme GmbH', uri }] })
  },
  complete: async ({ host: { client } }) => {
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'offeneregister://company/{company_number}' },
      argument: { name: 'company_number', value: 'A' },
    })
    expect(completion.values).toEqual(['A1'])
  },
  subscribe: async ({ host }) => {
    await host.subscribe(uri, 'offeneregister://company/B1')
    expect(host.updates).toEqual([])
  },
  update: async ({ register, host }) => {
    publish(register, 'Acme AG')
    await expect.poll(() => host.updates, { timeout: 8000 }).toEqual([uri])
    const [content] = (await host.client.readResource({ uri })).contents
    expect(content).toMatchObject({ text: expect.stringContaining('Acme AG') })
  },
  reconnect: async (row) => {
    const since = row.register.current
    await row.host.close()
    publish(row.register, 'Acme SE')
    row.host = await row.connect()
    const changed = async () => {
      const args = { dataset: 'offeneregister', since }
      const { structuredContent } = await row.host.client.callTool({ name: 'changes', arguments: args })
      return structuredContent
    }
    await expect
      .poll(changed, { timeout: 8000 })
      .toMatchObject({ changes: [{ uri, fields: { name: ['Acme AG', 'Acme SE'] } }] })
    await row.host.subscribe(uri)
    publish(row.register, 'Acme KG')
    await expect.poll(() => row.host.updates, { timeout: 8000 }).toEqual([uri])
  },
}

describe.each(['HTTP', 'stdio'] as const)('over %s', (transport) => {
  describe.each(Object.keys(hosts) as (keyof typeof hosts)[])('a host with %s', (kind) => {
    let gateway: Running | undefined
    let row: Row

    beforeAll(async () => {
      const register = new Register()
      register.publish([acme, beta])
      const env = { ...process.env, STICHTAG_HOME: register.store.root, STICHTAG_LOG: 'info' }
      const place = async (): Promise<Place> => {
        if (transport === 'stdio') {
          const settings = { STICHTAG_HOME: register.store.root, STICHTAG_LOG: 'silent', PATH: process.env.PATH ?? '' }
          return { args: [main, 'serve', '--stdio'], env: settings }
        }
        gateway = startCommand(['serve', '--http', '127.0.0.1:0'], env)
        return { url: String((await gateway.line((line) => typeof line.url === 'string')).url) }
      }
      const found = await place()
      const connect = () => hosts[kind](found)
      row = { register, host: await connect(), connect }
    }, 20_000)

    afterAll(async () => {
      await row.host.close()
      await gateway?.stop()
      row.register.remove()
    })

    it.each(Object.entries(cells))('%s', async (_cell, happens) => {
      await happens(row)
    })
  })
})
