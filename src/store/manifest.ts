/**
 * manifest.json: what a snapshot is, whence it came, under which licence, and how its tables are to be read.
 *
 * The gateway knows a dataset by its manifest alone; it never looks at the pipeline that built it.
 */
import { z } from 'zod'
import { listKinds } from './list-kinds.ts'

const columnType = z.enum(['TEXT', 'INTEGER', 'REAL', 'BLOB'])

const licenceSchema = z.object({ name: z.string(), url: z.string(), attribution: z.string() })

/** Rows of another table that belong to a record: a company's officers, a trip's stop times. */
const relatedSchema = z.object({
  /** Name under `related` in what a host reads. */
  name: z.string(),
  table: z.string(),
  /** Column of the related table → column of the record's own table; they are equal. */
  on: z.record(z.string(), z.string()),
  orderBy: z.array(z.string()),
})

const tableSchema = z.object({
  name: z.string(),
  description: z.string(),
  columns: z.array(
    z.object({
      name: z.string(),
      type: columnType,
      description: z.string().optional(),
      /** A number made while loading (rowid alias), not part of the record: left out of digest and comparison. */
      surrogate: z.boolean().optional(),
    }),
  ),
  /** Columns that identify a record; empty where rows have no key. */
  key: z.array(z.string()),
  /** Column that names a record for people, where there is one. */
  title: z.string().optional(),
  indexes: z.array(z.array(z.string())),
  related: z.array(relatedSchema),
  rows: z.number().int(),
  digest: z.string(),
})

const fullTextSchema = z.object({
  /** Name of the FTS5 table; its rowid is that of `table`. */
  name: z.string(),
  table: z.string(),
  columns: z.array(z.string()),
})

const sourceSchema = z.object({
  name: z.string(),
  /** The declared, stable URL; redirect targets are not kept. */
  url: z.string(),
  /** Where the pipeline found the file, for sources whose address is looked up; without credentials. */
  resolvedUrl: z.string().optional(),
  bytes: z.number().int(),
  sha256: z.string(),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  retrievedAt: z.string(),
  /** When a file of this machine was last written, where that can be believed. */
  modifiedAt: z.string().optional(),
  /** Records read = mapped + rejected. */
  records: z.object({ read: z.number().int(), mapped: z.number().int(), rejected: z.number().int() }),
  /** The same by member, for an archive that is read member by member. */
  members: z
    .array(
      z.object({
        name: z.string(),
        records: z.object({ read: z.number().int(), mapped: z.number().int(), rejected: z.number().int() }),
      }),
    )
    .optional(),
  /** Fields that the mapping does not know, with how often each was seen. */
  unknownFields: z.record(z.string(), z.number().int()),
})

export const manifestSchema = z.object({
  format: z.literal(1),
  dataset: z.string(),
  version: z.string(),
  title: z.string(),
  description: z.string(),
  publisher: z.string(),
  homepage: z.string(),
  licence: licenceSchema,
  /** File name of the pointer and of its further names. */
  database: z.string(),
  aliases: z.array(z.string()),
  /** When the delivery was fetched (ISO 8601). */
  retrievedAt: z.string(),
  /** The day or instant as of which the publisher says the data hold, where it says so. */
  publisherDate: z.string().optional(),
  /**
   * What answers call `asOf`: the publisher's date, else when the files of this machine were written, else the time of
   * retrieval.
   */
  asOf: z.string(),
  /** First and last day on which the data are valid (timetables). */
  validFrom: z.string().optional(),
  validUntil: z.string().optional(),
  buildDate: z.string(),
  converterVersion: z.string(),
  /** Digest of the pipeline's definition and converter; another one means: rebuild. */
  fingerprint: z.string(),
  contentDigest: z.string(),
  /** sha256 and size of data.db. */
  file: z.object({ sha256: z.string(), bytes: z.number().int() }),
  /** Version that was current when this one was built; changes.db is against it. */
  base: z.string().nullable(),
  /**
   * Where the delivery held only what changed: its files, by their own names, and the version that they were laid over,
   * which everything else is from; null where there was none. `partial`: nor was there ever a whole delivery below it.
   * `sources` are these files alone.
   */
  delta: z.object({ files: z.array(z.string()), over: z.string().nullable(), partial: z.boolean() }).optional(),
  /** True where the records are invented. */
  sample: z.boolean(),
  /** There where a person gave the delivery by `--from`: nobody asked the publisher. */
  byHand: z.literal(true).optional(),
  /** Files of the publisher's that were not in it, and what is not there without each. */
  lacking: z.record(z.string(), z.string()).optional(),
  /** What kind of list it is, where its records are entries of a list that names are looked up in. */
  listKind: z.enum(listKinds).optional(),
  /** Least rows by table, as the pipeline expects of a whole delivery. */
  expectedRows: z.record(z.string(), z.number().int()).optional(),
  /** Guards that would have refused it, and only warned: by their names. Their messages are among `warnings`, too. */
  guardWarnings: z.array(z.object({ guard: z.string(), message: z.string() })).optional(),
  /** Cron expression and time zone on which the dataset is refreshed. */
  schedule: z.object({ cron: z.string(), timeZone: z.string() }),
  /** Why the source is known not to change any more, where that is so. */
  frozen: z.string().optional(),
  sources: z.array(sourceSchema),
  tables: z.array(tableSchema),
  views: z.array(z.object({ name: z.string(), description: z.string() })),
  fullText: z.array(fullTextSchema),
  rejected: z.number().int(),
  changes: z.record(
    z.string(),
    z.object({ added: z.number().int(), removed: z.number().int(), changed: z.number().int() }),
  ),
  warnings: z.array(z.string()),
})

export type Manifest = z.infer<typeof manifestSchema>
export type TableInfo = Manifest['tables'][number]
export type RelatedInfo = TableInfo['related'][number]
export type FullTextInfo = Manifest['fullText'][number]
export type SourceInfo = Manifest['sources'][number]
export type Changes = Manifest['changes']
