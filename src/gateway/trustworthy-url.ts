/** Whether what comes from a URL can be trusted to come from there. */
import { isLoopback } from './http-guard.ts'

/** By TLS, or since it is this machine. */
export const isTrustworthy = (url: string): boolean => {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'))
}
