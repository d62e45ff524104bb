/** Values for the variables of a template: keys that begin with what was typed, versions, a query's allowed values. */
import type { Parameter, ReaderPool, Value } from '../query/types.ts'
import { changeOps } from '../store/changes.ts'
import { quoteIdentifier } from '../store/identifier.ts'
import { isVersion } from '../store/version.ts'
import type { CatalogueContext } from './context.ts'
import { databaseOfManifest } from './discovery/snapshots.ts'
import { readKey, spellKey } from './key-spelling.ts'
import { keyParameters, keyValue } from './record-plan.ts'
import { findTable, type ServedDatabase, type ServedDataset, type ServedTable } from './served.ts'
import type { ServedTemplate } from './templates.ts'
import type { Completion } from './types.ts'

/** Most values in one completion, by the protocol. */
const mostValues = 100

/** Characters typed at most: reading an escaped key costs more the longer it is, and nobody types this much. */
const maxTyped = 1000

const nothing: Completion = { values: [], total: 0, hasMore: false }

export interface CompletionRequest {
  readonly argument: string
  /** What was typed so far. */
  readonly value: string
  /** Values of other variables. */
  readonly context: Readonly<Record<string, string>>
}

/** Completes a variable of a template; nothing where it has no such variable, or its values are anybody's guess. */
export const completeTemplate = async (
  context: CatalogueContext,
  dataset: ServedDataset,
  template: ServedTemplate,
  request: CompletionRequest,
  signal?: AbortSignal,
): Promise<Completion> => {
  const { of } = template
  if (of.kind === 'query') return completeParameter(context.pool, of, request, signal)
  if (request.value.length > maxTyped) return nothing
  if (request.argument === 'version') return completeVersion(dataset, request.value)
  if (of.kind === 'changes') return completeChanges(dataset, request)
  const place = of.variables.indexOf(request.argument)
  const found = findTable(databasesAsOf(context, dataset, request.context.version), of.table)
  if (place < 0 || found === undefined) return nothing
  const before = of.variables.slice(0, place).map((variable) => request.context[variable])
  return completeKey(context.pool, found.database, found.table, before, request.value, signal)
}

const completeChanges = ({ databases }: ServedDataset, { argument, value }: CompletionRequest): Completion => {
  const tables = (): readonly string[] => databases.flatMap(({ tables }) => tables.map(({ name }) => name))
  const values = argument === 'table' ? tables() : argument === 'op' ? changeOps : []
  return asCompletion(values.filter((each) => each.toLowerCase().startsWith(value.toLowerCase())))
}

const completeVersion = (dataset: ServedDataset, typed: string): Completion =>
  asCompletion(
    (dataset.snapshot?.versions ?? [])
      .toReversed()
      .filter((version) => version.startsWith(typed.toUpperCase().replace(/-.*/s, (digest) => digest.toLowerCase()))),
  )

const databasesAsOf = (
  context: CatalogueContext,
  { snapshot, databases }: ServedDataset,
  version: string | undefined,
): readonly ServedDatabase[] => {
  if (snapshot === undefined || version === undefined || !isVersion(version)) return databases
  if (!snapshot.versions.includes(version)) return databases
  return [databaseOfManifest(snapshot.store, context.manifest(snapshot, version))]
}

const completeParameter = async (
  pool: ReaderPool,
  { query }: Extract<ServedTemplate['of'], { kind: 'query' }>,
  { argument, value }: CompletionRequest,
  signal: AbortSignal | undefined,
): Promise<Completion> => {
  const parameter = query.query.parameters.find(({ name }) => name === argument)
  if (parameter?.enum !== undefined) {
    return asCompletion(parameter.enum.map(String).filter((each) => each.startsWith(value)))
  }
  if (query.database.kind !== 'served' || parameter === undefined) return nothing
  const { database } = query.database
  const isNamedSo = (column: string): boolean => plainName(column) === plainName(parameter.name)
  const table = database.tables.find(({ key }) => key.length === 1 && key.every(isNamedSo))
  return table === undefined ? nothing : completeKey(pool, database, table, [], value, signal)
}

/** `companyNumber` and `company_number` are one name. */
const plainName = (name: string): string => name.replaceAll('_', '').toLowerCase()

/** Values of the key column after those in `before`, by steps along the key's index: quick however many rows there are. */
const completeKey = async (
  pool: ReaderPool,
  database: ServedDatabase,
  table: ServedTable,
  before: readonly (string | undefined)[],
  typed: string,
  signal: AbortSignal | undefined,
): Promise<Completion> => {
  const column = table.key[before.length]
  const given = before.map((value) => (value === undefined ? undefined : readKey(value)))
  const outer = { ...table, key: table.key.slice(0, before.length) }
  const parameters = given.every((part) => part !== undefined) ? keyParameters(outer, given) : undefined
  if (column === undefined || parameters === undefined) return nothing
  const type = table.columns.find(({ name }) => name === column)?.type ?? 'TEXT'
  const values: string[] = []
  for (const range of rangesOf(type, typed)) {
    const found = await distinctValues(
      pool,
      database,
      { table, column, outer: parameters, range, most: mostValues + 1 - values.length },
      signal,
    )
    values.push(...found.map((value) => spellKey(keyValue(value))))
    if (values.length > mostValues) break
  }
  return asCompletion(values)
}

/** Values from `from` on and below `to`. */
interface Range {
  readonly from: Parameter
  readonly to: Parameter
}

/** Bigger than any other text with the same beginning, and than any text: no character is above it. */
const lastCharacter = '\u{10FFFF}'

/** Ranges of values that begin with what was typed: one for text, one per number of digits for integers. */
const rangesOf = (type: ServedTable['columns'][number]['type'], typed: string): readonly Range[] => {
  if (type === 'TEXT') {
    const text = readTyped(typed)
    return [{ from: text, to: text + lastCharacter }]
  }
  if (type === 'BLOB') return []
  if (typed === '') return [{ from: -(2n ** 63n), to: '' }]
  if (!/^(0|[1-9]\d{0,17})$/.test(typed)) return []
  const start = BigInt(typed)
  const lengths = start === 0n ? [0] : Array.from({ length: 19 - typed.length }, (_, more) => more)
  return lengths.map((more) => ({ from: start * 10n ** BigInt(more), to: (start + 1n) * 10n ** BigInt(more) }))
}

/** What was typed, up to where it ends within an escape or a letter of several bytes. */
const readTyped = (typed: string): string => {
  const whole = typed.replace(/~[0-9A-Fa-f]?$/, '')
  const key = readKey(whole)
  if (typeof key === 'string') return key
  const shorter = whole.replace(/~[0-9A-Fa-f]{2}$/, '')
  return shorter === whole ? whole : readTyped(shorter)
}

const distinctValues = async (
  pool: ReaderPool,
  database: ServedDatabase,
  wanted: {
    readonly table: ServedTable
    readonly column: string
    readonly outer: readonly Parameter[]
    readonly range: Range
    readonly most: number
  },
  signal: AbortSignal | undefined,
): Promise<readonly Value[]> => {
  const { table, outer, range, most } = wanted
  const column = quoteIdentifier(wanted.column)
  const name = quoteIdentifier(table.name)
  const isOuter = table.key
    .slice(0, outer.length)
    .map((each) => `${quoteIdentifier(each)} IS ? AND `)
    .join('')
  const { rows } = await pool.rows(
    {
      database: database.path,
      sql: `WITH RECURSIVE step(value) AS (
          SELECT (SELECT ${column} FROM ${name} WHERE ${isOuter}${column} >= ? AND ${column} < ? ORDER BY ${column} LIMIT 1)
          UNION ALL
          SELECT (SELECT ${column} FROM ${name} WHERE ${isOuter}${column} > step.value AND ${column} < ? ORDER BY ${column} LIMIT 1)
          FROM step WHERE step.value IS NOT NULL)
        SELECT value FROM step WHERE value IS NOT NULL`,
      parameters: [...outer, range.from, range.to, ...outer, range.to],
      lane: 'lookup',
      maxRows: most,
    },
    signal,
  )
  return rows.map(([value]) => value ?? null)
}

const asCompletion = (values: readonly string[]): Completion => ({
  values: values.slice(0, mostValues),
  hasMore: values.length > mostValues,
  ...(values.length > mostValues ? {} : { total: values.length }),
})
