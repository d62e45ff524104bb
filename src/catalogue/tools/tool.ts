/** A tool of the catalogue, and how its arguments are checked and its failures told. */
import { z } from 'zod'
import { StichtagError } from '../../errors.ts'
import type { ObjectSchema, ToolAnswer, ToolEntry } from '../types.ts'

export interface Tool {
  readonly name: string
  /** What hosts are told of it. Made when the tools are listed: that takes longer than finding out which there are. */
  readonly entry: () => ToolEntry
  readonly call: (args: Readonly<Record<string, unknown>>, signal?: AbortSignal) => Promise<ToolAnswer>
}

/** Those of schemas that live as long as this module: some milliseconds each, and the tools are listed anew at each move. */
const converted = new WeakMap<z.ZodObject, ObjectSchema>()

/** JSON Schema of an object, as it is given to a tool. */
export const objectSchemaOf = (schema: z.ZodObject): ObjectSchema => {
  const known = converted.get(schema)
  if (known !== undefined) return known
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' })
  const objectSchema: ObjectSchema = { ...json, type: 'object' }
  converted.set(schema, objectSchema)
  return objectSchema
}

/** Arguments as the schema says; throws ARGUMENTS_INVALID in words a model can act on. */
export const checkedArguments = <Schema extends z.ZodType>(
  schema: Schema,
  args: Readonly<Record<string, unknown>>,
): z.output<Schema> => {
  const checked = schema.safeParse(args)
  if (checked.success) return checked.data
  const findings = checked.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`)
  throw new StichtagError('ARGUMENTS_INVALID', `The arguments do not fit. ${findings.join('; ')}.`)
}

/** Runs a tool; what is expected to go wrong becomes an answer that a model can act on. */
export const answering = async (run: () => Promise<ToolAnswer>): Promise<ToolAnswer> => {
  try {
    return await run()
  } catch (error) {
    const isExpected = error instanceof StichtagError && error.code !== 'INTERNAL' && error.code !== 'CANCELLED'
    if (!isExpected) throw error
    return { ok: false, code: error.code, message: error.message }
  }
}

/** Fields that every answer about one dataset has. */
export const originFields = {
  dataset: z.string().describe('Id of the dataset.'),
  version: z.string().describe('Version of the data: cite it, and give it to `changes` to learn what changed since.'),
  asOf: z.string().describe('As of when the data hold.'),
  validFrom: z.string().optional().describe('There where the data hold for a time, such as timetables: the first day.'),
  validUntil: z.string().optional().describe('The last day. Of other days the data say nothing.'),
  validity: z.string().optional().describe('There where that time is over, or nothing was found: what it means.'),
  licence: z.string(),
  attribution: z.string().describe('How the licence wants the publisher named.'),
  source: z.string().optional().describe('Where the publisher presents the data.'),
  sample: z.string().optional().describe('There where the records are invented.'),
}

export const truncatedField = z.boolean().describe('Exactly whether more was found than is here.')
