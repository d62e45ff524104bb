/** Requests and streams as they are on the wire, for what no SDK client shows. */
import { expect } from 'vitest'

export interface StreamEvent {
  readonly id?: string
  readonly data: string
}

/** A stream of server-sent events as it comes in. */
export class EventStream {
  readonly events: StreamEvent[] = []
  /** Comments: first bytes and keep-alives. */
  readonly comments: string[] = []
  readonly response: Response
  readonly ended: Promise<void>
  readonly #abort: AbortController

  constructor(response: Response, abort: AbortController) {
    this.response = response
    this.#abort = abort
    this.ended = this.#read()
  }

  /** The JSON-RPC messages so far. */
  get messages(): unknown[] {
    return this.events.filter((event) => event.data !== '').map((event) => JSON.parse(event.data))
  }

  /** URIs told as updated so far. */
  get updates(): unknown[] {
    return this.messages.flatMap((message) => {
      const { method, params } = message as { method?: string; params?: { uri?: string } }
      return method === 'notifications/resources/updated' ? [params?.uri] : []
    })
  }

  get lastEventId(): string | undefined {
    return this.events.findLast((event) => event.id !== undefined)?.id
  }

  /** Cuts the connection, and waits until this side has noticed. */
  async cut(): Promise<void> {
    this.#abort.abort()
    await this.ended
  }

  async #read(): Promise<void> {
    let text = ''
    try {
      for await (const chunk of this.response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) this.#take(block)
      }
    } catch (error) {
      if (!this.#abort.signal.aborted) throw error
    }
  }

  #take(block: string): void {
    if (block.startsWith(':')) {
      this.comments.push(block)
      return
    }
    const field = (name: string) =>
      block
        .split('\n')
        .find((line) => line.startsWith(`${name}: `))
        ?.slice(name.length + 2)
    const id = field('id')
    this.events.push({ ...(id === undefined ? {} : { id }), data: field('data')?.trim() ?? '' })
  }
}

export const jsonHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

export const post = (url: string, body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(url, {
    method: 'POST',
    headers: { ...jsonHeaders, ...headers },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })

/** A legacy session by hand. */
export class RawSession {
  readonly url: string
  readonly headers: Record<string, string>
  #nextId = 1

  constructor(url: string, id: string, version: string) {
    this.url = url
    this.headers = { 'mcp-session-id': id, 'mcp-protocol-version': version }
  }

  static async start(url: string, version = '2025-11-25'): Promise<RawSession> {
    const clientInfo = { name: 'raw', version: '1' }
    const params = { protocolVersion: version, capabilities: {}, clientInfo }
    const response = await post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params })
    expect(response.status).toBe(200)
    const session = new RawSession(url, response.headers.get('mcp-session-id') ?? '', version)
    await session.notify('notifications/initialized')
    return session
  }

  async request(method: string, params: object = {}): Promise<{ result?: unknown; error?: unknown }> {
    const response = await post(this.url, { jsonrpc: '2.0', id: this.#nextId++, method, params }, this.headers)
    // Every JSON-RPC answer has this shape.
    return (await response.json()) as { result?: unknown; error?: unknown }
  }

  async notify(method: string, params: object = {}): Promise<number> {
    return (await post(this.url, { jsonrpc: '2.0', method, params }, this.headers)).status
  }

  /** Opens the session's stream. */
  async stream(headers: Record<string, string> = {}): Promise<EventStream> {
    const abort = new AbortController()
    const all = { accept: 'text/event-stream', ...this.headers, ...headers }
    return new EventStream(await fetch(this.url, { headers: all, signal: abort.signal }), abort)
  }
}

const modernVersion = '2026-07-28'

const envelope = {
  'io.modelcontextprotocol/protocolVersion': modernVersion,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
}

/** A request of the modern era by hand. */
export const modernRequest = (
  url: string,
  method: string,
  params: Record<string, unknown> = {},
  signal?: AbortSignal,
  further: Record<string, string> = {},
): Promise<Response> => {
  const name = params.uri ?? params.name
  const headers = {
    'mcp-protocol-version': modernVersion,
    'mcp-method': method,
    ...further,
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
  }
  return post(url, { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } }, headers, signal)
}

/** Opens a modern stream. */
export const listen = async (url: string, notifications: object): Promise<EventStream> => {
  const abort = new AbortController()
  return new EventStream(await modernRequest(url, 'subscriptions/listen', { notifications }, abort.signal), abort)
}
