/** New data, new datasets and changed schemas reach hosts that are connected, in both eras, without a restart. */
import { rmSync } from 'node:fs'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { serveHttp } from '../../src/gateway/http.ts'
import { datasetFolder } from '../../src/store/layout.ts'
import { afterTest, open } from '../catalogue/opened.ts'
import { type Company, Register } from '../catalogue/register.ts'
import { hosts } from './hosts.ts'

const acme = { number: 'A1', name: 'Acme GmbH', officers: ['Anna Muster'] }
const patience = { timeout: 6000 }

/** A schema with one query of this name and description. */
const schema = (query: string, description: string) => ({
  namespace: 'offeneregister',
  name: 'OffeneRegister',
  version: '3.0.0',
  description: 'Companies.',
  root: '',
  tools: {},
  resources: {
    companiesDb: {
      source: 'sqlite',
      database: 'openregister.db',
      origin: 'global',
      description: 'Companies.',
      queries: { [query]: { sql: 'SELECT name FROM company', description, parameters: {} } },
    },
  },
})

describe.each(['SDK 1.x (2025-11-25)', 'SDK 2.x, modern era'] as const)('a connected host with %s', (kind) => {
  const start = async (...companies: Company[]) => {
    const register = new Register()
    afterTest(() => register.remove())
    if (companies.length > 0) register.publish(companies)
    const source = await open(register, { watch: true })
    const log = pino({ level: 'silent' })
    const gateway = await serveHttp(source, { host: '127.0.0.1', port: 0, log })
    afterTest(() => gateway.close())
    const host = await hosts[kind]({ url: gateway.url })
    afterTest(() => host.close())
    const { client } = host
    const toolNames = async () => (await client.listTools()).tools.map(({ name }) => name)
    const uris = async () => (await client.listResources()).resources.map(({ uri }) => uri)
    /** Resolves when these lists were told as changed since the last call, each at least once. */
    const told = async (...lists: string[]) => {
      await expect.poll(() => [...new Set(host.changedLists)].sort(), patience).toEqual(lists)
      host.changedLists.length = 0
    }
    return { register, host, client, toolNames, uris, told }
  }

  it('is told of a dataset that appears, of another, and of one that goes', async () => {
    const { register, host, client, toolNames, uris, told } = await start()
    // Lists are told on the stream, whatever else is subscribed to.
    await host.subscribe()
    expect(await uris()).toEqual([])
    register.publish([acme])
    await told('resources', 'tools')
    expect(await uris()).toContain('offeneregister://dataset')
    expect(await toolNames()).toContain('freeQuery_offeneregister')
    await host.subscribe('offeneregister://company/A1', 'offeneregister://company/B1')

    const other = new Register('otherregister', register.store.root)
    other.publish([acme])
    await told('resources', 'tools')
    expect(await uris()).toContain('otherregister://dataset')
    expect(await client.readResource({ uri: 'otherregister://company/A1' })).toMatchObject({ contents: [{}] })

    rmSync(datasetFolder(other.store, 'otherregister'), { recursive: true })
    rmSync(`${other.store.root}/data/otherregister.db`, { force: true })
    await told('resources', 'tools')
    expect(await uris()).not.toContain('otherregister://dataset')
    expect(host.updates).toEqual([])

    register.publish([
      { ...acme, name: 'Acme AG' },
      { number: 'B1', name: 'Beta AG' },
    ])
    await expect
      .poll(() => [...host.updates].sort(), patience)
      .toEqual(['offeneregister://company/A1', 'offeneregister://company/B1'])
    expect(host.changedLists).toEqual([])
  })

  it('is told that a record went with its dataset, and came back with it', async () => {
    const { register, host } = await start(acme)
    const other = new Register('otherregister', register.store.root)
    const version = other.publish([acme])
    const uri = 'otherregister://company/A1'
    await expect.poll(() => host.client.readResource({ uri }).then(() => 'there', String), patience).toBe('there')
    await host.subscribe(uri)
    rmSync(`${other.store.root}/data/otherregister.db`)
    await expect.poll(() => host.updates, patience).toEqual([uri])
    other.point(version)
    await expect.poll(() => host.updates, patience).toEqual([uri, uri])
  })

  it('is told of a schema that is added, changed and taken away', async () => {
    const { register, host, client, toolNames, told } = await start(acme)
    await host.subscribe()
    const file = register.writeSchema(schema('names', 'All names.'))
    await told('resources', 'tools')
    expect(await client.callTool({ name: 'names_offeneregister', arguments: {} })).toMatchObject({
      structuredContent: { rows: [{ name: 'Acme GmbH' }] },
    })

    register.writeSchema(schema('labels', 'All labels.'))
    await told('resources', 'tools')
    expect(await toolNames()).toContain('labels_offeneregister')
    expect(await toolNames()).not.toContain('names_offeneregister')

    rmSync(file)
    await told('resources', 'tools')
    expect(await toolNames()).not.toContain('labels_offeneregister')
  })

  it('has its tools folded while there are too many, and unfolded when there are few again', async () => {
    const { register, toolNames, told, host } = await start(acme)
    expect(await toolNames()).toContain('freeQuery_offeneregister')
    await host.subscribe()
    const queries = Object.fromEntries(
      Array.from({ length: 20 }, (_, number) => [
        `query${number}`,
        { sql: 'SELECT name FROM company', description: 'One.', parameters: {} },
      ]),
    )
    const many = schema('one', 'One.')
    const file = register.writeSchema({
      ...many,
      resources: { companiesDb: { ...many.resources.companiesDb, queries } },
    })
    await told('resources', 'tools')
    expect(await toolNames()).toContain('query_offeneregister')
    expect((await toolNames()).length).toBeLessThanOrEqual(20)
    rmSync(file)
    await told('resources', 'tools')
    expect(await toolNames()).toContain('freeQuery_offeneregister')
  })
})
