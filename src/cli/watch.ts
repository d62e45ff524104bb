/**
 * `stichtag watch`: subscribes as a host does, and prints a line whenever one of the URIs reads differently. With
 * `--json` each line is a JSON document of its own, since a watch has no end.
 */
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Host, modernHost } from '../demo/host.ts'
import { StichtagError } from '../errors.ts'
import { moduleExtension } from '../package-root.ts'
import { interruptSignal } from './interrupt.ts'
import type { StoreFlags } from './stores.ts'
import { terminal } from './terminal.ts'

export interface WatchFlags extends StoreFlags {
  readonly http?: string
  readonly json?: boolean
}

const ownGateway = ({ project }: WatchFlags) => ({
  command: process.execPath,
  args: [
    fileURLToPath(new URL(`./main${moduleExtension}`, import.meta.url)),
    'serve',
    '--stdio',
    ...(project === true ? ['--project'] : []),
  ],
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
  if (flags.http === undefined) return modernHost(ownGateway(flags))
  if (!URL.canParse(flags.http))
    throw new StichtagError('USAGE', `--http takes the URL of a gateway, not ${flags.http}`)
  try {
    return await modernHost({ url: flags.http })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new StichtagError('SOURCE_UNREACHABLE', `no gateway answers at ${flags.http}: ${why}`, { cause: error })
  }
}
