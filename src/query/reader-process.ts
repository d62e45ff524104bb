/**
 * A reader process: opens databases read-only, runs one request at a time, and answers over the channel to its parent.
 * Of requests that came together each is answered, and its answer on its way, before the next is begun.
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
import type { ReaderBatch, ReaderReply, ReaderRequest } from './messages.ts'
import { OpenFiles } from './open-files.ts'
import { readDigests, readRecordPage } from './read-records.ts'
import { readRows } from './read-rows.ts'
import { received } from './sendable.ts'
import { sqliteWords } from './sqlite-words.ts'
import { type WatchdogData, watch } from './watchdog-data.ts'

const staleIntervalMs = 30_000
/** Milliseconds after which the rest of a batch is handed back: other processes may be idle. */
const longBatchMs = 5
/** Milliseconds between two looks at this process's memory, each of which takes as long as some look-ups do. */
const memoryLookMs = 5

const files = new OpenFiles()
const flag = new Int32Array(new SharedArrayBuffer(4))

/** Sends a reply; resolves when the system has it, so that nothing that is run then can hold it up. */
const send = (reply: ReaderReply): Promise<void> =>
  new Promise((resolve) => {
    // Where the parent is gone the channel is closed, which ends the process.
    process.send?.(reply, undefined, {}, () => resolve())
  })

type Reply =
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'failure'; readonly code: string; readonly message: string }

/** An error for the parent. SQLite's words stay, but no path of this machine. */
const failureOf = (thrown: unknown, database: string): Reply => {
  const error =
    thrown instanceof Database.SqliteError
      ? new StichtagError('QUERY_FAILED', sqliteWords(thrown.message))
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

const beginWork = (): void => {
  if (Atomics.exchange(flag, 0, watch.working) === watch.asleep) Atomics.notify(flag, 0)
}

const endWork = (): void => {
  Atomics.store(flag, 0, watch.resting)
}

const memoryLimitBytes = Number(process.argv[2])
/** What one request left behind must not be counted against the next: half of the memory is every request's own. */
const isSpent = (now: number): boolean => {
  if (now - memoryLookedAt < memoryLookMs) return false
  memoryLookedAt = now
  return process.memoryUsage.rss() > memoryLimitBytes / 2
}
let memoryLookedAt = 0
const watched: WatchdogData = { flag: flag.buffer, parent: process.ppid, memoryLimitBytes }
new Worker(new URL(`./watchdog${moduleExtension}`, import.meta.url), { workerData: watched }).unref()

process.on('disconnect', () => process.exit(0))

const runBatch = async ({ batch }: ReaderBatch): Promise<void> => {
  const began = performance.now()
  for (const [index, asked] of batch.entries()) {
    beginWork()
    const reply = replyTo(received(asked))
    endWork()
    const now = performance.now()
    const spent = isSpent(now)
    await send({ ...reply, spent })
    // Its parent ends it.
    if (spent) return
    if (now - began > longBatchMs && index < batch.length - 1) return send({ kind: 'rest' })
  }
}

process.on('message', (message: ReaderBatch) => void runBatch(message))
setInterval(() => files.releaseStale(), staleIntervalMs).unref()
await send({ kind: 'ready' })
// Where Node keeps what it compiled, it writes it down as a process ends; but this one will be killed.
flushCompileCache()
