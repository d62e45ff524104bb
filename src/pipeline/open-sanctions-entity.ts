/** An entity of OpenSanctions, read strictly: from a line of `entities.ftm.json`, or from a row of `targets.simple.csv`. */
import type { MapContext } from './types.ts'

export interface FtmEntity {
  readonly id: string
  readonly schema: string
  readonly caption: string | null
  readonly target: boolean | null
  readonly datasets: readonly string[]
  readonly referents: readonly string[]
  readonly firstSeen: string | null
  readonly lastSeen: string | null
  readonly lastChange: string | null
  /** Property → its values, which are a set: sorted, since their order differs from export to export. */
  readonly properties: ReadonlyMap<string, readonly string[]>
  /** Fields that were not there when this was written. */
  readonly rest: Readonly<Record<string, unknown>> | null
}

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const sortedSet = (values: readonly string[]): readonly string[] => [...new Set(values)].sort()

const textsIn = (value: unknown, name: string, context: MapContext): readonly string[] => {
  if (value === undefined || value === null) return []
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.map((each) => {
    if (typeof each === 'string') return each
    if (typeof each === 'number' || typeof each === 'boolean') return String(each)
    return context.reject(`${name} should hold texts; entities within entities are in targets.nested.json, not here`)
  })
}

const propertiesIn = (value: unknown, context: MapContext): ReadonlyMap<string, readonly string[]> => {
  if (!isObject(value)) return context.reject('properties is missing')
  return new Map(
    Object.keys(value)
      .sort()
      .map((name): [string, readonly string[]] => [
        name,
        sortedSet(textsIn(value[name], `properties.${name}`, context).filter((text) => text !== '')),
      ])
      .filter(([, values]) => values.length > 0),
  )
}

/** Of a line of `entities.ftm.json`. Rejects what is none. */
export const ftmEntity = (record: Fields, context: MapContext): FtmEntity => {
  const { id, caption, schema, properties, referents, datasets, first_seen, last_seen, last_change, target, ...rest } =
    record
  const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
  for (const name of Object.keys(rest)) context.unknown(name)
  return {
    id: text(id) ?? context.reject('id is missing'),
    schema: text(schema) ?? context.reject('schema is missing'),
    caption: text(caption),
    target: typeof target === 'boolean' ? target : null,
    datasets: sortedSet(textsIn(datasets, 'datasets', context)),
    referents: sortedSet(textsIn(referents, 'referents', context)),
    firstSeen: text(first_seen),
    lastSeen: text(last_seen),
    lastChange: text(last_change),
    properties: propertiesIn(properties, context),
    rest: Object.keys(rest).length === 0 ? null : rest,
  }
}

/** The values in a cell: parts between `;`, in quotes where they hold one themselves. */
export const cellValues = (cell: string | null): readonly string[] => {
  const values: string[] = []
  for (const [, quoted, plain] of (cell ?? '').matchAll(/(?:^|;)\s*(?:"((?:[^"]|"")*)"(?=\s*(?:;|$))|([^;]*))/g)) {
    const value = (quoted?.replaceAll('""', '"') ?? plain ?? '').trim()
    if (value !== '') values.push(value)
  }
  return values
}

/** Columns of `targets.simple.csv` that hold several values → the property that they are of. */
const severalColumns: Readonly<Record<string, string>> = {
  aliases: 'alias',
  birth_date: 'birthDate',
  countries: 'country',
  addresses: 'address',
  identifiers: 'identifiers',
  sanctions: 'program',
  phones: 'phone',
  emails: 'email',
  program_ids: 'programId',
}

const plainColumns = ['id', 'schema', 'name', 'dataset', 'first_seen', 'last_seen', 'last_change']

/** Columns that a `targets.simple.csv` must have; `program_ids` is newer than the others. */
export const targetColumns: readonly string[] = [
  ...plainColumns,
  ...Object.keys(severalColumns).filter((column) => column !== 'program_ids'),
]

/** Of a row of `targets.simple.csv`, which says less: no kinds of aliases and numbers, no referents, no relations. */
export const targetEntity = (row: Readonly<Record<string, string | null>>, context: MapContext): FtmEntity => {
  const known = new Set([...plainColumns, ...Object.keys(severalColumns)])
  const rest = Object.entries(row).filter(([name, value]) => !known.has(name) && value !== null)
  for (const [name] of rest) context.unknown(name)
  const name = row.name ?? null
  const properties = Object.entries(severalColumns).map(([column, property]): [string, readonly string[]] => [
    property,
    sortedSet(cellValues(row[column] ?? null)),
  ])
  return {
    id: row.id ?? context.reject('id is missing'),
    schema: row.schema ?? context.reject('schema is missing'),
    caption: name,
    target: true,
    datasets: sortedSet(cellValues(row.dataset ?? null)),
    referents: [],
    firstSeen: row.first_seen ?? null,
    lastSeen: row.last_seen ?? null,
    lastChange: row.last_change ?? null,
    properties: new Map(
      [...properties, ['name', name === null ? [] : [name]] as const]
        .filter(([, values]) => values.length > 0)
        .sort(([left], [right]) => (left < right ? -1 : 1)),
    ),
    rest: rest.length === 0 ? null : Object.fromEntries(rest),
  }
}
