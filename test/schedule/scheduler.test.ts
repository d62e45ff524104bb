import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runSchedule, type ScheduledDataset, type SchedulerOptions } from '../../src/schedule/scheduler.ts'

const script = fileURLToPath(new URL('./fake-ingest.ts', import.meta.url))
const future = new Date('2999-01-01T00:00:00Z')
const past = new Date('2001-01-01T00:00:00Z')

let folder: string
let controller: AbortController
let ended: Promise<void>
let logged: string[]
/** How often the scheduler has looked. */
let looks: number

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stichtag-schedule-'))
  controller = new AbortController()
  logged = []
  looks = 0
  ended = Promise.resolve()
})
afterEach(async () => {
  controller.abort()
  await ended
  rmSync(folder, { recursive: true, force: true })
})

const begin = (datasets: readonly ScheduledDataset[], over: Partial<SchedulerOptions> = {}): void => {
  ended = runSchedule({
    command: [process.execPath, script, folder],
    look: async () => {
      looks += 1
      return datasets.map(asNoted)
    },
    interrupted: new Set(),
    atOnce: 8,
    lookEveryMs: 60_000,
    now: () => new Date(),
    log: pino({ base: null }, { write: (line: string) => void logged.push(line) }),
    signal: controller.signal,
    ...over,
  })
}

const looksMore = (): Promise<void> => {
  const before = looks
  return until(() => looks > before + 3)
}

/** As the last run noted it, where there was one: what state.json is to the real scheduler. */
const asNoted = (each: ScheduledDataset): ScheduledDataset => {
  const path = join(folder, `${each.dataset}.next`)
  return existsSync(path) ? { ...each, nextRun: new Date(readFileSync(path, 'utf8')) } : each
}

const scheduled = (dataset: string, over: Partial<ScheduledDataset> = {}): ScheduledDataset => ({
  dataset,
  nextRun: past,
  delayMs: 0,
  ...over,
})

/** Has the runs of a dataset say that the next one is due so much later. */
const every = (dataset: string, ms: number): void => writeFileSync(join(folder, `${dataset}.every`), String(ms))
const hold = (): void => writeFileSync(join(folder, 'hold'), '')

const runs = (): string[] =>
  existsSync(join(folder, 'runs.txt')) ? readFileSync(join(folder, 'runs.txt'), 'utf8').trimEnd().split('\n') : []
const count = (line: string): number => runs().filter((each) => each === line).length
const until = (condition: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(condition()).toBe(true), { timeout: 30_000, interval: 20 })

describe('the scheduler', () => {
  it('runs each dataset whenever it is due, again and again', async () => {
    for (const dataset of ['one', 'two']) every(dataset, 50)
    begin([scheduled('one'), scheduled('two')])
    await until(() => count('one ends') >= 3 && count('two ends') >= 3)
  })

  it('never runs a dataset twice at once', async () => {
    hold()
    begin([scheduled('one')], { lookEveryMs: 10 })
    await until(() => count('one begins') === 1)
    every('one', 0)
    writeFileSync(join(folder, 'one.next'), new Date(1).toISOString())
    await looksMore()
    expect(runs()).toEqual(['one begins'])
    rmSync(join(folder, 'hold'))
    await until(() => count('one ends') >= 2)
    expect(runs().slice(0, 3)).toEqual(['one begins', 'one ends', 'one begins'])
  })

  it('lets a run of one dataset hold up no other', async () => {
    hold()
    begin([scheduled('one'), scheduled('two')])
    await until(() => count('one begins') === 1 && count('two begins') === 1)
  })

  it('runs no more at once than it may, and of those that wait the one that was due first', async () => {
    hold()
    for (const dataset of ['early', 'middle', 'late']) every(dataset, 1e9)
    const due = (second: number): { nextRun: Date } => ({ nextRun: new Date(second * 1000) })
    begin([scheduled('late', due(3)), scheduled('early', due(1)), scheduled('middle', due(2))], { atOnce: 1 })
    await until(() => count('early begins') === 1)
    rmSync(join(folder, 'hold'))
    await until(() => count('late ends') === 1)
    expect(runs()).toEqual(['early', 'middle', 'late'].flatMap((each) => [`${each} begins`, `${each} ends`]))
  })

  it('catches up at start what was missed, what was never run and what was broken off', async () => {
    begin(
      [
        scheduled('missed', { nextRun: past }),
        scheduled('never-run', { nextRun: null }),
        scheduled('broken-off', { nextRun: future }),
        scheduled('not-due', { nextRun: future }),
      ],
      { interrupted: new Set(['broken-off']) },
    )
    await until(() => ['missed', 'never-run', 'broken-off'].every((each) => count(`${each} ends`) === 1))
    expect(runs().filter((line) => line.startsWith('not-due'))).toEqual([])
  })

  it('starts a run by its delay later than it is due', async () => {
    const dueAt = Date.now()
    begin([scheduled('one', { nextRun: new Date(dueAt), delayMs: 400 }), scheduled('long', { delayMs: 1e13 })])
    await until(() => count('one begins') === 1)
    expect(Date.now() - dueAt).toBeGreaterThanOrEqual(400)
    expect(count('long begins')).toBe(0)
  })

  it('sees a dataset that is there only later, and waits where there is none', async () => {
    const datasets: ScheduledDataset[] = []
    begin(datasets, { lookEveryMs: 10 })
    await looksMore()
    datasets.push(scheduled('new'))
    await until(() => count('new ends') === 1)
  })

  it('puts off a run that leaves no trace in the store, each time longer, as one that failed', async () => {
    let clock = Date.parse('2026-12-01T00:00:00Z')
    begin([scheduled('one')], { now: () => new Date(clock), lookEveryMs: 10 })
    await until(() => count('one ends') === 1)
    for (const [minutes, times] of [
      [1, 2],
      [5, 3],
    ] as const) {
      await until(() => logged.filter((line) => line.includes('run ended')).length === times - 1)
      clock += minutes * 60_000 - 1
      await looksMore()
      expect(count('one begins')).toBe(times - 1)
      clock += 1
      await until(() => count('one ends') === times)
    }
  })

  it('ends when it is told to, after it has told its runs and they have ended', async () => {
    hold()
    begin([scheduled('one', { nextRun: null })])
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
    begin([scheduled('one', { nextRun: null })], { command: [join(folder, 'no-such-program')] })
    await until(() => logged.some((line) => line.includes('could not be started')))
    controller.abort()
    await ended
  })

  it('that cannot look any more ends with the reason, once its runs have ended', async () => {
    every('one', 1e9)
    let isGone = false
    begin([], {
      look: async () => {
        if (isGone) throw new Error('the store is gone')
        isGone = true
        return [scheduled('one')]
      },
      lookEveryMs: 10,
    })
    await expect(ended).rejects.toThrow('the store is gone')
    ended = Promise.resolve()
    expect(runs()).toEqual(['one begins', 'one ends'])
  })
})
