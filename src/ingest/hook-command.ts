/** The hook: a person's own program, told what a run did by JSON on its stdin. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { StichtagError } from '../errors.ts'
import type { RunResult } from './run.ts'

/**
 * Words of a command line, as a shell would split them and without anything else that a shell does: quotes hold a word
 * together, a backslash takes the next letter as it is. A text that is the path of a file is one word.
 *
 * @throws USAGE for a quote without its end
 */
export const commandWords = (text: string): string[] => {
  if (existsSync(text)) return [text]
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let index = 0; index < text.length; index += 1) {
    const letter = text.charAt(index)
    if (letter === '\\' && quote !== "'") {
      index += 1
      word = (word ?? '') + text.charAt(index)
    } else if (quote !== '') {
      if (letter === quote) quote = ''
      else word = (word ?? '') + letter
    } else if (letter === '"' || letter === "'") {
      quote = letter
      word ??= ''
    } else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      word = (word ?? '') + letter
    }
  }
  if (quote !== '') throw new StichtagError('USAGE', `STICHTAG_HOOK: a quote ${quote} has no end`)
  return word === undefined ? words : [...words, word]
}

export interface HookOptions {
  readonly signal: AbortSignal
  /** Milliseconds after which it is killed. */
  readonly timeoutMs: number
}

/**
 * Runs the hook and waits for its end. Its output goes to our stderr: stdout belongs to results.
 *
 * @throws USAGE, or INTERNAL saying how it ended
 */
export const runHook = async (command: string, result: RunResult, options: HookOptions): Promise<void> => {
  const [program, ...args] = commandWords(command)
  if (program === undefined) throw new StichtagError('USAGE', 'STICHTAG_HOOK names no command')
  const child = spawn(program, args, {
    stdio: ['pipe', 2, 2],
    env: { ...process.env, STICHTAG_DATASET: result.dataset, STICHTAG_OUTCOME: result.outcome },
    signal: AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]),
    killSignal: 'SIGKILL',
  })
  // A hook need not read what it is given; that its end of the pipe is closed is then no fault.
  child.stdin?.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') child.emit('error', error)
  })
  child.stdin?.end(`${JSON.stringify(result)}\n`)
  const [status, killedBy] = await once(child, 'exit')
  if (status !== 0) throw new StichtagError('INTERNAL', `the hook ended with ${killedBy ?? status}`)
}
