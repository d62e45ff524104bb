/**
 * All forms of URI that a dataset has (DESIGN §4.4), built and read by own code: `new URL` collapses `..`, lower-cases
 * hosts and percent-encodes, each of which would change a key.
 *
 *     offeneregister://dataset | schema | snapshots
 *     offeneregister://changes/{version}
 *     offeneregister://{table}/{key}[/{key2}…]
 *     offeneregister://snapshots/{version}/{table}/{key}…
 *     offeneregister://history/{table}/{key}…
 *     offeneregister://query/{query}[/{value}…]
 */
import { type KeyPart, type KeyValue, readKey, spellKey } from './key-spelling.ts'

/** First words that are no tables; a table of such a name is at `…://table/{name}/{key}`. */
export const reservedWords = ['dataset', 'schema', 'snapshots', 'changes', 'history', 'query', 'table'] as const

interface OfDataset {
  readonly dataset: string
  /** 1 where the URI names none. */
  readonly page: number
}

/** What a URI says, before anybody looked whether it exists. Table and query names are as the URI spells them. */
export type Address = OfDataset &
  (
    | { readonly kind: 'dataset' | 'schema' | 'snapshots' }
    | { readonly kind: 'changes'; readonly version: string; readonly table?: string; readonly op?: string }
    | {
        readonly kind: 'record'
        readonly table: string
        readonly key: readonly KeyPart[]
        readonly version?: string
      }
    | { readonly kind: 'history'; readonly table: string; readonly key: readonly KeyPart[] }
    | { readonly kind: 'query'; readonly query: string; readonly values: readonly KeyPart[] }
  )

const isReserved = (word: string): boolean => reservedWords.some((reserved) => reserved === word.toLowerCase())

const join = (dataset: string, ...segments: readonly KeyValue[]): string =>
  `${dataset}://${segments.map(spellKey).join('/')}`

export const datasetUri = (dataset: string): string => join(dataset, 'dataset')
export const schemaUri = (dataset: string): string => join(dataset, 'schema')
export const snapshotsUri = (dataset: string): string => join(dataset, 'snapshots')
/** What changed in a version; in one table, and of one kind, where they are given. */
export const changesUri = (dataset: string, version: string, ...tableAndOp: readonly string[]): string =>
  join(dataset, 'changes', version, ...tableAndOp)
export const historyUri = (dataset: string, table: string, key: readonly KeyValue[]): string =>
  join(dataset, 'history', table, ...key)
export const queryUri = (dataset: string, query: string, values: readonly KeyValue[]): string =>
  join(dataset, 'query', query, ...values)

/** URI of a record: of the current snapshot, or as of a version. */
export const recordUri = (dataset: string, table: string, key: readonly KeyValue[], version?: string): string =>
  version === undefined
    ? join(dataset, ...tableSegments(table), ...key)
    : join(dataset, 'snapshots', version, table, ...key)

/** The segments under which a table's current records lie. */
const tableSegments = (table: string): readonly string[] => (isReserved(table) ? ['table', table] : [table])

/** Template of a table's records: current, as of a version, or their history. Variables are names, one per key column. */
export const recordTemplate = (
  dataset: string,
  form: 'record' | 'snapshot' | 'history',
  table: string,
  variables: readonly string[],
): string => {
  const start = {
    record: join(dataset, ...tableSegments(table)),
    snapshot: `${join(dataset, 'snapshots')}/{version}/${spellKey(table)}`,
    history: join(dataset, 'history', table),
  }[form]
  return `${start}/${asVariables(variables)}`
}

/** Template of what changed in a version: all of it, or one kind of change in one table. */
export const changesTemplate = (dataset: string, part: 'all' | 'kind' = 'all'): string =>
  `${join(dataset, 'changes')}/{version}${part === 'all' ? '' : '/{table}/{op}'}`
export const queryTemplate = (dataset: string, query: string, variables: readonly string[]): string =>
  `${join(dataset, 'query', query)}/${asVariables(variables)}`

const asVariables = (names: readonly string[]): string => names.map((name) => `{${name}}`).join('/')

/** The URI of another page of what a URI shows. */
export const pageUri = (uri: string, page: number): string => (page === 1 ? uri : `${uri}?page=${page}`)

/** Characters of a URI at most: a key of 10 kB spelt out in full fits. A longer one is nobody's, and costs nothing. */
export const maxUriLength = 65_536

/** Without its trailing slashes. Not by a pattern: `/+$` takes time that grows with the square of the slashes. */
const withoutTrailingSlashes = (path: string): string => {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** Reads a URI in any spelling a host may give it; undefined where it is none of ours. */
export const parseUri = (uri: string): Address | undefined => {
  if (uri.length > maxUriLength) return undefined
  const [, scheme, rest] = /^([a-z][a-z0-9-]*):\/\/([^#]*)/i.exec(uri) ?? []
  if (scheme === undefined || rest === undefined) return undefined
  const [path, query] = splitOnce(rest, '?')
  const page = parsePage(query)
  const segments = withoutTrailingSlashes(path)
    .split('/')
    .map((segment) => (segment === '' ? undefined : readKey(segment)))
  if (page === undefined || !segments.every(isRead)) return undefined
  const address = addressOf(segments)
  return address === undefined ? undefined : { dataset: scheme.toLowerCase(), page, ...address }
}

type Form = Address extends infer Each ? (Each extends OfDataset ? Omit<Each, keyof OfDataset> : never) : never

const addressOf = (segments: readonly KeyPart[]): Form | undefined => {
  const [first, ...rest] = segments
  if (typeof first !== 'string') return undefined
  const word = first.toLowerCase()
  switch (word) {
    case 'dataset':
    case 'schema':
      return rest.length === 0 ? { kind: word } : undefined
    case 'snapshots': {
      const [version, table, ...key] = rest
      if (version === undefined) return { kind: 'snapshots' }
      return typeof version === 'string' ? withKey('record', table, key, version) : undefined
    }
    case 'changes': {
      const [version, table, op, ...more] = rest
      if (typeof version !== 'string' || more.length > 0) return undefined
      const changes = { kind: 'changes', version: spelledVersion(version) } as const
      if (table === undefined) return changes
      if (typeof table !== 'string') return undefined
      if (op === undefined) return { ...changes, table }
      return typeof op === 'string' ? { ...changes, table, op: op.toLowerCase() } : undefined
    }
    case 'history':
    case 'table': {
      const [table, ...key] = rest
      return withKey(word === 'history' ? 'history' : 'record', table, key)
    }
    case 'query': {
      const [query, ...values] = rest
      return typeof query === 'string' ? { kind: 'query', query, values } : undefined
    }
    default:
      return withKey('record', first, rest)
  }
}

const withKey = (
  kind: 'record' | 'history',
  table: KeyPart | undefined,
  key: readonly KeyPart[],
  version?: string,
): Form | undefined => {
  if (typeof table !== 'string' || key.length === 0) return undefined
  if (version === undefined) return { kind, table, key }
  return { kind: 'record', table, key, version: spelledVersion(version) }
}

/** A version in its own spelling, where a host changed the case of its `T` and `Z`; other texts stay as they are. */
const spelledVersion = (text: string): string =>
  /^\d{8}t\d{6}z-[0-9a-f]{8}$/i.test(text) ? text.slice(0, 16).toUpperCase() + text.slice(16).toLowerCase() : text

/** VS Code writes `?page%3D2`. */
const parsePage = (query: string | undefined): number | undefined => {
  if (query === undefined || query === '') return 1
  const [, digits] = /^page=([1-9]\d{0,8})$/i.exec(query.replace(/%3d/i, '=')) ?? []
  return digits === undefined ? undefined : Number(digits)
}

const splitOnce = (text: string, separator: string): [string, string | undefined] => {
  const at = text.indexOf(separator)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)]
}

const isRead = (part: KeyPart | undefined): part is KeyPart => part !== undefined
