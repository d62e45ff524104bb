/** Decompression by a program on the PATH, as a child process that reads the file and writes to a pipe. */
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { StichtagError } from '../errors.ts'
import { corruptStream, type StreamFault } from './stream-faults.ts'

/** A program that decompresses its standard input to its standard output. */
export interface DecompressorProgram {
  readonly name: 'bzip2' | 'xz'
  readonly args: readonly string[]
  /** What is wrong with a file, in what the program says when it fails. */
  faultIn(words: string): StreamFault
  /** What to warn of, in what it says although it succeeds. */
  warningIn(words: string): string | undefined
}

/** Longest text kept of what the program says. */
const maxStderr = 4096

/**
 * Whether what a program prints of itself begins like the reference implementation. Others of the same name (BusyBox)
 * say less about what is wrong with a file.
 */
export const isInstalled = (program: string, flag: string, beginning: string): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(program, [flag], { timeout: 5000, encoding: 'utf8' }, (error, stdout, stderr) =>
      resolve(error === null && (stdout.startsWith(beginning) || stderr.startsWith(beginning))),
    )
  })

export interface ProgramOptions {
  readonly name: string
  readonly signal?: AbortSignal | undefined
  readonly onWarning?: ((warning: string) => void) | undefined
}

/**
 * The decompressed bytes of a file. The process is killed on abort and when the consumer stops early; it has ended when
 * this returns.
 */
export async function* decompressByProgram(
  program: DecompressorProgram,
  path: string,
  { name, signal, onWarning }: ProgramOptions,
): AsyncGenerator<Buffer, void, undefined> {
  signal?.throwIfAborted()
  // The process reads the file by its own handle, so that no path can be taken for an option.
  const file = await open(path)
  const child = start(program, file.fd, signal)
  // Nothing may be awaited from here to the loop: what a process that has ended wrote is thrown away if nobody listens.
  const ended = endOf(child)
  const closed = file.close()
  try {
    for await (const chunk of child.stdout) yield chunk
    const { code, words } = await ended
    signal?.throwIfAborted()
    if (code === null) throw new StichtagError('INTERNAL', `${name}: ${program.name} did not run to its end (${words})`)
    if (code !== 0) throw corruptStream(program.name, program.faultIn(words), name, words)
    const warning = program.warningIn(words)
    if (warning !== undefined) onWarning?.(warning)
  } finally {
    child.kill('SIGKILL')
    await Promise.all([ended, closed])
  }
}

type Child = ChildProcessByStdio<null, Readable, Readable>

const start = ({ name, args }: DecompressorProgram, file: number, signal: AbortSignal | undefined): Child => {
  const child = spawn(name, args, { stdio: [file, 'pipe', 'pipe'], signal, killSignal: 'SIGKILL' })
  // The two are pipes as asked for, and never null.
  return child as Child
}

/** How the process ended, by itself or not, and what it said. */
const endOf = (child: Child): Promise<{ readonly code: number | null; readonly words: string }> =>
  new Promise((resolve) => {
    let words = ''
    const note = (text: string): void => {
      words = (words + text).slice(0, maxStderr)
    }
    child.stderr.setEncoding('utf8')
    child.stderr.on('data', note)
    child.on('error', (error) => note(error.message))
    child.on('close', (code, signal) => {
      if (signal !== null) note(signal)
      // Of a program that could not be started, the code is the negative number of the system's error.
      resolve({ code: code !== null && code < 0 ? null : code, words })
    })
  })
