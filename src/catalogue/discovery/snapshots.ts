/** The snapshots that are current in the stores. Manifests and states are read, no database is opened. */
import { ZodError } from 'zod'
import { StichtagError } from '../../errors.ts'
import { type Candidate, globalRootAs, projectRootAs } from '../../schema/databases.ts'
import { asOfKind, isGivenByHand } from '../../store/as-of.ts'
import { dataFile, datasetFolder, type Store, snapshotFolder } from '../../store/layout.ts'
import type { Manifest } from '../../store/manifest.ts'
import { currentVersion, datasetsOf, newestIntact, readManifest, readState, versionsOf } from '../../store/snapshots.ts'
import { emptyState, type State } from '../../store/state.ts'
import type { Version } from '../../store/version.ts'
import type { Problem, ServedDatabase, ServedSnapshot } from '../served.ts'
import { shortfallOf } from '../shortfall.ts'

/** What a store has of a dataset. */
export interface Found {
  readonly dataset: string
  readonly snapshot?: ServedSnapshot
  readonly problems: readonly Problem[]
  /** The folder in which no current snapshot was found. */
  readonly tried: readonly Candidate[]
}

/** Every dataset that has a folder in a store; where two stores have a current snapshot, the project's. */
export const findSnapshots = (stores: readonly Store[]): ReadonlyMap<string, Found> => {
  const found = new Map<string, Found>()
  for (const store of projectFirst(stores)) {
    for (const dataset of datasetsOf(store)) {
      const before = found.get(dataset)
      if (before === undefined || isVacant(before)) found.set(dataset, join(before, findSnapshot(store, dataset)))
    }
  }
  return found
}

/** A snapshot's file as it is served; `state` where it is current, which a run may have confirmed with the publisher. */
export const databaseOfManifest = (
  store: Store,
  manifest: Manifest,
  state: Pick<State, 'confirmedAt'> = { confirmedAt: null },
): ServedDatabase => ({
  // A manifest lies in the folder of its own version.
  path: dataFile(snapshotFolder(store, manifest.dataset, manifest.version as Version)),
  version: manifest.version,
  asOf: manifest.asOf,
  ...asOfIs(manifest),
  ...(manifest.listKind === undefined ? {} : { listKind: manifest.listKind }),
  ...validityOf(manifest),
  terms: {
    licence: manifest.licence.name,
    licenceUrl: manifest.licence.url,
    attribution: manifest.licence.attribution,
    publisher: manifest.publisher,
    source: manifest.homepage,
    sample: manifest.sample,
    ...(isGivenByHand(manifest) && state.confirmedAt === null ? { byHand: true } : {}),
    ...partialOf(manifest),
  },
  tables: manifest.tables,
  views: manifest.views,
  fullText: manifest.fullText,
})

const asOfIs = (manifest: Manifest): Pick<ServedDatabase, 'asOfIs'> => {
  const kind = asOfKind(manifest)
  return kind === undefined ? {} : { asOfIs: kind }
}

const partialOf = (manifest: Manifest): Pick<ServedDatabase['terms'], 'partial'> => {
  const partial = shortfallOf(manifest)
  return partial === undefined ? {} : { partial }
}

const validityOf = ({ validFrom, validUntil }: Manifest): Pick<ServedDatabase, 'validity'> =>
  validFrom === undefined && validUntil === undefined
    ? {}
    : {
        validity: {
          ...(validFrom === undefined ? {} : { validFrom }),
          ...(validUntil === undefined ? {} : { validUntil }),
        },
      }

const projectFirst = (stores: readonly Store[]): readonly Store[] => [
  ...stores.filter((store) => store.origin === 'project'),
  ...stores.filter((store) => store.origin === 'global'),
]

const isVacant = (found: Found): boolean => found.snapshot === undefined && found.problems.length === 0

const join = (before: Found | undefined, found: Found): Found => ({
  ...found,
  tried: [...(before?.tried ?? []), ...found.tried],
})

const findSnapshot = (store: Store, dataset: string): Found => {
  const problems: Problem[] = []
  const manifest = attempt(problems, () => currentManifest(store, dataset))
  const state = attempt(problems, () => stateOf(store, dataset)) ?? emptyState(dataset)
  if (manifest === undefined) return { dataset, problems, tried: [placeOf(store, dataset)] }
  return { dataset, problems, tried: [], snapshot: { store, manifest, state, versions: versionsOf(store, dataset) } }
}

const placeOf = (store: Store, dataset: string): Candidate => {
  const path = datasetFolder(store, dataset)
  const root = store.origin === 'global' ? globalRootAs(store.root) : projectRootAs(store.root)
  return { path, shown: `${root.shown}${path.slice(store.root.length)}` }
}

const currentManifest = (store: Store, dataset: string): Manifest | undefined => {
  const newest = versionsOf(store, dataset).at(-1)
  if (newest === undefined) return undefined
  const known = newestIntact(store, dataset)
  // Without any manifest nothing tells the pointer's name; reading the newest one tells why.
  if (known === null) return readManifest(store, dataset, newest)
  const current = currentVersion(store, dataset, known.database)
  if (current === null) return undefined
  return current === known.version ? known : readManifest(store, dataset, current)
}

const stateOf = (store: Store, dataset: string): State => {
  try {
    return readState(store, dataset)
  } catch (error) {
    // The store's own words name the file's path, which is no host's business.
    const cause = error instanceof StichtagError ? error.cause : error
    throw unreadable(dataset, 'state.json', reasonOf(cause), error)
  }
}

const attempt = <Result>(problems: Problem[], read: () => Result): Result | undefined => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof StichtagError)) throw error
    problems.push({ code: error.code, message: error.message })
    return undefined
  }
}

const unreadable = (dataset: string, what: string, why: string, cause: unknown): StichtagError =>
  new StichtagError('SNAPSHOT_INVALID', `${dataset}: ${what} cannot be read: ${why}.`, { data: { dataset }, cause })

/** Why a file is not what it should be, without the machine's paths. */
const reasonOf = (error: unknown): string => {
  if (error instanceof ZodError)
    return `${error.issues[0]?.path.join('.') ?? ''} ${error.issues[0]?.message ?? ''}`.trim()
  if (error instanceof SyntaxError) return 'it is not JSON'
  if (error instanceof Error && 'code' in error) return String(error.code)
  throw error
}
