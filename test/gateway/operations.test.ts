import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ToolAnswer } from '../../src/catalogue/types.ts'
import { StichtagError } from '../../src/errors.ts'
import type { Authority } from '../../src/gateway/authority.ts'
import { readinessOf } from '../../src/gateway/dataset-health.ts'
import { operationResponse } from '../../src/gateway/http-operations.ts'
import { Metrics } from '../../src/gateway/metrics.ts'
import { TlsFiles } from '../../src/gateway/tls-files.ts'
import { FakeSource, type Offer, tool } from './fake-catalogue.ts'
import { serve } from './served.ts'
import { listen, modernRequest, RawSession } from './wire.ts'

const authority: Authority = {
  grantOf: async (token) => (token === 'good' ? { client: 'client' } : undefined),
  onRevoked: () => () => undefined,
}
const withToken = { headers: { authorization: 'Bearer good' } }

const noMetrics = new Metrics(() => {
  throw new Error('nobody asked for figures')
})

const at = (url: string, path: string) => url.replace('/mcp', path)

/** A catalogue whose datasets are in these states. */
const inStates = (states: () => Readonly<Record<string, string>>): Offer => ({
  tools: [tool('list_datasets')],
  call: async (): Promise<ToolAnswer> => ({
    ok: true,
    structured: {
      datasets: Object.entries(states()).map(([dataset, state]) => ({
        dataset,
        state,
        ...(state === 'missing' ? {} : { version: 'v1', asOf: new Date(Date.now() - 3_600_000).toISOString() }),
        confirmedAt: null,
      })),
    },
    links: [],
  }),
})

describe('readiness', () => {
  it('wants every required dataset to be readable, however old', () => {
    const datasets = [
      { dataset: 'old', state: 'stale' },
      { dataset: 'gone', state: 'missing' },
      { dataset: 'bad', state: 'broken' },
      { dataset: 'good', state: 'current' },
    ]
    expect(readinessOf(datasets, ['old', 'good'])).toEqual({ ready: true, missing: [], stale: ['old'] })
    expect(readinessOf(datasets, ['gone', 'bad', 'never-heard-of', 'good'])).toEqual({
      ready: false,
      missing: ['gone', 'bad', 'never-heard-of'],
      stale: ['old'],
    })
    expect(readinessOf(datasets, []).ready).toBe(true)
  })
})

describe('what operators ask of a gateway', () => {
  it('is healthy while it answers', async () => {
    const { url } = await serve()
    const answer = await fetch(at(url, '/healthz'))
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true }])
    expect((await fetch(at(url, '/healthz'), { method: 'POST' })).status).toBe(405)
  })

  it('is ready as soon as the required datasets can be read, and says which are stale', async () => {
    const states: Record<string, string> = { shop: 'missing', old: 'failing' }
    const { url } = await serve(
      {},
      inStates(() => states),
      { requiredDatasets: ['shop'] },
    )
    const ready = async () => {
      const answer = await fetch(at(url, '/readyz'))
      return [answer.status, await answer.json()]
    }
    expect(await ready()).toMatchObject([503, { ready: false, missing: ['shop'], stale: ['old'] }])
    states.shop = 'current'
    expect(await ready()).toMatchObject([200, { ready: true, missing: [], stale: ['old'], closing: false }])
  })

  it('is not ready while it ends, so that nobody new is sent to it', async () => {
    const operated = { catalogue: new FakeSource({}).current, metrics: noMetrics, required: [] }
    const ready = async (isClosing: boolean) =>
      (await operationResponse('/readyz', { ...operated, isClosing }, true)).status
    expect([await ready(false), await ready(true)]).toEqual([200, 503])
  })

  it('shows only the status to those without a token, and everything to those who have one', async () => {
    const { url } = await serve(
      {},
      inStates(() => ({ shop: 'current' })),
      { authority },
    )
    expect(await (await fetch(at(url, '/readyz'))).json()).toEqual({ ready: true })
    expect((await fetch(at(url, '/healthz'))).status).toBe(200)
    for (const path of ['/metrics', '/settings']) expect((await fetch(at(url, path))).status).toBe(401)
    expect(await (await fetch(at(url, '/readyz'), withToken)).json()).toMatchObject({ datasets: [{ dataset: 'shop' }] })
    expect((await fetch(at(url, '/metrics'), withToken)).status).toBe(200)
  })

  it('says which settings there are and whether they are set, and no value', async () => {
    process.env.STICHTAG_WEBHOOK = 'https://user:password@hook.example'
    process.env.STICHTAG_CRON_SHOP = '* * * * *'
    try {
      const { url } = await serve()
      const text = await (await fetch(at(url, '/settings'))).text()
      expect(JSON.parse(text).settings).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: 'STICHTAG_WEBHOOK', isSet: true }),
          expect.objectContaining({ name: 'STICHTAG_CRON_<DATASET>', isSet: true }),
          expect.objectContaining({ name: 'STICHTAG_HOOK', isSet: false }),
        ]),
      )
      expect(text).not.toContain('password')
    } finally {
      delete process.env.STICHTAG_WEBHOOK
      delete process.env.STICHTAG_CRON_SHOP
    }
  })
})

describe('the figures', () => {
  const figuresOf = async (url: string) => (await fetch(at(url, '/metrics'))).text()

  it('count requests by method, era and outcome, with their latency', async () => {
    const answers: Record<string, ToolAnswer> = {
      find: { ok: true, structured: {}, links: [] },
      slow: { ok: false, code: 'QUERY_TIMEOUT', message: 'Narrow it.' },
    }
    const call = async (name: string) => {
      const answer = answers[name]
      if (answer === undefined) throw new StichtagError('QUEUE_FULL', 'Too many wait.')
      return answer
    }
    const { url } = await serve({ 1: 'a' }, { tools: ['find', 'slow', 'full'].map(tool), call })
    const session = await RawSession.start(url)
    for (const name of ['find', 'slow', 'full', 'nonesuch']) await session.request('tools/call', { name })
    await modernRequest(url, 'resources/read', { uri: 'shop://item/1' })
    await modernRequest(url, 'resources/read', { uri: 'shop://item/9' })
    const text = await figuresOf(url)
    const requests = (method: string, era: string, outcome: string) =>
      `stichtag_requests_total{method="${method}",era="${era}",outcome="${outcome}"} 1`
    for (const outcome of ['ok', 'QUERY_TIMEOUT', 'QUEUE_FULL', 'error']) {
      expect(text).toContain(requests('tools/call', 'legacy', outcome))
    }
    expect(text).toContain(requests('resources/read', 'modern', 'ok'))
    expect(text).toContain(requests('resources/read', 'modern', 'NOT_FOUND'))
    expect(text).toContain('stichtag_request_seconds_count{method="tools/call",era="legacy"} 4')
  })

  it('say how busy the readers are, and how many had to be ended', async () => {
    let timeouts = 2
    const readers = () => ({
      processes: { busy: 1, idle: 3, starting: 0 },
      waiting: { lookup: 0, search: 0, query: 7 },
      ended: { timeout: timeouts, cancelled: 0, memory: 1, died: 0 },
    })
    const { url } = await serve({}, {}, { readers })
    const figures = async () => (await fetch(at(url, '/metrics'))).text()
    expect(await figures()).toContain('stichtag_reader_kills_total{reason="timeout"} 2')
    timeouts = 3
    const text = await figures()
    expect(text).toContain('stichtag_reader_kills_total{reason="timeout"} 3')
    expect(text).toContain('stichtag_reader_queue{lane="query"} 7')
    expect(text).toContain('stichtag_reader_processes{state="busy"} 1')
  })

  it('have no series that whoever asks could make', async () => {
    const { url } = await serve()
    await modernRequest(url, 'nonsense/method')
    await modernRequest(url, 'tools/call', { name: 'made-up-tool' })
    await modernRequest(url, 'resources/read', { uri: 'made-up://uri' })
    const text = await (await fetch(at(url, '/metrics'))).text()
    expect(text).not.toMatch(/nonsense|made-up/)
    expect(text).toContain('method="tools/call"')
  })

  it('count what was turned away, sessions, streams, subscriptions and notifications', async () => {
    const { url, source } = await serve()
    const session = await RawSession.start(url)
    await session.request('resources/subscribe', { uri: 'shop://item/1' })
    const legacy = await session.stream()
    const modern = await listen(url, {
      resourceSubscriptions: ['shop://item/1', 'shop://item/2'],
      toolsListChanged: true,
    })
    source.publish({ 1: 'A', 2: 'b' }, { toolsChanged: true })
    await expect.poll(() => [legacy.updates.length, modern.messages.length]).toEqual([1, 3])
    await fetch(at(url, '/nowhere'))
    const text = await figuresOf(url)
    expect(text).toContain('stichtag_http_refused_total{status="404"} 1')
    expect(text).toContain('stichtag_sessions 1')
    expect(text).toContain('stichtag_streams 2')
    expect(text).toContain('stichtag_subscriptions 3')
    expect(text).toContain('stichtag_notifications_total{kind="resource_updated"} 2')
    expect(text).toContain('stichtag_notifications_total{kind="tools_list_changed"} 2')
  })

  it('say how old each dataset is and in which state, and nothing of one that is gone', async () => {
    let states: Record<string, string> = { shop: 'current', lost: 'missing' }
    const { url } = await serve(
      {},
      inStates(() => states),
    )
    const text = await figuresOf(url)
    expect(Number(/stichtag_dataset_age_seconds\{dataset="shop"\} ([\d.]+)/.exec(text)?.[1])).toBeCloseTo(3600, -2)
    expect(text).toContain('stichtag_dataset_state{dataset="lost",state="missing"} 1')
    states = { shop: 'due' }
    const later = await figuresOf(url)
    expect(later).not.toContain('lost')
    expect(later).not.toContain('state="current"')
    expect(later).toContain('stichtag_dataset_state{dataset="shop",state="due"} 1')
  })
})

describe('the lines about requests', () => {
  const logging = async (options: object = {}) => {
    const lines: Record<string, unknown>[] = []
    const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const { url } = await serve({ 1: 'a' }, { tools: [tool('find')] }, { log, ...options })
    const answered = () => lines.filter(({ msg }) => msg === 'answered')
    return { url, lines, answered }
  }

  it('carry an id, which the answer has too, or the id that a proxy gave', async () => {
    const { url, answered } = await logging()
    const first = await modernRequest(url, 'tools/call', { name: 'find', arguments: { word: 'Müller' } })
    await modernRequest(url, 'tools/call', { name: 'find' }, undefined, { 'x-request-id': 'proxy-1' })
    await modernRequest(url, 'tools/call', { name: 'find' }, undefined, { 'x-request-id': 'a b"c' })
    expect(answered()).toMatchObject([
      {
        request: first.headers.get('x-request-id'),
        client: expect.stringContaining('127.0.0.1'),
        method: 'tools/call',
        era: 'modern',
        outcome: 'ok',
      },
      { request: 'proxy-1' },
      { request: expect.stringMatching(/^[0-9a-f]{12}$/) },
    ])
  })

  it('are told apart within one session', async () => {
    const { url, answered } = await logging()
    const session = await RawSession.start(url)
    await session.request('tools/list')
    await session.request('tools/list')
    const ids = answered().map(({ request: id }) => id)
    expect(new Set(ids).size).toBe(2)
    expect(ids).not.toContain(undefined)
  })

  it('say nothing of what was asked, unless they are told to', async () => {
    const ask = async (url: string) => {
      await modernRequest(url, 'tools/call', { name: 'find', arguments: { word: 'secret' } })
      await modernRequest(url, 'resources/read', { uri: 'shop://item/secret' })
      await modernRequest(url, 'resources/read', { uri: 'secret' })
    }
    const quiet = await logging()
    await ask(quiet.url)
    expect(quiet.answered()).toHaveLength(3)
    expect(JSON.stringify(quiet.lines)).not.toContain('secret')
    const chatty = await logging({ logArguments: true })
    await ask(chatty.url)
    expect(chatty.answered()[0]).toMatchObject({ asked: { arguments: { word: 'secret' } } })
  })
})

describe('HTTPS', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'stichtag-tls-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  const make = (name: string): { cert: string; key: string } => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '1', '-nodes']
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
    execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' })
    return { cert, key }
  }

  /** The name in the certificate that a new connection is shown, and the status of the answer. */
  const shown = async (url: string): Promise<[string | undefined, number | undefined]> => {
    const seen = Promise.withResolvers<[string | undefined, number | undefined]>()
    request(at(url, '/healthz'), { rejectUnauthorized: false, agent: false }, (response) => {
      response.resume()
      // The socket of an HTTPS request is a TLS socket.
      const { subject } = (response.socket as TLSSocket).getPeerCertificate()
      seen.resolve([String(subject.CN), response.statusCode])
    })
      .on('error', seen.reject)
      .end()
    return seen.promise
  }

  it('is served with a certificate and its key, and with the new one as soon as both are renewed', async () => {
    const paths = make('first')
    const lines: string[] = []
    const tls = new TlsFiles(paths, pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }))
    try {
      const { url } = await serve({}, {}, { tls })
      expect(url).toMatch(/^https:/)
      expect(await shown(url)).toEqual(['first', 200])
      const old = readFileSync(paths.key)
      make('second')
      const renewed = readFileSync(paths.key)
      writeFileSync(paths.key, old)
      await expect.poll(() => lines.join('\n'), { timeout: 4000 }).toContain('the one before goes on')
      expect(await shown(url)).toEqual(['first', 200])
      writeFileSync(paths.key, renewed)
      await expect.poll(() => shown(url), { timeout: 4000 }).toEqual(['second', 200])
    } finally {
      tls.close()
    }
  })
})
