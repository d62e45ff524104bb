/** From a URI to what it means in one catalogue: the dataset, the database, the table, the values to look for. */
import { StichtagError } from '../errors.ts'
import type { Parameter } from '../query/types.ts'
import { boundValues } from '../schema/arguments.ts'
import { type ChangeOp, changeOps } from '../store/changes.ts'
import { isVersion, type Version } from '../store/version.ts'
import { absenceOf, type CatalogueContext } from './context.ts'
import { databaseOfManifest } from './discovery/snapshots.ts'
import type { KeyPart } from './key-spelling.ts'
import { keyParameters } from './record-plan.ts'
import {
  findTable,
  type ServedDatabase,
  type ServedDataset,
  type ServedQuery,
  type ServedSnapshot,
  type ServedTable,
} from './served.ts'
import {
  type Address,
  changesUri,
  datasetUri,
  historyUri,
  parseUri,
  queryUri,
  recordUri,
  schemaUri,
  snapshotsUri,
} from './uri.ts'

/** A record by what is needed to read it. */
export interface RecordTarget {
  readonly database: ServedDatabase
  readonly table: ServedTable
  readonly key: readonly Parameter[]
}

/** What a URI means. `uri` is its own spelling, without a page. */
export type Target = { readonly dataset: ServedDataset; readonly uri: string; readonly page: number } & (
  | { readonly kind: 'dataset' | 'schema' | 'snapshots' }
  | {
      readonly kind: 'changes'
      readonly snapshot: ServedSnapshot
      readonly version: Version
      /** Only those of this table, and of this kind, where they are given. */
      readonly table?: string
      readonly op?: ChangeOp
    }
  | ({ readonly kind: 'record'; readonly version?: Version } & RecordTarget)
  | ({ readonly kind: 'history' } & RecordTarget)
  | {
      readonly kind: 'query'
      readonly query: ServedQuery
      readonly values: readonly string[]
      readonly parameters: readonly Parameter[]
    }
)

/** That there is nothing at a URI, and what the reader can do. */
export const notFound = (uri: string, why: string): StichtagError =>
  new StichtagError('NOT_FOUND', `Nothing is at ${uri}: ${why}.`, { data: { uri } })

/** Whether a query has a URI: hosts fill in two values at most. */
export const isAddressable = ({ kind, query }: ServedQuery): boolean =>
  kind === 'defined' && requiredOf(query).length <= 2

/** Parameters that a URI must give a value for, each once, in their order. */
export const requiredOf = ({ parameters }: ServedQuery['query']): ServedQuery['query']['parameters'] => {
  const required = parameters.filter((each) => each.required && each.fixed === undefined && each.default === undefined)
  return [...new Map(required.map((each) => [each.name, each])).values()]
}

/**
 * What a URI means. Throws NOT_FOUND where it can mean nothing; UNKNOWN_VERSION for a version that is not kept;
 * DATABASE_MISSING or SNAPSHOT_INVALID where the dataset has nothing to read from now.
 */
export const resolveUri = (context: CatalogueContext, uri: string): Target => {
  const address = parseUri(uri)
  if (address === undefined) {
    const why =
      'it is not a URI of a dataset, or is not well formed. Without a URI, search finds records by their words'
    throw notFound(uri, why)
  }
  const dataset = context.datasets.get(address.dataset)
  if (dataset === undefined) throw notFound(uri, `there is no dataset ${address.dataset}`)
  return { dataset, page: address.page, ...formOf(context, dataset, address, uri) }
}

type Form = Target extends infer Each ? (Each extends Target ? Omit<Each, 'dataset' | 'page'> : never) : never

const formOf = (context: CatalogueContext, dataset: ServedDataset, address: Address, uri: string): Form => {
  const { id } = dataset
  switch (address.kind) {
    case 'dataset':
      return { kind: 'dataset', uri: datasetUri(id) }
    case 'schema':
      return { kind: 'schema', uri: schemaUri(id) }
    case 'snapshots':
      return { kind: 'snapshots', uri: snapshotsUri(id) }
    case 'changes': {
      const { snapshot, version } = keptVersion(dataset, address.version, uri)
      const part = changesPart(dataset, context.manifest(snapshot, version).tables, address, uri)
      return { kind: 'changes', snapshot, version, ...part, uri: changesUri(id, version, ...Object.values(part)) }
    }
    case 'history': {
      const target = recordIn(dataset, dataset.databases, address, uri)
      return { kind: 'history', ...target, uri: historyUri(id, target.table.name, target.key) }
    }
    case 'record': {
      if (address.version === undefined) {
        const target = recordIn(dataset, dataset.databases, address, uri)
        return { kind: 'record', ...target, uri: recordUri(id, target.table.name, target.key) }
      }
      const { snapshot, version } = keptVersion(dataset, address.version, uri)
      const database = databaseOfManifest(snapshot.store, context.manifest(snapshot, version))
      const target = recordIn(dataset, [database], address, uri)
      return { kind: 'record', version, ...target, uri: recordUri(id, target.table.name, target.key, version) }
    }
    case 'query':
      return queryIn(dataset, address.query, address.values, uri)
  }
}

/**
 * The record of the current snapshot that an address names: as `resolveUri`, without its own spelling, which takes as long
 * to make as all the rest. Throws as that does.
 */
export const currentRecord = (
  context: CatalogueContext,
  address: Address & { readonly kind: 'record' },
  uri: string,
): RecordTarget => {
  const dataset = context.datasets.get(address.dataset)
  if (dataset === undefined) throw notFound(uri, `there is no dataset ${address.dataset}`)
  return recordIn(dataset, dataset.databases, address, uri)
}

/** The table as it is called in a version, and the kind of change; each only where it is asked for. */
const changesPart = (
  { id }: ServedDataset,
  tables: readonly { readonly name: string }[],
  { table, op }: { readonly table?: string; readonly op?: string },
  uri: string,
): { readonly table?: string; readonly op?: ChangeOp } => {
  if (table === undefined) return {}
  const name = tables.find((each) => each.name.toLowerCase() === table.toLowerCase())?.name
  if (name === undefined) throw notFound(uri, `${id} had no table ${table} in that version`)
  if (op === undefined) return { table: name }
  const kind = changeOps.find((each) => each === op)
  if (kind === undefined) throw notFound(uri, `kinds of changes are ${changeOps.join(', ')}`)
  return { table: name, op: kind }
}

const keptVersion = (
  dataset: ServedDataset,
  text: string,
  uri: string,
): { snapshot: ServedSnapshot; version: Version } => {
  const { snapshot } = dataset
  if (snapshot === undefined) {
    if (dataset.databases.length === 0) throw absenceOf(dataset)
    throw notFound(uri, `${dataset.id} is a file that keeps no versions`)
  }
  if (isVersion(text) && snapshot.versions.includes(text)) return { snapshot, version: text }
  const kept = snapshot.versions.join(', ')
  throw new StichtagError('UNKNOWN_VERSION', `${dataset.id} has no snapshot ${text}. Kept: ${kept}.`, {
    data: { uri, dataset: dataset.id, version: text, kept: snapshot.versions },
  })
}

const recordIn = (
  dataset: ServedDataset,
  databases: readonly ServedDatabase[],
  address: { readonly table: string; readonly key: readonly KeyPart[] },
  uri: string,
): RecordTarget => {
  if (databases.length === 0) throw absenceOf(dataset)
  const found = findTable(databases, address.table)
  if (found === undefined) throw notFound(uri, `${dataset.id} has no table ${address.table}`)
  const { database, table } = found
  if (table.key.length === 0) throw notFound(uri, `records of ${table.name} have no key to be addressed by`)
  const key = keyParameters(table, address.key)
  if (key === undefined) throw notFound(uri, `a key of ${table.name} is ${table.key.join('/')}`)
  return { database, table, key }
}

const queryIn = (dataset: ServedDataset, name: string, parts: readonly KeyPart[], uri: string): Form => {
  const query = queryNamed(dataset, name)
  if (query === undefined || !isAddressable(query)) throw notFound(uri, `${dataset.id} has no query ${name} with a URI`)
  const required = requiredOf(query.query)
  const values = parts.filter((part) => typeof part === 'string')
  if (values.length !== required.length || values.length !== parts.length) {
    throw notFound(
      uri,
      `the query ${query.name} wants ${required.map((each) => each.name).join(' and ') || 'no values'}`,
    )
  }
  const given = Object.fromEntries(required.map(({ name: parameter }, index) => [parameter, values[index]]))
  return {
    kind: 'query',
    query,
    values,
    parameters: boundOrNotFound(query, given, uri),
    uri: queryUri(dataset.id, query.name, values),
  }
}

const queryNamed = (dataset: ServedDataset, name: string): ServedQuery | undefined =>
  dataset.queries.find((query) => query.name === name || query.aliases.includes(name)) ??
  dataset.queries.find((query) => query.name.toLowerCase() === name.toLowerCase())

const boundOrNotFound = (
  query: ServedQuery,
  given: Readonly<Record<string, unknown>>,
  uri: string,
): readonly Parameter[] => {
  try {
    return boundValues(query.query, given)
  } catch (error) {
    if (error instanceof StichtagError && error.code === 'ARGUMENTS_INVALID') throw notFound(uri, error.message)
    throw error
  }
}
