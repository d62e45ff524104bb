/** HTTP as a source of files: one client per download, and what its errors mean. */
import { PassThrough } from 'node:stream'
import { type Dispatcher, EnvHttpProxyAgent, interceptors, request } from 'undici'
import { packageVersion } from '../package-root.ts'
import type { DownloadLimits } from './download-limits.ts'

/** Who asks: some publishers refuse clients that do not say. */
export const userAgent = `stichtag/${packageVersion} (+https://www.npmjs.com/package/stichtag)`

const maxRedirections = 10

/** Proxies from the environment never stand between this machine and itself. */
const noProxy = (env: NodeJS.ProcessEnv): string =>
  [env.no_proxy ?? env.NO_PROXY ?? '', 'localhost', '127.0.0.1', '::1'].join(',')

export type HttpResponse = Dispatcher.ResponseData

/** An HTTP client that follows redirects, asks proxies of the environment, and waits as long as the limits say. */
export class HttpSource {
  readonly #agent: EnvHttpProxyAgent
  readonly #dispatcher: Dispatcher

  constructor(limits: DownloadLimits) {
    this.#agent = new EnvHttpProxyAgent({
      noProxy: noProxy(process.env),
      connect: { timeout: limits.connectMs },
      headersTimeout: limits.firstByteMs,
      bodyTimeout: limits.stallMs,
      allowH2: false,
    })
    this.#dispatcher = this.#agent.compose(interceptors.redirect({ maxRedirections }))
  }

  get(url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<HttpResponse> {
    return request(url, {
      dispatcher: this.#dispatcher,
      // A body that the server compresses on the way could not be continued, nor compared by its length.
      headers: { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity', ...headers },
      signal,
    })
  }

  /** The answer to HEAD, and the URL it came from after all redirects. */
  async head(url: string, signal: AbortSignal): Promise<{ readonly response: HttpResponse; readonly url: string }> {
    const options = { dispatcher: this.#dispatcher, headers: { 'user-agent': userAgent, accept: '*/*' }, signal }
    const response = await request(url, { ...options, method: 'HEAD' })
    return { response, url: lastOf(response.context) ?? url }
  }

  /** Posts JSON; a redirect is an answer like any other, as following it would turn the request into another one. */
  post(url: string, body: string, signal: AbortSignal): Promise<HttpResponse> {
    return request(url, {
      dispatcher: this.#agent,
      method: 'POST',
      headers: { 'user-agent': userAgent, 'content-type': 'application/json' },
      body,
      signal,
    })
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}

/** The last URL of the redirects that were followed: undici notes them all in the answer's context. */
const lastOf = (context: object): string | undefined => {
  const history: unknown = 'history' in context ? context.history : undefined
  const last: unknown = Array.isArray(history) ? history.at(-1) : undefined
  return last === undefined ? undefined : String(last)
}

/** One value of a header. */
export const headerOf = ({ headers }: HttpResponse, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value : value?.[0]
}

/** Drops the body of an answer of which the status says all: its end is not waited for. */
export const dropBody = ({ body }: HttpResponse): void => {
  // Being dropped is an error to the stream itself, and to nobody else.
  body.on('error', () => undefined)
  body.destroy()
}

/** Bytes of a body that wait for the consumer, at most. */
const waitingBytes = 1024 * 1024

/**
 * The body of an answer, taken off the connection from now on: what has arrived is given even where the connection
 * breaks before the consumer came to it. Throws the connection's error after that.
 */
export const takeBody = ({ body }: HttpResponse): AsyncIterable<Buffer> => {
  const taken = new PassThrough({ highWaterMark: waitingBytes })
  const faults: unknown[] = []
  body.on('error', (error) => faults.push(error))
  body.on('close', () => taken.end())
  body.pipe(taken)
  return (async function* () {
    try {
      yield* taken
      if (faults.length > 0) throw faults[0]
    } finally {
      body.destroy()
    }
  })()
}

/**
 * What went wrong with a connection: `unreachable`, nobody answered; `broken`, the answer broke off; `final`, it would
 * go wrong again (a certificate, a redirect loop).
 */
export interface ConnectionFault {
  readonly kind: 'unreachable' | 'broken' | 'final'
  readonly words: string
}

const unreachable = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_PRX_CONN',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ETIMEDOUT',
])

const final = /^(?:UND_ERR_INVALID_ARG|ERR_INVALID_URL|CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/

/** What an error of a request or of its body means. */
export const connectionFault = (error: unknown): ConnectionFault => {
  const code = codeOf(error)
  const words = error instanceof Error && error.message !== '' ? error.message : code
  if (unreachable.has(code)) return { kind: 'unreachable', words }
  return { kind: final.test(code) ? 'final' : 'broken', words }
}

/** The code of an error; of several at once (one per address of a host), the first's. */
const codeOf = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return error instanceof AggregateError ? codeOf(error.errors[0]) : ''
}
