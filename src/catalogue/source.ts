/**
 * The live side of the catalogue: it is computed anew when a store, a schema or somebody's file changes, and whoever
 * listens is told what moved.
 *
 * The stores are looked at before they are read for the first time, so that nothing can change unseen in between. While
 * a new catalogue is being computed, the old one goes on answering; should computing fail, it stays.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Log, log as processLog } from '../log.ts'
import type { ReaderPool } from '../query/types.ts'
import type { Store } from '../store/layout.ts'
import { type StoreWatch, watchStore } from '../store/watch.ts'
import { createCatalogue } from './catalogue.ts'
import { manifestShelf, type RunAfter } from './context.ts'
import { type Discovery, discover } from './discovery/discover.ts'
import { schemaShelf } from './discovery/schemas.ts'
import { hasMoved, moveBetween } from './move.ts'
import { keptAnswers } from './prepared.ts'
import type { ServedDatabase } from './served.ts'
import type { Catalogue, CatalogueMove, CatalogueSource } from './types.ts'

export interface CatalogueOptions {
  readonly stores: readonly Store[]
  /** Weakest first: of each namespace the last folder that has it is taken. */
  readonly schemaFolders: readonly string[]
  /** Only these datasets, where given. */
  readonly datasets?: readonly string[]
  /** Stays the caller's: closing the source does not close it. */
  readonly pool: ReaderPool
  readonly now?: () => Date
  /** The run after an instant by a cron expression, to tell `stale` exactly. */
  readonly runAfter?: RunAfter
  /** Whether to follow changes; true unless said. */
  readonly watch?: boolean
  readonly log?: Log
}

/** A file that could not be looked into (being copied, locked) is tried again after this long. */
const retryMs = 5000
/** Milliseconds after a change until everything is read once more. */
const settleMs = 1000

/** Reads stores and schemas, and follows them until closed. Opens no snapshot: manifests tell what is in them. */
export const openCatalogue = async (options: CatalogueOptions): Promise<CatalogueSource> => {
  const source = new LiveCatalogue(options)
  await source.start()
  return source
}

interface Current {
  readonly discovery: Discovery
  readonly catalogue: Catalogue
}

class LiveCatalogue implements CatalogueSource {
  readonly #options: CatalogueOptions
  readonly #log: Log
  readonly #listeners = new Set<(move: CatalogueMove) => void>()
  readonly #described = new Map<string, ServedDatabase>()
  readonly #manifests = manifestShelf()
  readonly #readSchema = schemaShelf()
  readonly #closing = new AbortController()
  #now: Current | undefined
  #watch: StoreWatch | undefined
  #computing: Promise<void> = Promise.resolve()
  #retry: NodeJS.Timeout | undefined
  #settle: NodeJS.Timeout | undefined

  constructor(options: CatalogueOptions) {
    this.#options = options
    this.#log = options.log ?? processLog
  }

  async start(): Promise<void> {
    try {
      if (this.#options.watch !== false) this.#watch = await this.#startWatch()
      // What is noticed meanwhile is computed after this, never before: the later state stays.
      const first = this.#compute()
      this.#computing = first.then((current) => {
        this.#now = current
      })
      await this.#computing
      this.#retryIfBroken()
    } catch (error) {
      this.#computing = Promise.resolve()
      await this.close()
      throw error
    }
  }

  get current(): Catalogue {
    if (this.#now === undefined) throw new Error('the catalogue was asked before it was read')
    return this.#now.catalogue
  }

  onMove(listener: (move: CatalogueMove) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#retry)
    clearTimeout(this.#settle)
    this.#listeners.clear()
    await this.#watch?.close()
    await this.#computing
  }

  #startWatch(): Promise<StoreWatch> {
    return watchStore({
      stores: this.#options.stores,
      paths: () => this.#now?.discovery.paths ?? this.#options.schemaFolders,
      onChange: () => this.#recompute(),
      onError: (error) => this.#log.error({ err: error }, 'looking at the stores failed; trying again'),
    })
  }

  async #compute(): Promise<Current> {
    const { pool, runAfter } = this.#options
    const options = { ...this.#options, readSchema: this.#readSchema }
    const discovery = await discover(options, this.#described, this.#closing.signal)
    this.#report(discovery)
    // Each of these steps takes some milliseconds, in which no host is answered.
    await nextTurn()
    const catalogue = createCatalogue({
      datasets: discovery.datasets,
      problems: discovery.problems,
      pool,
      now: this.#options.now ?? (() => new Date()),
      manifest: this.#manifests,
      preparedReadings: keptAnswers(),
      preparedAnswers: keptAnswers(),
      ...(runAfter === undefined ? {} : { runAfter }),
    })
    return { discovery, catalogue }
  }

  #recompute(settling = false): void {
    this.#computing = this.#computing.then(() => this.#replace(settling))
  }

  /**
   * A pointer that flaps can be read here at a moment that the watch never saw, and then look to it as it did before. So
   * after each change everything is read once more when it has had time to settle.
   */
  #settleLater(): void {
    if (this.#closing.signal.aborted || this.#watch === undefined) return
    clearTimeout(this.#settle)
    this.#settle = setTimeout(() => this.#recompute(true), settleMs).unref()
  }

  async #replace(settling: boolean): Promise<void> {
    if (this.#closing.signal.aborted) return
    try {
      const before = this.#now
      const after = await this.#compute()
      await nextTurn()
      this.#now = after
      const move = before === undefined ? undefined : moveBetween(before, after)
      const moved = move !== undefined && hasMoved(move)
      if (moved) this.#tell(move)
      if (moved || !settling) this.#settleLater()
      this.#retryIfBroken()
    } catch (error) {
      if (this.#closing.signal.aborted) return
      this.#log.error(
        { err: error },
        'the catalogue could not be read anew; the one before goes on, and it is tried again',
      )
      this.#tryAgain()
    }
  }

  #tell(move: CatalogueMove): void {
    for (const listener of [...this.#listeners]) listener(move)
  }

  #retryIfBroken(): void {
    const datasets = [...(this.#now?.discovery.datasets.values() ?? [])]
    const isBroken = datasets.some(({ queries }) => queries.some(({ database }) => database.kind === 'broken'))
    if (isBroken) this.#tryAgain()
  }

  #tryAgain(): void {
    if (this.#closing.signal.aborted || this.#watch === undefined) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.#recompute(), retryMs).unref()
  }

  /** Says each problem once: it is in list_datasets for as long as it lasts. */
  #report(discovery: Discovery): void {
    const before = this.#now?.discovery
    const known = new Set(before === undefined ? [] : problemsIn(before))
    for (const problem of problemsIn(discovery)) if (!known.has(problem)) this.#log.warn({ problem }, 'not served')
    const told = new Set(before === undefined ? [] : absencesIn(before))
    // A dataset that nobody has ingested yet is no problem: hosts are told of it when they ask.
    for (const absence of absencesIn(discovery)) if (!told.has(absence)) this.#log.debug({ absence }, 'not there yet')
    const files = discovery.withoutResources.filter((file) => before?.withoutResources.includes(file) !== true)
    if (files.length > 0) {
      const schemas = { count: files.length, files: files.slice(0, mostNamed) }
      this.#log.info({ schemas }, 'schemas without resources: their tools are not served')
    }
  }
}

/** Folders of FlowMCP's own schemas have hundreds that are about other things. */
const mostNamed = 5

const problemsIn = ({ datasets, problems }: Discovery): readonly string[] => [
  ...[...problems, ...[...datasets.values()].flatMap((dataset) => dataset.problems)].map(
    ({ code, message }) => `${code}: ${message}`,
  ),
  ...[...datasets.values()].flatMap(({ id, schemas }) =>
    schemas.flatMap(({ name, notServed }) => notServed.map((part) => `${id}: schema ${name}: ${part}`)),
  ),
]

/** Datasets without a database, with the machine's own paths: for the log alone. */
const absencesIn = ({ datasets }: Discovery): readonly string[] =>
  [...datasets.values()].flatMap(({ id, databases, tried }) =>
    databases.length === 0 && tried.length > 0
      ? [`${id}: no database at ${tried.map(({ path }) => path).join(', ')}`]
      : [],
  )
