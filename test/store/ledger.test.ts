import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { ledgerPath, type Store } from '../../src/store/layout.ts'
import { openLedger } from '../../src/store/ledger.ts'
import { scratchStore } from './scratch-store.ts'

const at = (minute: number): Date => new Date(Date.UTC(2026, 11, 1, 3, minute))

const rowsOf = (store: Store): unknown[] => {
  const database = new Database(ledgerPath(store), { readonly: true })
  try {
    return database
      .prepare('SELECT id, dataset, started, ended, outcome, code, version, overrides FROM run ORDER BY id')
      .all()
  } finally {
    database.close()
  }
}

describe('the ledger', () => {
  it('has a row per run, from its start on', () => {
    const store = scratchStore()
    const ledger = openLedger(store)
    ledger.start('run-1', 'one', 'ingest', at(0))
    expect(rowsOf(store)).toMatchObject([{ id: 'run-1', started: at(0).toISOString(), ended: null, outcome: null }])
    ledger.end('run-1', at(1), { outcome: 'published', version: 'v', previous: null, overrides: ['accept-shrink'] })
    expect(rowsOf(store)).toMatchObject([
      { ended: at(1).toISOString(), outcome: 'published', version: 'v', overrides: '["accept-shrink"]' },
    ])
    ledger.close()
  })

  it('marks a run that never ended when the next one of its dataset starts, and no other', () => {
    const store = scratchStore()
    const died = openLedger(store)
    died.start('run-1', 'one', 'ingest', at(0))
    died.start('run-2', 'two', 'ingest', at(0))
    died.close()
    const ledger = openLedger(store)
    ledger.start('run-3', 'one', 'ingest', at(5))
    ledger.close()
    expect(rowsOf(store)).toMatchObject([
      { id: 'run-1', outcome: 'failed', code: 'INTERRUPTED', ended: at(5).toISOString() },
      { id: 'run-2', outcome: null, ended: null },
      { id: 'run-3', outcome: null, ended: null },
    ])
  })

  it('leaves runs that ended as they are', () => {
    const store = scratchStore()
    const ledger = openLedger(store)
    ledger.start('run-1', 'one', 'ingest', at(0))
    ledger.end('run-1', at(1), { outcome: 'refused', reason: { code: 'GUARD', message: 'too few' } })
    ledger.start('run-2', 'one', 'ingest', at(2))
    ledger.close()
    expect(rowsOf(store)[0]).toMatchObject({ outcome: 'refused', code: 'GUARD', ended: at(1).toISOString() })
  })

  it('is written to by two processes’ runs at once', () => {
    const store = scratchStore()
    const ledgers = [openLedger(store), openLedger(store)]
    for (const [index, ledger] of ledgers.entries()) ledger.start(`run-${index}`, `dataset-${index}`, 'ingest', at(0))
    for (const [index, ledger] of ledgers.entries()) ledger.end(`run-${index}`, at(1), { outcome: 'unchanged' })
    for (const ledger of ledgers) ledger.close()
    expect(rowsOf(store)).toMatchObject([{ outcome: 'unchanged' }, { outcome: 'unchanged' }])
  })

  it('keeps no write-ahead log beside it', () => {
    const store = scratchStore()
    openLedger(store).close()
    const database = new Database(ledgerPath(store), { readonly: true })
    expect(database.pragma('journal_mode', { simple: true })).toBe('delete')
    database.close()
  })

  it('says STORE_UNWRITABLE where it cannot be made', () => {
    expect(() => openLedger({ root: '/sys/stichtag', origin: 'global' })).toThrow(
      expect.objectContaining({ code: 'STORE_UNWRITABLE' }),
    )
  })
})
