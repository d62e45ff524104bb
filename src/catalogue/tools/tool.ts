/** A tool of the catalogue, and how its arguments are checked and its failures told. */
import { z } from 'zod'
import { StichtagError } from '../../errors.ts'
import { asOfKinds } from '../../store/as-of.ts'
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
  const read = schema.safeParse(readAsJson(args, new Set(checked.error.issues.map(({ path: [name] }) => name))))
  if (read.success) return read.data
  const findings = checked.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`)
  throw new StichtagError('ARGUMENTS_INVALID', `The arguments do not fit. ${findings.join('; ')}.`)
}

/** Models write lists, objects and numbers as text: `"[\"a\"]"`. What does not fit as text is read so. */
const readAsJson = (
  args: Readonly<Record<string, unknown>>,
  unfit: ReadonlySet<unknown>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      unfit.has(name) && typeof value === 'string' ? jsonOrText(value) : value,
    ]),
  )

const jsonOrText = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    // No JSON: what is wrong with the text as it is will be told.
    if (!(error instanceof SyntaxError)) throw error
    return text
  }
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
  asOf: z.string().describe('As of when the data hold: the publisher’s own date, unless asOfIs is there.'),
  asOfIs: z
    .enum(asOfKinds)
    .optional()
    .describe(
      'There where the publisher gives no date: file-time, when a file was last written, which says nothing of how old ' +
        'the data are; retrieval-time, when they were fetched.',
    ),
  validFrom: z.string().optional().describe('There where the data hold for a time, such as timetables: the first day.'),
  validUntil: z.string().optional().describe('The last day. Of other days the data say nothing.'),
  validity: z.string().optional().describe('There where that time is over, or nothing was found: what it means.'),
  licence: z.string(),
  attribution: z.string().describe('How the licence wants the publisher named.'),
  source: z.string().optional().describe('Where the publisher presents the data.'),
  byHand: z.string().optional().describe('There where a person gave the data, not the publisher: say it.'),
  partial: z.string().optional().describe('There where only a part of the dataset is here, and what that means.'),
  sample: z.string().optional().describe('There where the records are invented.'),
}

export const truncatedField = z.boolean().describe('Exactly whether more was found than is here.')
