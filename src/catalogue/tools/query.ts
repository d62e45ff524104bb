/** One FlowMCP query as a tool, under the name FlowMCP gives it. */
import { z } from 'zod'
import { StichtagError } from '../../errors.ts'
import type { Parameter, ReaderPool } from '../../query/types.ts'
import { boundValues, jsonSchemaOf } from '../../schema/arguments.ts'
import { originOf, termsOf, validityNote } from '../answer-origin.ts'
import { type CatalogueContext, queryDatabaseMissing } from '../context.ts'
import type { Made } from '../prepared.ts'
import { databaseFor, type QueryRows, queryRows } from '../query-rows.ts'
import { recordLinks } from '../row-links.ts'
import type { ServedDataset, ServedQuery } from '../served.ts'
import type { ObjectSchema, ToolAnswer } from '../types.ts'
import { answering, objectSchemaOf, originFields, type Tool, truncatedField } from './tool.ts'

/** More rows, or more bytes, than a model can make use of. */
const mostRows = 1000
const mostBytes = 100_000

const output = z.object({
  ...originFields,
  query: z.string(),
  columns: z.array(z.string()),
  rows: z.array(z.looseObject({})).describe('One object per row, by column.'),
  rowCount: z.number().describe('Rows in this answer.'),
  truncated: truncatedField,
  truncatedBy: z.enum(['rows', 'bytes']).optional().describe('Which limit cut it.'),
  note: z
    .string()
    .optional()
    .describe('There where the rows alone would mislead: a value that is nowhere, a LIMIT reached.'),
  uris: z.array(z.string()).describe('URIs of the records found: give them to fetch.'),
})

/** What every query tool answers. */
export const queryOutput = (): ObjectSchema => objectSchemaOf(output)

/** A query as a tool of this name. */
export const queryTool = (
  context: CatalogueContext,
  dataset: ServedDataset,
  query: ServedQuery,
  name: string,
): Tool => ({
  name,
  entry: () => ({
    name,
    title: `${dataset.title}: ${query.name}`,
    description: `${sentence(query.query.description)} Dataset: ${dataset.title} (${dataset.id}). ${whenNot(query)}`,
    inputSchema: jsonSchemaOf(query.query),
    outputSchema: queryOutput(),
  }),
  call: (args, signal) => answering(() => callQuery(context, dataset, query, args, signal)),
})

/** Runs a query with a tool's arguments. */
export const callQuery = async (
  context: CatalogueContext,
  dataset: ServedDataset,
  query: ServedQuery,
  args: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<ToolAnswer> => {
  const { pool, preparedAnswers } = context
  const now = context.now()
  const { database } = query
  if (database.kind === 'missing') throw queryDatabaseMissing(context, dataset, database.file, database.tried)
  const statement = statementOf(query, args)
  const make = (): Promise<Made<ToolAnswer>> => makeAnswer(pool, dataset, query, statement, now, signal)
  const question = questionOf(dataset, query, statement, now)
  return question === undefined ? (await make()).answer : preparedAnswers(databaseFor(dataset, query), question, make)
}

const makeAnswer = async (
  pool: ReaderPool,
  dataset: ServedDataset,
  query: ServedQuery,
  { sql, parameters, maxRows }: Statement,
  now: Date,
  signal: AbortSignal | undefined,
): Promise<Made<ToolAnswer>> => {
  const found = await queryRows(pool, dataset, query, parameters, { maxRows, maxBytes: mostBytes, sql }, signal)
  const links = await recordLinks(pool, dataset.id, found.database, { ...found, sql }, signal)
  const structured = {
    ...originOf(dataset.id, found.database),
    ...validityNote(found.database, now, found.rows.length === 0),
    query: query.name,
    ...rowsOf(found),
    uris: links.map(({ uri }) => uri),
    ...termsOf(found.database),
  }
  const length = () => (found.repeatable ? JSON.stringify([structured, links]).length : undefined)
  return { answer: { ok: true, structured, links }, length }
}

/** What decides an answer, beside the data; undefined for SQL that was written for this one time. */
const questionOf = (
  { id }: ServedDataset,
  query: ServedQuery,
  { parameters }: Statement,
  now: Date,
): string | undefined => {
  const isPlain = parameters.every((each) => each === null || typeof each === 'string' || typeof each === 'number')
  return query.kind === 'defined' && isPlain
    ? JSON.stringify([id, query.name, parameters, validityAt(query, now)])
    : undefined
}

/** An answer says whether the time is over for which its data hold. */
const validityAt = ({ database }: ServedQuery, now: Date): string | undefined =>
  database.kind === 'served' ? validityNote(database.database, now).validity : undefined

const rowsOf = ({ columns, rows, truncated, truncatedBy, note }: QueryRows) => ({
  columns,
  rows,
  rowCount: rows.length,
  truncated,
  ...(truncatedBy === undefined ? {} : { truncatedBy }),
  ...(note === undefined ? {} : { note }),
})

interface Statement {
  readonly sql: string
  readonly parameters: readonly Parameter[]
  readonly maxRows: number
}

const statementOf = ({ kind, query }: ServedQuery, args: Readonly<Record<string, unknown>>): Statement => {
  const values = boundValues(query, args)
  if (kind === 'defined') return { sql: query.sql, parameters: values, maxRows: mostRows }
  const [sql, limit] = ['sql', 'limit'].map((name) => values[query.parameters.findIndex((each) => each.name === name)])
  if (typeof sql !== 'string') throw new StichtagError('ARGUMENTS_INVALID', `${query.name}: sql must be a statement.`)
  const wanted = typeof limit === 'number' ? Math.floor(limit) : 100
  return { sql, parameters: [], maxRows: Math.min(mostRows, Math.max(1, wanted)) }
}

const sentence = (text: string): string => (/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`)

const whenNot = ({ kind }: ServedQuery): string =>
  kind === 'free'
    ? 'For what no other tool answers: joins, counts, filters. Not for finding a name (search) or reading one record (fetch).'
    : 'Not for reading one record whole: use fetch with its URI.'
