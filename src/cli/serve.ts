/** `stichtag serve`: the gateway over HTTP, over stdio, or both; with the schedule in the same process if asked. */
import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { StichtagError } from '../errors.ts'
import { serveHttp } from '../gateway/http.ts'
import { serveStdioGateway } from '../gateway/stdio.ts'
import { log } from '../log.ts'
import { logsArguments } from '../settings.ts'
import { type CatalogueFlags, openCommandCatalogue } from './catalogue.ts'
import { interruptSignal } from './interrupt.ts'
import { keepCurrent } from './schedule.ts'
import { type AccessFlags, httpAccess, noAccessFlags, openAuthority } from './serve-access.ts'

export interface ServeFlags extends CatalogueFlags, AccessFlags {
  /** True where `--http` stands without an address. */
  readonly http?: string | true
  readonly stdio?: boolean
  readonly schedule?: boolean
}

export interface Address {
  readonly host: string
  readonly port: number
}

const defaultAddress: Address = { host: '127.0.0.1', port: 8920 }

/** `8920`, `127.0.0.1:8920`, `[::1]:8920`. Throws USAGE for anything else. */
export const parseAddress = (text: string | true): Address => {
  if (text === true) return defaultAddress
  const [, bracketed, plain, digits] = /^(?:(?:\[([^\]]+)\]|([^:]+)):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits === undefined || port > 65_535) {
    throw new StichtagError('USAGE', `--http takes [HOST:]PORT, for example 8920 or 127.0.0.1:8920, not ${text}`)
  }
  return { host: bracketed ?? plain ?? defaultAddress.host, port }
}

/** Serves until it is told to stop, or until the host that started it ends stdin. */
export const serve = async (flags: ServeFlags): Promise<number> => {
  if (flags.http === undefined && flags.stdio !== true) {
    throw new StichtagError('USAGE', 'say how to serve: --http, --stdio or both')
  }
  if (flags.http === undefined) noAccessFlags(flags)
  // Left alone, V8 lets garbage pile up to 350 MB before it looks; a gateway that holds little should take little.
  setFlagsFromString('--optimize-for-size')
  const address = flags.http === undefined ? undefined : parseAddress(flags.http)
  const access = address === undefined ? undefined : httpAccess(flags, address.host)
  const tokens = openAuthority(access, log)
  const { signal, dispose } = interruptSignal()
  const closing: (() => Promise<void>)[] = [async () => tokens?.close()]
  const scheduling = new AbortController()
  const logArguments = logsArguments()
  try {
    const catalogue = await openCommandCatalogue(flags, { watch: true, warm: true })
    closing.unshift(catalogue.close)
    const endings: Promise<unknown>[] = [signal.aborted ? Promise.resolve() : once(signal, 'abort')]
    if (address !== undefined) {
      const http = await serveHttp(catalogue.source, {
        ...address,
        ...access?.options,
        ...(tokens === undefined ? {} : { authority: tokens.authority }),
        requiredDatasets: flags.datasets ?? [],
        logArguments,
        log,
      })
      closing.unshift(http.close)
      log.info({ url: http.url, tokens: tokens !== undefined }, 'serving')
    }
    if (flags.stdio === true) {
      const stdio = serveStdioGateway(catalogue.source, { log, logArguments })
      closing.unshift(stdio.close)
      endings.push(stdio.closed)
    }
    if (flags.schedule === true) {
      const scheduled = keepCurrent(flags, AbortSignal.any([signal, scheduling.signal]))
      closing.unshift(async () => {
        scheduling.abort()
        await scheduled
      })
      endings.push(scheduled)
    }
    await Promise.race(endings)
    return 0
  } finally {
    for (const close of closing) await close()
    dispose()
  }
}
