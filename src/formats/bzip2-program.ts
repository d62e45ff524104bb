/** bzip2 by the reference implementation (`bzip2` on the PATH) as a child process. */
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
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
  const child = await start(path, signal)
  const ended = endOf(child)
  try {
    for await (const chunk of child.stdout) yield chunk
    const { code, words } = await ended
    signal?.throwIfAborted()
    if (code !== 0) throw bzip2Corrupt(words.includes('ends unexpectedly') ? 'cut' : 'damaged', name, words)
    if (words.includes('trailing garbage')) onWarning?.(trailingBytes)
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

/** The process reads the file by its own handle, so that no path can be taken for an option. */
const start = async (path: string, signal: AbortSignal | undefined): Promise<Child> => {
  const file = await open(path)
  try {
    const child = spawn(program, ['-dc'], { stdio: [file.fd, 'pipe', 'pipe'], signal, killSignal: 'SIGKILL' })
    // The two are pipes as asked for, and never null.
    return child as Child
  } finally {
    await file.close()
  }
}

type Child = ChildProcessByStdio<null, Readable, Readable>

const endOf = (child: Child): Promise<{ code: number | null; words: string }> =>
  new Promise((resolve) => {
    let words = ''
    child.stderr.setEncoding('utf8')
    child.stderr.on('data', (text: string) => {
      words = (words + text).slice(0, maxStderr)
    })
    child.on('error', (error) => {
      words = `${error.message}\n${words}`
    })
    child.on('close', (code) => resolve({ code, words }))
  })
