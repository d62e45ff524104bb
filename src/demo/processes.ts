/** The demo's child processes: our own command line, as a person would run it, each ended when the demo ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { commandLine } from '../package-root.ts'

/** Our own command line. */
export const main = commandLine

/** A line of a child's log. */
export type LogLine = Readonly<Record<string, unknown>>

export interface Running {
  /** Resolves with the next log line that fits, also one that came already; rejects when the process ends before. */
  line(fits: (line: LogLine) => boolean): Promise<LogLine>
  /** Ends the process with SIGTERM and waits for it. */
  stop(): Promise<void>
}

/** Runs a command to its end, and returns its exit status and what it printed. */
export const runCommand = async (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly status: number; readonly stdout: string }> => {
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks: Buffer[] = []
  const errors: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
  const [status] = await once(child, 'close')
  if (status !== 0) process.stderr.write(Buffer.concat(errors))
  return { status: Number(status), stdout: Buffer.concat(chunks).toString('utf8') }
}

const parsed = (text: string): LogLine => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as LogLine // an object read as a record of unknowns
  } catch (error) {
    // What is not a log line is a warning of Node's own: kept as text.
    if (!(error instanceof SyntaxError)) throw error
  }
  return { text }
}

/** Starts a command that runs until it is stopped. */
export const startCommand = (args: readonly string[], env: NodeJS.ProcessEnv): Running => {
  const child: ChildProcess = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const seen: LogLine[] = []
  const waiting = new Set<() => void>()
  const wake = (): void => {
    for (const each of [...waiting]) each()
  }
  const ended = once(child, 'exit').then(() => wake())
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on('line', (text) => {
      seen.push(parsed(text))
      wake()
    })
  }
  return {
    line: (fits) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = seen.find(fits)
          const over = child.exitCode !== null || child.signalCode !== null
          if (found === undefined && !over) return
          waiting.delete(look)
          if (found !== undefined) resolve(found)
          else reject(new Error(`"${args.join(' ')}" ended early: ${JSON.stringify(seen.slice(-3))}`))
        }
        waiting.add(look)
        look()
      }),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
