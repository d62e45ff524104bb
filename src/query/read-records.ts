/** Reads records by key in a reader process: the record's own row, and the rows of other tables that belong to it. */

import { StichtagError } from '../errors.ts'
import { quoteIdentifier } from '../store/identifier.ts'
import { maxRowBytes } from '../store/row-size.ts'
import { digestOf, RecordDigest } from './digest.ts'
import type { PageAnswer } from './messages.ts'
import type { OpenFile } from './open-files.ts'
import type {
  Digests,
  DigestsRequest,
  Parameter,
  RecordPageRequest,
  RecordPlan,
  RelatedRows,
  Value,
  WholeRecord,
} from './types.ts'
import { answerValue, bindable, bytesOf, type SqliteValue } from './values.ts'

type Row = readonly SqliteValue[]
type Relation = RecordPlan['related'][number]

const list = (names: readonly string[]): string => names.map(quoteIdentifier).join(', ')

/** What is read of a record's row: its columns, then those that only relations need, each once. */
const readColumns = (plan: RecordPlan): readonly string[] => [
  ...new Set([...plan.columns, ...plan.related.flatMap(({ on }) => Object.values(on))]),
]

/** The statement that finds a record by its key. NULL is a key like any other. */
export const recordStatement = (plan: RecordPlan): string => {
  const key = plan.key.map((column) => `${quoteIdentifier(column)} IS ?`).join(' AND ')
  return `SELECT ${list(readColumns(plan))} FROM ${quoteIdentifier(plan.table)} WHERE ${key} LIMIT 1`
}

/**
 * The statement that finds the rows of one relation, in an order that depends on the rows alone: where `orderBy` leaves
 * ties, all columns decide, since the order in which rows were loaded must not show in a digest.
 */
export const relatedStatement = (related: Relation): string => {
  const order = [...new Set([...related.orderBy, ...related.columns])]
  return `${unordered(related)} ORDER BY ${list(order)}`
}

const unordered = (related: Relation): string => {
  const on = Object.keys(related.on)
    .map((column) => `${quoteIdentifier(column)} = ?`)
    .join(' AND ')
  return `SELECT ${list(related.columns)} FROM ${quoteIdentifier(related.table)} WHERE ${on}`
}

/** Of most relations a record has one row or none, which need no order: making ready to sort takes longer than finding them. */
const fewStatement = (related: Relation): string => `${unordered(related)} LIMIT 2`

/** The statements of a plan. */
interface Statements {
  readonly plan: RecordPlan
  /** Where in a record's row each column is. */
  readonly places: ReadonlyMap<string, number>
  readonly record: Statement
  readonly related: readonly RelatedStatements[]
}

interface RelatedStatements {
  /** The first two rows, in any order. */
  readonly few: Statement
  readonly all: Statement
}

type Statement = ReturnType<OpenFile['prepare']>

/** Kept with the file and the plan: preparing them, or only writing them down, takes as long as running them. */
const known = new WeakMap<OpenFile, WeakMap<RecordPlan, Statements>>()

const statementsOf = (file: OpenFile, plan: RecordPlan): Statements => {
  const ofFile = known.get(file) ?? new WeakMap<RecordPlan, Statements>()
  known.set(file, ofFile)
  const statements = ofFile.get(plan) ?? prepareStatements(file, plan)
  ofFile.set(plan, statements)
  return statements
}

const prepareStatements = (file: OpenFile, plan: RecordPlan): Statements => ({
  plan,
  places: new Map(readColumns(plan).map((column, index) => [column, index])),
  record: file.prepare(recordStatement(plan)),
  related: plan.related.map((relation) => ({
    few: file.prepare(fewStatement(relation)),
    all: file.prepare(relatedStatement(relation)),
  })),
})

/** A row for an answer. Throws QUERY_FAILED where it is too big to be handed over. */
const asObject = (columns: readonly string[], row: Row): Readonly<Record<string, Value>> => {
  if (columns.reduce((sum, _, index) => sum + bytesOf(row[index] ?? null), 0) > maxRowBytes) throw tooBig(columns, row)
  return Object.fromEntries(columns.map((column, index) => [column, answerValue(row[index] ?? null)]))
}

const tooBig = (columns: readonly string[], row: Row): StichtagError => {
  const sizes = columns.map((_, index) => bytesOf(row[index] ?? null))
  const biggest = sizes.indexOf(Math.max(...sizes))
  return new StichtagError(
    'QUERY_FAILED',
    `A row of this record is over the limit of ${maxRowBytes} bytes; its column ${columns[biggest]} has about ` +
      `${sizes[biggest]}. Read it in parts, with freeQuery and substr().`,
  )
}

interface FoundRecord {
  readonly record: WholeRecord['record']
  readonly related: readonly {
    readonly relation: Relation
    readonly statements: RelatedStatements
    readonly values: Row
  }[]
}

const findRecord = ({ plan, places, record, related }: Statements, key: readonly Parameter[]): FoundRecord | null => {
  // `prepare` of an OpenFile set statements to arrays with safe integers, so that this is what they give; so below.
  const row = record.get(...key.map(bindable)) as Row | undefined
  if (row === undefined) return null
  const found = plan.related.flatMap((relation, index) => {
    const values = Object.values(relation.on).map((column) => row[places.get(column) ?? -1] ?? null)
    const statements = related[index]
    return statements === undefined ? [] : [{ relation, statements, values }]
  })
  return { record: asObject(plan.columns, row), related: found }
}

type FoundRelation = FoundRecord['related'][number]

/** The rows of a relation where there is one or none; undefined where there are more. */
const fewRelatedRows = ({ statements, values }: FoundRelation): readonly Row[] | undefined => {
  const rows = statements.few.all(...values) as Row[]
  return rows.length < 2 ? rows : undefined
}

/** The rows of one relation, one by one: there may be more than can be held. */
const relatedRows = (each: FoundRelation): Iterable<WholeRecord['record']> => {
  const { relation, statements, values } = each
  const rows = fewRelatedRows(each) ?? (statements.all.iterate(...values) as Iterable<Row>)
  return Iterator.from(rows).map((row) => asObject(relation.columns, row))
}

/** All rows of one relation: several times as fast where they are few. */
const allRelatedRows = (each: FoundRelation): readonly WholeRecord['record'][] => {
  const { relation, statements, values } = each
  const rows = fewRelatedRows(each) ?? (statements.all.all(...values) as Row[])
  return rows.map((row) => asObject(relation.columns, row))
}

/**
 * One digest per key, in their order; `null` where there is no such record.
 * @throws SQLite's own errors, and its binding errors where a key has too few or too many values
 */
export const readDigests = (file: OpenFile, { plan, keys }: Omit<DigestsRequest, 'database'>): Digests => {
  const statements = statementsOf(file, plan)
  return keys.map((key) => {
    const found = findRecord(statements, key)
    if (found === null) return null
    const related = found.related.map((each) => [each.relation.name, allRelatedRows(each)])
    return digestOf({ record: found.record, related: Object.fromEntries(related) })
  })
}

/** Rows laid out on pages one after the other: each holds as much as fits, and at least one row but the first. */
class Layout {
  readonly #pageBytes: number
  #left: number
  #isEmpty = false
  page = 1

  /** @param taken bytes of the first page that the record's own row takes */
  constructor(pageBytes: number, taken: number) {
    this.#pageBytes = pageBytes
    this.#left = pageBytes - taken
  }

  /** The page on which the next row comes. */
  place(bytes: number): number {
    if (bytes > this.#left && !this.#isEmpty) {
      this.page += 1
      this.#left = this.#pageBytes
      this.#isEmpty = true
    }
    this.#left -= bytes
    this.#isEmpty = false
    return this.page
  }
}

/**
 * One page of a record, and what must be read in full to know it: how many there are, and the digest of all. Rows of
 * other pages are not kept.
 * @throws as `readDigests`, and QUERY_FAILED where a row is too big to be handed over
 */
export const readRecordPage = (
  file: OpenFile,
  { plan, key, page, pageBytes }: Omit<RecordPageRequest, 'database'>,
  mostRows: number,
): PageAnswer => {
  const found = findRecord(statementsOf(file, plan), key)
  if (found === null) return { page: null }
  const text = JSON.stringify(found.record)
  const digest = new RecordDigest(text)
  const layout = new Layout(pageBytes, Buffer.byteLength(text))
  const related: RelatedRows[] = []
  let count = 0
  for (const each of found.related) {
    const { name } = each.relation
    const kept: WholeRecord['record'][] = []
    let place = 0
    let from = 0
    digest.relation(name)
    for (const row of relatedRows(each)) {
      count += 1
      if (count > mostRows) return 'long'
      const rowText = JSON.stringify(row)
      digest.row(rowText)
      if (layout.place(Buffer.byteLength(rowText) + name.length + 5) === page) {
        if (kept.length === 0) from = place
        kept.push(row)
      }
      place += 1
    }
    related.push({ name, from, rows: kept })
  }
  return { page: { record: found.record, related, pages: layout.page, digest: digest.hex() } }
}
