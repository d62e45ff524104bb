/**
 * Rules of the specification's own dialects (3.0a to 4.x) that the documentation's numbering lacks. A rule that several
 * dialects share has the number of the oldest; where the specification demands what its own schemas leave out (output,
 * parameters of getSchema), leaving it out is a warning.
 */
import { error, isRawObject, isText, type RawObject, type RuleFinding, shownValue, warning } from './finding.ts'
import { dynamicSql } from './injected.ts'
import type { Rule } from './rules.ts'
import type { Dialect } from './types.ts'

const isSpecified = (dialect: Dialect): boolean => dialect !== 'D-docs' && dialect !== 'D-flat'
const isLater = (dialect: Dialect): dialect is '3.1' | '4.x' => dialect === '3.1' || dialect === '4.x'

/** Numbers of the rules that 3.1 and 4.x have under different ones. */
const later = {
  '3.1': {
    mode: '3.1 RES003',
    origin: '3.1 RES004',
    name: '3.1 RES005',
    fileBased: '3.1 RES025',
    markdownMode: '3.1 RES026',
    markdownQueries: '3.1 RES027',
    inline: '3.1 RES028',
    parameters: '3.1 RES010',
    output: '3.1 RES011',
  },
  '4.x': {
    mode: '4.x RES025',
    origin: '4.x RES026',
    name: '4.x RES027',
    fileBased: '4.x RES037',
    markdownMode: '4.x RES038',
    markdownQueries: '4.x RES039',
    inline: '4.x RES040',
    parameters: '4.x RES009',
    output: '4.x RES010',
  },
} as const satisfies Record<string, Record<string, Rule>>

const modes: readonly unknown[] = ['in-memory', 'file-based']
const origins: readonly unknown[] = ['global', 'project', 'inline']
const lifecycles: readonly unknown[] = ['persistent', 'transient']

/** What a resource of this dialect must have beside what RES001 to RES024 say. */
export const dialectFindings = (resource: RawObject, path: string, dialect: Dialect): readonly RuleFinding[] => {
  if (isLater(dialect)) return laterFindings(resource, path, dialect)
  if (!isSpecified(dialect)) return []
  const findings: RuleFinding[] = []
  const { lifecycle, database, queries } = resource
  if (lifecycle !== undefined && !lifecycles.includes(lifecycle)) {
    findings.push(error('3.0b RES024', `${path}.lifecycle`, shownValue(lifecycle), 'Write one of the two, or none.'))
  }
  if (isText(database) && database.split(/[/\\]/).includes('..')) {
    const mend = 'Put the database below the folder of the schema.'
    findings.push(error('3.0a RES004', `${path}.database`, shownValue(database), mend))
  }
  const count = isRawObject(queries) ? Object.keys(queries).length : 0
  const [most, rule] = dialect === '3.0a' ? ([4, '3.0a RES006'] as const) : ([6, '3.0b RES006'] as const)
  if (count > most) {
    findings.push(warning(rule, `${path}.queries`, `${count} queries`, 'Later dialects allow eight, and so do we.'))
  }
  return findings
}

const laterFindings = (resource: RawObject, path: string, dialect: '3.1' | '4.x'): readonly RuleFinding[] => {
  const rules = later[dialect]
  const { source, mode, origin, name, queries, url } = resource
  const findings: RuleFinding[] = []
  const add = (rule: Rule, field: string, value: unknown, mend: string): void => {
    findings.push(error(rule, `${path}.${field}`, shownValue(value), mend))
  }
  if (source === 'markdown') {
    if (mode !== undefined) add(rules.markdownMode, 'mode', mode, 'Take it out.')
    if (queries !== undefined) add(rules.markdownQueries, 'queries', queries, 'Take them out.')
    if (!isText(name) || !name.endsWith('.md')) add(rules.name, 'name', name, 'Name the file; it must end in .md.')
    return findings
  }
  if (source === 'http' && dialect === '4.x' && !(isText(url) && url.startsWith('https://'))) {
    add('4.x RES024', 'url', url, 'Write an address that begins with https://.')
  }
  if (source !== 'sqlite') return findings
  // FlowMCP's own runtime asks for a path in `database`, and its pages of 4.0.0 show that alone: it is clear without them.
  const isPathAlone = isText(resource.database)
  const demand = (rule: Rule, field: 'mode' | 'origin', value: unknown, mend: string): void => {
    const finding = value === undefined && isPathAlone ? warning : error
    findings.push(finding(rule, `${path}.${field}`, shownValue(value), mend))
  }
  if (!modes.includes(mode)) demand(rules.mode, 'mode', mode, "Write 'in-memory' for a database that is only read.")
  if (!origins.includes(origin)) demand(rules.origin, 'origin', origin, 'Write one of the three.')
  if (resource.database === undefined && (!isText(name) || !/^[a-z][a-z0-9-]*\.db$/.test(name))) {
    add(rules.name, 'name', name, 'Write it in small letters, digits and hyphens, ending in .db.')
  }
  if (mode === 'file-based' && origin !== 'project' && !(isPathAlone && origin === undefined)) {
    add(rules.fileBased, 'origin', origin, "Make the origin 'project', or the mode 'in-memory'.")
  }
  if (origin === 'inline') {
    const mend = 'Whoever gets the schema gets the data: think of what is personal in it.'
    findings.push(warning(rules.inline, `${path}.origin`, shownValue(origin), mend))
  }
  return findings
}

/** What a query of this dialect must have beside what RES001 to RES024 say. */
export const dialectQueryFindings = (query: RawObject, path: string, dialect: Dialect): readonly RuleFinding[] => {
  if (!isSpecified(dialect)) return []
  return [
    ...parametersFindings(query, path, dialect),
    ...outputFindings(query.output, `${path}.output`, dialect),
    ...dynamicFindings(query, path),
  ]
}

const parametersFindings = ({ parameters }: RawObject, path: string, dialect: Dialect): readonly RuleFinding[] => {
  const at = `${path}.parameters`
  if (parameters === undefined) {
    const rule = isLater(dialect) ? later[dialect].parameters : '3.0a RES009'
    return [warning(rule, at, 'nothing', 'Write [] for a query without parameters.')]
  }
  if (!Array.isArray(parameters)) return []
  return parameters.flatMap((parameter, index) => {
    const position = isRawObject(parameter) ? parameter.position : undefined
    if (!isRawObject(position)) return []
    const { location, value } = position
    const place = `${at}.${index}.position`
    const findings: RuleFinding[] = []
    if (location !== undefined) {
      findings.push(error('3.0a RES015', `${place}.location`, shownValue(location), 'Take it out.'))
    }
    if (typeof value === 'string' && value.includes('{{SERVER_PARAM')) {
      findings.push(error('3.0a RES016', `${place}.value`, shownValue(value), 'Write {{USER_PARAM}} or a fixed value.'))
    }
    return findings
  })
}

const outputFindings = (output: unknown, path: string, dialect: Dialect): readonly RuleFinding[] => {
  const rule = isLater(dialect) ? later[dialect].output : '3.0a RES010'
  const mend = "Write { mimeType: 'application/json', schema: { type: 'array', items: { … } } }."
  if (output === undefined) return [warning(rule, path, 'nothing', mend)]
  if (!isRawObject(output) || !isText(output.mimeType) || !isRawObject(output.schema)) {
    // `columns` is the documentation's form, which says the same in fewer words.
    const isColumns = isRawObject(output) && Array.isArray(output.columns)
    return [(isColumns ? warning : error)(rule, path, shownValue(output), mend)]
  }
  const { type } = output.schema
  return type === 'array'
    ? []
    : [error('3.0a RES021', `${path}.schema.type`, shownValue(type), "Make it 'array': a query gives rows.")]
}

const dynamicFindings = ({ sql, parameters }: RawObject, path: string): readonly RuleFinding[] => {
  if (typeof sql !== 'string' || !sql.includes(dynamicSql)) return []
  const findings: RuleFinding[] = []
  const keys = Array.isArray(parameters)
    ? parameters.map((each) => (isRawObject(each) && isRawObject(each.position) ? each.position.key : undefined))
    : []
  if (!keys.includes('sql')) {
    findings.push(error('3.0b RES025', `${path}.parameters`, shownValue(keys), "Give it a parameter 'sql'."))
  }
  if (sql.includes('?'))
    findings.push(error('3.0b RES026', `${path}.sql`, shownValue(sql), `Write ${dynamicSql} alone.`))
  return findings
}
