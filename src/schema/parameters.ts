/** Parameters of a query in any dialect's form, brought to the normal form. */
import { isParameterFormat } from './parameter-format.ts'
import { flatParameter, type Place, plainParameter, positionParameter, type RawParameter, readShape } from './raw.ts'
import type { SchemaParameter } from './types.ts'

type Scalar = string | number | boolean

/** A parameter before a description was found for it. */
export type UndescribedParameter = Omit<SchemaParameter, 'description'> & { readonly description?: string }

type Loose = Readonly<Record<string, unknown>>

const isList = (raw: readonly Loose[] | Readonly<Record<string, Loose>>): raw is readonly Loose[] => Array.isArray(raw)

/** Parameters in the order of their placeholders. `note` is told what a dialect allows and we do not check. */
export const parametersOf = (
  raw: readonly Loose[] | Readonly<Record<string, Loose>>,
  place: Place,
  note: (text: string) => void,
): readonly UndescribedParameter[] => {
  if (!isList(raw)) {
    return Object.entries(raw).map(([name, value]) => {
      const inner = place.at(name)
      return plain(name, readShape(plainParameter, value, inner), inner)
    })
  }
  return raw.map((value, index) => {
    const inner = place.at(index)
    if ('position' in value || 'z' in value) return positioned(value, inner, note)
    const flat = readShape(flatParameter, value, inner)
    return plain(flat.key, flat, inner)
  })
}

const namePattern = /^[A-Za-z][A-Za-z0-9_-]*$/

const checkedName = (name: string, place: Place): string =>
  namePattern.test(name)
    ? name
    : place.refuse('the name of a parameter must be letters, digits, - or _, a letter first')

const types: ReadonlySet<string> = new Set(['string', 'number', 'boolean'])
const isType = (type: string): type is SchemaParameter['type'] => types.has(type)

const plain = (name: string, raw: RawParameter, place: Place): UndescribedParameter => {
  // D-docs names types plainly; some write the primitive of the other dialects.
  const type = raw.type.replace(/\(\)$/, '')
  if (!isType(type)) return place.at('type').refuse(`must be string, number or boolean, not ${raw.type}`)
  const standard = raw.default ?? undefined
  return {
    name: checkedName(name, place),
    type,
    required: raw.value === undefined && standard === undefined && (raw.required ?? true),
    ...(raw.description ? { description: raw.description } : {}),
    ...(standard === undefined ? {} : { default: typed(standard, type, place.at('default')) }),
    ...(raw.value === undefined ? {} : { fixed: typed(raw.value, type, place.at('value')) }),
    ...(raw.min === undefined ? {} : { min: raw.min }),
    ...(raw.max === undefined ? {} : { max: raw.max }),
    ...(raw.length === undefined ? {} : { length: raw.length }),
    ...(raw.enum === undefined ? {} : { enum: raw.enum }),
    ...(type === 'string' && isParameterFormat(raw.format) ? { format: raw.format } : {}),
    ...columnOf(raw.column),
  }
}

const columnOf = (raw: unknown): Pick<SchemaParameter, 'column'> => {
  const [, table, column] = typeof raw === 'string' ? (/^(\w+)\.(\w+)$/.exec(raw) ?? []) : []
  return table === undefined || column === undefined ? {} : { column: { table, column } }
}

const positioned = (value: unknown, place: Place, note: (text: string) => void): UndescribedParameter => {
  const raw = readShape(positionParameter, value, place)
  const { key, value: bound } = raw.position
  if (typeof bound === 'string' && bound.startsWith('{{SERVER_PARAM')) {
    return place.at('position').at('value').refuse('a query of a database has no server parameters')
  }
  const primitive = primitiveOf(raw.z.primitive, place.at('z').at('primitive'), note)
  const options = optionsOf(raw.z.options, primitive.type, place.at('z').at('options'), note)
  const isFixed = bound !== '{{USER_PARAM}}'
  return {
    name: checkedName(key, place.at('position').at('key')),
    ...primitive,
    ...options.limits,
    required: !isFixed && !options.optional,
    ...(raw.description ? { description: raw.description } : {}),
    ...(isFixed ? { fixed: typed(bound, primitive.type, place.at('position').at('value')) } : {}),
  }
}

const primitiveOf = (
  text: string,
  place: Place,
  note: (text: string) => void,
): Pick<SchemaParameter, 'type' | 'enum'> => {
  const [, name = '', inner = ''] = /^\s*(\w+)\((.*)\)\s*$/s.exec(text) ?? []
  if (name === 'enum') {
    if (inner.includes('{{')) {
      note(`${place.path}: the shared list ${inner} is not known here, so any text is taken`)
      return { type: 'string' }
    }
    return { type: 'string', enum: inner.split(',').map((choice) => choice.trim()) }
  }
  if (!isType(name)) return place.refuse(`must be string(), number(), boolean() or enum(A,B), not ${text}`)
  return { type: name }
}

interface Options {
  readonly optional: boolean
  readonly limits: Pick<SchemaParameter, 'min' | 'max' | 'length' | 'default'>
}

const optionsOf = (
  texts: readonly string[],
  type: SchemaParameter['type'],
  place: Place,
  note: (text: string) => void,
): Options => {
  const limits: { min?: number; max?: number; length?: number; default?: Scalar } = {}
  let optional = false
  for (const [index, text] of texts.entries()) {
    const inner = place.at(index)
    const [, name = '', argument = ''] = /^\s*(\w+)\((.*)\)\s*$/s.exec(text) ?? []
    if (name === 'optional') optional = true
    else if (name === 'default') {
      optional = true
      limits.default = typed(argument, type, inner)
    } else if (name === 'min' || name === 'max' || name === 'length') {
      const limit = typed(argument, 'number', inner)
      if (typeof limit === 'number') limits[name] = limit
    } else note(`${inner.path}: ${text} is not checked`)
  }
  return { optional, limits }
}

/** A value written in a schema, as the type of its parameter. */
const typed = (value: Scalar, type: SchemaParameter['type'], place: Place): Scalar => {
  if (typeof value === type) return value
  const text = String(value).trim()
  if (type === 'string') return String(value)
  if (type === 'number' && text !== '' && Number.isFinite(Number(text))) return Number(text)
  if (type === 'boolean' && /^(true|1)$/.test(text)) return true
  if (type === 'boolean' && /^(false|0)$/.test(text)) return false
  return place.refuse(`${JSON.stringify(value)} is no ${type}`)
}
