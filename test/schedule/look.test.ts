import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { StichtagError } from '../../src/errors.ts'
import { interruptedDatasets, type LookOptions, scheduledDatasets } from '../../src/schedule/look.ts'
import { datasetFolder, type Store, statePath } from '../../src/store/layout.ts'
import { openLedger } from '../../src/store/ledger.ts'
import { takeLock } from '../../src/store/lock.ts'
import { readState, writeState } from '../../src/store/snapshots.ts'
import { emptyState, type State } from '../../src/store/state.ts'
import { scratchStore } from '../store/scratch-store.ts'

const now = new Date('2026-12-01T12:00:00Z')
const later = '2026-12-24T04:00:00.000Z'
const earlier = '2026-11-01T04:00:00.000Z'
const yearly = '0 4 24 12 *'

const pipelineText = (id: string, cron: string): string => `
export default (kit) => kit.definePipeline({
  id: '${id}', title: 'T', description: 'D', publisher: 'P', homepage: 'https://example.org/',
  licence: { name: 'CC0', url: 'https://example.org/', attribution: 'nobody' },
  database: '${id}.db', schedule: { cron: '${cron}', timeZone: 'UTC' },
  sources: [{ name: 'a.jsonl', url: 'http://127.0.0.1:9/a.jsonl', format: { type: 'jsonl' } }],
  tables: { a: { description: 'A', columns: { id: 'TEXT' }, key: ['id'] } },
  map: () => undefined,
})`

const givePipeline = (store: Store, id: string, cron = yearly): void => {
  const folder = join(store.root, 'pipelines', id)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.mjs'), pipelineText(id, cron))
}

const lastRun = { run: 'r1', outcome: 'unchanged', at: earlier } as const

const giveState = (store: Store, id: string, state: Partial<State> = {}): void => {
  mkdirSync(datasetFolder(store, id), { recursive: true })
  writeState(store, {
    ...emptyState(id),
    lastRun,
    nextRun: later,
    schedule: { cron: yearly, timeZone: 'UTC' },
    ...state,
  })
}

const rooted = (): Store => {
  const store = scratchStore()
  vi.stubEnv('STICHTAG_HOME', store.root)
  vi.stubEnv('STICHTAG_JITTER', '0')
  return store
}

const look = async (store: Store, over: Partial<LookOptions> = {}) => {
  const problems: [string, StichtagError][] = []
  const onProblem = (dataset: string, error: StichtagError): void => void problems.push([dataset, error])
  const options = { store, interrupted: new Set<string>(), seed: 's', now: () => now, onProblem, ...over }
  return { datasets: await scheduledDatasets(options), problems }
}

afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

describe('what there is to schedule', () => {
  it('is nothing in an empty store', async () => {
    expect((await look(rooted())).datasets).toEqual([])
  })

  it('is what was ingested once and has a pipeline', async () => {
    const store = rooted()
    for (const id of ['ingested', 'only-tried']) givePipeline(store, id)
    giveState(store, 'ingested')
    giveState(store, 'only-tried', { lastRun: null, nextRun: null })
    giveState(store, 'without-pipeline')
    expect((await look(store)).datasets).toEqual([{ dataset: 'ingested', nextRun: new Date(later), delayMs: 0 }])
  })

  it('is what is named, ingested or not', async () => {
    const store = rooted()
    for (const id of ['ingested', 'named']) givePipeline(store, id)
    giveState(store, 'ingested')
    expect((await look(store, { datasets: ['named'] })).datasets).toEqual([
      { dataset: 'named', nextRun: null, delayMs: 0 },
    ])
  })

  it('is also what a crash broke off in its first run', async () => {
    const store = rooted()
    givePipeline(store, 'first')
    mkdirSync(datasetFolder(store, 'first'), { recursive: true })
    const { datasets } = await look(store, { interrupted: new Set(['first']) })
    expect(datasets).toEqual([{ dataset: 'first', nextRun: null, delayMs: 0 }])
  })

  it('leaves out what cannot be scheduled, names the file, and goes on with the others', async () => {
    const store = rooted()
    for (const id of ['damaged', 'fine', 'wrong-cron']) givePipeline(store, id, id === 'wrong-cron' ? 'never' : yearly)
    for (const id of ['damaged', 'fine', 'wrong-cron']) giveState(store, id)
    writeFileSync(statePath(store, 'damaged'), '{"format":')
    const { datasets, problems } = await look(store)
    expect(datasets.map(({ dataset }) => dataset)).toEqual(['fine'])
    expect(problems.map(([dataset, { code }]) => [dataset, code])).toEqual([
      ['damaged', 'STATE_INVALID'],
      ['wrong-cron', 'USAGE'],
    ])
    expect(problems[0]?.[1].message).toContain(statePath(store, 'damaged'))
  })

  it('is delayed by the jitter of its turn, but not where it is tried again after a failure', async () => {
    const store = rooted()
    vi.stubEnv('STICHTAG_JITTER', '300')
    givePipeline(store, 'places')
    giveState(store, 'places')
    const [{ delayMs } = { delayMs: 0 }] = (await look(store)).datasets
    expect(delayMs).toBeGreaterThan(0)
    expect(delayMs).toBeLessThan(300_000)
    giveState(store, 'places', { failures: 2 })
    expect((await look(store)).datasets).toMatchObject([{ delayMs: 0 }])
  })
})

describe('a cron that was changed', () => {
  const changed = { cron: '0 6 * * *', timeZone: 'UTC' }
  const nextSix = new Date('2026-12-02T06:00:00Z')
  const atNoon = (): Store => {
    vi.useFakeTimers({ now, toFake: ['Date'] })
    const store = rooted()
    givePipeline(store, 'places')
    giveState(store, 'places')
    return store
  }

  it('in its pipeline’s file counts at the next look, and is noted for status', async () => {
    const store = atNoon()
    await look(store)
    givePipeline(store, 'places', changed.cron)
    expect((await look(store)).datasets).toMatchObject([{ nextRun: nextSix }])
    expect(readState(store, 'places')).toMatchObject({ nextRun: nextSix.toISOString(), schedule: changed, lastRun })
  })

  it('by a setting counts as well', async () => {
    const store = atNoon()
    vi.stubEnv('STICHTAG_CRON_PLACES', changed.cron)
    expect((await look(store)).datasets).toMatchObject([{ nextRun: nextSix }])
  })

  it('leaves a run that was missed due', async () => {
    const store = atNoon()
    giveState(store, 'places', { nextRun: earlier })
    vi.stubEnv('STICHTAG_CRON_PLACES', changed.cron)
    expect((await look(store)).datasets).toMatchObject([{ nextRun: new Date(earlier) }])
  })

  it('waits for the run that is under way, which counts anew itself', async () => {
    const store = atNoon()
    vi.stubEnv('STICHTAG_CRON_PLACES', changed.cron)
    const lock = takeLock(store, 'places')
    const busy = await look(store)
    lock.release()
    expect(busy).toMatchObject({ datasets: [{ nextRun: new Date(later) }], problems: [] })
  })
})

describe('runs that were broken off', () => {
  it('are those of the ledger that never ended, of declared sources', () => {
    const store = rooted()
    expect(interruptedDatasets(store)).toEqual(new Set())
    const ledger = openLedger(store)
    for (const [run, dataset, command] of [
      ['r1', 'ended', 'ingest'],
      ['r2', 'broken-off', 'ingest --force'],
      ['r3', 'from-a-file', 'ingest --from x.jsonl'],
      ['r4', 'a-sample', 'ingest --sample'],
      ['r5', 'rolled-back', 'rollback'],
    ] as const) {
      ledger.start(run, dataset, command, now)
    }
    ledger.end('r1', now, { outcome: 'unchanged' })
    ledger.close()
    expect(interruptedDatasets(store)).toEqual(new Set(['broken-off']))
  })
})
