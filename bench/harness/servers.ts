/** MCP servers as processes of their own, on the loopback interface only: ours, a bare one of the SDK, and other people's. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { main } from '../../src/demo/processes.ts'
import { mcpAnswers } from './first-answer.ts'
import type { Bench } from './row.ts'

export interface Server {
  readonly url: string
  readonly processId: number
  /** Milliseconds from its start to its first answer. */
  readonly startMs: number
  stop(): Promise<void>
}

export interface ServerCommand {
  readonly program: string
  readonly args: readonly string[]
  readonly port: number
  readonly path?: string
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
}

/** A port that is free now. */
export const freePort = async (): Promise<number> => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it listens on no port')
  server.close()
  await once(server, 'close')
  return address.port
}

/** Starts a server, and waits until it answers a request of either era. */
export const startServer = async (
  { signal }: Pick<Bench, 'signal'>,
  { program, args, port, path = '/mcp', env, cwd }: ServerCommand,
): Promise<Server> => {
  signal.throwIfAborted()
  const url = `http://127.0.0.1:${port}${path}`
  const started = performance.now()
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
    ...(env === undefined ? {} : { env }),
    ...(cwd === undefined ? {} : { cwd }),
  })
  const words: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words.push(text)
    if (words.length > 50) words.shift()
  })
  const exited = once(child, 'exit')
  const over = exited.then(() => {
    throw new Error(`${program} ${args.join(' ')} ended early: ${words.join('').slice(-1000)}`)
  })
  // Whoever stops it knows that it ends.
  over.catch(() => undefined)
  const stopped = new AbortController()
  try {
    await Promise.race([mcpAnswers(url, AbortSignal.any([signal, stopped.signal])), over])
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  } finally {
    stopped.abort()
  }
  return {
    url,
    processId: child.pid ?? 0,
    startMs: performance.now() - started,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Our gateway over a store. */
export const startOurs = async (bench: Pick<Bench, 'signal'>, env: NodeJS.ProcessEnv, cwd: string): Promise<Server> => {
  const port = await freePort()
  return startServer(bench, {
    program: process.execPath,
    args: [main, 'serve', '--http', `127.0.0.1:${port}`],
    port,
    env: { ...env, STICHTAG_LOG: 'warn' },
    cwd,
  })
}

/** The SDK with one tool. */
export const startBare = async (bench: Pick<Bench, 'signal'>): Promise<Server> => {
  const port = await freePort()
  const script = join(import.meta.dirname, '..', 'bare-server.ts')
  return startServer(bench, { program: process.execPath, args: [script, String(port)], port })
}
