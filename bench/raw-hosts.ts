/**
 * Hosts of both eras as bare HTTP requests and server-sent events: five hundred of them fit into one process, which
 * five hundred SDK clients do not. What an SDK's client does is shown by test/gateway and test/e2e.
 */
import { Agent, type IncomingMessage, request } from 'node:http'

/** A notification as it came in. */
export interface Heard {
  readonly uri: string
  /** Milliseconds of the system's clock. */
  readonly at: number
}

/** One stream of a host, from its first byte to its end. */
export interface RawStream {
  readonly lastEventId: () => string | undefined
  readonly ended: Promise<void>
  /** Cuts the connection. */
  cut(): void
}

const modernVersion = '2026-07-28'
const legacyVersion = '2025-11-25'
const clientInfo = { name: 'raw-host', version: '1.0.0' }
const accept = 'application/json, text/event-stream'

const agent = new Agent({ keepAlive: true, maxSockets: 16 })

export const now = (): number => performance.timeOrigin + performance.now()

const begin = (
  url: string,
  method: 'GET' | 'POST' | 'DELETE',
  headers: Record<string, string>,
  body: string | undefined,
  through: Agent | false,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: through }, resolve)
    asked.once('error', reject)
    asked.end(body)
  })

const textOf = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  // Without an encoding set, a response's chunks are Buffers.
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const postJson = async (url: string, message: object, headers: Record<string, string>) => {
  const body = JSON.stringify(message)
  const all = {
    'content-type': 'application/json',
    accept,
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }
  const response = await begin(url, 'POST', all, body, agent)
  return { status: response.statusCode ?? 0, headers: response.headers, text: await textOf(response) }
}

/** The result of a JSON-RPC answer, which may come as one event. Throws what is an error. */
const resultOf = ({ status, text }: { readonly status: number; readonly text: string }): Record<string, unknown> => {
  const json = text.startsWith('{') ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? '')
  if (json === '') throw new Error(`status ${status}: ${text.slice(0, 200)}`)
  // Every answer of JSON-RPC has this shape.
  const { result, error } = JSON.parse(json) as { result?: Record<string, unknown>; error?: { message: string } }
  if (result === undefined) throw new Error(`status ${status}: ${error?.message ?? text.slice(0, 200)}`)
  return result
}

/** Follows a stream that has begun; resolves when its first bytes are here, so that it is known to be open. */
const follow = async (response: IncomingMessage, hear: (message: unknown) => void): Promise<RawStream> => {
  if (response.statusCode !== 200) throw new Error(`no stream: ${response.statusCode} ${await textOf(response)}`)
  const opened = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let text = ''
  let lastEventId: string | undefined
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      lastEventId = /^id: (.*)$/m.exec(block)?.[1] ?? lastEventId
      const data = /^data: (.+)$/m.exec(block)?.[1]
      if (data !== undefined && data.trim() !== '') hear(JSON.parse(data))
    }
    opened.resolve()
  })
  const over = (): void => {
    opened.resolve()
    ended.resolve()
  }
  response.on('error', over)
  response.on('close', over)
  await opened.promise
  return { lastEventId: () => lastEventId, ended: ended.promise, cut: () => void response.destroy() }
}

const updatedUri = (message: unknown): string | undefined => {
  // What is on a stream is JSON-RPC; anything else has no such fields.
  const { method, params } = message as { method?: string; params?: { uri?: string } }
  return method === 'notifications/resources/updated' ? params?.uri : undefined
}

/** A host of either era. */
export interface RawHost {
  readonly era: 'legacy' | 'modern'
  readonly heard: Heard[]
  /** The result of a request, as the era makes it. */
  ask(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>
  /** Subscribes and listens. */
  listen(uris: readonly string[]): Promise<void>
  /** Ends streams and session; resolves when the gateway knows. */
  close(): Promise<void>
}

/** A session of the 2025 era. Its streams are opened by `open`, through another address where one is given. */
export class LegacyRawHost implements RawHost {
  readonly era = 'legacy'
  readonly heard: Heard[] = []
  readonly #url: string
  readonly #headers: Record<string, string>
  #stream: RawStream | undefined
  #nextId = 1

  constructor(url: string, session: string) {
    this.#url = url
    this.#headers = { 'mcp-session-id': session, 'mcp-protocol-version': legacyVersion }
  }

  static async start(url: string): Promise<LegacyRawHost> {
    const params = { protocolVersion: legacyVersion, capabilities: {}, clientInfo }
    const answer = await postJson(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, {})
    resultOf(answer)
    const host = new LegacyRawHost(url, String(answer.headers['mcp-session-id']))
    await postJson(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, host.#headers)
    return host
  }

  get stream(): RawStream | undefined {
    return this.#stream
  }

  async ask(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    return resultOf(await postJson(this.#url, { jsonrpc: '2.0', id: this.#nextId++, method, params }, this.#headers))
  }

  /** Opens the session's stream. */
  async open(lastEventId?: string, through = this.#url): Promise<RawStream> {
    const resuming = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
    const headers = { accept: 'text/event-stream', ...this.#headers, ...resuming }
    const response = await begin(through, 'GET', headers, undefined, false)
    this.#stream = await follow(response, (message) => {
      const uri = updatedUri(message)
      if (uri !== undefined) this.heard.push({ uri, at: now() })
    })
    return this.#stream
  }

  async listen(uris: readonly string[]): Promise<void> {
    await this.open()
    for (const uri of uris) await this.ask('resources/subscribe', { uri })
  }

  async close(): Promise<void> {
    this.#stream?.cut()
    await textOf(await begin(this.#url, 'DELETE', this.#headers, undefined, agent))
  }
}

/** A host of the 2026 era: one stream for all its URIs. */
export class ModernRawHost implements RawHost {
  readonly era = 'modern'
  readonly heard: Heard[] = []
  readonly #url: string
  #stream: RawStream | undefined
  #nextId = 1

  constructor(url: string) {
    this.#url = url
  }

  async ask(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    return resultOf(await postJson(this.#url, this.#message(method, params), headersOf(method, params)))
  }

  async listen(uris: readonly string[]): Promise<void> {
    const method = 'subscriptions/listen'
    const body = JSON.stringify(this.#message(method, { notifications: { resourceSubscriptions: uris } }))
    const headers = {
      'content-type': 'application/json',
      accept,
      'content-length': String(Buffer.byteLength(body)),
      ...headersOf(method, {}),
    }
    this.#stream = await follow(await begin(this.#url, 'POST', headers, body, false), (message) => {
      const uri = updatedUri(message)
      if (uri !== undefined) this.heard.push({ uri, at: now() })
    })
  }

  async close(): Promise<void> {
    this.#stream?.cut()
    await this.#stream?.ended
  }

  #message(method: string, params: Record<string, unknown>) {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': modernVersion,
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': clientInfo,
    }
    return { jsonrpc: '2.0', id: this.#nextId++, method, params: { ...params, _meta } }
  }
}

const headersOf = (method: string, params: Record<string, unknown>): Record<string, string> => {
  const name = params.uri ?? params.name
  return {
    'mcp-protocol-version': modernVersion,
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
  }
}

/** A host of an era. */
export const startRawHost = (era: RawHost['era'], url: string): Promise<RawHost> =>
  era === 'legacy' ? LegacyRawHost.start(url) : Promise.resolve(new ModernRawHost(url))
