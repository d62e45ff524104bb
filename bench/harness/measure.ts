/**
 * Runs a program to its end and measures it: wall time, processor time and peak memory of it and all its children, and
 * what it read and wrote. Linux only: it is looked at through /proc.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'

export interface Measured {
  readonly seconds: number
  /** User and system time of the process and of its children that ended. */
  readonly cpuSeconds: number
  /** Largest sum of the peak resident memory of the processes that lived at once. */
  readonly peakMiB: number
  /** Bytes that the process itself read and wrote, from files, pipes and sockets, of the cache or not. */
  readonly readBytes: number
  readonly writtenBytes: number
  readonly stdout: string
}

export interface MeasureOptions {
  readonly signal: AbortSignal
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
}

/** Often enough that what a process does in its last moments hardly matters, seldom enough to cost nothing. */
const lookEveryMs = 40
/** Ticks of /proc: 100 a second on every Linux that Node runs on. */
const ticksPerSecond = 100

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0)

/** A file of /proc; empty where its process ended meanwhile. */
const procFile = (...path: readonly (string | number)[]): string => {
  try {
    return readFileSync(['/proc', ...path].join('/'), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return ''
    throw error
  }
}

const threadsOf = (processId: number): string[] => {
  try {
    return readdirSync(`/proc/${processId}/task`)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** A process and all below it. */
const treeOf = (processId: number): number[] => [
  processId,
  ...threadsOf(processId)
    .flatMap((thread) => procFile(processId, 'task', thread, 'children').split(' ').filter(Boolean).map(Number))
    .flatMap(treeOf),
]

/** Ends a process and all below it at once: what they leave lies in the run's folder, and goes with it. */
const endTree = (processId: number | undefined): void => {
  if (processId === undefined) return
  for (const each of treeOf(processId)) {
    try {
      process.kill(each, 'SIGKILL')
    } catch (error) {
      // It ended by itself.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}

/** Fields of /proc/PID/stat after the name, which may hold anything. */
const statOf = (processId: number | 'self'): number[] => {
  const text = procFile(processId, 'stat')
  return text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
}

/** Processor time of children of this process that ended. */
const endedChildrenSeconds = (): number => {
  const fields = statOf('self')
  return ((fields[13] ?? 0) + (fields[14] ?? 0)) / ticksPerSecond
}

/** Processor time of a process that runs, and of all below it. */
export const cpuSecondsOf = (processId: number): number =>
  treeOf(processId)
    .map(statOf)
    .reduce((sum, fields) => sum + [11, 12, 13, 14].reduce((own, at) => own + (fields[at] ?? 0), 0), 0) / ticksPerSecond

const peakMiBOf = (processId: number): number =>
  treeOf(processId).reduce((sum, each) => sum + numberIn(procFile(each, 'status'), /VmHWM:\s+(\d+)/), 0) / 1024

/** Runs a program to its end. Throws where it fails; ends it where the signal says so. */
export const measure = async (
  program: string,
  args: readonly string[],
  { signal, env, cwd }: MeasureOptions,
): Promise<Measured> => {
  signal.throwIfAborted()
  const cpuBefore = endedChildrenSeconds()
  const started = performance.now()
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(env === undefined ? {} : { env }),
    ...(cwd === undefined ? {} : { cwd }),
  })
  const end = (): void => endTree(child.pid)
  signal.addEventListener('abort', end, { once: true })
  const stdout: string[] = []
  const stderr: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => stdout.push(text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.push(text))
  const peak = { mebibytes: 0, read: 0, written: 0 }
  const look = (): void => {
    if (child.pid === undefined) return
    peak.mebibytes = Math.max(peak.mebibytes, peakMiBOf(child.pid))
    const io = procFile(child.pid, 'io')
    peak.read = Math.max(peak.read, numberIn(io, /^rchar: (\d+)/m))
    peak.written = Math.max(peak.written, numberIn(io, /^wchar: (\d+)/m))
  }
  const timer = setInterval(look, lookEveryMs)
  try {
    const [status] = await once(child, 'close')
    const seconds = (performance.now() - started) / 1000
    signal.throwIfAborted()
    if (status !== 0)
      throw new Error(
        `${program} ${args.join(' ').slice(0, 200)} ended with ${status}: ${stderr.join('').slice(-2000)}`,
      )
    return {
      seconds,
      cpuSeconds: endedChildrenSeconds() - cpuBefore,
      peakMiB: peak.mebibytes,
      readBytes: peak.read,
      writtenBytes: peak.written,
      stdout: stdout.join(''),
    }
  } finally {
    clearInterval(timer)
    signal.removeEventListener('abort', end)
  }
}

/** Runs a script of the shell; any program of a pipe that fails fails it. */
export const measureShell = (script: string, options: MeasureOptions): Promise<Measured> =>
  measure('bash', ['-c', `set -euo pipefail\n${script}`], options)
