/** Checks a pipeline's definition, so that a mistake is named before anything is downloaded. */
import { z } from 'zod'
import { StichtagError } from '../errors.ts'
import { listKinds } from '../store/list-kinds.ts'
import { definitionWords } from './definition-words.ts'
import { deltaProblems } from './delta.ts'
import { fieldsOf } from './fields.ts'
import { archiveSchema, formatSchema } from './formats.ts'
import { gtfsPipeline } from './gtfs.ts'
import { clashingNames, danglingNames } from './names.ts'
import { openSanctionsPipeline } from './open-sanctions.ts'
import { tooManyColumns } from './table-limits.ts'
import type { Kit, PipelineDefinition, SourceDefinition } from './types.ts'

/** Dataset ids, which are URI schemes and FlowMCP namespaces as well (DESIGN §1). */
export const datasetIdPattern = /^[a-z][a-z0-9-]*$/

const text = z.string().min(1)
const fileName = z.string().regex(/^[A-Za-z0-9_][^/\\]*$/, 'must be a file name, without a folder')
const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
const identifier = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'letters, digits and _ only, not starting with a digit')
const databaseName = z.string().regex(/^[a-z][a-z0-9-]*\.db$/, 'must match [a-z][a-z0-9-]*.db')
const columnTypes = ['TEXT', 'INTEGER', 'REAL', 'BLOB'] as const
const columnType = z.enum(columnTypes)

const related = z.strictObject({
  name: identifier,
  table: identifier,
  on: z.record(identifier, identifier).refine((on) => Object.keys(on).length > 0, 'must name a column'),
  orderBy: z.array(identifier),
})

const table = z.strictObject({
  description: text,
  columns: z
    .record(
      identifier,
      z.union([columnType, z.strictObject({ type: columnType, description: text })], {
        error: ({ input }) =>
          `must be one of ${columnTypes.join(', ')}, or { type, description } with one of them, not ${JSON.stringify(input)}`,
      }),
    )
    .refine((columns) => Object.keys(columns).length > 0, 'must have a column'),
  key: z.array(identifier),
  surrogate: identifier.optional(),
  title: identifier.optional(),
  indexes: z.array(z.array(identifier).min(1)).optional(),
  related: z.array(related).optional(),
  derivedBy: text.optional(),
})

const place = z.strictObject({ table: identifier, column: identifier })

const share = z.number().min(0).max(1)

const definition = z.strictObject({
  id: z.string().regex(datasetIdPattern, 'must match [a-z][a-z0-9-]*'),
  title: text,
  description: text,
  publisher: text,
  homepage: z.url(),
  licence: z.strictObject(
    { name: text, url: z.url(), attribution: text },
    { error: ({ code }) => (code === 'invalid_type' ? 'must be { name, url, attribution }' : undefined) },
  ),
  database: databaseName,
  aliases: z.array(databaseName).optional(),
  schedule: z.strictObject({
    cron: text,
    timeZone: z.string().refine(isTimeZone, 'must be an IANA time zone'),
    jitter: z.number().int().min(0).optional(),
  }),
  frozen: text.optional(),
  listKind: z.enum(listKinds).optional(),
  sources: z
    .array(
      z.strictObject({
        name: fileName,
        url: text,
        optional: z.union([z.boolean(), z.strictObject({ byHand: text })]).optional(),
        mistakenFor: z.array(z.strictObject({ has: text, is: text })).optional(),
        dateInName: z
          .custom<SourceDefinition['dateInName']>((value) => typeof value === 'function', 'must be a function')
          .optional(),
        index: z
          .strictObject({
            name: fileName,
            describe: z.custom<NonNullable<SourceDefinition['index']>['describe']>(
              (value) => typeof value === 'function',
              'must be a function',
            ),
          })
          .optional(),
        resolve: z
          .custom<SourceDefinition['resolve']>((value) => typeof value === 'function', 'must be a function')
          .optional(),
        format: formatSchema,
        archive: archiveSchema.optional(),
      }),
    )
    .refine((sources) => sources.some(({ optional }) => optional !== true), 'must have one that is not optional'),
  tables: z.record(identifier, table).refine((tables) => Object.keys(tables).length > 0, 'must have a table'),
  views: z.record(identifier, z.strictObject({ sql: text, description: text })).optional(),
  fullText: z
    .array(
      z.strictObject({
        name: identifier,
        table: identifier,
        columns: z.array(identifier).min(1),
        german: z.boolean().optional(),
      }),
    )
    .optional(),
  guards: z
    .strictObject({
      minRows: z.record(identifier, z.number().int().min(0)).optional(),
      maxShrink: z
        .union([share, z.record(identifier, share)], {
          error: 'must be a share from 0 to 1, or { table: share }',
        })
        .optional(),
      maxRejected: share.optional(),
      minFilled: z.record(identifier, z.record(identifier, share)).optional(),
      keys: z.record(identifier, z.enum(['reject', 'refuse'])).optional(),
      dates: z.enum(['refuse', 'warn']).optional(),
    })
    .optional(),
  delta: z
    .strictObject({
      files: z.array(text).min(1),
      records: z.record(identifier, z.array(identifier)),
      changedOn: z.record(identifier, identifier).optional(),
    })
    .optional(),
  shape: z.custom<PipelineDefinition['shape']>((value) => typeof value === 'function', 'must be a function').optional(),
  references: z.array(z.strictObject({ ...place.shape, to: z.array(place).min(1) })).optional(),
  validity: text.optional(),
  preamble: z
    .custom<PipelineDefinition['preamble']>((value) => typeof value === 'function', 'must be a function')
    .optional(),
  map: z.custom<PipelineDefinition['map']>((value) => typeof value === 'function', 'must be a function'),
  independent: z.boolean().optional(),
  space: z.number().positive().optional(),
  keep: z.number().int().min(1).optional(),
  quirks: z.array(text).optional(),
})

/** Checks a definition and returns it. Throws PIPELINE_INVALID naming every field that is wrong. */
export const definePipeline: Kit['definePipeline'] = (input) => {
  const parsed = definition.safeParse(input, { error: definitionWords })
  const problems = parsed.success
    ? [...danglingNames(input), ...clashingNames(input), ...tooManyColumns(input), ...deltaProblems(input)]
    : parsed.error.issues.map((issue) => `${issue.path.join('.') || 'definition'}: ${issue.message}`)
  if (problems.length > 0) {
    const id = typeof input === 'object' && input !== null && 'id' in input ? String(input.id) : '(no id)'
    throw new StichtagError('PIPELINE_INVALID', `pipeline ${id}: ${problems.join('; ')}`, { data: { id, problems } })
  }
  return input
}

/** The kit that pipeline files are called with. */
export const kit: Kit = {
  definePipeline,
  gtfs: (options) => gtfsPipeline({ definePipeline, fields: fieldsOf }, options),
  openSanctions: (options) => openSanctionsPipeline({ definePipeline }, options),
  fields: fieldsOf,
}
