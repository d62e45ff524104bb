/**
 * Load: the files of a delivery, opened and read as streams, mapped by the pipeline, inserted into the building
 * snapshot. Nothing is kept in memory between records, so memory does not grow with the file.
 */
import { dirname, join } from 'node:path'
import { StichtagError } from '../errors.ts'
import { readRecords } from '../formats/read.ts'
import type { MapContext, PipelineDefinition, Preamble, Row } from '../pipeline/types.ts'
import { storeError } from '../store/durable.ts'
import { Accounting } from './accounting.ts'
import type { Building } from './building.ts'
import type { DeliveredFile } from './delivery.ts'
import { RowKeys } from './row-keys.ts'

export interface LoadReport {
  readonly files: readonly { readonly name: string; readonly accounting: Accounting }[]
  /** The latest date the records gave, see `MapContext.publisherDate`. */
  readonly publisherDate: string | null
  /** Rows left out because of their key, by table, see `GuardDefinition.keys`. */
  readonly brokenKeys: Readonly<Record<string, number>>
  readonly warnings: readonly string[]
}

export interface LoadOptions {
  readonly signal: AbortSignal
  /** Records read so far, and the share of the compressed file that is read. */
  readonly onProgress: (file: string, records: number) => void
}

const isConstraint = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CONSTRAINT')

/** Collects what `map` says of one record. One is reused for all records: millions of them go through here. */
class Mapping implements MapContext {
  readonly source: string
  line = 0
  rows: { readonly table: string; readonly row: Row }[] = []
  latestDate: string | null = null
  /** Records that the file says it holds, if it does. */
  #expected: number | undefined
  readonly #accounting: Accounting

  constructor(source: string, accounting: Accounting) {
    this.source = source
    this.#accounting = accounting
  }

  emit = (table: string, row: Row): void => void this.rows.push({ table, row })
  unknown = (field: string): void => this.#accounting.unknown(field)
  reject = (reason: string): never => {
    throw new StichtagError('RECORD_INVALID', reason)
  }
  publisherDate = (date: string): void => {
    if (this.latestDate === null || date > this.latestDate) this.latestDate = date
  }

  /** Lets the pipeline hear what the file says before its first record. */
  hear(preamble: Preamble, { id, preamble: listener }: PipelineDefinition): void {
    const expectRecords = (count: number): void => {
      this.#expected = count
    }
    try {
      listener?.(preamble, { source: this.source, publisherDate: this.publisherDate, expectRecords })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new StichtagError('PIPELINE_INVALID', `${id}: ${this.source}: preamble failed: ${why}`, {
        data: { dataset: id, file: this.source },
        cause: error,
      })
    }
  }

  /** What to warn of where the file said that it holds another number of records than were read. */
  countWarning(): string | undefined {
    const { read } = this.#accounting
    if (this.#expected === undefined || this.#expected === read) return undefined
    return `says that it holds ${this.#expected} records, but ${read} were read`
  }
}

/** Loads every file. Throws RECORD_INVALID naming file and line where a record is bad and the pipeline allows none. */
export const load = async (
  building: Building,
  definition: PipelineDefinition,
  files: readonly DeliveredFile[],
  { signal, onProgress }: LoadOptions,
): Promise<LoadReport> => {
  const rejectStatement = building.database.prepare(
    'INSERT INTO _rejected(file, line, reason, raw) VALUES (?, ?, ?, ?)',
  )
  const mayReject = (definition.guards?.maxRejected ?? 0) > 0
  const warnings: string[] = []
  const keys = new RowKeys(building, definition)
  const reports: { name: string; accounting: Accounting }[] = []
  let publisherDate: string | null = null

  for (const file of files) {
    const accounting = new Accounting(file.name, rejectStatement)
    const mapping = new Mapping(file.name, accounting)
    const reject = (line: number, reason: string, raw: string | null): void => {
      if (!mayReject) {
        throw new StichtagError('RECORD_INVALID', `${definition.id}: ${file.name} line ${line}: ${reason}`, {
          data: { dataset: definition.id, file: file.name, line },
        })
      }
      accounting.reject(line, reason, raw)
    }
    const onWarning = (warning: string): void => void warnings.push(`${file.name}: ${warning}`)
    const source = definition.sources.find(({ name }) => name === file.name)
    const options = {
      source: file.name,
      signal,
      onWarning,
      onPreamble: (preamble: Preamble) => mapping.hear(preamble, definition),
      archive: source?.archive,
      // Beside the snapshot that is being built: it goes with it, whatever happens.
      workFile: join(dirname(building.path), 'inner.zip'),
    }
    for await (const batch of readRecords(file.path, source?.format ?? { type: 'jsonl' }, options)) {
      for (const each of batch) {
        accounting.read += 1
        if ('problem' in each) {
          reject(each.line, each.problem, each.raw)
          continue
        }
        const fault = insertRecord(keys, building, definition, mapping, each.line, each.record)
        const isWhole = fault === null || fault.kind === 'row'
        if (isWhole) accounting.mapped += 1
        if (fault?.kind === 'record') reject(each.line, fault.why, JSON.stringify(each.record))
        else if (fault?.kind === 'row') accounting.keep(each.line, fault.why, JSON.stringify(each.record))
        else if (fault?.kind === 'main row') {
          accounting.rejectedByKey += 1
          accounting.reject(each.line, fault.why, JSON.stringify(each.record))
        }
      }
      onProgress(file.name, accounting.read)
    }
    const miscounted = mapping.countWarning()
    if (miscounted !== undefined) onWarning(miscounted)
    if (mapping.latestDate !== null && (publisherDate === null || mapping.latestDate > publisherDate)) {
      publisherDate = mapping.latestDate
    }
    reports.push({ name: file.name, accounting })
  }
  return { files: reports, publisherDate, brokenKeys: keys.leftOut, warnings }
}

/** What is wrong with a record: all of it is rejected, by its main row's key or otherwise, or a further row left out. */
interface RecordFault {
  readonly kind: 'record' | 'main row' | 'row'
  readonly why: string
}

/** Maps and inserts one record; returns what is wrong with it, or null. Any other failure is a defect and is thrown. */
const insertRecord = (
  keys: RowKeys,
  building: Building,
  definition: PipelineDefinition,
  mapping: Mapping,
  line: number,
  record: unknown,
): RecordFault | null => {
  mapping.line = line
  mapping.rows = []
  let inserted = 0
  try {
    const returned: unknown = definition.map(record, mapping)
    if (returned instanceof Promise) throw new Error('map must not be async: rows are taken when it returns')
    const leftOut: string[] = []
    for (const row of mapping.rows.map(({ table, row: emitted }) => keys.check(table, emitted))) {
      const why = keys.insert(row)
      // Rows of a record that is not there would become another one's.
      if (why !== null && inserted === 0) return { kind: 'main row', why }
      if (why === null) inserted += 1
      else leftOut.push(why)
    }
    return leftOut.length === 0 ? null : { kind: 'row', why: leftOut.join('; ') }
  } catch (error) {
    if (error instanceof StichtagError && error.code === 'RECORD_INVALID' && inserted === 0) {
      return { kind: 'record', why: error.message }
    }
    // The main row comes first: where its key is taken, nothing of the record is in yet.
    if (isConstraint(error) && inserted === 0) {
      return { kind: 'record', why: `its key is already there (${String(error)})` }
    }
    // A full disk is not the mapping's fault.
    const unwritable = storeError(error, building.path)
    if (unwritable !== error) throw unwritable
    const why = error instanceof Error ? error.message : String(error)
    throw new StichtagError(
      'PIPELINE_INVALID',
      `${definition.id}: ${mapping.source} line ${line}: mapping failed: ${why}`,
      {
        data: { dataset: definition.id, file: mapping.source, line },
        cause: error,
      },
    )
  }
}
