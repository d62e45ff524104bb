import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  expendable,
  expendableRefusals,
  prune,
  quarantineDays,
  type RetentionFacts,
} from '../../src/ingest/retention.ts'
import { quarantineFolder, snapshotFolder } from '../../src/store/layout.ts'
import { takeLock } from '../../src/store/lock.ts'
import { movePointer } from '../../src/store/pointer.ts'
import { versionsOf, writeState } from '../../src/store/snapshots.ts'
import { emptyState } from '../../src/store/state.ts'
import { keepManifest } from '../store/manifest-example.ts'
import { scratchStore, versionOf } from '../store/scratch-store.ts'

const day = (number: number): string => `202612${String(number).padStart(2, '0')}T030000Z-00000000`
const days = (...numbers: number[]) => numbers.map((number) => versionOf(day(number)))

const removedOf = (over: Partial<RetentionFacts>): string[] =>
  expendable({
    versions: days(1, 2, 3, 4, 5, 6, 7, 8),
    current: day(8),
    base: day(7),
    pins: [],
    keep: 2,
    now: new Date('2026-12-20T00:00:00Z'),
    ...over,
  })

describe('retention', () => {
  it('keeps the newest few, and lets the older ones go, oldest first', () => {
    expect(removedOf({})).toEqual(days(1, 2, 3, 4, 5, 6))
    expect(removedOf({ keep: 5 })).toEqual(days(1, 2, 3))
    expect(removedOf({ keep: 8 })).toEqual([])
  })

  it('keeps current and its base, however old', () => {
    expect(removedOf({ current: day(3), base: day(1) })).toEqual(days(2, 4, 5, 6))
  })

  it('keeps what is pinned', () => {
    expect(removedOf({ pins: [day(2), day(4), 'nothing'] })).toEqual(days(1, 3, 5, 6))
  })

  it('keeps what is younger than an hour', () => {
    expect(removedOf({ now: new Date('2026-12-06T03:59:59Z') })).toEqual(days(1, 2, 3, 4, 5))
    expect(removedOf({ now: new Date('2026-12-06T04:00:00Z') })).toEqual(days(1, 2, 3, 4, 5, 6))
  })

  it('removes nothing where no snapshot is current: something is wrong there', () => {
    expect(removedOf({ current: null, base: null })).toEqual([])
  })
})

describe('quarantine', () => {
  const now = new Date('2026-12-05T03:00:00Z')
  const aged = (ms: number): Date => new Date(now.getTime() + quarantineDays * 24 * 3_600_000 + ms)

  it('lets go what has lain there for its time, oldest first', () => {
    expect(expendableRefusals(days(4, 5, 6), null, aged(-1))).toEqual(days(4))
    expect(expendableRefusals(days(4, 5, 6), null, aged(0))).toEqual(days(4, 5))
  })

  it('keeps what the source still has', () => {
    expect(expendableRefusals(days(4, 5, 6), day(4), aged(0))).toEqual(days(5))
  })
})

describe('pruning a store', () => {
  const now = new Date('2026-12-20T00:00:00Z')
  const pruned = async (keep: number, pins: readonly string[] = []) => {
    const store = scratchStore()
    for (const number of [1, 2, 3, 4, 5]) keepManifest(store, day(number), { base: number === 2 ? day(1) : null })
    movePointer(store, 'one', { database: 'one.db', aliases: [] }, versionOf(day(2)))
    writeState(store, { ...emptyState('one'), pins: [...pins] })
    return { store, removed: (await prune(store, 'one', keep, now)).versions }
  }

  it('removes the folders of what may go, and says which', async () => {
    const { store, removed } = await pruned(1, [day(3)])
    expect(removed).toEqual(days(4))
    expect(versionsOf(store, 'one')).toEqual(days(1, 2, 3, 5))
    expect(existsSync(snapshotFolder(store, 'one', versionOf(day(4))))).toBe(false)
  })

  it('removes what has lain in quarantine for its time', async () => {
    const store = scratchStore()
    keepManifest(store, day(1))
    movePointer(store, 'one', { database: 'one.db', aliases: [] }, versionOf(day(1)))
    const folder = quarantineFolder(store, 'one')
    for (const number of [2, 3]) mkdirSync(join(folder, day(number)), { recursive: true })
    writeState(store, emptyState('one'))
    const later = new Date('2027-03-02T12:00:00Z')
    expect(await prune(store, 'one', 5, later)).toEqual({ versions: [], quarantined: days(2), raw: [], leftovers: [] })
    expect(readdirSync(folder)).toEqual([day(3)])
  })

  it('removes nothing while a run holds the lock', async () => {
    const { store } = await pruned(5)
    const lock = takeLock(store, 'one')
    await expect(prune(store, 'one', 1, now)).rejects.toThrow(expect.objectContaining({ code: 'BUSY' }))
    lock.release()
    expect(versionsOf(store, 'one')).toHaveLength(5)
  })
})
