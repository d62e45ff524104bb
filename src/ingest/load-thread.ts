/**
 * A load thread: reads, maps and inserts its parts of each input into a file of its own. Whatever goes wrong ends it:
 * the delivery is then loaded one record after the other, which says exactly what it was.
 */
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { brokeQuotes } from '../formats/parts.ts'
import { recordsIn } from '../formats/read.ts'
import { loadPipeline } from '../pipeline/discover.ts'
import { Building } from './building.ts'
import type { FromLoadThread, LoadThreadData, ToLoadThread } from './load-messages.ts'
import { type LoadTarget, loadTarget, RecordLoader } from './record-loader.ts'

const say = (message: FromLoadThread): void => parentPort?.postMessage(message)

/** Messages in the order in which they came, for whoever waits for the next one. */
class Inbox {
  #messages: ToLoadThread[] = []
  #wake: (() => void) | undefined

  add(message: ToLoadThread): void {
    this.#messages.push(message)
    this.#wake?.()
  }

  async next(): Promise<ToLoadThread> {
    for (;;) {
      const message = this.#messages.shift()
      if (message !== undefined) return message
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}

const loadInput = async (
  { name, said, format }: Extract<ToLoadThread, { kind: 'input' }>,
  target: LoadTarget,
  inbox: Inbox,
): Promise<void> => {
  const loader = new RecordLoader(target, { name, ...(said === undefined ? {} : { said }) })
  const lines = new WeakMap<Buffer, number>()
  async function* bytes(): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const message = await inbox.next()
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
  const { definition } = await loadPipeline(dataset, [dirname(folder)])
  const building = new Building(path, { ...definition, tables }, 'bulk')
  const target = loadTarget(building, { ...definition, tables })
  for (let message = await inbox.next(); message.kind !== 'finish'; message = await inbox.next()) {
    if (message.kind !== 'input') throw new Error(`${message.kind} where an input should begin`)
    await loadInput(message, target, inbox)
  }
  building.handOver()
  say({ kind: 'finished', totals: building.totals(), brokenKeys: target.keys.leftOut })
}

const inbox = new Inbox()
parentPort?.on('message', (message: ToLoadThread) => inbox.add(message))
run(inbox)
  .catch((error: unknown) => say({ kind: 'gave up', why: error instanceof Error ? error.message : String(error) }))
  .finally(() => parentPort?.close())
