/** A full-text thread: builds indexes of a loaded file's texts in a file of its own, and ends. */
import { workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { addSpellings, buildFullText } from './full-text.ts'
import type { FullTextThreadData } from './full-text-threads.ts'

/** Kibibytes of pages that are kept of each file: it is read, or written, from one end to the other. */
const cache = 2048

const run = ({ loaded, path, fullText }: FullTextThreadData): void => {
  const database = new Database(path)
  try {
    database.pragma('page_size = 8192')
    // Off only for whoever says that it knows what it is doing: a file that is not finished is thrown away.
    database.unsafeMode(true)
    database.pragma('journal_mode = OFF')
    database.pragma('synchronous = OFF')
    database.pragma('main.locking_mode = EXCLUSIVE')
    database.pragma(`cache_size = ${-cache}`)
    database.prepare('ATTACH ? AS loaded').run(loaded)
    database.pragma(`loaded.cache_size = ${-cache}`)
    addSpellings(database)
    for (const each of fullText) buildFullText(database, each, 'loaded')
  } finally {
    database.close()
  }
}

// Given by `FullTextThreads`, which is of the same version.
run(workerData as FullTextThreadData)
