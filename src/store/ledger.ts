/**
 * The ledger: one row per run in <root>/data/runs.db, for the ingest side only (the gateway reads state.json). A run
 * is written when it starts; one that never ended was interrupted, and the next run of its dataset says so.
 */
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { StichtagError } from '../errors.ts'
import { makeFolder, storeError } from './durable.ts'
import { ledgerPath, type Store } from './layout.ts'
import { refuseLinks } from './no-links.ts'
import type { Outcome, Reason } from './state.ts'

/** How a run ended. */
export interface RunEnd {
  readonly outcome: Outcome
  readonly reason?: Reason
  readonly version?: string | null
  readonly previous?: string | null
  /** What was overridden by name, and by whom. */
  readonly overrides?: readonly string[]
}

/** A run that has no end. */
export interface OpenRun {
  readonly dataset: string
  readonly command: string
}

export interface Ledger {
  /** Notes the start of a run, and marks earlier runs of the dataset that never ended. Only under its lock. */
  start(run: string, dataset: string, command: string, at: Date): void
  end(run: string, at: Date, end: RunEnd): void
  /** Runs without an end: interrupted ones, and those that are under way. */
  open(): readonly OpenRun[]
  close(): void
}

const tables = `
CREATE TABLE IF NOT EXISTS run(
  id TEXT PRIMARY KEY, dataset TEXT NOT NULL, command TEXT NOT NULL, user TEXT, started TEXT NOT NULL, ended TEXT,
  outcome TEXT, code TEXT, message TEXT, version TEXT, previous TEXT, overrides TEXT
);
CREATE INDEX IF NOT EXISTS run_dataset ON run(dataset, started);`

/** Nothing depends on what earlier runs left in it, so that a damaged one need not stop the next. */
const wayOut = 'Move it away: the next command begins a new ledger.'

/** Opens the store's ledger, making it where it is missing. */
export const openLedger = (store: Store): Ledger => {
  const path = ledgerPath(store)
  let database: Database.Database | undefined
  try {
    makeFolder(dirname(path))
    refuseLinks(path)
    database = new Database(path, { timeout: 10_000 })
    database.pragma('journal_mode = DELETE')
    database.exec(tables)
    const interrupt = database.prepare(
      `UPDATE run SET ended = ?, outcome = 'failed', code = 'INTERRUPTED',
       message = 'the process ended before the run did' WHERE dataset = ? AND ended IS NULL`,
    )
    const insert = database.prepare('INSERT INTO run(id, dataset, command, user, started) VALUES (?, ?, ?, ?, ?)')
    const update = database.prepare(
      `UPDATE run SET ended = ?, outcome = ?, code = ?, message = ?, version = ?, previous = ?, overrides = ?
       WHERE id = ?`,
    )
    const withoutEnd = database.prepare<[], OpenRun>(
      'SELECT dataset, command FROM run WHERE ended IS NULL ORDER BY started',
    )
    const guarded = <T>(work: () => T): T => {
      try {
        return work()
      } catch (error) {
        throw storeError(error, path, wayOut)
      }
    }
    const opened = database
    return {
      start: (run, dataset, command, at) =>
        guarded(
          opened.transaction(() => {
            interrupt.run(at.toISOString(), dataset)
            insert.run(run, dataset, command, userName(), at.toISOString())
          }),
        ),
      end: (run, at, end) =>
        guarded(() => {
          update.run(
            at.toISOString(),
            end.outcome,
            end.reason?.code ?? null,
            end.reason?.message ?? null,
            end.version ?? null,
            end.previous ?? null,
            end.overrides === undefined ? null : JSON.stringify(end.overrides),
            run,
          )
        }),
      open: () => guarded(() => withoutEnd.all()),
      close: () => void opened.close(),
    }
  } catch (error) {
    database?.close()
    throw storeError(error, path, wayOut)
  }
}

/** What of a ledger one command writes: the start and the end of its run. */
export type RunNotes = Pick<Ledger, 'start' | 'end' | 'close'>

/**
 * A ledger whose faults stop nobody: each is given to `onFault`, and what it concerned is not noted. For moves of the
 * pointer, which people make when something is wrong, and which must work where the disk is full.
 */
export const patientLedger = (store: Store, onFault: (error: StichtagError) => void): RunNotes => {
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof StichtagError)) throw error
      onFault(error)
      return undefined
    }
  }
  const ledger = attempt(() => openLedger(store))
  return {
    start: (...run) => void attempt(() => ledger?.start(...run)),
    end: (...run) => void attempt(() => ledger?.end(...run)),
    close: () => ledger?.close(),
  }
}

/** Who runs this, as the system knows them: containers and services set no USER. */
const userName = (): string | null => {
  if (process.env.USER !== undefined) return process.env.USER
  try {
    return userInfo().username
  } catch (error) {
    // A user without an entry in the system's list; the row says that nobody is known.
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}
