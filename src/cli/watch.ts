/**
 * `stichtag watch`: subscribes as a host does, and prints a line whenever one of the URIs reads differently. With
 * `--json` each line is a JSON document of its own, since a watch has no end.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type Host, modernHost } from '../demo/host.ts'
import { StichtagError } from '../errors.ts'
import { parseTokens } from '../gateway/token-file.ts'
import { commandLine } from '../package-root.ts'
import { watchToken } from '../settings.ts'
import { interruptSignal } from './interrupt.ts'
import type { StoreFlags } from './stores.ts'
import { terminal } from './terminal.ts'

export interface WatchFlags extends StoreFlags {
  readonly http?: string
  /** File whose first token is shown to the gateway; `STICHTAG_TOKEN` otherwise. */
  readonly tokenFile?: string
  readonly json?: boolean
}

const ownGateway = ({ project }: WatchFlags) => ({
  command: process.execPath,
  args: [commandLine, 'serve', '--stdio', ...(project === true ? ['--project'] : [])],
})

export const watch = async (uris: readonly string[], flags: WatchFlags): Promise<number> => {
  const { signal, dispose } = interruptSignal()
  const host = await connect(flags)
  try {
    host.onUpdated((uri) => {
      const at = new Date().toISOString()
      terminal.print(flags.json === true ? JSON.stringify({ at, uri }) : `${at} ${uri} reads differently`)
    })
    const taken = await host.subscribe(uris)
    const refused = uris.filter((uri) => !taken.includes(uri))
    if (refused.length > 0) throw new StichtagError('NOT_FOUND', `nothing can ever be at ${refused.join(', ')}`)
    terminal.note(`watching ${uris.join(', ')} (MCP ${host.revision}); Ctrl-C ends it`)
    await Promise.race([host.ended, ...(signal.aborted ? [] : [once(signal, 'abort')])])
    if (signal.aborted) return 0
    throw new StichtagError(
      'SOURCE_UNREACHABLE',
      'the gateway ended the subscription; start watch again when it is back',
    )
  } finally {
    await host.close()
    dispose()
  }
}

const connect = async (flags: WatchFlags): Promise<Host> => {
  if (flags.http === undefined) {
    if (flags.tokenFile !== undefined) throw new StichtagError('USAGE', '--token-file goes with --http')
    return modernHost(ownGateway(flags))
  }
  if (!URL.canParse(flags.http))
    throw new StichtagError('USAGE', `--http takes the URL of a gateway, not ${flags.http}`)
  const token = tokenOf(flags)
  try {
    return await modernHost({ url: flags.http, ...(token === undefined ? {} : { token }) })
  } catch (error) {
    throw unanswered(flags.http, token !== undefined, error)
  }
}

/** Never from the command line itself: everybody on a machine can read those. */
const tokenOf = ({ tokenFile }: WatchFlags): string | undefined => {
  if (tokenFile === undefined) return watchToken()
  let text: string
  try {
    text = readFileSync(tokenFile, 'utf8')
  } catch (cause) {
    throw new StichtagError('FILE_NOT_FOUND', `${tokenFile} cannot be read: ${String(cause)}`, { cause })
  }
  return parseTokens(text, tokenFile)[0]?.token
}

const unanswered = (url: string, hasToken: boolean, cause: unknown): StichtagError => {
  const why = cause instanceof Error ? cause.message : String(cause)
  if (!/\b401\b|unauthorized/i.test(`${why} ${cause instanceof Error ? cause.name : ''}`)) {
    return new StichtagError('SOURCE_UNREACHABLE', `no gateway answers at ${url}: ${why}`, { cause })
  }
  const way = hasToken
    ? 'it does not know this token'
    : 'it asks for a token: --token-file FILE, or STICHTAG_TOKEN in the environment'
  return new StichtagError('USAGE', `the gateway at ${url} lets nobody in without a good token: ${way}`, { cause })
}
