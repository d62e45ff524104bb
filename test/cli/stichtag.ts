/** The command line as a person runs it, in a folder and with a store of its own. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../../src/demo/processes.ts'

export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CommandLine {
  readonly folder: string
  /** Runs a command to its end. Settings of `undefined` are taken out of the environment. */
  run(args: readonly string[], settings?: NodeJS.ProcessEnv): Ended
  remove(): void
}

export const commandLine = (): CommandLine => {
  const folder = mkdtempSync(join(tmpdir(), 'stichtag-cli-'))
  return {
    folder,
    run: (args, settings = {}) =>
      spawnSync(process.execPath, [main, ...args], {
        cwd: folder,
        env: { ...process.env, STICHTAG_HOME: join(folder, 'home'), STICHTAG_LOG: 'silent', ...settings },
        encoding: 'utf8',
        timeout: 30_000,
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
