/** The real gateway, `stichtag serve`, as a process that is measured from outside. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { main } from '../src/demo/processes.ts'
import type { LoopReport } from './event-loop-probe.ts'

export interface GatewayFigures extends LoopReport {
  /** Resident memory of the gateway, and of its readers together, in MiB. */
  readonly gatewayMiB: number
  readonly readersMiB: number
  /** Open files and sockets of the gateway, and of its readers together. */
  readonly handles: number
  readonly readerHandles: number
}

export interface MeasuredGateway {
  readonly url: string
  readonly processId: number
  /** What it is like now, and what its event loop was like since the last call. */
  measure(): Promise<GatewayFigures>
  /** Ends it with SIGKILL, as a crash would. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export interface MeasuredGatewayOptions {
  /** 0 takes a free one. */
  readonly port?: number
  /** Further flags of node: `--cpu-prof`. */
  readonly nodeFlags?: readonly string[]
  readonly serveFlags?: readonly string[]
}

const probe = new URL('event-loop-probe.ts', import.meta.url).href

const residentMiB = (processId: number): number => {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${processId}/status`, 'utf8')) ?? []
  return Number(kib ?? 0) / 1024
}

const handlesOf = (processId: number): number => readdirSync(join('/proc', String(processId), 'fd')).length

const childrenOf = (processId: number): number[] =>
  readFileSync(`/proc/${processId}/task/${processId}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** The address in the line of the log that says where it serves. */
const addressOf = async (child: ChildProcess): Promise<string> => {
  const before: string[] = []
  if (child.stderr === null) throw new Error('the gateway was started without a log')
  for await (const line of createInterface({ input: child.stderr })) {
    const [, url] = /"url":"([^"]+)"/.exec(line) ?? []
    if (url !== undefined) return url
    before.push(line)
  }
  throw new Error(`the gateway ended early: ${before.slice(-3).join('\n')}`)
}

/** Starts a gateway over HTTP. Linux only: it is looked at through /proc. */
export const startMeasuredGateway = async (
  env: NodeJS.ProcessEnv,
  { port = 0, nodeFlags = [], serveFlags = [] }: MeasuredGatewayOptions = {},
): Promise<MeasuredGateway> => {
  const child = fork(main, ['serve', '--http', `127.0.0.1:${port}`, ...serveFlags], {
    env: { ...env, STICHTAG_LOG: 'info' },
    execArgv: ['--import', probe, '--expose-gc', ...nodeFlags],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const exited = once(child, 'exit')
  const url = await addressOf(child)
  // Reading lines stopped with the address; what follows must not fill the pipe.
  child.stderr?.resume()
  const processId = child.pid ?? 0
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal)
    await exited
  }
  return {
    url,
    processId,
    measure: async () => {
      child.send('measure')
      const [answer] = await once(child, 'message')
      // The probe is our own module, and sends nothing else.
      const loop = answer as LoopReport
      const children = childrenOf(processId)
      const readers = children.map(residentMiB)
      return {
        ...loop,
        gatewayMiB: residentMiB(processId),
        readersMiB: readers.reduce((sum, each) => sum + each, 0),
        handles: handlesOf(processId),
        readerHandles: children.reduce((sum, each) => sum + handlesOf(each), 0),
      }
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}
