/**
 * Load: the files of a delivery, opened and read as streams, mapped by the pipeline, inserted into the building
 * snapshot. Nothing is kept in memory between records, so memory does not grow with the file.
 */
import { StichtagError } from '../errors.ts'
import { readRecords } from '../formats/read.ts'
import type { MapContext, PipelineDefinition, Row } from '../pipeline/types.ts'
import { storeError } from '../store/durable.ts'
import { Accounting } from './accounting.ts'
import type { Building } from './building.ts'
import type { DeliveredFile } from './delivery.ts'
import type { Values } from './rows.ts'

export interface LoadReport {
  readonly files: readonly { readonly name: string; readonly accounting: Accounting }[]
  /** The latest date the records gave, see `MapContext.publisherDate`. */
  readonly publisherDate: string | null
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
    const format = definition.sources.find((source) => source.name === file.name)?.format ?? { type: 'jsonl' }
    for await (const batch of readRecords(file.path, format, { source: file.name, signal, onWarning })) {
      for (const each of batch) {
        accounting.read += 1
        if ('problem' in each) {
          reject(each.line, each.problem, each.raw)
          continue
        }
        const refusal = insertRecord(building, definition, mapping, each.line, each.record)
        if (refusal === null) accounting.mapped += 1
        else reject(each.line, refusal, JSON.stringify(each.record))
      }
      onProgress(file.name, accounting.read)
    }
    if (mapping.latestDate !== null && (publisherDate === null || mapping.latestDate > publisherDate)) {
      publisherDate = mapping.latestDate
    }
    reports.push({ name: file.name, accounting })
  }
  return { files: reports, publisherDate, warnings }
}

/** Maps and inserts one record; returns why it is rejected, or null. Any other failure is a defect and is thrown. */
const insertRecord = (
  building: Building,
  definition: PipelineDefinition,
  mapping: Mapping,
  line: number,
  record: unknown,
): string | null => {
  mapping.line = line
  mapping.rows = []
  let inserted = 0
  try {
    const returned: unknown = definition.map(record, mapping)
    if (returned instanceof Promise) throw new Error('map must not be async: rows are taken when it returns')
    const ready: [string, Values][] = mapping.rows.map(({ table, row }) => [table, building.toValues(table, row)])
    for (const [table, values] of ready) {
      building.insert(table, values)
      inserted += 1
    }
    return null
  } catch (error) {
    if (error instanceof StichtagError && error.code === 'RECORD_INVALID' && inserted === 0) return error.message
    // The main row comes first: where its key is taken, nothing of the record is in yet.
    if (isConstraint(error) && inserted === 0) return `its key is already there (${String(error)})`
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
