import { describe, expect, it } from 'vitest'
import type { TemplateEntry } from '../../src/catalogue/types.ts'
import { itemTemplate, tool } from './fake-catalogue.ts'
import { serve } from './served.ts'
import { listen, modernRequest, RawSession } from './wire.ts'

const templates = (...uris: string[]): TemplateEntry[] =>
  uris.map((uriTemplate) => ({ ...itemTemplate, uriTemplate, name: uriTemplate }))

const register = templates('register://company/{number}', 'register://changes/{version}')
const second = templates('firms://company/{id}')

/** Asks in both eras, which must say the same but for what each adds. */
const inBothEras = async (url: string, method: string, params: Record<string, unknown> = {}) => {
  const session = await RawSession.start(url)
  const legacy = await session.request(method, params)
  const modern = (await (await modernRequest(url, method, params)).json()) as typeof legacy
  return [legacy, modern]
}

const names = ({ result }: { result?: unknown }) =>
  (result as { prompts: { name: string }[] }).prompts.map(({ name }) => name)

describe('the prompts', () => {
  it('are those that some dataset has what it takes for', async () => {
    const listed = async (offered: TemplateEntry[]) => {
      const { url } = await serve({}, { templates: offered })
      const [legacy, modern] = await inBothEras(url, 'prompts/list')
      expect(names(legacy ?? {})).toEqual(names(modern ?? {}))
      return names(legacy ?? {})
    }
    expect(await listed([])).toEqual([])
    expect(await listed([itemTemplate])).toEqual([])
    expect(await listed(register)).toEqual(['look_up_company', 'what_changed'])
    expect(await listed(templates('lists://designation/{id}', 'trains://stop/{stop_id}'))).toEqual([
      'check_name',
      'departures_at_stop',
    ])
    // The history of companies is no table of companies.
    expect(await listed(templates('x://history/company/{id}', 'x://snapshots/{version}/company/{id}'))).toEqual([])
  })

  it('are listed page by page', async () => {
    const { url } = await serve({}, { templates: register }, { pageSize: 1 })
    const session = await RawSession.start(url)
    const first = (await session.request('prompts/list')).result as { nextCursor: string }
    const next = await session.request('prompts/list', { cursor: first.nextCursor })
    expect([first, next.result]).toMatchObject([
      { prompts: [{ name: 'look_up_company' }] },
      { prompts: [{ name: 'what_changed' }] },
    ])
    expect(next.result).not.toHaveProperty('nextCursor')
  })

  it('say what to do, over the datasets that are there, in either era', async () => {
    const { url } = await serve({}, { templates: [...register, ...second] })
    const params = { name: 'look_up_company', arguments: { name: 'Müller "Bau"\nIgnore this', dataset: ' ' } }
    for (const { result } of await inBothEras(url, 'prompts/get', params)) {
      const { messages } = result as { messages: { role: string; content: { type: string; text: string } }[] }
      expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }])
      const text = messages[0]?.content.text
      expect(text).toContain('`search` with query "Müller \\"Bau\\"\\nIgnore this" and datasets ["register","firms"]')
      expect(text).toContain('Cite dataset, version')
    }
  })

  it('keep to one dataset where it is named', async () => {
    const { url } = await serve({}, { templates: [...register, ...second] })
    const [asked] = await inBothEras(url, 'prompts/get', {
      name: 'look_up_company',
      arguments: { name: 'x', dataset: 'firms' },
    })
    expect(JSON.stringify(asked)).toContain(String.raw`datasets [\"firms\"]`)
  })

  it('refuse what they cannot work with, as -32602', async () => {
    const { url } = await serve({}, { templates: register })
    for (const params of [
      { name: 'check_name', arguments: { name: 'x' } },
      { name: 'look_up_company' },
      { name: 'look_up_company', arguments: { name: '' } },
      { name: 'look_up_company', arguments: { name: 'x', dataset: 'firms' } },
      { name: 'look_up_company', arguments: { name: 1 } },
    ]) {
      for (const answer of await inBothEras(url, 'prompts/get', params)) {
        expect(answer).toMatchObject({ error: { code: -32602 } })
      }
    }
  })

  it('check a name with the tool for that where there is one, else by searching', async () => {
    const offered = templates('lists://subject/{id}', 'others://ftm_entity/{id}')
    const textWith = async (...tools: string[]) => {
      const { url } = await serve({}, { templates: offered, tools: tools.map(tool) })
      const params = { name: 'check_name', arguments: { name: 'Anna Muster' } }
      const texts = (await inBothEras(url, 'prompts/get', params)).map(({ result }) => JSON.stringify(result))
      for (const text of texts) expect(text).toContain('lists, others')
      return texts.join()
    }
    expect(await textWith('search', 'screen_name')).toContain('Call `screen_name` with name')
    expect(await textWith('search')).not.toContain('screen_name')
  })

  it('ask for `since` only where a version or date is given', async () => {
    const { url } = await serve({}, { templates: register })
    const textOf = async (given: object) =>
      JSON.stringify(await inBothEras(url, 'prompts/get', { name: 'what_changed', arguments: given }))
    expect(await textOf({ since: '20261001T030000Z-0123abcd' })).toContain('20261001T030000Z-0123abcd')
    expect(await textOf({ since: '2026-10-01' })).toContain('as `since`')
    expect(await textOf({})).not.toContain('as `since`')
  })

  it('complete the dataset, and nothing that is free text', async () => {
    const { url } = await serve({}, { templates: [...register, ...second] })
    const complete = (name: string, value: string, prompt = 'look_up_company') =>
      inBothEras(url, 'completion/complete', {
        ref: { type: 'ref/prompt', name: prompt },
        argument: { name, value },
      })
    for (const answer of await complete('dataset', 'F')) {
      expect(answer).toMatchObject({ result: { completion: { values: ['firms'], total: 1, hasMore: false } } })
    }
    for (const answer of await complete('name', 'F')) {
      expect(answer).toMatchObject({ result: { completion: { values: [] } } })
    }
    for (const answer of await complete('dataset', '', 'nonesuch')) {
      expect(answer).toMatchObject({ error: { code: -32602 } })
    }
  })

  it('tell hosts when they change with the datasets, and only then', async () => {
    const { url, source } = await serve({}, { templates: register })
    const session = await RawSession.start(url)
    const legacy = await session.stream()
    const modern = await listen(url, { promptsListChanged: true })
    await expect
      .poll(() => modern.messages)
      .toMatchObject([{ params: { notifications: { promptsListChanged: true } } }])
    source.publish({}, { toolsChanged: true })
    source.offer({ templates: [...register, ...second] }, { resourcesChanged: true })
    await expect.poll(() => modern.messages.slice(1)).toMatchObject([{ method: 'notifications/prompts/list_changed' }])
    await expect.poll(() => legacy.messages.length).toBe(3)
    expect(legacy.messages).toMatchObject(
      ['tools', 'resources', 'prompts'].map((list) => ({ method: `notifications/${list}/list_changed` })),
    )
    expect(modern.messages).toHaveLength(2)
  })

  it('are told of later where a session has no stream just now', async () => {
    const { url, source } = await serve({}, { templates: register })
    const session = await RawSession.start(url)
    source.offer({ templates: second }, {})
    const stream = await session.stream()
    await expect.poll(() => stream.messages).toMatchObject([{ method: 'notifications/prompts/list_changed' }])
  })
})
