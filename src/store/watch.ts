/**
 * Notices when a store changes: its pointers, each dataset's state.json and kept versions, and further paths (people's
 * own databases, schema files).
 *
 * What counts is what lies on the disk, read every second and compared with the look before: a state cannot be missed
 * the way a message can. Events of the file system only make the next look come sooner; bind mounts and network file
 * systems send none. A failing look or watcher therefore loses nothing: the next look finds the same difference.
 */
import { type FSWatcher, watch } from 'node:fs'
import { lstat, readdir, readlink, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { dataFolder, datasetFolder, ledgerPath, type Store, snapshotsFolder, statePath } from './layout.ts'
import { isVersion } from './version.ts'

export interface WatchOptions {
  readonly stores: readonly Store[]
  /** Further files and folders, which need not exist. Asked before every look, so the list may change. */
  readonly paths?: () => readonly string[]
  /** Milliseconds between looks; 1000 unless said. */
  readonly intervalMs?: number
  /** Paths that differ from the look before. */
  readonly onChange: (changed: readonly string[]) => void
  /** A look of the watch's own accord failed; the next one comes all the same. */
  readonly onError: (error: unknown) => void
}

export interface StoreWatch {
  /** Looks now, and resolves when that is done. */
  look(): Promise<void>
  /** Ends all watching; no call of `onChange` follows. */
  close(): Promise<void>
}

/** What lies at each path, in a few words that differ when it does. Paths where nothing lies are left out. */
type Look = ReadonlyMap<string, string>

/** Several events of one rename come together. */
const eventDelayMs = 10
/** A folder in which much happens that is none of ours must not keep us looking. */
const leastBetweenLooksMs = 100

/** Takes a first look, then calls back for every later one that differs, until closed. */
export const watchStore = async (options: WatchOptions): Promise<StoreWatch> => {
  const watching = new Watching(options)
  await watching.start()
  return watching
}

class Watching implements StoreWatch {
  readonly #options: WatchOptions
  readonly #watchers = new Map<string, { readonly inode: bigint; readonly watcher: FSWatcher }>()
  #last: Look = new Map()
  #looking: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #eventCame = false
  #lookedAt = 0
  #closed = false

  constructor(options: WatchOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    this.#last = await this.#read()
    await this.#watchFolders()
    this.#lookIn(this.#interval)
  }

  look(): Promise<void> {
    const look = () => this.#lookOnce()
    this.#looking = this.#looking.then(look, look)
    return this.#looking
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await Promise.allSettled([this.#looking])
    for (const { watcher } of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  get #interval(): number {
    return this.#options.intervalMs ?? 1000
  }

  get #eventDelay(): number {
    return Math.max(eventDelayMs, this.#lookedAt + leastBetweenLooksMs - performance.now())
  }

  #lookIn(milliseconds: number): void {
    if (this.#closed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.look().catch(this.#options.onError), milliseconds).unref()
  }

  async #lookOnce(): Promise<void> {
    if (this.#closed) return
    clearTimeout(this.#timer)
    // An event that comes while this look reads may be of something already read.
    this.#eventCame = false
    try {
      const now = await this.#read()
      const changed = differences(this.#last, now)
      this.#last = now
      await this.#watchFolders()
      if (changed.length > 0 && !this.#closed) this.#options.onChange(changed)
    } finally {
      this.#lookedAt = performance.now()
      this.#lookIn(this.#eventCame ? this.#eventDelay : this.#interval)
    }
  }

  #onEvent(): void {
    this.#eventCame = true
    this.#lookIn(this.#eventDelay)
  }

  #paths(): readonly string[] {
    return this.#options.paths?.() ?? []
  }

  async #read(): Promise<Look> {
    const ofStores = await Promise.all(this.#options.stores.map(lookAtStore))
    const ofPaths = await Promise.all(this.#paths().map(lookAt))
    return new Map([...ofStores.flat(), ...ofPaths.flat()])
  }

  /** Watches every folder that exists, anew where another folder took its place. */
  async #watchFolders(): Promise<void> {
    const folders = new Set([
      ...this.#options.stores.flatMap((store) => [dataFolder(store), snapshotsFolder(store)]),
      ...this.#last.keys().map(dirname),
      ...this.#paths().flatMap((path) => [path, dirname(path)]),
    ])
    for (const folder of this.#watchers.keys()) if (!folders.has(folder)) this.#unwatch(folder)
    for (const folder of folders) {
      const found = await statOf(folder)
      const inode = typeof found === 'object' && found.isDirectory() ? found.ino : undefined
      if (this.#watchers.get(folder)?.inode === inode) continue
      this.#unwatch(folder)
      if (inode !== undefined && !this.#closed) this.#watch(folder, inode)
    }
  }

  #watch(folder: string, inode: bigint): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#onEvent())
      watcher.on('error', () => this.#unwatch(folder))
      this.#watchers.set(folder, { inode, watcher })
    } catch (error) {
      // The folder is gone again, or the system has no more watches: reading every second goes on without events.
      if (codeOf(error) === undefined) throw error
    }
  }

  #unwatch(folder: string): void {
    this.#watchers.get(folder)?.watcher.close()
    this.#watchers.delete(folder)
  }
}

const differences = (before: Look, after: Look): string[] => [
  ...[...after].filter(([path, signature]) => before.get(path) !== signature).map(([path]) => path),
  ...[...before.keys()].filter((path) => !after.has(path)),
]

const lookAtStore = async (store: Store): Promise<[string, string][]> => {
  const databases = (await namesIn(dataFolder(store)))
    .filter((name) => name.endsWith('.db'))
    .map((name) => join(dataFolder(store), name))
    .filter((path) => path !== ledgerPath(store))
  const datasets = await namesIn(snapshotsFolder(store))
  const looks = await Promise.all([
    ...databases.map(lookAt),
    ...datasets.map((dataset) => lookAt(statePath(store, dataset))),
    ...datasets.map(async (dataset): Promise<[string, string][]> => {
      const folder = datasetFolder(store, dataset)
      return [[folder, (await namesIn(folder)).filter(isVersion).join(' ')]]
    }),
  ])
  return looks.flat()
}

/** What lies at a path: where a link leads and, behind it, which file in which state. */
const lookAt = async (path: string): Promise<[string, string][]> => {
  const found = await statOf(path)
  const link = await linkOf(path)
  if (found === undefined && link === undefined) return []
  const wal = await statOf(`${path}-wal`)
  return [[path, [link, signatureOf(found), signatureOf(wal)].join(' ')]]
}

type Found = Awaited<ReturnType<typeof bigStat>> | string | undefined

const bigStat = (path: string) => stat(path, { bigint: true })

/** The file's facts, the system's error code where it cannot be looked at, undefined where there is none. */
const statOf = (path: string): Promise<Found> => bigStat(path).catch((error: unknown) => absentOrCode(error))

const signatureOf = (found: Found): string => {
  if (found === undefined) return 'absent'
  return typeof found === 'string' ? found : `${found.ino} ${found.size} ${found.mtimeNs}`
}

const linkOf = async (path: string): Promise<string | undefined> => {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined
  } catch (error) {
    return absentOrCode(error)
  }
}

const namesIn = async (folder: string): Promise<string[]> => {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    absentOrCode(error)
    return []
  }
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

const absentOrCode = (error: unknown): string | undefined => {
  const code = codeOf(error)
  if (code === undefined) throw error
  return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : code
}
