/** bzip2 by the reference implementation (`bzip2` on the PATH) as a child process. */
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { StichtagError } from '../errors.ts'
import { bzip2Corrupt, trailingBytes } from './bzip2-faults.ts'

const program = 'bzip2'

/** Longest text kept of what the program says. */
const maxStderr = 4096

let found: Promise<boolean> | undefined

/**
 * Whether the reference implementation is installed. Others of that name (BusyBox) say less about what is wrong with a
 * file and are not used.
 */
export const hasBzip2Program = (): Promise<boolean> => {
  found ??= new Promise((resolve) => {
    execFile(program, ['--help'], { timeout: 5000, encoding: 'utf8' }, (error, _stdout, stderr) =>
      resolve(error === null && stderr.startsWith('bzip2, a block-sorting file compressor')),
    )
  })
  return found
}

export interface ProgramOptions {
  readonly name: string
  readonly signal?: AbortSignal | undefined
  readonly onWarning?: ((warning: string) => void) | undefined
}

/**
 * The decompressed bytes of a file. The process is killed on abort and when the consumer stops early; it has ended when
 * this returns.
 */
export async function* bunzipByProgram(
  path: string,
  { name, signal, onWarning }: ProgramOptions,
): AsyncGenerator<Buffer, void, undefined> {
  signal?.throwIfAborted()
  // The process reads the file by its own handle, so that no path can be taken for an option.
  const file = await open(path)
  const child = start(file.fd, signal)
  // Nothing may be awaited from here to the loop: what a process that has ended wrote is thrown away if nobody listens.
  const ended = endOf(child)
  const closed = file.close()
  try {
    for await (const chunk of child.stdout) yield chunk
    const { code, words } = await ended
    signal?.throwIfAborted()
    if (code === null) throw new StichtagError('INTERNAL', `${name}: ${program} did not run to its end (${words})`)
    if (code !== 0) throw bzip2Corrupt(words.includes('ends unexpectedly') ? 'cut' : 'damaged', name, words)
    if (words.includes('trailing garbage')) onWarning?.(trailingBytes)
  } finally {
    child.kill('SIGKILL')
    await Promise.all([ended, closed])
  }
}

type Child = ChildProcessByStdio<null, Readable, Readable>

const start = (file: number, signal: AbortSignal | undefined): Child => {
  const child = spawn(program, ['-dc'], { stdio: [file, 'pipe', 'pipe'], signal, killSignal: 'SIGKILL' })
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
