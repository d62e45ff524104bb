/**
 * `stichtag watch`: subscribes as a host does, and prints a line whenever one of the URIs reads differently. With
 * `--json` each line is a JSON document of its own, since a watch has no end.
 */
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { modernHost } from '../demo/host.ts'
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
  const host = await modernHost(flags.http === undefined ? ownGateway(flags) : { url: flags.http })
  try {
    host.onUpdated((uri) => {
      const at = new Date().toISOString()
      terminal.print(flags.json === true ? JSON.stringify({ at, uri }) : `${at} ${uri} reads differently`)
    })
    await host.subscribe(uris)
    terminal.note(`watching ${uris.join(', ')} (MCP ${host.revision}); Ctrl-C ends it`)
    if (!signal.aborted) await once(signal, 'abort')
    return 0
  } finally {
    await host.close()
    dispose()
  }
}
