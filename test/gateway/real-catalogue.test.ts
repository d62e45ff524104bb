/** What both eras make of a real catalogue: every kind of content, the lists and their pages, versions as addresses. */
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { serveHttp } from '../../src/gateway/http.ts'
import { afterTest, open, registerWith } from '../catalogue/opened.ts'
import type { Register } from '../catalogue/register.ts'
import { hosts } from './hosts.ts'

const logo = Buffer.from('89504e470d0a1a0a00', 'hex')
const acme = { number: 'A1', name: 'Acme GmbH', officers: ['Anna Muster', 'Ben Beispiel'], logo }
const beta = { number: 'B1', name: 'Beta AG', officers: ['Anna Muster'] }
const record = 'offeneregister://company/A1'
const yearMs = 365 * 24 * 3600 * 1000

const eras = ['SDK 1.x (2025-11-25)', 'SDK 2.x, legacy era', 'SDK 2.x, modern era'] as const

const start = async (kind: (typeof eras)[number], pageSize = 100) => {
  const register = registerWith([acme], [{ ...acme, name: 'Acme AG' }, beta])
  const source = await open(register, { watch: true })
  const log = pino({ level: 'silent' })
  const gateway = await serveHttp(source, { host: '127.0.0.1', port: 0, log, pageSize })
  afterTest(() => gateway.close())
  const host = await hosts[kind]({ url: gateway.url })
  afterTest(() => host.close())
  return { register, source, host, client: host.client }
}

type Client = Awaited<ReturnType<typeof start>>['client']

const bodyAt = async (client: Client, uri: string): Promise<Record<string, unknown>> => {
  const [content] = (await client.readResource({ uri })).contents
  if (content === undefined || !('text' in content)) throw new Error(`no text at ${uri}`)
  return JSON.parse(content.text)
}

const versionsOf = (register: Register, body: Record<string, unknown>): string[] => {
  expect(register.current).toBe(body.current)
  return (body.snapshots as { version: string }[]).map(({ version }) => version)
}

describe.each(eras)('a host with %s', (kind) => {
  it('is told who serves, with an icon, and how to work here', async () => {
    const { client } = await start(kind)
    expect(client.getServerVersion()).toMatchObject({
      name: 'stichtag',
      title: 'Stichtag',
      icons: [{ src: expect.stringMatching(/^data:image\/svg\+xml;base64,/), mimeType: 'image/svg+xml' }],
    })
    const words = client.getInstructions() ?? ''
    for (const word of ['list_datasets', 'search', 'fetch', 'licence', 'version']) expect(words).toContain(word)
    expect(words.indexOf('`search`')).toBeLessThan(words.indexOf('`fetch`'))
  })

  it('sees title, time and, where it is known, size of each resource', async () => {
    const { client } = await start(kind)
    const { resources } = await client.listResources()
    for (const each of resources) {
      expect(each).toMatchObject({
        title: expect.any(String),
        annotations: { lastModified: expect.stringMatching(/^20/) },
      })
    }
    const schema = resources.find(({ uri }) => uri === 'offeneregister://schema')
    const [content] = (await client.readResource({ uri: 'offeneregister://schema' })).contents
    expect(schema?.size).toBe(Buffer.byteLength(content !== undefined && 'text' in content ? content.text : ''))
  })

  it('gets every list page by page with opaque cursors, each entry once', async () => {
    const { client } = await start(kind, 1)
    const lists = {
      resources: async (cursor?: string) => {
        const { resources, nextCursor } = await client.listResources(cursor === undefined ? {} : { cursor })
        return { names: resources.map(({ uri }) => uri), nextCursor }
      },
      templates: async (cursor?: string) => {
        const page = await client.listResourceTemplates(cursor === undefined ? {} : { cursor })
        return { names: page.resourceTemplates.map(({ uriTemplate }) => uriTemplate), nextCursor: page.nextCursor }
      },
      tools: async (cursor?: string) => {
        const { tools, nextCursor } = await client.listTools(cursor === undefined ? {} : { cursor })
        return { names: tools.map(({ name }) => name), nextCursor }
      },
      prompts: async (cursor?: string) => {
        const { prompts, nextCursor } = await client.listPrompts(cursor === undefined ? {} : { cursor })
        return { names: prompts.map(({ name }) => name), nextCursor }
      },
    }
    for (const page of Object.values(lists)) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const { names, nextCursor } = await page(cursor)
        // The 2.x client walks through all pages by itself.
        if (kind === 'SDK 1.x (2025-11-25)') expect(names).toHaveLength(1)
        seen.push(...names)
        cursor = nextCursor
      } while (cursor !== undefined)
      expect(seen.length).toBeGreaterThan(1)
      expect(new Set(seen).size).toBe(seen.length)
    }
  })

  it('reads several contents at once: JSON with a sheet, a record with its BLOB', async () => {
    const { client } = await start(kind)
    expect((await client.readResource({ uri: 'offeneregister://dataset' })).contents).toMatchObject([
      { mimeType: 'application/json' },
      { mimeType: 'text/markdown', text: expect.stringContaining('# German company register') },
    ])
    expect((await client.readResource({ uri: record })).contents).toMatchObject([
      { uri: record, mimeType: 'application/json' },
      { uri: `${record}#logo`, mimeType: 'image/png', blob: logo.toString('base64') },
    ])
  })

  it('gets text, link and embedded BLOB of a record from fetch, in the shape that ChatGPT expects', async () => {
    const { client } = await start(kind)
    const { content, structuredContent, isError } = await client.callTool({ name: 'fetch', arguments: { id: record } })
    expect(isError).toBeUndefined()
    expect(content).toMatchObject([
      { type: 'text' },
      { type: 'resource_link', uri: record, title: 'Acme AG' },
      { type: 'resource', resource: { uri: `${record}#logo`, mimeType: 'image/png', blob: logo.toString('base64') } },
    ])
    const [text] = content as [{ text: string }]
    expect(JSON.parse(text.text)).toEqual(structuredContent)
    expect(structuredContent).toMatchObject({
      id: record,
      title: 'Acme AG',
      text: expect.stringContaining('Anna Muster'),
      url: expect.stringMatching(/^https:/),
      metadata: { version: expect.stringMatching(/^20/), licence: 'CC BY 4.0' },
    })
  })

  it('gets results with id, title and url from search, and fetch takes each id', async () => {
    const { client } = await start(kind)
    const { structuredContent } = await client.callTool({ name: 'search', arguments: { query: 'Acme' } })
    const { results } = structuredContent as { results: { id: string; title: string; url: string }[] }
    expect(results).toMatchObject([{ id: expect.any(String), title: 'Acme AG', url: expect.any(String) }])
    const id = results[0]?.id ?? ''
    expect(await client.callTool({ name: 'fetch', arguments: { id } })).toMatchObject({ structuredContent: { id } })
  })

  it('reads a record as of a version, its history, and what a version changed, each at a URI that stays', async () => {
    const { client, register } = await start(kind)
    const [now = '', before = ''] = versionsOf(register, await bodyAt(client, 'offeneregister://snapshots'))
    expect(await bodyAt(client, `offeneregister://snapshots/${before}/company/A1`)).toMatchObject({
      version: before,
      record: { name: 'Acme GmbH' },
    })
    expect(JSON.stringify(await bodyAt(client, 'offeneregister://history/company/A1'))).toMatch(/Acme AG.*Acme GmbH/)
    expect(JSON.stringify(await bodyAt(client, `offeneregister://changes/${now}`))).toContain('Acme GmbH')
    const missing = await client
      .readResource({ uri: `offeneregister://changes/20200101T000000Z-00000000` })
      .catch(String)
    expect(missing).toContain(before)
    const since = await client.callTool({ name: 'changes', arguments: { dataset: 'offeneregister', since: before } })
    expect(since.structuredContent).toMatchObject({ since: before, version: now, truncated: false })
  })

  it('is told which versions are kept where one is asked for that was pruned', async () => {
    const { client, register, source } = await start(kind)
    const [now = '', before = ''] = versionsOf(register, await bodyAt(client, 'offeneregister://snapshots'))
    expect(source.current.versions.get('offeneregister')).toBe(now)
    // Versions are what the register itself gave out.
    register.prune(before as Parameters<Register['prune']>[0])
    const read = () =>
      client.readResource({ uri: `offeneregister://snapshots/${before}/company/A1` }).then(JSON.stringify, String)
    await expect.poll(read, { timeout: 5000 }).toContain(`Kept: ${now}`)
    const since = '20200101T000000Z-00000000'
    const answer = await client.callTool({ name: 'changes', arguments: { dataset: 'offeneregister', since } })
    expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(now) }] })
  })
})

it('lets versioned answers be kept for a year, and current ones until the next run', async () => {
  const { client, register } = await start('SDK 2.x, modern era')
  const version = register.current ?? ''
  for (const uri of [`offeneregister://snapshots/${version}/company/A1`, `offeneregister://changes/${version}`]) {
    expect(await client.readResource({ uri })).toMatchObject({ ttlMs: yearMs, cacheScope: 'public' })
  }
  const { ttlMs } = (await client.readResource({ uri: record })) as { ttlMs?: number }
  expect(ttlMs).toBeLessThanOrEqual(24 * 3600 * 1000)
})
