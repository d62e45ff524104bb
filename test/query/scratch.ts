import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { onTestFinished } from 'vitest'

/** A temporary folder that is removed when the test is over. */
export const scratchFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'stichtag-query-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Makes an SQLite file of these statements and returns its path. */
export const makeDatabase = (path: string, sql: string): string => {
  const database = new Database(path)
  database.exec(sql)
  database.close()
  return path
}

/** A SQLite file in a temporary folder. */
export const scratchDatabase = (sql: string): string => makeDatabase(join(scratchFolder(), 'data.db'), sql)
