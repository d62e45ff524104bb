/** Real hosts of every kind: both SDK lines, both eras, over real sockets and pipes, behind one face for tests. */
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'

/** Where a host finds the gateway: a URL, a command that it starts, or the fixture that serves on stdio. */
export type Place = { readonly url: string } | Command | 'stdio'

export interface Command {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export interface Host {
  readonly era: 'legacy' | 'modern'
  /** The code under which it hands on that a resource is not there: 2.x makes one code of both eras'. */
  readonly notFoundCode: number
  readonly client: Client | Client1
  /** URIs told as updated, in order. */
  readonly updates: string[]
  /** Lists told as changed, in order. */
  readonly changedLists: string[]
  /** Subscribes to URIs and to changes of lists. Returns how to give it up. */
  subscribe(...uris: string[]): Promise<() => Promise<void>>
  close(): Promise<void>
}

const fixture = fileURLToPath(new URL('stdio-server.ts', import.meta.url))
const stdioParameters = (place: Command | 'stdio') => ({
  command: process.execPath,
  args: place === 'stdio' ? [fixture] : [...place.args],
  stderr: 'inherit' as const,
  ...(place === 'stdio' ? {} : { env: { ...place.env } }),
})
const isHttp = (place: Place): place is { readonly url: string } => place !== 'stdio' && 'url' in place
const identity = { name: 'test-host', version: '1.0.0' }

const http1 = async (place: Place): Promise<Host> => {
  const client = new Client1(identity)
  const updates: string[] = []
  const changedLists: string[] = []
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updates.push(params.uri))
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changedLists.push('tools'))
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void changedLists.push('resources'))
  const transport = isHttp(place) ? new Http1(new URL(place.url)) : new Stdio1(stdioParameters(place))
  // The 1.x SDK's own types disagree about `sessionId` under exactOptionalPropertyTypes; it is its own transport.
  await client.connect(transport as Parameters<Client1['connect']>[0])
  return {
    era: 'legacy',
    notFoundCode: -32002,
    client,
    updates,
    changedLists,
    subscribe: async (...uris) => {
      for (const uri of uris) await client.subscribeResource({ uri })
      return async () => {
        for (const uri of uris) await client.unsubscribeResource({ uri })
      }
    },
    close: async () => {
      if (transport instanceof Http1) await transport.terminateSession()
      await client.close()
    },
  }
}

const client2 =
  (era: 'legacy' | 'modern') =>
  async (place: Place): Promise<Host> => {
    const client = new Client(identity, { versionNegotiation: { mode: era === 'modern' ? 'auto' : 'legacy' } })
    const updates: string[] = []
    const changedLists: string[] = []
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updates.push(params.uri))
    client.setNotificationHandler('notifications/tools/list_changed', () => void changedLists.push('tools'))
    client.setNotificationHandler('notifications/resources/list_changed', () => void changedLists.push('resources'))
    const transport = isHttp(place)
      ? new StreamableHTTPClientTransport(new URL(place.url))
      : new StdioClientTransport(stdioParameters(place))
    await client.connect(transport)
    const listen = async (uris: string[]) => {
      const lists = { toolsListChanged: true, resourcesListChanged: true }
      const stream = await client.listen({ ...lists, resourceSubscriptions: uris })
      return () => stream.close()
    }
    const subscribe = async (uris: string[]) => {
      for (const uri of uris) await client.subscribeResource({ uri })
      return async () => {
        for (const uri of uris) await client.unsubscribeResource({ uri })
      }
    }
    return {
      era,
      notFoundCode: -32602,
      client,
      updates,
      changedLists,
      subscribe: (...uris) => (era === 'modern' ? listen(uris) : subscribe(uris)),
      close: () => client.close(),
    }
  }

/** How to connect a host of each kind. */
export const hosts = {
  'SDK 1.x (2025-11-25)': http1,
  'SDK 2.x, legacy era': client2('legacy'),
  'SDK 2.x, modern era': client2('modern'),
} as const satisfies Record<string, (place: Place) => Promise<Host>>
