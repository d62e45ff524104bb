import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isMissed, runSchedule, type ScheduledDataset, type SchedulerOptions } from '../../src/schedule/scheduler.ts'

const script = fileURLToPath(new URL('./fake-ingest.ts', import.meta.url))
const everySecond = { cron: '* * * * * *', timeZone: 'UTC' }
/** So rare that only catching up can be what started a run. */
const yearly = { cron: '0 0 1 1 *', timeZone: 'UTC' }
const future = new Date('2999-01-01T00:00:00Z')
const past = new Date('2001-01-01T00:00:00Z')

let folder: string
let controller: AbortController
let ended: Promise<void>
let logged: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stichtag-schedule-'))
  controller = new AbortController()
  logged = []
})
afterEach(async () => {
  controller.abort()
  await ended
  rmSync(folder, { recursive: true, force: true })
})

const begin = (datasets: readonly ScheduledDataset[], over: Partial<SchedulerOptions> = {}): void => {
  ended = runSchedule(datasets, {
    command: [process.execPath, script, folder],
    now: () => new Date(),
    log: pino({ base: null }, { write: (line: string) => void logged.push(line) }),
    signal: controller.signal,
    ...over,
  })
}

const scheduled = (dataset: string, over: Partial<ScheduledDataset> = {}): ScheduledDataset => ({
  dataset,
  schedule: everySecond,
  nextRun: future,
  ...over,
})

const runs = (): string[] =>
  existsSync(join(folder, 'runs.txt')) ? readFileSync(join(folder, 'runs.txt'), 'utf8').trimEnd().split('\n') : []
const count = (line: string): number => runs().filter((each) => each === line).length
const until = (condition: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(condition()).toBe(true), { timeout: 30_000, interval: 20 })

describe('the scheduler', () => {
  it('runs each dataset on its cron, again and again', async () => {
    begin([scheduled('one'), scheduled('two')])
    await until(() => count('one ends') >= 2 && count('two ends') >= 2)
  })

  it('never runs a dataset twice at once: a turn that comes too early is left out', async () => {
    writeFileSync(join(folder, 'hold'), '')
    begin([scheduled('one')])
    await until(() => logged.some((line) => line.includes('this turn is left out')))
    expect(runs()).toEqual(['one begins'])
    rmSync(join(folder, 'hold'))
    await until(() => count('one ends') >= 2)
    expect(runs().slice(0, 3)).toEqual(['one begins', 'one ends', 'one begins'])
  })

  it('lets a run of one dataset hold up no other', async () => {
    writeFileSync(join(folder, 'hold'), '')
    begin([scheduled('one'), scheduled('two')])
    await until(() => count('one begins') === 1 && count('two begins') === 1)
  })

  it('catches up at start what was missed, and what was never run', async () => {
    begin([
      scheduled('missed', { schedule: yearly, nextRun: past }),
      scheduled('never-run', { schedule: yearly, nextRun: null }),
      scheduled('not-due', { schedule: yearly, nextRun: future }),
    ])
    await until(() => count('missed ends') === 1 && count('never-run ends') === 1)
    expect(runs().filter((line) => line.startsWith('not-due'))).toEqual([])
  })

  it('ends when it is told to, after it has told its runs and they have ended', async () => {
    writeFileSync(join(folder, 'hold'), '')
    begin([scheduled('one', { schedule: yearly, nextRun: null })])
    await until(() => count('one begins') === 1)
    controller.abort()
    await ended
    expect(runs()).toEqual(['one begins', 'one stopped'])
  })

  it('starts nothing where it was told to end before it began', async () => {
    controller.abort()
    begin([scheduled('one', { nextRun: null })])
    await ended
    expect(runs()).toEqual([])
  })

  it('goes on with the others where one cannot be started, and says so', async () => {
    begin([scheduled('one', { schedule: yearly, nextRun: null })], { command: [join(folder, 'no-such-program')] })
    await until(() => logged.some((line) => line.includes('could not be started')))
    controller.abort()
    await ended
  })
})

describe('a run', () => {
  it('is missed where it was due by now or never happened', () => {
    const now = new Date('2026-12-01T04:00:00Z')
    expect(isMissed(scheduled('one', { nextRun: null }), now)).toBe(true)
    expect(isMissed(scheduled('one', { nextRun: now }), now)).toBe(true)
    expect(isMissed(scheduled('one', { nextRun: new Date('2026-12-01T04:00:01Z') }), now)).toBe(false)
  })
})
