/** What the gateway over HTTP can be told. */
import type { ReaderFigures } from '../query/figures.ts'
import type { DoorOptions } from './door.ts'
import type { GuardOptions } from './http-guard.ts'
import type { GatewayOptions } from './options.ts'
import type { TlsFiles } from './tls-files.ts'

export interface HttpOptions extends Omit<GatewayOptions, 'observer' | 'allSubscriptions'>, GuardOptions, DoorOptions {
  /** Address to listen on: `127.0.0.1` for this machine only. */
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Milliseconds between two keep-alives of a stream; 15,000 unless said. */
  readonly keepAliveMs?: number
  /** Bytes of a request's body; 4 MiB unless said. */
  readonly maxBodyBytes?: number
  /** Legacy sessions kept; 1,000 unless said. */
  readonly maxSessions?: number
  /** Milliseconds without a request or a stream after which a session ends; an hour unless said. */
  readonly sessionIdleMs?: number
  /** Modern streams open at once; 1,024 unless said. */
  readonly maxStreams?: number
  /** URIs that all sessions and streams may subscribe to together; 1,000,000 unless said. */
  readonly maxAllSubscriptions?: number
  /** Part of the sessions, streams and subscriptions that one client may hold, above 0 and at most 1; 0.25 unless said. */
  readonly clientShare?: number
  /** Milliseconds that `close` waits for what is being answered; 5,000 unless said. */
  readonly closeMs?: number
  /** Certificate and key: HTTPS instead of HTTP. Theirs to close is whoever opened them. */
  readonly tls?: Pick<TlsFiles, 'current' | 'onRenewed'>
  /** How busy the reader processes are, for `/metrics`. */
  readonly readers?: () => ReaderFigures
  /** Datasets without which `/readyz` says 503. */
  readonly requiredDatasets?: readonly string[]
}
