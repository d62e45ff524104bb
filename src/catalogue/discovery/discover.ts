/**
 * What is on offer: the snapshots of the stores joined with the FlowMCP schemas by their namespace. A dataset with a
 * snapshot and no schema is served, and so is a schema over somebody's own file; where a database is missing, its
 * schema waits for it. What is broken is reported and takes nothing else down.
 */
import { createHash } from 'node:crypto'
import { dirname, join, sep } from 'node:path'
import { packageRoot } from '../../package-root.ts'
import type { ReaderPool } from '../../query/types.ts'
import type { FlowSchema } from '../../schema/types.ts'
import { globalRoot, projectRoot } from '../../settings.ts'
import type { Store } from '../../store/layout.ts'
import type { Problem, ServedDatabase, ServedDataset } from '../served.ts'
import { DatabaseFinder, type Resolved } from './databases.ts'
import { type ResolvedResource, servedQueries } from './queries.ts'
import { type ReadSchema, readSchemas } from './schemas.ts'
import { databaseOfManifest, type Found, findSnapshots } from './snapshots.ts'

export interface DiscoveryOptions {
  readonly stores: readonly Store[]
  /** Weakest first: of each namespace the last folder that has it is taken. */
  readonly schemaFolders: readonly string[]
  /** Only these datasets, where given. */
  readonly datasets?: readonly string[]
  readonly pool: ReaderPool
  /** Reads one schema file; anew each time unless said. */
  readonly readSchema?: ReadSchema
}

export interface Discovery {
  readonly datasets: ReadonlyMap<string, ServedDataset>
  /** Problems that belong to no dataset: schema files that cannot be read. */
  readonly problems: readonly Problem[]
  /** Schema files that have nothing to serve: FlowMCP's other kinds of schemas. */
  readonly withoutResources: readonly string[]
  /** Paths outside the stores whose state decided what is here. */
  readonly paths: readonly string[]
}

/** Reads stores and schemas as they are now. `described` keeps what is known of files that are not ours. */
export const discover = async (
  options: DiscoveryOptions,
  described: Map<string, ServedDatabase>,
  signal?: AbortSignal,
): Promise<Discovery> => {
  const found = findSnapshots(options.stores)
  const { schemas, problems, files } = readSchemas(options.schemaFolders, options.readSchema)
  const snapshots = [...found.values()].flatMap(({ snapshot }) => (snapshot === undefined ? [] : [snapshot]))
  const finder = new DatabaseFinder(snapshots, rootsOf(options.stores), options.pool, described)
  // A schema without resources has tools of FlowMCP's other kinds only, which are not served here.
  const withResources = schemas.filter(({ resources }) => resources.length > 0)
  const byNamespace = Map.groupBy(withResources, ({ namespace }) => namespace)
  const ids = [...new Set([...found.keys(), ...byNamespace.keys()])].filter(
    (id) => options.datasets === undefined || options.datasets.includes(id),
  )
  const joined = await Promise.all(
    ids.sort().map((id) => joinDataset(id, found.get(id), byNamespace.get(id) ?? [], finder, signal)),
  )
  return {
    datasets: new Map(joined.map(({ dataset }) => [dataset.id, dataset])),
    problems,
    withoutResources: schemas.filter((schema) => !withResources.includes(schema)).map(({ file }) => file),
    paths: [
      ...new Set([...options.schemaFolders, ...files, ...files.map(dirname), ...joined.flatMap(({ paths }) => paths)]),
    ],
  }
}

const rootsOf = (stores: readonly Store[]) => ({
  globalRoot: stores.find(({ origin }) => origin === 'global')?.root ?? globalRoot(),
  projectRoot: stores.find(({ origin }) => origin === 'project')?.root ?? projectRoot(),
})

const joinDataset = async (
  id: string,
  found: Found | undefined,
  schemas: readonly FlowSchema[],
  finder: DatabaseFinder,
  signal: AbortSignal | undefined,
): Promise<{ dataset: ServedDataset; paths: readonly string[] }> => {
  const own = found?.snapshot
  const resolved = await Promise.all(
    schemas.flatMap((schema) =>
      schema.resources.map(async (resource) => ({
        resource,
        ...(await finder.resolve(resource.database, schema.file, own, signal)),
      })),
    ),
  )
  const snapshot = own ?? resolved.find((each) => each.snapshot !== undefined)?.snapshot
  const current = snapshot === undefined ? [] : [databaseOfManifest(snapshot.store, snapshot.manifest, snapshot.state)]
  const databases = distinct([...current, ...resolved.flatMap(({ database }) => servedBy(database))])
  const problems = [
    ...(found?.problems ?? []),
    ...resolved.flatMap(({ database }) => (database.kind === 'broken' ? [database.problem] : [])),
  ]
  const facts = {
    id,
    title: snapshot?.manifest.title ?? schemas[0]?.name ?? id,
    description: snapshot?.manifest.description ?? schemas[0]?.description ?? '',
    databases,
    schemas: schemas.map(({ name, dialect, notServed }) => ({ name, dialect, notServed })),
    queries: servedQueries(resourcesOf(resolved, databases)),
    tried: [
      ...(found?.tried ?? []),
      ...resolved.flatMap(({ database }) => (database.kind === 'missing' ? database.tried : [])),
    ],
    problems,
    awaited: databases.length === 0 && problems.length === 0 && schemas.every(isBundled),
    ...(snapshot === undefined ? {} : { snapshot }),
  }
  return { dataset: { ...facts, fingerprint: fingerprintOf(facts) }, paths: resolved.flatMap(({ paths }) => paths) }
}

const isBundled = ({ file }: FlowSchema): boolean => file.startsWith(join(packageRoot, 'schemas') + sep)

const servedBy = (database: Resolved['database']): ServedDatabase[] =>
  database.kind === 'served' ? [database.database] : []

const distinct = (databases: readonly ServedDatabase[]): ServedDatabase[] => [
  ...new Map(databases.map((database) => [database.path, database])).values(),
]

/** The resources of the schemas; a snapshot without a schema is one resource without queries of an author. */
const resourcesOf = (
  resolved: readonly ResolvedResource[],
  databases: readonly ServedDatabase[],
): readonly ResolvedResource[] => {
  if (resolved.length > 0) return resolved
  return databases.map((database) => ({
    resource: {
      name: 'data',
      description: '',
      database: { kind: 'path', path: database.path },
      queries: [],
    },
    database: { kind: 'served', database },
  }))
}

const fingerprintOf = (facts: Omit<ServedDataset, 'fingerprint'>): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('hex')
