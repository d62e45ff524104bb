/** RES001 to RES011, RES022 and RES024: what resources and their queries must have. */
import { dialectFindings, dialectQueryFindings } from './dialect-rules.ts'
import {
  camelCase,
  error,
  isRawObject,
  isText,
  type RawObject,
  type RuleFinding,
  shownValue,
  warning,
} from './finding.ts'
import { dynamicSql, freeQuery, getSchemaQuery, runSqlName } from './injected.ts'
import { parameterCount, parameterFindings } from './parameter-rules.ts'
import { sqlFindings } from './sql-rules.ts'
import type { Dialect } from './types.ts'

const mostResources = 2
/** Seven that a schema defines, and freeQuery, which every database gets. */
const mostQueries = 7
/** Dialects in which a schema need not define getSchema. */
const withoutGetSchema: ReadonlySet<Dialect> = new Set(['D-flat', '3.0a', '3.0b', '4.x'])

/** Checks the `resources` of a schema. */
export const resourcesFindings = (resources: unknown, dialect: Dialect): readonly RuleFinding[] => {
  if (resources === undefined) return []
  if (!isRawObject(resources))
    return [error('RES001', 'resources', shownValue(resources), 'Write an object of resources by name.')]
  const entries = Object.entries(resources)
  const count = entries.length
  return [
    ...(count > mostResources ? [error('RES003', 'resources', `${count} resources`, 'Split the schema.')] : []),
    ...entries.flatMap(([name, resource]) => resourceFindings(name, resource, dialect)),
  ]
}

const resourceFindings = (name: string, resource: unknown, dialect: Dialect): readonly RuleFinding[] => {
  const path = `resources.${name}`
  const findings = nameFindings('RES002', name, path)
  if (!isRawObject(resource))
    return [...findings, error('RES001', path, shownValue(resource), 'Make the resource an object.')]
  if (!isText(resource.description)) {
    findings.push(
      error('RES004', `${path}.description`, shownValue(resource.description), 'Say what data the resource has.'),
    )
  }
  findings.push(...dialectFindings(resource, path, dialect))
  if (resource.source !== 'sqlite') return [...findings, sourceFinding(resource.source, path, dialect)]
  const place = resource.database === undefined && dialect !== 'D-docs' ? 'name' : 'database'
  const database = resource[place]
  if (!isText(database) || !database.endsWith('.db')) {
    findings.push(error('RES006', `${path}.${place}`, shownValue(database), 'Name the SQLite file.'))
  }
  if (dialect === 'D-docs') findings.push(...originFindings(resource.origin, `${path}.origin`))
  return [...findings, ...queriesFindings(resource, path, dialect)]
}

/** The documentation demands an origin; a path alone is clear as well. */
const originFindings = (origin: unknown, path: string): readonly RuleFinding[] => {
  if (['global', 'project', 'inline'].includes(String(origin))) return []
  const mend = "Write the origin: 'global', 'project' or 'inline'."
  return [(origin === undefined ? warning : error)('RES006', path, `the origin ${shownValue(origin)}`, mend)]
}

const nameFindings = (rule: 'RES002' | 'RES009', name: string, path: string): RuleFinding[] =>
  camelCase.test(name) ? [] : [error(rule, path, shownValue(name), 'Write it in camelCase.')]

const laterSources: readonly unknown[] = ['markdown', 'http', 'sqlite-gtfs', 'geo-geojson', 'geo-csv']
const reservedSources: readonly unknown[] = ['csv', 'json', 'parquet']

const sourceFinding = (source: unknown, path: string, dialect: Dialect): RuleFinding => {
  const at = `${path}.source`
  if ((dialect === '3.1' || dialect === '4.x') && laterSources.includes(source)) {
    return warning('RES005', at, shownValue(source), 'It is valid FlowMCP, but only sqlite is served here.')
  }
  const isReserved = dialect === '3.0b' && reservedSources.includes(source)
  return error(isReserved ? '3.0b RES029' : 'RES005', at, shownValue(source), "Make the source 'sqlite'.")
}

const queriesFindings = (resource: RawObject, path: string, dialect: Dialect): readonly RuleFinding[] => {
  const { queries } = resource
  const at = `${path}.queries`
  if (!isRawObject(queries) || Object.keys(queries).length === 0) {
    return [error('RES007', at, shownValue(queries), 'Define queries by name, at least getSchema.')]
  }
  const names = Object.keys(queries)
  const findings: RuleFinding[] = []
  const defined = names.filter((name) => name !== freeQuery.name && name !== runSqlName).length
  if (defined > mostQueries) {
    findings.push(error('RES008', at, `${defined} beside freeQuery`, 'Split the resource.'))
  }
  if (!names.includes(getSchemaQuery.name)) {
    const finding = withoutGetSchema.has(dialect) ? warning : error
    findings.push(
      finding('RES024', at, `only ${names.join(', ')}`, `Define it, for example with the sql: ${exampleSql}`),
    )
  }
  // A file-based database may be written to in FlowMCP; here such a query is left out, and that is no fault of its author.
  const writable = resource.mode === 'file-based'
  const inner = Object.entries(queries).flatMap(([name, query]) => queryFindings(name, query, `${at}.${name}`, dialect))
  return [...findings, ...inner.map((finding) => (writable ? milder(finding) : finding))]
}

const exampleSql = "SELECT name, sql FROM sqlite_master WHERE type='table'"

const milder = (finding: RuleFinding): RuleFinding =>
  ['RES012', 'RES013', 'RES023'].includes(finding.rule) ? { ...finding, severity: 'warning' } : finding

const queryFindings = (name: string, query: unknown, path: string, dialect: Dialect): readonly RuleFinding[] => {
  const findings = nameFindings('RES009', name, path)
  if (!isRawObject(query))
    return [...findings, error('RES011', path, shownValue(query), 'Make the query an object with sql.')]
  if (!isText(query.description)) {
    const mend = 'Say what the query finds, and when to use it.'
    findings.push(error('RES010', `${path}.description`, shownValue(query.description), mend))
  }
  findings.push(...dialectQueryFindings(query, path, dialect))
  findings.push(...parameterFindings(query.parameters, `${path}.parameters`))
  if (!isText(query.sql))
    findings.push(error('RES011', `${path}.sql`, shownValue(query.sql), 'Give the query its SQL.'))
  else if (query.sql.trim() !== dynamicSql) {
    findings.push(...sqlFindings(query.sql, parameterCount(query.parameters), `${path}.sql`))
  }
  if (!Array.isArray(query.tests) || query.tests.length === 0) {
    findings.push(warning('RES022', path, shownValue(query.tests), 'Add values of the parameters that find something.'))
  }
  return findings
}
