/** A statement never outlives its request: a host that cancels, hangs up or ends its session stops it, in either era. */
import { Client } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Host, hosts } from '../gateway/hosts.ts'
import { freeQuery } from './attempting.ts'
import { type CorpusGateway, startGateway } from './gateway.ts'

/** Longer than any test: what ends a statement here is not its limit. */
const queryTimeoutMs = 600_000
const patience = { timeout: 20_000 }
const runaway = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c'

let gateway: CorpusGateway
const closing: (() => Promise<void>)[] = []
beforeEach(async () => {
  gateway = await startGateway(queryTimeoutMs)
  closing.push(gateway.close)
})
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const connect = async (era: keyof typeof hosts): Promise<Host> => {
  const host = await hosts[era]({ url: gateway.url })
  closing.push(() => host.close().catch(() => undefined))
  return host
}

const ask = (host: Host, sql: string, signal?: AbortSignal): Promise<unknown> => {
  const call = { name: freeQuery, arguments: { sql } }
  const options = signal === undefined ? {} : { signal }
  // The two SDKs take the options at another place.
  return host.client instanceof Client
    ? host.client.callTool(call, options)
    : host.client.callTool(call, undefined, options)
}

/** Starts something that keeps a reader busy, and gives that reader, told by the processor time it takes. */
const busyReader = async (other: Host, start: () => void): Promise<number> => {
  // Both readers have started, which takes processor time as well.
  await ask(other, 'SELECT 1')
  await other.client.callTool({ name: 'fetch', arguments: { id: 'offeneregister://company/K1101R_HRB150148' } })
  const before = new Map(gateway.readers().map((id) => [id, gateway.processorTime(id)]))
  start()
  const found = () => gateway.readers().filter((id) => gateway.processorTime(id) > (before.get(id) ?? 0) + 20)
  await expect.poll(found, patience).toHaveLength(1)
  const [id] = found()
  if (id === undefined) throw new Error('no reader is busy')
  return id
}

/** Once its reader is gone, so is the statement; another one is answered by the process in its place. */
const expectStopped = async (reader: number, other: Host): Promise<void> => {
  await expect.poll(() => gateway.readers(), patience).not.toContain(reader)
  expect(await ask(other, 'SELECT 1 AS a')).toMatchObject({ structuredContent: { rows: [{ a: 1 }] } })
}

describe.skipIf(process.platform !== 'linux')('a statement that runs away', () => {
  it.each(Object.keys(hosts) as (keyof typeof hosts)[])(
    'is stopped when a host with %s cancels its request, and the next one works',
    async (era) => {
      const [host, other] = [await connect(era), await connect(era)]
      const abort = new AbortController()
      let running: Promise<unknown> | undefined
      const reader = await busyReader(other, () => {
        running = ask(host, runaway, abort.signal).catch(() => 'cancelled')
      })
      abort.abort()
      expect(await running).toBe('cancelled')
      await expectStopped(reader, other)
    },
  )

  it.each(Object.keys(hosts) as (keyof typeof hosts)[])('is stopped when a host with %s goes away', async (era) => {
    const [host, other] = [await connect(era), await connect(era)]
    let running: Promise<unknown> | undefined
    const reader = await busyReader(other, () => {
      running = ask(host, runaway).catch(() => 'gone')
    })
    await host.close()
    expect(await running).toBe('gone')
    await expectStopped(reader, other)
  })

  it('is stopped when the connection of its request breaks', async () => {
    const other = await connect('SDK 2.x, modern era')
    const abort = new AbortController()
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'rude', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const params = { name: freeQuery, arguments: { sql: runaway }, _meta: meta }
    const call = () =>
      fetch(gateway.url, {
        method: 'POST',
        signal: abort.signal,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': freeQuery,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      })
        .then((response) => response.text())
        .catch(() => 'broken')
    let running: Promise<unknown> | undefined
    const reader = await busyReader(other, () => {
      running = call()
    })
    abort.abort()
    expect(await running).toBe('broken')
    await expectStopped(reader, other)
  })

  it('is stopped when the gateway is', async () => {
    const host = await connect('SDK 2.x, modern era')
    let running: Promise<unknown> | undefined
    const reader = await busyReader(host, () => {
      running = ask(host, runaway).catch(() => 'gone')
    })
    await gateway.stop()
    expect(await running).toBe('gone')
    expect(gateway.isAlive(reader)).toBe(false)
  })
})
