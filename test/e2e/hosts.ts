/** Hosts of both eras on both transports, against a stage's gateway. */
import { type Host, legacyHost, modernHost } from '../../src/demo/host.ts'
import { main } from '../../src/demo/processes.ts'
import type { Stage } from './stage.ts'

export const ways = {
  'MCP 2025-11-25 over HTTP': (_stage: Stage, url: string): Promise<Host> => legacyHost({ url }),
  'MCP 2026-07-28 over HTTP': (_stage: Stage, url: string): Promise<Host> => modernHost({ url }),
  'MCP 2025-11-25 over stdio': ({ env }: Stage): Promise<Host> => legacyHost(stdio(env)),
  'MCP 2026-07-28 over stdio': ({ env }: Stage): Promise<Host> => modernHost(stdio(env)),
} as const

const stdio = (env: NodeJS.ProcessEnv) => ({ command: process.execPath, args: [main, 'serve', '--stdio'], env })
