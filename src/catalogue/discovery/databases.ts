/**
 * Which file a schema's resource means. A name of a dataset in a store means that dataset's current snapshot, the
 * project's before the global one; anything else is a file that people put there themselves.
 */
import { existsSync, realpathSync } from 'node:fs'
import { basename, isAbsolute } from 'node:path'
import { StichtagError } from '../../errors.ts'
import type { ReaderPool } from '../../query/types.ts'
import { type Candidate, databaseCandidates } from '../../schema/databases.ts'
import type { DatabaseReference } from '../../schema/types.ts'
import { dataFile, snapshotFolder } from '../../store/layout.ts'
import { isVersion } from '../../store/version.ts'
import type { QueryDatabase, ServedDatabase, ServedSnapshot } from '../served.ts'
import { fewAtOnce } from './few-at-once.ts'
import { fileVersionOf } from './file-version.ts'
import { describeForeign } from './foreign.ts'
import { databaseOfManifest } from './snapshots.ts'

export interface Roots {
  readonly globalRoot: string
  readonly projectRoot: string
}

/** A database, and the snapshot it is where it is one of ours. */
export interface Resolved {
  readonly database: QueryDatabase
  readonly snapshot?: ServedSnapshot
  /** Paths whose state decided this, to be watched. */
  readonly paths: readonly string[]
}

/** Files looked into at the same time: each is a few look-ups, and hosts ask for some as well. */
const filesAtOnce = 4

/** Finds databases for one state of the stores, and looks into each file only once per version of it. */
export class DatabaseFinder {
  readonly #snapshots: readonly ServedSnapshot[]
  readonly #roots: Roots
  readonly #pool: ReaderPool
  readonly #described: Map<string, ServedDatabase>
  readonly #inTurn = fewAtOnce(filesAtOnce)

  /** `described` outlives the finder: what is known of files, by path, in the version last looked into. */
  constructor(
    snapshots: readonly ServedSnapshot[],
    roots: Roots,
    pool: ReaderPool,
    described: Map<string, ServedDatabase>,
  ) {
    this.#snapshots = snapshots
    this.#roots = roots
    this.#pool = pool
    this.#described = described
  }

  /** The database that a schema's resource means. `own` is the snapshot of the schema's own dataset. */
  async resolve(
    reference: DatabaseReference,
    schemaFile: string,
    own: ServedSnapshot | undefined,
    signal?: AbortSignal,
  ): Promise<Resolved> {
    const named = this.#named(reference, own)
    if (named !== undefined) return this.#ofSnapshot(named, [])
    const tried = databaseCandidates(reference, { schemaFile, ...this.#roots })
    const paths = tried.map((candidate) => candidate.path)
    const path = paths.find((each) => existsSync(each))
    const file = reference.kind === 'origin' ? reference.file : reference.path
    if (path === undefined) return { database: { kind: 'missing', file, tried }, paths }
    const pointed = this.#snapshots.find((snapshot) => snapshotPath(snapshot) === realpathSync(path))
    if (pointed !== undefined) return this.#ofSnapshot(pointed, paths)
    return { database: await this.#describe(path, file, tried, signal), paths }
  }

  #named(reference: DatabaseReference, own: ServedSnapshot | undefined): ServedSnapshot | undefined {
    if (reference.kind !== 'origin' || reference.origin === 'inline') return undefined
    const isNamed = ({ manifest }: ServedSnapshot): boolean =>
      [manifest.database, ...manifest.aliases].includes(reference.file)
    return own !== undefined && isNamed(own) ? own : this.#snapshots.find(isNamed)
  }

  #ofSnapshot(snapshot: ServedSnapshot, paths: readonly string[]): Resolved {
    return {
      database: { kind: 'served', database: databaseOfManifest(snapshot.store, snapshot.manifest, snapshot.state) },
      snapshot,
      paths,
    }
  }

  async #describe(
    path: string,
    file: string,
    tried: readonly Candidate[],
    signal: AbortSignal | undefined,
  ): Promise<QueryDatabase> {
    const version = fileVersionOf(path)
    if (version === undefined) return { kind: 'missing', file, tried }
    const known = this.#described.get(path)
    if (known?.version === version.version) return { kind: 'served', database: known }
    try {
      const database = await this.#inTurn(() => describeForeign(this.#pool, path, version, signal))
      this.#described.set(path, database)
      return { kind: 'served', database }
    } catch (error) {
      if (!(error instanceof StichtagError) || error.code === 'CANCELLED') throw error
      // Hosts get to read it, who are to learn nothing of this machine's folders.
      const message = `${isAbsolute(file) ? basename(file) : file}: ${error.message}`
      return { kind: 'broken', file, problem: { code: error.code, message } }
    }
  }
}

const snapshotPath = ({ store, manifest }: ServedSnapshot): string | undefined => {
  if (!isVersion(manifest.version)) return undefined
  const path = dataFile(snapshotFolder(store, manifest.dataset, manifest.version))
  return existsSync(path) ? realpathSync(path) : undefined
}
