import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { measure, measureShell } from '../../bench/harness/measure.ts'

const { signal } = new AbortController()

const node = (script: string, options = { signal }) => measure(process.execPath, ['-e', script], options)

/** Whether a process runs; one that ended may be listed until somebody asks for its status. */
const lives = (processId: string): boolean =>
  existsSync(`/proc/${processId}/stat`) && !/\) [ZX] /.test(readFileSync(`/proc/${processId}/stat`, 'utf8'))

/** A child of a child that has so many MiB for a while, and then says so. */
const nested = (mebibytes: number): string => `
  const { spawnSync } = require('node:child_process')
  const script = 'const held = Buffer.alloc(${mebibytes} * 2 ** 20, 1); setTimeout(() => console.log(held.length), 300)'
  console.log(String(spawnSync(process.execPath, ['-e', script]).stdout))`

// What it looks at is /proc.
describe.skipIf(process.platform !== 'linux')('a measured run', () => {
  it('has the memory of all its processes together', async () => {
    const [small, big] = [await node(nested(1)), await node(nested(101))]
    expect(big.stdout.trim()).toBe(String(101 * 2 ** 20))
    expect(big.peakMiB - small.peakMiB).toBeGreaterThan(70)
    expect(big.peakMiB - small.peakMiB).toBeLessThan(160)
  })

  it('has the processor time of its children, and none of what it waits', async () => {
    const busy = `const until = performance.now() + 300; while (performance.now() < until);`
    const working = await node(
      `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(busy)}])`,
    )
    const waiting = await node('setTimeout(() => {}, 1000)')
    expect(waiting.seconds).toBeGreaterThan(1)
    expect(waiting.cpuSeconds).toBeLessThan(0.5)
    // Others may have had the core meanwhile; what it got, it used.
    expect(working.cpuSeconds).toBeGreaterThan(0.1)
  })

  it('fails with what the program says, any program of a pipe', async () => {
    await expect(node('console.error("no such thing"); process.exit(3)')).rejects.toThrow(/ended with 3: no such thing/)
    await expect(measureShell('false | cat', { signal })).rejects.toThrow(/ended with 1/)
  })

  it('ends with all its children when it is told to', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stichtag-measure-'))
    try {
      const ending = new AbortController()
      const run = measureShell(`cd '${folder}'; sleep 60 & echo $! > half; mv half child; wait`, {
        signal: ending.signal,
      })
      const failed = expect(run).rejects.toThrow('enough')
      const child = await vi.waitFor(() => readFileSync(join(folder, 'child'), 'utf8').trim(), { timeout: 5_000 })
      expect(lives(child)).toBe(true)
      ending.abort(new Error('enough'))
      await failed
      await vi.waitFor(() => expect(lives(child)).toBe(false), { timeout: 5_000 })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
