import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Step } from '../../src/ingest/progress.ts'
import { runPipeline } from '../../src/ingest/run.ts'
import { dataFolder, datasetFolder, ledgerPath, pointerPath, type Store } from '../../src/store/layout.ts'
import { takeLock } from '../../src/store/lock.ts'
import { currentVersion, readState } from '../../src/store/snapshots.ts'
import { places } from '../pipeline/places.ts'
import { scratchFolder, scratchStore, treeOf } from '../store/scratch-store.ts'
import { current, delivery, ingest, keptIn, nextRun, pipelineOf, place, query } from './ingesting.ts'

afterEach(() => vi.unstubAllEnvs())

const one = () => delivery([place('a', 'One', { visits: [{ by: 'Ada' }] })])
const two = () => delivery([place('a', 'Two', { visits: [{ by: 'Ada' }] })])

/** All of a store but what a failed run writes too. */
const dataOf = (store: Store): Record<string, string> => {
  const { 'data/runs.db': _runs, 'data/snapshots/places/state.json': _state, ...rest } = treeOf(store.root)
  return rest
}

const lastRow = (store: Store): unknown => {
  const ledger = new Database(ledgerPath(store), { readonly: true })
  try {
    return ledger.prepare('SELECT command, outcome, code, overrides FROM run ORDER BY rowid DESC').get()
  } finally {
    ledger.close()
  }
}

describe('a run that fails', () => {
  const steps: Step[] = ['download', 'load', 'index', 'full text', 'guard', 'seal', 'compare', 'publish']

  it.each(steps)('at the step "%s" leaves pointer and files as they were, byte for byte', async (at) => {
    const store = scratchStore()
    await ingest(store, one())
    const before = dataOf(store)
    const onProgress = ({ step }: { step: Step }): void => {
      if (step === at) throw new Error(`broken at ${at}`)
    }
    // By a setting: a file given by hand that cannot be read is no run of the dataset.
    vi.stubEnv('STICHTAG_SOURCE_PLACES', two())
    const result = await ingest(store, undefined, { onProgress })
    expect(result).toMatchObject({
      outcome: 'failed',
      version: current(store).version,
      rows: { place: 1 },
      reason: { message: expect.stringContaining(`broken at ${at}`) },
    })
    expect(dataOf(store)).toEqual(before)
    expect(readState(store, 'places')).toMatchObject({
      lastRun: { outcome: 'failed', reason: result.reason },
      nextRun: nextRun.toISOString(),
    })
    expect(lastRow(store)).toMatchObject({ outcome: 'failed', code: result.reason?.code })
    expect((await ingest(store, two())).outcome).toBe('published')
  })

  it.each<Step>(['download', 'load', 'seal', 'publish'])(
    'as the first one, at the step "%s", leaves nothing',
    async (at) => {
      const store = scratchStore()
      const onProgress = ({ step }: { step: Step }): void => {
        if (step === at) throw new Error('broken')
      }
      expect(await ingest(store, one(), { onProgress })).toMatchObject({ outcome: 'failed', version: null, rows: {} })
      expect(keptIn(store)).toEqual([])
      expect(currentVersion(store, 'places', 'places.db')).toBeNull()
      expect((await ingest(store, one())).outcome).toBe('published')
    },
  )

  it('after the pointer has moved keeps what the pointer names', async () => {
    const store = scratchStore()
    await ingest(store, one())
    // An alias is made after the pointer has moved; of this one the half-written name is too long for any file system.
    const definition = { ...places, aliases: [`${'x'.repeat(245)}.db`] }
    const result = await ingest(store, two(), { definition })
    expect(result).toMatchObject({ outcome: 'failed', version: currentVersion(store, 'places', 'places.db') })
    expect(query(store, 'SELECT name FROM place')).toEqual([['Two']])
    expect(keptIn(store)).toHaveLength(2)
    // The next run knows what happened.
    expect(await ingest(store, two())).toMatchObject({ outcome: 'unchanged', version: result.version })
    expect(readState(store, 'places').history.map(({ version }) => version)).toEqual(keptIn(store))
  })

  it('for want of a file names it, and is told from a defect', async () => {
    const store = scratchStore()
    const folder = scratchFolder()
    expect(await ingest(store, folder)).toMatchObject({
      outcome: 'failed',
      reason: { code: 'FILE_NOT_FOUND', message: expect.stringContaining('places.jsonl.gz, places.jsonl') },
    })
  })

  it('keeps the delivery that was refused before in mind', async () => {
    const store = scratchStore()
    await ingest(store, delivery(['a', 'b', 'c', 'd'].map((id) => place(id))))
    await ingest(store, delivery([place('a')]))
    const { refused } = readState(store, 'places')
    expect(refused).not.toBeNull()
    await ingest(store, join(scratchFolder(), 'missing'))
    expect(readState(store, 'places').refused).toEqual(refused)
  })
})

describe('a run that is cancelled', () => {
  const many = Array.from({ length: 2000 }, (_, index) => place(`p${index}`, 'Many', { visits: [{ by: 'Ada' }] }))

  const cancelledAt = (at: Step): { signal: AbortSignal; onProgress: (progress: { step: Step }) => void } => {
    const controller = new AbortController()
    return { signal: controller.signal, onProgress: ({ step }) => (step === at ? controller.abort() : undefined) }
  }

  it.each<Step>(['download', 'load', 'guard', 'full text'])(
    'at the step "%s" says so, and leaves nothing',
    async (at) => {
      const store = scratchStore()
      await ingest(store, one())
      const before = dataOf(store)
      expect(await ingest(store, delivery(many), cancelledAt(at))).toMatchObject({
        outcome: 'failed',
        reason: { code: 'CANCELLED' },
      })
      expect(dataOf(store)).toEqual(before)
    },
  )

  it('when it is all but published is published, wholly', async () => {
    const store = scratchStore()
    await ingest(store, one())
    const result = await ingest(store, delivery(many), cancelledAt('publish'))
    expect(result).toMatchObject({ outcome: 'published', rows: { place: 2000 } })
    expect(current(store).version).toBe(result.version)
  })

  it('before it began does nothing', async () => {
    const store = scratchStore()
    expect(await ingest(store, one(), { signal: AbortSignal.abort() })).toMatchObject({
      outcome: 'failed',
      reason: { code: 'CANCELLED' },
    })
    expect(keptIn(store)).toEqual([])
  })
})

describe('a run that finds the lock taken', () => {
  it('is busy, and touches nothing', async () => {
    const store = scratchStore()
    const { version } = await ingest(store, one())
    const before = treeOf(store.root)
    const lock = takeLock(store, 'places')
    const result = await ingest(store, two())
    lock.release()
    expect(result).toMatchObject({ outcome: 'busy', version, reason: { code: 'BUSY' } })
    expect(treeOf(store.root)).toEqual(before)
  })

  it('is a plain line in the log: that somebody else is at work is no fault', async () => {
    const store = scratchStore()
    await ingest(store, one())
    const lock = takeLock(store, 'places')
    const lines: string[] = []
    await runPipeline(pipelineOf({}), {
      store,
      options: { from: two() },
      schedule: { cron: '0 4 * * *', timeZone: 'UTC' },
      nextRun: () => nextRun,
      now: () => new Date(),
      signal: new AbortController().signal,
      log: pino({ base: null }, { write: (line) => void lines.push(line) }),
      onProgress: () => undefined,
    })
    lock.release()
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        level: 40,
        time: expect.any(Number),
        dataset: 'places',
        code: 'BUSY',
        msg: expect.stringContaining('another run'),
      },
    ])
  })
})

describe('a run that finds somebody’s own file in the place of the pointer', () => {
  it.each(['places.db', 'further-places.db'])('stops before anything is downloaded: %s', async (name) => {
    const store = scratchStore()
    mkdirSync(dataFolder(store), { recursive: true })
    writeFileSync(pointerPath(store, name), 'gigabytes of my own')
    const steps: string[] = []
    const result = await ingest(store, one(), { onProgress: ({ step }) => void steps.push(step) })
    expect(result).toMatchObject({
      outcome: 'failed',
      reason: { code: 'POINTER_OCCUPIED', message: expect.stringContaining('--adopt') },
    })
    expect(steps).toEqual([])
    expect(readFileSync(pointerPath(store, name), 'utf8')).toBe('gigabytes of my own')
    expect(readState(store, 'places').lastRun).toMatchObject({
      outcome: 'failed',
      reason: { code: 'POINTER_OCCUPIED' },
    })
  })

  it('moves it aside where it is told to adopt it, and keeps it', async () => {
    const store = scratchStore()
    mkdirSync(dataFolder(store), { recursive: true })
    writeFileSync(pointerPath(store, 'places.db'), 'my own')
    const now = () => new Date('2026-12-01T02:03:04Z')
    expect((await ingest(store, one(), { options: { adopt: true }, now })).outcome).toBe('published')
    expect(readFileSync(`${pointerPath(store, 'places.db')}.adopted-20261201T020304Z`, 'utf8')).toBe('my own')
    expect(query(store, 'SELECT name FROM place')).toEqual([['One']])
    expect(lastRow(store)).toMatchObject({ outcome: 'published', overrides: '["adopt"]' })
  })
})

describe('a run in a store that cannot be written', () => {
  it('fails with STORE_UNWRITABLE', async () => {
    expect(await ingest({ root: '/sys/stichtag', origin: 'global' }, one())).toMatchObject({
      outcome: 'failed',
      reason: { code: 'STORE_UNWRITABLE' },
    })
  })
})

describe('a run whose state.json is damaged', () => {
  it('fails, says so in the ledger, and leaves current alone', async () => {
    const store = scratchStore()
    const { version } = await ingest(store, one())
    writeFileSync(join(datasetFolder(store, 'places'), 'state.json'), '{"format":')
    expect(await ingest(store, two())).toMatchObject({ outcome: 'failed' })
    expect(currentVersion(store, 'places', 'places.db')).toBe(version)
    expect(lastRow(store)).toMatchObject({ outcome: 'failed' })
  })
})

describe('the ledger’s row of a run', () => {
  it('names the command as it was given, and what was overridden', async () => {
    const store = scratchStore()
    const from = one()
    await ingest(store, from, { options: { force: true, acceptShrink: true, adopt: false } })
    expect(lastRow(store)).toEqual({
      command: `ingest --from ${from} --force --accept-shrink`,
      outcome: 'published',
      code: null,
      overrides: '["accept-shrink","force"]',
    })
  })
})
