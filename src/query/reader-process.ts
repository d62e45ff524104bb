/**
 * A reader process: opens databases read-only, runs one request at a time, and answers over the channel to its parent.
 * It can be killed at any moment, since it holds nothing that would be lost. It ends when the parent does: by the closed
 * channel, or by the watchdog where a statement keeps it from hearing of that.
 *
 * Nothing here is checked by zod: only the parent, which runs the same package, can write to the channel, and loading zod
 * would double the time a process takes to start.
 */
import { flushCompileCache } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { asStichtagError, StichtagError } from '../errors.ts'
import { moduleExtension } from '../package-root.ts'
import type { ReaderReply, ReaderRequest } from './messages.ts'
import { OpenFiles } from './open-files.ts'
import { readDigests, readRecordPage } from './read-records.ts'
import { readRows } from './read-rows.ts'
import { type WatchdogData, working } from './watchdog-data.ts'

const staleIntervalMs = 30_000

const files = new OpenFiles()
const flag = new Int32Array(new SharedArrayBuffer(4))

const send = (reply: ReaderReply): void => {
  process.send?.(reply)
}

type Reply =
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'failure'; readonly code: string; readonly message: string }

/** An error for the parent. SQLite's words stay, but no path of this machine. */
const failureOf = (thrown: unknown, database: string): Reply => {
  const error =
    thrown instanceof Database.SqliteError
      ? new StichtagError('QUERY_FAILED', `SQLite: ${thrown.message}`)
      : asStichtagError(thrown)
  const message = error.message.replaceAll(database, 'the database').replaceAll(dirname(database), '…')
  return { kind: 'failure', code: error.code, message }
}

const answerOf = (asked: ReaderRequest): unknown => {
  const file = files.at(asked.request.database)
  switch (asked.kind) {
    case 'rows':
      return readRows(file, asked.request)
    case 'digests':
      return readDigests(file, asked.request)
    case 'page':
      return readRecordPage(file, asked.request, asked.mostRows)
  }
}

const replyTo = (asked: ReaderRequest): Reply => {
  try {
    return { kind: 'answer', answer: answerOf(asked) }
  } catch (thrown) {
    return failureOf(thrown, asked.request.database)
  }
}

const setWorking = (value: 0 | typeof working): void => {
  Atomics.store(flag, 0, value)
  Atomics.notify(flag, 0)
}

const memoryLimitBytes = Number(process.argv[2])
/** What one request left behind must not be counted against the next: half of the memory is every request's own. */
const isSpent = (): boolean => process.memoryUsage.rss() > memoryLimitBytes / 2
const watched: WatchdogData = { flag: flag.buffer, parent: process.ppid, memoryLimitBytes }
new Worker(new URL(`./watchdog${moduleExtension}`, import.meta.url), { workerData: watched }).unref()

process.on('disconnect', () => process.exit(0))
process.on('message', (message: ReaderRequest) => {
  setWorking(working)
  const reply = replyTo(message)
  setWorking(0)
  send({ ...reply, spent: isSpent() })
})
setInterval(() => files.releaseStale(), staleIntervalMs).unref()
send({ kind: 'ready' })
// Where Node keeps what it compiled, it writes it down as a process ends; but this one will be killed.
flushCompileCache()
