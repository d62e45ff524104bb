import fs, { mkdirSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { describe, expect, it, onTestFinished } from 'vitest'
import { rollback } from '../../src/ingest/rollback.ts'
import { ledgerPath, type Store } from '../../src/store/layout.ts'
import { readState } from '../../src/store/snapshots.ts'
import { current, delivery, ingest, manyPlaces, query, storeOf } from './ingesting.ts'

const ten = delivery.bind(null, manyPlaces(10))
const eleven = delivery.bind(null, manyPlaces(11))
const now = (): Date => new Date()

const rowsIn = (store: Store): unknown => query(store, 'SELECT count(*) FROM place')[0]

/** From now on no file can be written; links can, as they need no block of the disk. */
const fillTheDisk = (): (() => void) => {
  const { writeFileSync } = fs
  fs.writeFileSync = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  }
  syncBuiltinESMExports()
  return () => {
    fs.writeFileSync = writeFileSync
    syncBuiltinESMExports()
  }
}

/** A ledger that nobody can write. */
const spoilLedger = (store: Store): void => {
  rmSync(ledgerPath(store))
  mkdirSync(ledgerPath(store))
}

describe('a rollback where the ledger cannot be written', () => {
  it('moves the pointer, notes it in state.json, and says what is not noted', async () => {
    const { store, versions } = await storeOf(ten, eleven)
    spoilLedger(store)
    const move = await rollback(store, 'places', undefined, now)
    expect(move).toMatchObject({ version: versions[0], previous: versions[1] })
    expect(move.warnings).toEqual([expect.stringMatching(/the ledger of runs does not have it: .*runs\.db/)])
    expect(move.warnings?.join()).not.toContain('current snapshot is unchanged')
    expect(rowsIn(store)).toEqual([10])
    expect(readState(store, 'places').held).toMatchObject([{ version: versions[1] }])
  })
})

describe('a rollback on a disk that is full', () => {
  it('moves the pointer all the same, and what could not be noted is when it is repeated', async () => {
    const { store, versions } = await storeOf(ten, eleven)
    const makeRoom = fillTheDisk()
    onTestFinished(makeRoom)
    const move = await rollback(store, 'places', undefined, now)
    makeRoom()
    expect(move).toMatchObject({ version: versions[0], previous: versions[1] })
    expect(move.warnings).toHaveLength(1)
    expect(move.warnings?.[0]).toMatch(
      new RegExp(`is not held, and may come again: .*the disk is full.*stichtag rollback places ${versions[0]}`),
    )
    expect(rowsIn(store)).toEqual([10])
    expect(readState(store, 'places').held).toEqual([])
    await rollback(store, 'places', versions[0], now)
    expect(readState(store, 'places')).toMatchObject({ held: [{ version: versions[1] }] })
    expect(readState(store, 'places').history.at(-1)).toMatchObject({ version: versions[0], by: 'rollback' })
    expect(await ingest(store, eleven())).toMatchObject({ outcome: 'refused', reason: { code: 'HELD' } })
  })

  it('changes nothing when it is repeated and all is noted', async () => {
    const { store, versions } = await storeOf(ten, eleven)
    await rollback(store, 'places', undefined, now)
    const noted = readState(store, 'places')
    await rollback(store, 'places', versions[0], now)
    expect(readState(store, 'places')).toEqual(noted)
  })
})

describe('a run where the ledger cannot be written', () => {
  it('fails before it downloads, and the dataset says so', async () => {
    const { store } = await storeOf(ten)
    const { version } = current(store)
    spoilLedger(store)
    expect(await ingest(store, eleven())).toMatchObject({ outcome: 'failed', version })
    expect(readState(store, 'places').lastRun).toMatchObject({
      outcome: 'failed',
      reason: { code: 'STORE_UNWRITABLE', message: expect.stringMatching(/^places: cannot write .*runs\.db/) },
    })
    expect(rowsIn(store)).toEqual([10])
  })

  it('says in its result where the state cannot be written either', async () => {
    const { store } = await storeOf(ten)
    spoilLedger(store)
    const path = eleven()
    const makeRoom = fillTheDisk()
    onTestFinished(makeRoom)
    const result = await ingest(store, path)
    makeRoom()
    expect(result).toMatchObject({ outcome: 'failed' })
    expect(result.reason?.message).toMatch(/Nor can the dataset's state\.json say so\.$/)
  })
})
