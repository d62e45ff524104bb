/** RES016 to RES020: what the parameters of a query may be, in each of the three forms. */
import { error, isRawObject, isText, type RuleFinding, shownValue, warning } from './finding.ts'

/** Parameters by what the rules look at, whatever their form. */
interface Seen {
  readonly path: string
  readonly key: unknown
  readonly type: unknown
  readonly description: unknown
  /** The position/z form has no field for a description. */
  readonly describable: boolean
}

/** camelCase, and snake_case as real schemas have it. */
const keyPattern = /^[a-z][a-zA-Z0-9]*(?:_[a-zA-Z0-9]+)*$/
const types: ReadonlySet<unknown> = new Set(['string', 'number', 'boolean'])
const primitive = /^(?:string\(\)|number\(\)|boolean\(\)|enum\(.+\))$/

const seenIn = (parameters: unknown, path: string): readonly Seen[] => {
  if (Array.isArray(parameters)) return parameters.map((raw, index) => seenInList(raw, `${path}.${index}`))
  if (!isRawObject(parameters)) return []
  return Object.entries(parameters).map(([key, raw]) => {
    const { type, description } = isRawObject(raw) ? raw : {}
    return { path: `${path}.${key}`, key, type, description, describable: true }
  })
}

const seenInList = (raw: unknown, path: string): Seen => {
  if (!isRawObject(raw)) return { path, key: undefined, type: undefined, description: undefined, describable: true }
  if (!('position' in raw || 'z' in raw)) {
    return { path, key: raw.key, type: raw.type, description: raw.description, describable: true }
  }
  const key = isRawObject(raw.position) ? raw.position.key : undefined
  const type = isRawObject(raw.z) ? raw.z.primitive : undefined
  return { path, key, type, description: raw.description, describable: false }
}

/** How many parameters a query has, 0 where they are of no known form. */
export const parameterCount = (parameters: unknown): number => seenIn(parameters, '').length

export const parameterFindings = (parameters: unknown, path: string): readonly RuleFinding[] => {
  if (parameters === undefined) return []
  if (!Array.isArray(parameters) && !isRawObject(parameters)) {
    const mend = 'Make the parameters an object by name, or a list in the order of the placeholders.'
    return [error('RES016', path, shownValue(parameters), mend)]
  }
  const seen = seenIn(parameters, path)
  const keys = seen.map(({ key }) => key)
  const repeated = seen.filter(({ key }, index) => isText(key) && keys.indexOf(key) !== index)
  return [
    ...seen.flatMap(findingsOf),
    ...repeated.map(({ path, key }) => error('RES020', path, shownValue(key), 'Rename one of them.')),
  ]
}

const findingsOf = ({ path, key, type, description, describable }: Seen): readonly RuleFinding[] => {
  const findings: RuleFinding[] = []
  if (!isText(key))
    findings.push(error('RES017', path, `the key ${shownValue(key)}`, 'Give the parameter a key: its name.'))
  else if (!keyPattern.test(key)) {
    findings.push(error('RES019', path, shownValue(key), 'Rename it.'))
  }
  if (!isText(type))
    findings.push(
      error('RES017', path, `the type ${shownValue(type)}`, 'Give the parameter a type: string, number or boolean.'),
    )
  else if (!types.has(type) && !primitive.test(type)) {
    findings.push(error('RES018', path, shownValue(type), 'Only these can be bound to a placeholder.'))
  }
  if (describable && !isText(description)) {
    const found = `the description ${shownValue(description)}`
    findings.push(warning('RES017', path, found, 'Describe the parameter: models read it to know what to give.'))
  }
  return findings
}
