/**
 * One MCP server object of the SDK with our handlers: per session or connection of the legacy era, per request of the
 * modern one. It holds no state of its own; everything on offer comes from the catalogue as it is at that moment.
 */
import {
  type Result,
  Server,
  type ServerContext,
  type StandardSchemaV1,
  type Transport,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { SubscriptionBook } from '../catalogue/subscription-book.ts'
import type { CatalogueSource } from '../catalogue/types.ts'
import { StichtagError } from '../errors.ts'
import { callParameters, callTool } from './calling.ts'
import { complete, completeParameters } from './completing.ts'
import type { ListName } from './cursor.ts'
import { inWordsOf, protocolError } from './host-error.ts'
import { identity } from './identity.ts'
import { instructions } from './instructions.ts'
import type { ChangingList } from './list-change.ts'
import { listPage, listParameters } from './lists.ts'
import {
  defaultMaxSubscriptions,
  defaultPageSize,
  type Era,
  type GatewayOptions,
  tooManySubscriptions,
} from './options.ts'
import { getPrompt, promptParameters } from './prompts.ts'
import { RequestRecord } from './request-record.ts'
import { checkSubscriptionRoom } from './shares.ts'
import { type Audience, heldFor } from './subscriptions.ts'

/** Whom a legacy server subscribes, and where. On the modern era subscriptions belong to streams, not to servers. */
export interface LegacyHost {
  readonly audience: Audience
  readonly book: SubscriptionBook
  /** Called when the host gave a subscription up. */
  unsubscribed?(uri: string): void
  /** Called when the host has read what it was last told of, at a URI, or a list. */
  knows?(subject: { readonly uri: string } | { readonly list: ChangingList }): void
}

const uriParameters = z.object({ uri: z.string() })

/** What a `server/discover` says changes only when another release is started. */
const discoverTtlMs = 3_600_000

const listMethods = {
  'resources/list': 'resources',
  'resources/templates/list': 'templates',
  'tools/list': 'tools',
  'prompts/list': 'prompts',
} as const satisfies Record<string, ListName>

/** A server that words its errors as its era does. */
export class GatewayServer extends Server {
  readonly #era: Era

  constructor(era: Era, options: GatewayOptions) {
    super(identity, {
      instructions,
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        completions: {},
      },
      cacheHints: { 'server/discover': { ttlMs: discoverTtlMs, cacheScope: options.cacheScope ?? 'public' } },
    })
    this.#era = era
    this.onerror = (error) => options.log.debug({ err: error, era }, 'the protocol reported an error')
  }

  /** Each exchange of the modern era closes a server, and most have nobody left to tell: an error's stack costs 10 of 600 µs. */
  protected override _onclose(): void {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    try {
      super._onclose()
    } finally {
      Error.stackTraceLimit = stackTraceLimit
    }
  }

  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport)
    transport.send = (message, sendOptions) => send(inWordsOf(this.#era, message), sendOptions)
    await super.connect(transport)
  }
}

/** Tells the host of a legacy server that a list changed. */
export const sendListChanged = (server: GatewayServer, list: ChangingList): Promise<void> => {
  switch (list) {
    case 'tools':
      return server.sendToolListChanged()
    case 'resources':
      return server.sendResourceListChanged()
    case 'prompts':
      return server.sendPromptListChanged()
  }
}

/**
 * A server of an era over what `source` offers now; `host` on the legacy era only. One that is made for a single request is
 * told its method as `only`, and gets no other handlers.
 */
export const gatewayServer = (
  source: CatalogueSource,
  era: Era,
  options: GatewayOptions,
  { host, only }: { readonly host?: LegacyHost; readonly only?: string } = {},
): GatewayServer => {
  const { log } = options
  const server = new GatewayServer(era, options)
  const fresh = (ttlMs: number) =>
    era === 'modern' ? { ttlMs: Math.max(0, Math.round(ttlMs)), cacheScope: options.cacheScope ?? 'public' } : {}

  const answer = <Parameters extends StandardSchemaV1>(
    method: string,
    params: Parameters,
    handle: (
      given: StandardSchemaV1.InferOutput<Parameters>,
      signal: AbortSignal,
      record: RequestRecord,
    ) => Result | Promise<Result>,
    uriOf: (given: StandardSchemaV1.InferOutput<Parameters>) => { uri?: string } = () => ({}),
  ): void => {
    if (only !== undefined && method !== only) return
    server.setRequestHandler(
      method,
      { params },
      async (given: StandardSchemaV1.InferOutput<Parameters>, context: ServerContext) => {
        const record = new RequestRecord(method, era, given)
        const { signal } = context.mcpReq
        try {
          return await handle(given, signal, record)
        } catch (error) {
          record.failed(error)
          // The SDK sends no answer to a cancelled request, and that it broke off is no failure.
          if (signal.aborted) throw error
          throw protocolError(error, { method, ...uriOf(given) }, log)
        } finally {
          record.end(options, signal.aborted)
        }
      },
    )
  }

  for (const [method, list] of Object.entries(listMethods)) {
    answer(method, listParameters, ({ cursor }) => {
      const catalogue = source.current
      host?.knows?.({ list: list === 'templates' ? 'resources' : list })
      return {
        ...listPage(catalogue, list, options.pageSize ?? defaultPageSize, cursor),
        ...fresh(catalogue.listTtlMs),
      }
    })
  }

  answer(
    'resources/read',
    uriParameters,
    async ({ uri }, signal) => {
      const reading = await source.current.read(uri, signal)
      if (host?.book.shown(host.audience, uri, reading.digest)) host.knows?.({ uri })
      return { contents: reading.contents.map((content) => ({ ...content })), ...fresh(reading.ttlMs) }
    },
    ({ uri }) => ({ uri }),
  )
  answer('tools/call', callParameters, (call, signal, record) =>
    callTool(source.current, call, signal, log, (code) => record.failedWith(code)),
  )
  answer('prompts/get', promptParameters, (asked) => getPrompt(source.current, asked))
  answer('completion/complete', completeParameters, (asked, signal) => complete(source.current, asked, signal))
  if (host !== undefined) answerSubscriptions(answer, source, host, options)
  return server
}

type Answer = (
  method: string,
  params: typeof uriParameters,
  handle: (given: z.infer<typeof uriParameters>) => Promise<Result>,
  uriOf: (given: z.infer<typeof uriParameters>) => { uri?: string },
) => void

/** The book knows all datasets; whether this host is shown one is for `source` to say. */
const answerSubscriptions = (
  answer: Answer,
  source: CatalogueSource,
  host: LegacyHost,
  options: GatewayOptions,
): void => {
  const most = options.maxSubscriptions ?? defaultMaxSubscriptions
  const uriOf = ({ uri }: { uri: string }) => ({ uri })
  answer(
    'resources/subscribe',
    uriParameters,
    async ({ uri }) => {
      const { book, audience } = host
      if (book.count(audience) >= most) throw tooManySubscriptions(most)
      checkSubscriptionRoom(options.allSubscriptions, heldFor(audience, book), 1)
      if (!source.current.canSubscribe(uri)) {
        throw new StichtagError('NOT_FOUND', `No resource can be at ${uri}.`, { data: { uri } })
      }
      await host.book.subscribe(host.audience, [uri])
      return {}
    },
    uriOf,
  )
  answer(
    'resources/unsubscribe',
    uriParameters,
    async ({ uri }) => {
      host.book.unsubscribe(host.audience, uri)
      host.unsubscribed?.(uri)
      return {}
    },
    uriOf,
  )
}
