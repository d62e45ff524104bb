/** The shapes a schema may have in its file, of all dialects together. Dialects differ in which fields are there. */
import { z } from 'zod'

const scalar = z.union([z.string(), z.number(), z.boolean()])

/** Parameters of the dialects 3.0a to 4.x: `{ position: { key, value }, z: { primitive, options } }`. */
export const positionParameter = z.looseObject({
  position: z.looseObject({ key: z.string(), value: scalar }),
  z: z.looseObject({ primitive: z.string(), options: z.array(z.string()).default([]) }),
  description: z.string().optional(),
})

/** Parameters of D-docs (by name) and D-flat (with `key`). */
const plainFields = {
  type: z.string().default('string'),
  description: z.string().optional(),
  required: z.boolean().optional(),
  default: scalar.nullable().optional(),
  value: scalar.optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  length: z.number().optional(),
  enum: z.array(z.union([z.string(), z.number()])).optional(),
  // Our own words, which other people's schemas may use otherwise.
  format: z.unknown().optional(),
  column: z.unknown().optional(),
}
export const plainParameter = z.looseObject(plainFields)
export const flatParameter = z.looseObject({ key: z.string(), ...plainFields })

export const rawQuery = z.looseObject({
  sql: z.string(),
  description: z.string().default(''),
  /** A list, or an object by name: which form each parameter has is seen when it is read. */
  parameters: z.union([z.array(z.looseObject({})), z.record(z.string(), z.looseObject({}))]).default([]),
  output: z.unknown().optional(),
})

export const rawResource = z.looseObject({
  source: z.string().default('sqlite'),
  description: z.string().default(''),
  database: z.string().optional(),
  origin: z.enum(['global', 'project', 'inline']).optional(),
  name: z.string().optional(),
  mode: z.string().optional(),
  lifecycle: z.string().optional(),
  queries: z.record(z.string(), z.unknown()).default({}),
})

export const rawMain = z.looseObject({
  namespace: z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be lower-case letters, digits and hyphens, a letter first'),
  name: z.string().default(''),
  description: z.string().default(''),
  version: z.string().default(''),
  resources: z.record(z.string(), z.unknown()).default({}),
})

/** In schemas of FlowMCP's add-ons (`sqlite-gtfs`): a list of resources, in a `main` within what the file exports. */
export const addOnMain = z.looseObject({ resources: z.array(z.looseObject({ source: z.string() })) })

export type RawParameter = z.infer<typeof plainParameter>
export type RawPositionParameter = z.infer<typeof positionParameter>
export type RawQuery = z.infer<typeof rawQuery>
export type RawResource = z.infer<typeof rawResource>
export type RawMain = z.infer<typeof rawMain>

/** Where in a schema something stands, `resources.companiesDb.queries.search`, and how to refuse it. */
export interface Place {
  readonly path: string
  /** The place of a field within. */
  at(field: string | number): Place
  /** Throws SCHEMA_INVALID naming file and place. */
  refuse(why: string): never
}

/** Reads a value in the shape of a zod schema, refusing it at its place where it has another. */
export const readShape = <Shape extends z.ZodType>(shape: Shape, value: unknown, place: Place): z.infer<Shape> => {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const within = (issue?.path ?? []).reduce<Place>((inner, field) => inner.at(String(field)), place)
  return within.refuse(issue?.message ?? 'has another shape than it must')
}
