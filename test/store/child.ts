/** Child processes of tests: a script beside the test, told apart by what it prints. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

export interface Child {
  readonly process: ChildProcess
  /** Resolves with the next line that it prints, or null where it has ended. */
  line(): Promise<string | null>
  /** Resolves when it has ended: its exit status, or the signal that ended it. */
  ended(): Promise<number | string | null>
}

/** Runs a script of ours with Node; it is killed when the test is over. */
export const startScript = (script: URL, args: readonly string[]): Child => {
  const child = spawn(process.execPath, [script.pathname, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exit
  })
  return {
    process: child,
    line: async () => {
      const next = await lines.next()
      return next.done === true ? null : next.value
    },
    ended: async () => {
      const [code, signal] = await exit
      return code ?? signal
    },
  }
}
