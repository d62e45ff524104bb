import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandLine } from '../../src/package-root.ts'
import { scratchFolder } from '../store/scratch-store.ts'

/** What each program says of itself that one command line becomes, the first one first: process id and options of Node's. */
const programsOf = (args: readonly string[], env: NodeJS.ProcessEnv = {}): { pid: number; options: string[] }[] => {
  const preload = join(scratchFolder(), 'say.cjs')
  const said = join(scratchFolder(), 'said.jsonl')
  writeFileSync(said, '')
  writeFileSync(
    preload,
    `require('node:fs').appendFileSync(${JSON.stringify(said)},
       JSON.stringify({ pid: process.pid, options: process.execArgv }) + '\\n')`,
  )
  execFileSync(process.execPath, ['--require', preload, commandLine, ...args], { env: { ...process.env, ...env } })
  const lines = readFileSync(said, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

describe.skipIf(process.platform === 'win32')('the command line', () => {
  it('starts an ingest anew in the same process, with as many background threads as there are cores for', () => {
    const [first, second, ...others] = programsOf(['ingest', '--help'])
    expect(others).toEqual([])
    expect(second?.pid).toBe(first?.pid)
    expect(second?.options).toEqual(['--v8-pool-size=0', ...(first?.options ?? [])])
  })

  it('leaves everything else as it was started, and an ingest for which somebody said how many', () => {
    expect(programsOf(['status', '--help'])).toHaveLength(1)
    expect(programsOf(['ingest', '--help'], { NODE_OPTIONS: '--v8-pool-size=2' })).toHaveLength(1)
  })
})
