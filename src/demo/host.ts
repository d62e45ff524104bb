/**
 * Hosts of both eras behind one face: the 1.x SDK's client speaks MCP 2025-11-25 and older, the 2.x client also
 * 2026-07-28. They are what the demo shows and what `watch` uses.
 */
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'

export interface Host {
  /** Revision of MCP that was agreed on. */
  readonly revision: string
  /** Calls back for each `notifications/resources/updated`. */
  onUpdated(listener: (uri: string) => void): void
  /** Subscribes; resolves to those that the gateway took. */
  subscribe(uris: readonly string[]): Promise<readonly string[]>
  /** Resolves when the gateway has ended the subscriptions, or is gone. */
  readonly ended: Promise<void>
  /** The JSON content at a URI. */
  read(uri: string): Promise<unknown>
  close(): Promise<void>
}

/** Where the gateway is: over HTTP, or a command to start that speaks stdio. */
export type Gateway = HttpGateway | StdioGateway

export interface HttpGateway {
  readonly url: string
  /** Bearer token to show it, where it asks for one. */
  readonly token?: string
}

export interface StdioGateway {
  readonly command: string
  readonly args: readonly string[]
  /** This process's own unless said. */
  readonly env?: NodeJS.ProcessEnv
}

const identity = { name: 'stichtag-host', version: '1.0.0' }

const jsonOf = (contents: readonly object[]): unknown => {
  const [first] = contents
  return first !== undefined && 'text' in first && typeof first.text === 'string' ? JSON.parse(first.text) : null
}

/** A host of the 2025 era: sessions over HTTP, and one subscription per URI. */
export const legacyHost = async (gateway: Gateway): Promise<Host> => {
  const client = new LegacyClient(identity)
  const transport =
    'url' in gateway ? new LegacyHttp(new URL(gateway.url), bearer(gateway)) : new LegacyStdio(stdioOf(gateway))
  const listeners: ((uri: string) => void)[] = []
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    for (const listener of listeners) listener(params.uri)
  })
  const ended = Promise.withResolvers<void>()
  client.onclose = () => ended.resolve()
  // The SDK's own types disagree about an optional field under exactOptionalPropertyTypes; it is its own transport.
  await client.connect(transport as Parameters<LegacyClient['connect']>[0])
  return {
    revision: ('protocolVersion' in transport ? transport.protocolVersion : undefined) ?? '2025-11-25',
    onUpdated: (listener) => void listeners.push(listener),
    ended: ended.promise,
    subscribe: async (uris) => {
      for (const uri of uris) await client.subscribeResource({ uri })
      return uris
    },
    read: async (uri) => jsonOf((await client.readResource({ uri })).contents),
    close: async () => {
      if (transport instanceof LegacyHttp) await transport.terminateSession()
      await client.close()
    },
  }
}

/** A host of the 2026 era: no session, one listening stream for all its URIs. */
export const modernHost = async (gateway: Gateway): Promise<Host> => {
  const client = new ModernClient(identity, { versionNegotiation: { mode: 'auto' } })
  const listeners: ((uri: string) => void)[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    for (const listener of listeners) listener(params.uri)
  })
  const transport =
    'url' in gateway ? new ModernHttp(new URL(gateway.url), bearer(gateway)) : new ModernStdio(stdioOf(gateway))
  const ended = Promise.withResolvers<void>()
  client.onclose = () => ended.resolve()
  await client.connect(transport)
  return {
    ended: ended.promise,
    revision: client.getNegotiatedProtocolVersion() ?? '2026-07-28',
    onUpdated: (listener) => void listeners.push(listener),
    subscribe: async (uris) => {
      const stream = await client.listen({ resourceSubscriptions: [...uris] })
      stream.closed.then(() => ended.resolve(), ended.reject)
      return stream.honoredFilter.resourceSubscriptions ?? []
    },
    read: async (uri) => jsonOf((await client.readResource({ uri })).contents),
    close: () => client.close(),
  }
}

const bearer = ({ token }: HttpGateway) =>
  token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } }

/** How to start a gateway on stdio. Settings such as STICHTAG_HOME are in the environment. */
const stdioOf = ({ command, args, env = process.env }: StdioGateway) => ({
  command,
  args: [...args],
  stderr: 'inherit' as const,
  env: Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)),
})
