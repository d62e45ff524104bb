/** Clients that have no token, told apart by their addresses. */
import { isIPv6 } from 'node:net'
import { isLoopback } from './http-guard.ts'

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * Who is at an address: for IPv6 its network of 64 bits, since whoever has one has all addresses in it (RFC 6177), and
 * an IPv4 address in IPv6's spelling is that IPv4 address.
 */
export const addressClient = (remote: string | undefined): string => {
  if (remote === undefined) return 'address unknown'
  const address = mapped.exec(remote)?.[1] ?? remote
  return `address ${isIPv6(address) && !isLoopback(address) ? networkOf(address) : address}`
}

/** Whether an address tells clients apart: that of this machine is everybody's who comes through a proxy here. */
export const isTelling = (remote: string | undefined): boolean =>
  remote !== undefined && !isLoopback(mapped.exec(remote)?.[1] ?? remote)

const networkOf = (address: string): string => {
  const [plain = ''] = address.split('%')
  const [head = '', tail] = plain.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const filled = tail === undefined ? groups : [...groups, ...Array<string>(4).fill('0')]
  return `${filled.slice(0, 4).join(':')}::/64`
}
