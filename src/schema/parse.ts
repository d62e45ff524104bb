/** Brings FlowMCP schemas of every dialect to the one normal form (types.ts). */
import { resolve } from 'node:path'
import { StichtagError } from '../errors.ts'
import { readingTokens } from '../query/statement.ts'
import type { Token } from '../query/tokens.ts'
import { databaseReferenceOf } from './databases.ts'
import { dialectOf } from './dialect.ts'
import { dynamicSql, freeQuery } from './injected.ts'
import type { OnRefused } from './literal.ts'
import { readModule, schemaInvalid } from './module.ts'
import { describeByUse } from './parameter-description.ts'
import { parametersOf } from './parameters.ts'
import { addOnMain, type Place, type RawQuery, rawMain, rawQuery, rawResource, readShape } from './raw.ts'
import type { FlowSchema, SchemaQuery, SchemaResource } from './types.ts'

/** What FlowMCP schemas have beside resources, in the words of all dialects. */
const otherParts = ['tools', 'routes', 'prompts', 'skills', 'selections', 'agents'] as const

/** Brings a schema file's text to the normal form. Throws SCHEMA_INVALID. */
export const parseSchema = (text: string, path: string): FlowSchema => normalForm(mainOf(text, path), path)

/** Brings what a schema file exports to the normal form. Throws SCHEMA_INVALID, with the place as `data.place`. */
export const normalForm = ({ main: value, functions }: Exported, path: string): FlowSchema => {
  const main = readShape(rawMain, value, placeIn(path))
  const notServed = functions.map((name) => `${name}: functions are not run`)
  const note = (note: string): void => {
    notServed.push(note)
  }
  for (const part of otherParts) {
    const names = Object.keys(main[part] ?? {})
    if (names.length > 0) note(`${part}: ${names.join(', ')}`)
  }
  const addOn = addOnMain.safeParse(main.main)
  if (addOn.success) for (const { source } of addOn.data.resources) note(`main.resources: the source ${source}`)
  const place = placeIn(path).at('resources')
  const resources = Object.entries(main.resources).flatMap(([name, value]) =>
    resourceOf(name, value, place.at(name), note),
  )
  return {
    file: resolve(path),
    dialect: dialectOf(main),
    namespace: main.namespace,
    name: main.name || main.namespace,
    description: main.description,
    resources,
    notServed,
  }
}

/** The object that describes a schema, as its file exports it, and the names of exported functions. */
export interface Exported {
  readonly main: unknown
  readonly functions: readonly string[]
}

/** Reads what a schema file exports, as data. Throws SCHEMA_INVALID; `onRefused` as for {@link readModule}. */
export const mainOf = (text: string, path: string, onRefused?: OnRefused): Exported => {
  const { values, functions } = readModule(text, path, onRefused)
  const main = values.get('main') ?? values.get('schema') ?? values.get('default')
  if (main === undefined) throw schemaInvalid(path, undefined, 'exports no `main` object.')
  return { main, functions }
}

const placeIn = (file: string, path = ''): Place => ({
  path: path || 'main',
  at: (field) => placeIn(file, path === '' ? String(field) : `${path}.${field}`),
  refuse: (why) => {
    throw schemaInvalid(file, undefined, `${path || 'main'}: ${why}`, path)
  },
})

const namePattern = /^[A-Za-z][A-Za-z0-9_]*$/

const checkName = (name: string, place: Place): void => {
  if (!namePattern.test(name)) place.refuse('its name must be letters, digits and _, a letter first')
}

const resourceOf = (
  name: string,
  value: unknown,
  place: Place,
  note: (text: string) => void,
): readonly SchemaResource[] => {
  checkName(name, place)
  const raw = readShape(rawResource, value, place)
  if (raw.source !== 'sqlite') {
    note(`${place.path}: the source ${raw.source}`)
    return []
  }
  const queries: SchemaQuery[] = []
  for (const [queryName, queryValue] of Object.entries(raw.queries)) {
    const at = place.at('queries').at(queryName)
    checkName(queryName, at)
    const query = readShape(rawQuery, queryValue, at)
    if (query.sql.trim() === dynamicSql) {
      queries.push({ ...freeQuery, name: queryName, description: query.description || freeQuery.description })
      continue
    }
    const tokens = readingOf(query.sql)
    if (!(tokens instanceof StichtagError)) queries.push(queryOf(queryName, query, tokens, at, note))
    else if (raw.mode === 'file-based') note(`${at.path}: it writes, and databases are only read`)
    else at.at('sql').refuse(tokens.message)
  }
  return [{ name, description: raw.description, database: databaseReferenceOf(raw, place), queries }]
}

const queryOf = (
  name: string,
  raw: RawQuery,
  tokens: readonly Token[],
  place: Place,
  note: (text: string) => void,
): SchemaQuery => {
  const parameters = parametersOf(raw.parameters, place.at('parameters'), note)
  const placeholders = tokens.filter((token) => token.kind === 'variable')
  const named = placeholders.find((token) => token.text !== '?')
  if (named !== undefined) place.at('sql').refuse(`must have ? for its parameters, not ${named.text}`)
  if (placeholders.length !== parameters.length) {
    place.refuse(`its sql has ${placeholders.length} placeholders and it has ${parameters.length} parameters`)
  }
  const names = parameters.map((parameter) => parameter.name)
  const described = describeByUse(tokens, names)
  const columns = columnsOf(raw.output)
  return {
    name,
    description: raw.description,
    sql: raw.sql,
    parameters: parameters.map((parameter, index) => ({
      ...parameter,
      description: parameter.description ?? described[index] ?? parameter.name,
    })),
    ...(columns === undefined ? {} : { columns }),
  }
}

/** The tokens of a statement, or why it does not only read. Taken apart once: that is a third of reading a schema. */
const readingOf = (sql: string): readonly Token[] | StichtagError => {
  try {
    return readingTokens(sql)
  } catch (thrown) {
    if (thrown instanceof StichtagError && thrown.code === 'STATEMENT_REFUSED') return thrown
    throw thrown
  }
}

/** Columns by `output.columns`, or by the properties of `output.schema.items`. */
const columnsOf = (output: unknown): readonly string[] | undefined => {
  const field = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? Object.getOwnPropertyDescriptor(value, name)?.value
      : undefined
  const columns = field(output, 'columns')
  if (Array.isArray(columns)) return columns.filter((column) => typeof column === 'string')
  const properties = field(field(field(output, 'schema'), 'items'), 'properties')
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : undefined
}
