/** What a source may say of its format: checked, so that a mistake is named before anything is downloaded. */
import { z } from 'zod'
import { encodings } from '../formats/encoding.ts'
import { isRecordsPath } from '../formats/json-format.ts'
import { isElementPath } from '../formats/xml-format.ts'

const text = z.string().min(1)
const count = z.number().int().min(1)
const elementPath = z.string().refine(isElementPath, 'must be the name of an element, or a path like /list/entry')

const csv = z
  .strictObject({
    type: z.literal('csv'),
    delimiter: z
      .string()
      .regex(/^[^"\r\n]$/u, 'must be one character, and no quote')
      .optional(),
    encoding: z.enum(encodings).optional(),
    preambleLines: z.number().int().min(0).optional(),
    columns: z.array(text).min(1).optional(),
    requires: z.array(text).optional(),
    knows: z.array(text).optional(),
    unknownColumns: z.enum(['keep', 'report']).optional(),
    names: z.enum(['header', 'safe']).optional(),
    maxColumns: count.optional(),
    nulls: z.array(text).optional(),
    trim: z.boolean().optional(),
    quotes: z.enum(['strict', 'lenient', 'none']).optional(),
    shortRecords: z.enum(['reject', 'pad']).optional(),
    maxRecordLines: count.optional(),
    maxLineBytes: count.optional(),
  })
  .refine(
    ({ unknownColumns, requires = [], knows = [] }) =>
      unknownColumns !== 'report' || requires.length + knows.length > 0,
    { path: ['unknownColumns'], message: 'can only be reported where requires or knows says which are known' },
  )

const json = z.strictObject({
  type: z.literal('json'),
  records: z.string().refine(isRecordsPath, 'must be a path to an array, like $.records[*]').optional(),
  maxRecordBytes: count.optional(),
})

const xml = z.strictObject({
  type: z.literal('xml'),
  records: z.union([elementPath, z.array(elementPath).min(1)], {
    error: 'must be the name of an element, a path like /list/entry, or a list of them',
  }),
  root: text.optional(),
  encoding: z.enum(encodings).optional(),
  maxRecordLength: count.optional(),
})

const plainFormat = z.discriminatedUnion('type', [z.strictObject({ type: z.literal('jsonl') }), json, csv, xml])

/** What a first character tells apart: json and jsonl begin alike. */
const beginnings = (formats: readonly { readonly type: string }[]): readonly string[] =>
  formats.map(({ type }) => (type === 'jsonl' ? 'json' : type))

const either = z.strictObject({
  type: z.literal('either'),
  formats: z
    .array(plainFormat)
    .min(2)
    .refine(
      (formats) => new Set(beginnings(formats)).size === formats.length,
      'must be told apart by their first character: one of csv, of xml, and of json or jsonl',
    ),
})

/** A format's definition. */
export const formatSchema = z.discriminatedUnion('type', [...plainFormat.options, either], {
  error: ({ note }) => (note === undefined ? "must be an object such as { type: 'csv' }" : undefined),
})

/** What a source may say of the archive it comes in. */
export const archiveSchema = z
  .strictObject({
    member: text.optional(),
    folder: text.optional(),
    every: z.array(text).min(1).optional(),
    formats: z.record(text, formatSchema).optional(),
  })
  .refine(({ member, every }) => member === undefined || every === undefined, {
    path: ['every'],
    message: 'cannot be there beside member',
  })
