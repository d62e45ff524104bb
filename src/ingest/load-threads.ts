/**
 * Load in several threads. An input is cut into parts at the ends of records, each thread reads and maps its share of them
 * and writes the rows to a file of its own, which is handed over now and then, always after as many parts, so that rows
 * come in the order of the parts, whichever thread is faster. Splitting the input and not the steps leaves nothing to hand over but bytes.
 *
 * The threads give the same rows, digest and figures as loading one record after the other, or nothing at all: a key that
 * is there twice, a quote that breaks RFC 4180, any error makes them give up, and who called starts over without them.
 * Only what a reader warns of (short records, say) may come in two warnings, one of each thread.
 */
import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { StichtagError } from '../errors.ts'
import type { Input } from '../formats/inputs.ts'
import { canBeCut, formatOfParts, type Part, partsOf } from '../formats/parts.ts'
import { moduleExtension } from '../package-root.ts'
import type { PipelineDefinition } from '../pipeline/types.ts'
import type { DeliveredFile } from './delivery.ts'
import { type InputAccount, joinedAccounts } from './input-account.ts'
import type { FromLoadThread, LoadThreadData, ToLoadThread } from './load-messages.ts'
import { startThread } from './start-thread.ts'

/** Why threads gave up. */
export class GaveUp extends Error {}

/** Parts that a thread may have before it, so that it never waits and memory stays flat. */
const partsAhead = 4
/** Parts after which threads hand over their rows: few megabytes, which the disk never sees, and are taken in some 20 ms. */
const partsBetween = 16
/** MiB of short-lived objects in a thread, which otherwise grow with what there is. */
const youngGeneration = 24
/**
 * MiB of long-lived ones. There are hardly any, but a heap that may become big lets garbage lie: 300 instead of 390 MB at the
 * peak. A record that needs more ends the thread, and who called starts over without.
 */
const oldGeneration = 96

/** Whether the delivery is big enough for threads to be worth their start, and its records do not depend on each other. */
export const isForThreads = (
  definition: PipelineDefinition,
  files: readonly DeliveredFile[],
  atLeast: number,
): boolean =>
  definition.independent === true &&
  availableParallelism() > 1 &&
  files.reduce((total, { bytes }) => total + bytes, 0) >= atLeast

type Finished = Extract<FromLoadThread, { kind: 'finished' }>

/** One thread, as the others see it. */
class LoadThread {
  read = 0
  readonly #worker: Worker
  #ahead = 0
  #accounts: InputAccount[] = []
  #rows: (string | undefined)[] = []
  #finished: Finished | undefined
  #failure: GaveUp | undefined
  #wake: (() => void) | undefined

  constructor(data: LoadThreadData) {
    this.#worker = startThread(new URL(`./load-thread${moduleExtension}`, import.meta.url), data, {
      maxYoungGenerationSizeMb: youngGeneration,
      maxOldGenerationSizeMb: oldGeneration,
    })
    this.#worker.on('message', (message: FromLoadThread) => this.#hear(message))
    this.#worker.on('error', (error) => this.#fail(String(error)))
    this.#worker.on('exit', () => this.#fail('it ended early'))
  }

  /** Says something; waits where it is a part and enough of them are on their way. */
  async say(message: ToLoadThread): Promise<void> {
    if (message.kind === 'part') {
      await this.#until(() => this.#ahead < partsAhead)
      this.#ahead += 1
    }
    if (this.#failure !== undefined) throw this.#failure
    this.#worker.postMessage(message, message.kind === 'part' ? [message.bytes.buffer] : [])
  }

  /** What became of the records of the input that was ended last. */
  async account(): Promise<InputAccount> {
    await this.#until(() => this.#accounts.length > 0)
    const account = this.#accounts.shift()
    if (account === undefined) throw new GaveUp('no account came')
    this.read = 0
    return account
  }

  /** Path of the file that was handed over, where there were rows. */
  async rows(): Promise<string | undefined> {
    await this.#until(() => this.#rows.length > 0)
    return this.#rows.shift()
  }

  async finished(): Promise<Finished> {
    await this.#until(() => this.#finished !== undefined)
    if (this.#finished === undefined) throw new GaveUp('it never finished')
    return this.#finished
  }

  async stop(): Promise<void> {
    await this.#worker.terminate()
  }

  #hear(message: FromLoadThread): void {
    switch (message.kind) {
      case 'took':
        this.#ahead -= 1
        this.read = message.read
        break
      case 'account':
        this.#accounts.push(message.account)
        break
      case 'rows':
        this.#rows.push(message.path)
        break
      case 'finished':
        this.#finished = message
        break
      case 'gave up':
        this.#fail(message.why)
        return
    }
    this.#wake?.()
  }

  #fail(why: string): void {
    if (this.#finished === undefined) this.#failure ??= new GaveUp(why)
    this.#wake?.()
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.#failure !== undefined) throw this.#failure
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}

export interface LoadThreadsOptions {
  readonly definition: PipelineDefinition
  readonly pipelineFolder: string
  /** What the paths of the files begin with that the threads write, one for each thread. */
  readonly paths: readonly string[]
  /** Takes the rows of a file. */
  readonly onRows: (path: string) => void
  readonly signal: AbortSignal
  readonly onProgress: (input: string, records: number) => void
}

const sayToEach = async (threads: readonly LoadThread[], message: () => ToLoadThread): Promise<void> => {
  for (const thread of threads) await thread.say(message())
}

/** The threads of one run. */
export class LoadThreads {
  readonly #threads: readonly LoadThread[]
  readonly #options: LoadThreadsOptions
  #next = 0
  #parts = 0
  /** Whether threads were asked for rows that were not taken yet. */
  #isAsked = false

  constructor(options: LoadThreadsOptions) {
    const { definition, pipelineFolder, paths } = options
    this.#options = options
    this.#threads = paths.map(
      (path) => new LoadThread({ dataset: definition.id, folder: pipelineFolder, tables: definition.tables, path }),
    )
  }

  /** Loads an input. @throws GaveUp, CANCELLED, and what opening it throws */
  loadInput = async (input: Input, about: Pick<DeliveredFile, 'name' | 'said'>): Promise<InputAccount> => {
    const { signal, onProgress } = this.#options
    const warnings: string[] = []
    const bytes = input.bytes({ signal, onWarning: (warning) => void warnings.push(warning) })
    const isCut = canBeCut(input.format)
    const threads = isCut ? this.#threads : this.#threads.slice(0, 1)
    const format = isCut ? formatOfParts(input.format) : input.format
    await sayToEach(threads, () => ({ kind: 'input', name: about.name, said: about.said, format }))
    const onPart = (): void => {
      if (signal.aborted) throw new StichtagError('CANCELLED', `reading ${input.name} was cancelled`)
      onProgress(
        input.name,
        threads.reduce((total, { read }) => total + read, 0),
      )
    }
    if (isCut) await this.#share(partsOf(bytes, input.format, { source: input.name }), onPart)
    else {
      for await (const chunk of bytes) {
        onPart()
        await sayToEach(threads, () => ({ kind: 'part', bytes: new Uint8Array(chunk), line: undefined }))
        await this.#onPartSaid()
      }
    }
    await sayToEach(threads, () => ({ kind: 'end' }))
    const account = joinedAccounts(await Promise.all(threads.map((thread) => thread.account())))
    return { ...account, warnings: [...new Set([...warnings, ...account.warnings])] }
  }

  /** Gives each thread the head, and one part after the other. In turn, so that a delivery is shared alike each time. */
  async #share(parts: AsyncIterable<Part>, onPart: () => void): Promise<void> {
    let isHead = true
    for await (const { bytes, line } of parts) {
      onPart()
      const threads = isHead ? this.#threads : this.#threads.slice(this.#next, this.#next + 1)
      // The head is for all, and what is handed on is gone.
      const own = (): Uint8Array<ArrayBuffer> => (isHead ? new Uint8Array(bytes) : bytes)
      if (bytes.length > 0) await sayToEach(threads, () => ({ kind: 'part', bytes: own(), line }))
      if (!isHead) this.#next = (this.#next + 1) % this.#threads.length
      isHead = false
      await this.#onPartSaid()
    }
  }

  async #onPartSaid(): Promise<void> {
    this.#parts += 1
    if (this.#parts % partsBetween > 0) return
    // Those asked for last time are there by now: threads have gone through nearly all that they were given since.
    await this.#takeRows()
    await this.#askForRows()
  }

  async #askForRows(): Promise<void> {
    await sayToEach(this.#threads, () => ({ kind: 'hand over' }))
    this.#isAsked = true
  }

  async #takeRows(): Promise<void> {
    if (!this.#isAsked) return
    for (const thread of this.#threads) {
      const path = await thread.rows()
      if (path !== undefined) this.#options.onRows(path)
    }
    this.#isAsked = false
  }

  /** Takes what is left, and says what became of all. @throws GaveUp */
  async finish(): Promise<readonly Omit<Finished, 'kind'>[]> {
    await this.#takeRows()
    await this.#askForRows()
    await this.#takeRows()
    await sayToEach(this.#threads, () => ({ kind: 'finish' }))
    return Promise.all(this.#threads.map((thread) => thread.finished()))
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop()))
  }
}
