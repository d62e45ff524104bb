/** `stichtag serve`: the gateway over HTTP, over stdio, or both; with the schedule in the same process if asked. */
import { once } from 'node:events'
import { StichtagError } from '../errors.ts'
import { serveHttp } from '../gateway/http.ts'
import { serveStdioGateway } from '../gateway/stdio.ts'
import { log } from '../log.ts'
import { logsArguments, sharedLimits } from '../settings.ts'
import { type CatalogueFlags, openCommandCatalogue } from './catalogue.ts'
import { interruptSignal } from './interrupt.ts'
import { type AccessFlags, httpAccess, noAccessFlags, openAuthority, openTls } from './serve-access.ts'
import { checkDatasets, checkSchemaFolders } from './serve-wishes.ts'
import { terminal } from './terminal.ts'

export interface ServeFlags extends CatalogueFlags, AccessFlags {
  /** True where `--http` stands without an address. */
  readonly http?: string | true
  readonly stdio?: boolean
  readonly schedule?: boolean
  readonly json?: boolean
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
  checkSchemaFolders(flags.schemas)
  const address = flags.http === undefined ? undefined : parseAddress(flags.http)
  const access = address === undefined ? undefined : httpAccess(flags, address.host)
  const tokens = await openAuthority(access, log)
  const tls = openTls(access, log)
  const { signal, dispose } = interruptSignal()
  const closing: (() => Promise<void>)[] = [async () => tokens?.close(), async () => tls?.close()]
  const scheduling = new AbortController()
  const logArguments = logsArguments()
  try {
    const catalogue = await openCommandCatalogue(flags, { watch: true })
    closing.unshift(catalogue.close)
    checkDatasets(flags, catalogue.source.current, log)
    const endings: Promise<unknown>[] = [signal.aborted ? Promise.resolve() : once(signal, 'abort')]
    if (address !== undefined) {
      const http = await serveHttp(catalogue.source, {
        ...address,
        ...access?.options,
        ...sharedLimits(),
        ...(tokens === undefined ? {} : { authority: tokens.authority }),
        ...(tls === undefined ? {} : { tls }),
        requiredDatasets: flags.datasets ?? [],
        readers: catalogue.readers,
        logArguments,
        log,
      })
      closing.unshift(http.close)
      log.info({ url: http.url, tokens: tokens !== undefined }, 'serving')
      // A daemon has no end to print a document at; over stdio, stdout is MCP's.
      if (flags.json === true && flags.stdio !== true) terminal.json({ url: http.url, tokens: tokens !== undefined })
    }
    if (flags.stdio === true) {
      const stdio = serveStdioGateway(catalogue.source, { log, logArguments })
      closing.unshift(stdio.close)
      endings.push(stdio.closed)
    }
    if (flags.schedule === true) {
      // Pipelines and what runs them: nothing that a gateway alone needs.
      const { keepCurrent } = await import('./schedule.ts')
      const scheduled = keepCurrent(flags, AbortSignal.any([signal, scheduling.signal]))
      closing.unshift(async () => {
        scheduling.abort()
        await scheduled
      })
      endings.push(scheduled)
    }
    // Not before: on two cores they would take from the start what they save the first request (80 of 530 ms).
    catalogue.warm()
    await Promise.race(endings)
    return 0
  } finally {
    for (const close of closing) await close()
    dispose()
  }
}
