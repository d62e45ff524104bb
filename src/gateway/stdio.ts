/**
 * The gateway over a process's stdin and stdout, for a host that starts it. The SDK tells the eras apart by the opening
 * message. Nothing but protocol is written to stdout. When stdin ends, and when the gateway is closed, what is being
 * answered is still answered.
 */
import { Readable, type Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { CatalogueSource } from '../catalogue/types.ts'
import type { Log } from '../log.ts'
import { changedLists, type ListChange } from './list-change.ts'
import type { GatewayOptions } from './options.ts'
import { type GatewayServer, gatewayServer, sendListChanged } from './server.ts'
import { jsonLines } from './stdio-lines.ts'
import { StdioWire } from './stdio-wire.ts'
import { type Audience, Subscriptions } from './subscriptions.ts'

export interface StdioOptions extends GatewayOptions {
  /** The process's own unless said. */
  readonly stdin?: Readable
  readonly stdout?: Writable
  /** Milliseconds that the end of stdin, and `close`, wait for what is being answered; 5,000 unless said. */
  readonly closeMs?: number
}

export interface StdioGateway {
  /** Resolves when the connection has ended: stdin ended, stdout broke, or `close` was called. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

/** A legacy connection: its one stream is open from the host's `initialized` on. */
class Connection implements Audience {
  readonly #log: Log
  #server: GatewayServer | undefined

  constructor(log: Log) {
    this.#log = log
  }

  open(server: GatewayServer): void {
    this.#server = server
  }

  isOpen(): boolean {
    return this.#server !== undefined
  }

  tell(uri: string): void {
    this.#send(this.#server?.sendResourceUpdated({ uri }))
  }

  listsChanged(change: ListChange): void {
    const server = this.#server
    if (server === undefined) return
    for (const list of changedLists(change)) this.#send(sendListChanged(server, list))
  }

  #send(sending: Promise<void> | undefined): void {
    sending?.catch((error: unknown) => this.#log.debug({ err: error }, 'could not be told'))
  }
}

/** What comes in on stdin, and its end only when `drained` resolves; `broken` hears of lines that are no JSON. */
const inputOf = (stdin: Readable, drained: () => Promise<void>, broken: (bytes: number) => void): Readable =>
  Readable.from(
    (async function* () {
      yield* jsonLines(stdin, broken)
      await drained()
    })(),
  )

/** Resolves when `work` does, or `milliseconds` are over. */
const within = async (milliseconds: number, work: Promise<void>): Promise<void> => {
  const patience = Promise.withResolvers<void>()
  const timer = setTimeout(patience.resolve, milliseconds)
  await Promise.race([work, patience.promise])
  clearTimeout(timer)
}

/** Serves a catalogue on stdin and stdout until stdin ends. */
export const serveStdioGateway = (source: CatalogueSource, options: StdioOptions): StdioGateway => {
  const { log, stdin = process.stdin, stdout = process.stdout, closeMs = 5000 } = options
  // Each write that waits for the host to read listens to stdout for a moment; thousands of updates are thousands.
  stdout.setMaxListeners(0)
  const subscriptions = new Subscriptions(source, log)
  const closed = Promise.withResolvers<void>()
  const drained = () => within(closeMs, wire.answered())
  const input = inputOf(stdin, drained, (bytes) => {
    log.warn({ bytes }, 'a line on stdin is no JSON: it was answered with -32700. Is something else writing there?')
    wire.refuseMessage(-32700, 'Parse error: a line is not JSON. Send one JSON-RPC message a line.')
  })
  const wire = new StdioWire(new StdioServerTransport(input, stdout), source, subscriptions, options, () => {
    input.destroy()
    subscriptions.close().then(closed.resolve, closed.reject)
  })

  const handle = serveStdio(
    ({ era }) => {
      if (era === 'modern') return gatewayServer(source, era, options)
      const connection = new Connection(log)
      const server = gatewayServer(source, era, options, { host: { audience: connection, book: subscriptions.book } })
      server.oninitialized = () => {
        connection.open(server)
        subscriptions.join(connection)
        subscriptions.book.opened(connection)
      }
      return server
    },
    { transport: wire, onerror: (error) => log.debug({ err: error }, 'the protocol reported an error') },
  )
  return {
    closed: closed.promise,
    close: async () => {
      await drained()
      await handle.close()
      // The host holds its end open for as long as it runs, which must not keep this process alive.
      stdin.destroy()
      await closed.promise
    },
  }
}
