import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { feedFiles } from '../../bench/generate-gtfs.ts'
import { lineOf } from '../../bench/generate-rows.ts'
import { packageRoot } from '../../src/package-root.ts'

const script = join(packageRoot, 'bench', 'run.ts')

const bench = (...args: readonly string[]) => promisify(execFile)(process.execPath, [script, ...args])

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stichtag-bench-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// What it measures with is /proc.
describe.skipIf(process.platform !== 'linux')('the benchmark', () => {
  it('runs a row by itself, prints its lines, and leaves nothing but inputs', async () => {
    const { stdout } = await bench('csv', '--tiny', '--dry', '--folder', folder)
    expect(stdout).toMatch(/^what +against +ours +theirs +ratio +goal +holds$/m)
    expect(stdout).toMatch(/^CSV, 1,000 rows, no indexes /m)
    expect(stdout).toMatch(/^CSV, 1,000 rows, two indexes /m)
    expect(stdout).not.toMatch(/ failed /)
    expect(readdirSync(folder)).toEqual(['inputs'])
  }, 20_000)

  it('names the rows there are where one is not known', async () => {
    await expect(bench('nothing', '--tiny', '--dry', '--folder', folder)).rejects.toThrow(/no row nothing[\s\S]+ gtfs /)
  })
})

describe('what is generated', () => {
  it('is the same each time, and differs in the share asked for', () => {
    const all = (changed: number): string[] => Array.from({ length: 2_000 }, (_, index) => lineOf(index, changed))
    expect(all(0)).toEqual(all(0))
    const differing = all(0.1).filter((line, index) => line !== lineOf(index, 0))
    expect(differing.length).toBeGreaterThan(150)
    expect(differing.length).toBeLessThan(250)
  })

  it('is a feed whose stop times are of trips and stops that it has', () => {
    const files = feedFiles(500)
    const rows = (name: string): string[][] =>
      [...(files[name] ?? [])].flatMap((text) => text.trimEnd().split('\n')).map((line) => line.split(','))
    const [, ...stopTimes] = rows('stop_times.txt')
    const trips = new Set(rows('trips.txt').map(([, , trip]) => trip))
    const stops = new Set(rows('stops.txt').map(([stop]) => stop))
    expect(stopTimes).toHaveLength(500)
    expect(stopTimes.filter(([trip, , , stop]) => !trips.has(trip) || !stops.has(stop))).toEqual([])
  })
})
