/** What a query accepts, as a check and as a JSON Schema, and the values that its placeholders get. */
import { z } from 'zod'
import { StichtagError } from '../errors.ts'
import type { Parameter } from '../query/types.ts'
import { dynamicSql } from './injected.ts'
import { formattedField } from './parameter-format.ts'
import { rowCountsIn } from './row-counts.ts'
import type { SchemaParameter, SchemaQuery } from './types.ts'

/** A JSON Schema of type object. */
export type ObjectJsonSchema = Readonly<Record<string, unknown>> & { readonly type: 'object' }

/** A parameter as it is asked for: with what its place in the statement adds. */
interface AskedParameter extends SchemaParameter {
  /** After LIMIT or OFFSET, where SQLite takes a negative number for no limit, and a fraction for an error. */
  readonly countsRows: boolean
}

const numberField = ({ countsRows, min, max }: AskedParameter): z.ZodNumber => {
  let field = countsRows ? z.number().multipleOf(1, 'must be a whole number').min(0) : z.number()
  if (min !== undefined) field = field.min(min)
  if (max !== undefined) field = field.max(max)
  return field
}

const stringField = ({ min, max, length, format }: SchemaParameter): z.ZodString => {
  let field = format === undefined ? z.string() : formattedField(format)
  if (min !== undefined) field = field.min(min)
  if (max !== undefined) field = field.max(max)
  if (length !== undefined) field = field.length(length)
  return field
}

const plainField = (parameter: AskedParameter): z.ZodType => {
  if (parameter.enum !== undefined) return z.literal([...parameter.enum])
  if (parameter.type === 'number') return numberField(parameter)
  return parameter.type === 'boolean' ? z.boolean() : stringField(parameter)
}

/** Models send numbers and truth values as text, and URIs have nothing else. */
const fromText = (type: SchemaParameter['type']) => (value: unknown) => {
  if (typeof value !== 'string') return value
  if (type === 'number') {
    const isExact = /^-?\d+\.\d+$/.test(value) || (/^-?\d+$/.test(value) && Number.isSafeInteger(Number(value)))
    return isExact ? Number(value) : value
  }
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

/** Whole numbers beyond 2^53 as text, as answers show them: exact, so that what was read can be asked for again. */
const bigIntegerField = ({ min, max }: SchemaParameter): z.ZodType =>
  z
    .string()
    .regex(/^-?\d{16,19}$/)
    .transform(BigInt)
    .refine((value) => BigInt.asIntN(64, value) === value)
    .refine((value) => !Number.isSafeInteger(Number(value)))
    .refine((value) => (min === undefined || value >= min) && (max === undefined || value <= max))

const lenientField = (parameter: AskedParameter): z.ZodType => {
  const field = z.preprocess(fromText(parameter.type), plainField(parameter))
  if (parameter.type !== 'number' || parameter.enum !== undefined) return field
  const big = bigIntegerField(parameter)
  return z.any().transform((value, context) => {
    const exact = big.safeParse(value)
    if (exact.success) return exact.data
    const result = field.safeParse(value)
    if (result.success) return result.data
    for (const issue of result.error.issues) context.addIssue({ code: 'custom', message: issue.message })
    return z.NEVER
  })
}

const optional = (parameter: SchemaParameter, field: z.ZodType): z.ZodType => {
  if (parameter.default !== undefined) return field.default(parameter.default)
  return parameter.required ? field : field.optional()
}

/** The parameters a caller gives: each name once, fixed ones left out. */
const askedFor = (query: SchemaQuery): readonly AskedParameter[] => {
  const rowCounts = rowCountsIn(query.sql)
  const isFree = query.sql === dynamicSql
  const placed = query.parameters.map((parameter, index) => ({
    ...parameter,
    countsRows: rowCounts[index] === true || (isFree && parameter.name === 'limit'),
  }))
  const asked = placed.filter(({ fixed }) => fixed === undefined)
  return [...new Map(asked.map((parameter) => [parameter.name, parameter])).values()]
}

/** Checks that were made: making one takes several times as long as checking by it. */
const inputSchemas = new WeakMap<SchemaQuery, z.ZodObject>()

/** A check of a query's arguments that applies defaults and refuses names it does not know. */
export const inputSchemaOf = (query: SchemaQuery): z.ZodObject => {
  const known = inputSchemas.get(query)
  if (known !== undefined) return known
  const fields = askedFor(query).map((parameter) => [parameter.name, optional(parameter, lenientField(parameter))])
  const schema = z.strictObject(Object.fromEntries(fields))
  inputSchemas.set(query, schema)
  return schema
}

/** The JSON Schema of a query's arguments, with a description on every property. */
export const jsonSchemaOf = (query: SchemaQuery): ObjectJsonSchema => {
  const properties = askedFor(query).map((parameter) => [
    parameter.name,
    optional(parameter, plainField(parameter)).describe(parameter.description),
  ])
  const { $schema, ...schema } = z.toJSONSchema(z.strictObject(Object.fromEntries(properties)), { io: 'input' })
  return { ...schema, type: 'object' }
}

const phrase = ({ name, type, required, default: standard }: SchemaParameter): string => {
  const otherwise = standard === undefined ? 'optional' : `${JSON.stringify(standard)} unless given`
  return `${name} (${type}, ${required ? 'required' : otherwise})`
}

/** A parameter as a model is told of it. */
export interface ParameterInWords {
  readonly name: string
  readonly description: string
  /** Its type and limits: `string`, `number from 1 to 50`, `one of a, b`. */
  readonly takes: string
  readonly required: boolean
  readonly default?: string | number | boolean
  /** A number of rows. */
  readonly countsRows: boolean
}

/** The parameters that a caller may give, in words. */
export const parametersInWords = (query: SchemaQuery): readonly ParameterInWords[] =>
  askedFor(query).map(({ name, description, required, default: standard, countsRows, ...facts }) => ({
    name,
    description,
    takes: takesOf(facts),
    required,
    ...(standard === undefined ? {} : { default: standard }),
    countsRows,
  }))

const takesOf = ({
  type,
  enum: choices,
  min,
  max,
  length,
}: Omit<SchemaParameter, 'name' | 'description' | 'required'>) => {
  if (choices !== undefined) return `one of ${choices.join(', ')}`
  if (length !== undefined) return `${type} of ${length} characters`
  if (min === undefined && max === undefined) return type
  const range = [min ?? '', ...(max === undefined ? ['or more'] : ['to', max])].join(' ').trim()
  return type === 'string' ? `string of ${range} characters` : `${type}, ${range}`
}

/** Arguments without those that say nothing: models send null for what they leave out. */
const givenArguments = (query: SchemaQuery, args: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const optional = new Set(query.parameters.filter(({ required }) => !required).map(({ name }) => name))
  const given = Object.entries(args).filter(([name, value]) => !(value === null && optional.has(name)))
  // Without a prototype, so that a parameter called `constructor` is missing where it is not given.
  return Object.assign(Object.create(null), Object.fromEntries(given))
}

/**
 * The values of a query's placeholders, in their order: arguments checked, defaults and fixed values filled in, truth
 * values as 1 and 0, optional ones that are not given as NULL.
 * @throws ARGUMENTS_INVALID saying what is wrong and what the query takes
 */
export const boundValues = (query: SchemaQuery, args: Readonly<Record<string, unknown>>): Parameter[] => {
  const given = givenArguments(query, args)
  const result = inputSchemaOf(query).safeParse(given)
  if (!result.success) {
    const problems = result.error.issues.map(({ path: [name], message }) => {
      if (name === undefined) return message
      return `${String(name)}: ${name in given ? message : 'is missing'}`
    })
    const takes = askedFor(query).map(phrase).join(', ') || 'no arguments'
    throw new StichtagError('ARGUMENTS_INVALID', `${query.name}: ${problems.join('; ')}. It takes ${takes}.`, {
      data: { query: query.name, problems },
    })
  }
  const values: Readonly<Record<string, unknown>> = result.data
  return query.parameters.map(({ name, fixed }) => bindable(fixed ?? values[name]))
}

const bindable = (value: unknown): Parameter => {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  return null
}
