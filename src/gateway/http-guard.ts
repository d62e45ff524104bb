/**
 * Who may ask at all. A web page can make a browser call a server on the same machine (DNS rebinding): the Host header
 * gives that away where only this machine is served, the Origin header everywhere.
 */
import type { IncomingMessage } from 'node:http'
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server'

export interface GuardOptions {
  /** Host names under which the gateway is asked for, beside those of this machine; without port. */
  readonly allowedHosts?: readonly string[]
  /** Host names of web pages that may ask, beside those of this machine and of `allowedHosts`. */
  readonly allowedOrigins?: readonly string[]
}

/** Whether only this machine can reach an address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.[\d.]+$/.test(host)

/** Makes what says why a request is refused (403), or nothing. `host` is what the gateway listens on. */
export const guardOf = (
  host: string,
  { allowedHosts = [], allowedOrigins = [] }: GuardOptions,
): ((incoming: IncomingMessage) => string | undefined) => {
  // Reached from elsewhere, a gateway has names that it cannot know, unless it was told.
  const checksHost = isLoopback(host) || allowedHosts.length > 0
  const hosts = [...localhostAllowedHostnames(), ...allowedHosts]
  const origins = [...localhostAllowedOrigins(), ...allowedHosts, ...allowedOrigins]
  // What was good for the last request is good for the next, which mostly says the same.
  let goodHost: string | undefined
  return ({ headers }) => {
    const { host: asked, origin } = headers
    if (checksHost && (asked === undefined || asked !== goodHost)) {
      const named = validateHostHeader(asked, hosts)
      if (!named.ok) return named.message
      goodHost = asked
    }
    const from = validateOriginHeader(origin, origins)
    return from.ok ? undefined : from.message
  }
}
