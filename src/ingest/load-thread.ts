/**
 * A load thread: reads and maps its parts of each input, and writes the rows to files of its own. Whatever goes wrong ends it:
 * the delivery is then loaded one record after the other, which says exactly what it was.
 */
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { brokeQuotes } from '../formats/parts.ts'
import { recordsIn } from '../formats/read.ts'
import { loadPipeline } from '../pipeline/discover.ts'
import type { FromLoadThread, LoadThreadData, ToLoadThread } from './load-messages.ts'
import { type LoadTarget, loadTarget, RecordLoader } from './record-loader.ts'
import { RowFiles } from './row-files.ts'

const say = (message: FromLoadThread): void => parentPort?.postMessage(message)

/** Messages in the order in which they came, for whoever waits for the next one. */
class Inbox {
  #messages: ToLoadThread[] = []
  #wake: (() => void) | undefined

  add(message: ToLoadThread): void {
    this.#messages.push(message)
    this.#wake?.()
  }

  /** The next message of those that are about records. Files are handed over on the way. */
  async next(files: RowFiles): Promise<Exclude<ToLoadThread, { kind: 'hand over' }>> {
    for (;;) {
      const message = this.#messages.shift()
      if (message?.kind === 'hand over') say({ kind: 'rows', path: files.handOver() })
      else if (message !== undefined) return message
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    }
  }
}

const loadInput = async (
  { name, said, format }: Extract<ToLoadThread, { kind: 'input' }>,
  target: LoadTarget,
  next: () => Promise<ToLoadThread>,
): Promise<void> => {
  const loader = new RecordLoader(target, { name, ...(said === undefined ? {} : { said }) })
  const lines = new WeakMap<Buffer, number>()
  async function* bytes(): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const message = await next()
      if (message.kind !== 'part') return
      const { buffer, byteOffset, length } = message.bytes
      const part = Buffer.from(buffer, byteOffset, length)
      if (message.line !== undefined) lines.set(part, message.line)
      yield part
      say({ kind: 'took', read: loader.read })
    }
  }
  const options = { source: name, onWarning: loader.warn, onPreamble: loader.hear }
  for await (const batch of recordsIn(bytes(), format, { ...options, lineOf: (chunk) => lines.get(chunk) })) {
    if (batch.some((record) => brokeQuotes(record, format)))
      throw new Error('a quote stands where a part cannot tell what it means')
    loader.load(batch)
  }
  say({ kind: 'account', account: loader.account() })
}

const run = async (inbox: Inbox): Promise<void> => {
  // Given by `LoadThreads`, which is of the same version.
  const { dataset, folder, tables, path } = workerData as LoadThreadData
  const loaded = await loadPipeline(dataset, [dirname(folder)])
  const definition = { ...loaded.definition, tables }
  const files = new RowFiles(path, definition)
  const next = () => inbox.next(files)
  const target = loadTarget(files, definition)
  for (let message = await next(); message.kind !== 'finish'; message = await next()) {
    if (message.kind !== 'input') throw new Error(`${message.kind} where an input should begin`)
    await loadInput(message, target, next)
  }
  say({ kind: 'finished', totals: files.totals(), brokenKeys: target.keys.leftOut })
}

const inbox = new Inbox()
parentPort?.on('message', (message: ToLoadThread) => inbox.add(message))
run(inbox)
  .catch((error: unknown) => say({ kind: 'gave up', why: error instanceof Error ? error.message : String(error) }))
  .finally(() => parentPort?.close())
