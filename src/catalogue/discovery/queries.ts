/** The queries of a dataset under the names they are offered by, those included that every database gets. */
import { describeTablesQuery, dynamicSql, freeQuery, getSchemaQuery, runSqlName } from '../../schema/injected.ts'
import type { SchemaQuery, SchemaResource } from '../../schema/types.ts'
import type { QueryDatabase, ServedQuery } from '../served.ts'

/** A resource of a schema, and the database it turned out to mean. */
export interface ResolvedResource {
  readonly resource: SchemaResource
  readonly database: QueryDatabase
}

type Unnamed = Omit<ServedQuery, 'name'> & { readonly resource: string }

/**
 * All queries of a dataset. Two resources with a query of the same name add the resource's name to each; the bare name
 * then calls the first, as FlowMCP does. What every database gets is offered once per database, not per resource.
 */
export const servedQueries = (resources: readonly ResolvedResource[]): readonly ServedQuery[] => {
  const queries = [...resources.flatMap(ofAuthor), ...byDatabase(resources).flatMap(injected)]
  const groups = Map.groupBy(queries, ({ query }) => query.name)
  const taken = new Set<string>()
  return queries.map(({ resource, aliases, ...query }) => {
    const group = groups.get(query.query.name) ?? []
    const isAlone = group.length === 1
    const isFirst = group[0]?.resource === resource
    const suffix = isAlone ? '' : `_${resource}`
    const name = unused(`${query.query.name}${suffix}`, taken)
    return {
      ...query,
      name,
      aliases: [
        ...aliases.map((alias) => `${alias}${suffix}`),
        ...(isAlone || !isFirst ? [] : [query.query.name, ...aliases]),
      ],
    }
  })
}

const ofAuthor = ({ resource, database }: ResolvedResource): Unnamed[] =>
  resource.queries.map((query) => unnamed(query, resource.name, database, true))

const unnamed = (query: SchemaQuery, resource: string, database: QueryDatabase, isOfAuthor: boolean): Unnamed => {
  const isFree = query.sql.trim() === dynamicSql
  return {
    kind: isFree ? 'free' : 'defined',
    ofAuthor: isOfAuthor && !isFree,
    // getSchema tells the same, and lists are short.
    listed: isOfAuthor || query.name !== describeTablesQuery.name,
    query,
    database,
    resource,
    aliases: isFree ? [freeQuery.name, runSqlName].filter((name) => name !== query.name) : [],
  }
}

/** What every database gets unless an author defined it, once per database, however many resources read it. */
const injected = (resources: readonly ResolvedResource[]): Unnamed[] => {
  const [first] = resources
  if (first === undefined) return []
  const defined = new Set(resources.flatMap(({ resource }) => resource.queries.map(({ name }) => name)))
  const isDefined = ({ name }: SchemaQuery): boolean =>
    defined.has(name) || (name === freeQuery.name && defined.has(runSqlName))
  return [getSchemaQuery, freeQuery, describeTablesQuery]
    .filter((query) => !isDefined(query))
    .map((query) => unnamed(query, first.resource.name, first.database, false))
}

/** Resources by the database they read. */
const byDatabase = (resources: readonly ResolvedResource[]): readonly (readonly ResolvedResource[])[] => [
  ...Map.groupBy(resources, ({ database }) =>
    database.kind === 'served' ? database.database.path : database.file,
  ).values(),
]

const unused = (name: string, taken: Set<string>, attempt = 1): string => {
  const candidate = attempt === 1 ? name : `${name}_${attempt}`
  if (taken.has(candidate)) return unused(name, taken, attempt + 1)
  taken.add(candidate)
  return candidate
}
