/**
 * Full text in threads, while the one that owns the building snapshot makes its indexes. Each thread reads the tables from the
 * snapshot's file and writes its share of the full-text indexes to a file of its own, which is copied as it lies.
 *
 * The snapshot's file has a write-ahead log meanwhile, so that it can be read by several and written by one. A thread that
 * fails leaves its share to whoever called: it is then built in place, where what was wrong shows if it still is.
 */
import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { moduleExtension } from '../package-root.ts'
import type { FullTextDefinition } from '../pipeline/types.ts'
import { startThread } from './start-thread.ts'

/** What a thread is given. */
export interface FullTextThreadData {
  /** Path of the building snapshot. */
  readonly loaded: string
  /** Path of the file to write. */
  readonly path: string
  readonly fullText: readonly FullTextDefinition[]
}

/** Each has memory of its own for words, and there are seldom more than two big indexes. */
const mostThreads = 2
/** Texts from which threads are worth their start of a tenth of a second: a text takes about a microsecond. */
export const textsForThreads = 300_000
/** MiB of objects in a thread, which are texts on their way. */
const limits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 }

interface Share {
  texts: number
  readonly fullText: FullTextDefinition[]
}

/** Shares of about the same number of texts, as many as there should be threads; none where threads are not worth it. */
export const sharesOf = (
  fullText: readonly FullTextDefinition[],
  rowsOf: (table: string) => number,
  { atLeast = textsForThreads, threads = Math.min(mostThreads, availableParallelism()) } = {},
): FullTextDefinition[][] => {
  const texts = ({ table, columns }: FullTextDefinition): number => rowsOf(table) * columns.length
  const total = fullText.reduce((sum, each) => sum + texts(each), 0)
  if (threads < 2 || total < atLeast) return []
  const shares = Array.from({ length: threads }, (): Share => ({ texts: 0, fullText: [] }))
  for (const each of [...fullText].sort((one, other) => texts(other) - texts(one))) {
    const least = shares.reduce((found, share) => (share.texts < found.texts ? share : found))
    least.texts += texts(each)
    least.fullText.push(each)
  }
  return shares.map((share) => share.fullText).filter(({ length }) => length > 0)
}

interface Thread {
  readonly path: string
  readonly fullText: readonly FullTextDefinition[]
  readonly worker: Worker
  /** Why the thread failed; undefined where it did not. */
  readonly failure: Promise<string | undefined>
}

/** An index that a thread has built. */
export interface BuiltFullText {
  readonly fullText: FullTextDefinition
  /** The file that holds it. */
  readonly path: string
}

export class FullTextThreads {
  readonly #threads: readonly Thread[]

  /** Starts a thread for each share. Others must be able to read `loaded`. */
  constructor(loaded: string, shares: readonly (readonly FullTextDefinition[])[]) {
    this.#threads = shares.map((fullText, index) => {
      const path = `${loaded}-full-text-${index}`
      const module = new URL(`./full-text-thread${moduleExtension}`, import.meta.url)
      const data: FullTextThreadData = { loaded, path, fullText }
      const worker = startThread(module, data, limits)
      return { path, fullText, worker, failure: failureOf(worker) }
    })
  }

  /** What was built, once all threads have ended. `onFailure` hears why others were not. */
  async built(signal: AbortSignal, onFailure: (why: string) => void): Promise<readonly BuiltFullText[]> {
    const onAbort = (): void => this.#threads.forEach(({ worker }) => void worker.terminate())
    signal.addEventListener('abort', onAbort)
    try {
      if (signal.aborted) onAbort()
      const built: BuiltFullText[] = []
      for (const { path, fullText, failure } of this.#threads) {
        const why = await failure
        if (why === undefined) built.push(...fullText.map((each) => ({ fullText: each, path })))
        else onFailure(why)
      }
      signal.throwIfAborted()
      return built
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Ends the threads and removes their files. */
  async stop(): Promise<void> {
    for (const { path, worker } of this.#threads) {
      await worker.terminate()
      rmSync(path, { force: true })
    }
  }
}

const failureOf = (worker: Worker): Promise<string | undefined> =>
  new Promise((resolve) => {
    worker.once('error', (error) => resolve(String(error)))
    worker.once('exit', (code) => resolve(code === 0 ? undefined : 'it ended early'))
  })
