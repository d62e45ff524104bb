import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { rollback } from '../../src/ingest/rollback.ts'
import { ledgerPath, type Store } from '../../src/store/layout.ts'
import { readState } from '../../src/store/snapshots.ts'
import { scratchFolder, scratchStore } from '../store/scratch-store.ts'
import { current, delivery, type Given, ingest, linesOf, manyPlaces, place } from './ingesting.ts'

afterEach(() => vi.unstubAllEnvs())

const folderWithSample = (): string => {
  const folder = scratchFolder()
  mkdirSync(join(folder, 'data', '2026-11-01'), { recursive: true })
  writeFileSync(join(folder, 'data', '2026-11-01', 'places.jsonl'), linesOf([place('s1', 'Invented')]))
  return folder
}

const lastInLedger = (store: Store): unknown => {
  const ledger = new Database(ledgerPath(store), { readonly: true })
  try {
    return ledger.prepare('SELECT outcome, code FROM run ORDER BY rowid DESC LIMIT 1').get()
  } finally {
    ledger.close()
  }
}

/** When the run after a failure would be due. */
const soon = { nextRun: (_: Date, failures: number) => new Date(failures > 0 ? '2026-12-01T04:01:00Z' : '2030-01-01') }

describe('an attempt by hand that came to nothing before anything was read', () => {
  it.each<[string, () => Given & { from?: string }]>([
    ['FILE_NOT_FOUND', () => ({ from: scratchFolder() })],
    ['SAMPLE_OVER_REAL', () => ({ folder: folderWithSample(), options: { sample: true } })],
    ['FILE_NOT_FOUND', () => ({ options: { sample: true } })],
  ])('is no run of the dataset: %s is in the ledger, and the state is what it was', async (code, given) => {
    const store = scratchStore()
    await ingest(store, delivery(manyPlaces(2)), soon)
    const before = readState(store, 'places')
    const { from, ...rest } = given()
    expect(await ingest(store, from, { ...soon, ...rest })).toMatchObject({ reason: { code } })
    expect(readState(store, 'places')).toEqual(before)
    expect(lastInLedger(store)).toMatchObject({ code })
  })

  it('leaves a source that fails as failing as it was', async () => {
    const store = scratchStore()
    vi.stubEnv('STICHTAG_SOURCE_PLACES', scratchFolder())
    await ingest(store, undefined, soon)
    const before = readState(store, 'places')
    expect(before).toMatchObject({ failures: 1, lastRun: { outcome: 'failed' } })
    await ingest(store, scratchFolder(), soon)
    expect(readState(store, 'places')).toEqual(before)
  })
})

describe('what was given by hand and was no good', () => {
  it('is the last run, and has nothing tried again sooner', async () => {
    const store = scratchStore()
    await ingest(store, delivery(manyPlaces(10)), soon)
    const cutOff = gzipSync(linesOf(manyPlaces(100))).subarray(0, 100)
    for (const [bad, outcome] of [
      [delivery(manyPlaces(5)), 'refused'],
      [delivery(cutOff, 'places.jsonl.gz'), 'failed'],
    ] as const) {
      expect((await ingest(store, bad, soon)).outcome).toBe(outcome)
      const state = readState(store, 'places')
      expect(state).toMatchObject({ lastRun: { outcome, byHand: true }, nextRun: '2030-01-01T00:00:00.000Z' })
      expect(state.failures).toBeUndefined()
    }
  })
})

describe('who confirmed that current is what the publisher has', () => {
  it('is nobody, where a person gave it, or moved the pointer to it', async () => {
    const store = scratchStore()
    vi.stubEnv('STICHTAG_SOURCE_PLACES', '')
    const { version } = await ingest(store, delivery(manyPlaces(2)))
    expect(readState(store, 'places')).toMatchObject({ confirmedAt: null, lastRun: { byHand: true } })
    await ingest(store, delivery(manyPlaces(3)))
    await rollback(store, 'places', version ?? '', () => new Date())
    expect(current(store).version).toBe(version)
    expect(readState(store, 'places').confirmedAt).toBeNull()
  })

  it('is nobody either, where a setting names a file of this machine', async () => {
    const store = scratchStore()
    vi.stubEnv('STICHTAG_SOURCE_PLACES', delivery(manyPlaces(2)))
    expect((await ingest(store, undefined)).outcome).toBe('published')
    expect(readState(store, 'places').confirmedAt).toBeNull()
  })
})
