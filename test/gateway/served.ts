/** A gateway over HTTP for one test, closed after it. */
import { type DestinationStream, pino } from 'pino'
import { afterEach } from 'vitest'
import { type HttpGateway, serveHttp } from '../../src/gateway/http.ts'
import type { HttpOptions } from '../../src/gateway/http-options.ts'
import { type Content, FakeSource, type Offer } from './fake-catalogue.ts'

const gateways: HttpGateway[] = []

afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close()
})

export interface Served {
  readonly source: FakeSource
  readonly gateway: HttpGateway
  readonly url: string
  /** What was logged, line by line. */
  readonly logged: string[]
}

/** Serves a fake catalogue on a free port. */
export const serve = async (
  content: Content = { 1: 'a', 2: 'b' },
  offer: Offer = {},
  options: Partial<HttpOptions> = {},
): Promise<Served> => {
  const logged: string[] = []
  const lines: DestinationStream = { write: (line: string) => void logged.push(line) }
  const source = new FakeSource(content, offer)
  const log = pino({ level: 'warn' }, lines)
  const gateway = await serveHttp(source, { host: '127.0.0.1', port: 0, log, ...options })
  gateways.push(gateway)
  return { source, gateway, url: gateway.url, logged }
}
