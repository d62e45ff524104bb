/**
 * The records of one input into the building snapshot: mapped by the pipeline, inserted, and accounted for one by one.
 * Nothing is kept in memory between records.
 */
import { StichtagError } from '../errors.ts'
import type { ReadRecord } from '../formats/types.ts'
import type { PipelineDefinition, Preamble, Row } from '../pipeline/types.ts'
import { storeError } from '../store/durable.ts'
import { Accounting, type RejectedRecords } from './accounting.ts'
import type { DeliveredFile } from './delivery.ts'
import type { InputAccount } from './input-account.ts'
import { Mapping } from './mapping.ts'
import { RowKeys } from './row-keys.ts'
import type { Values } from './rows.ts'
import { isUniqueViolation } from './table-writer.ts'

/** Where rows go: a building snapshot, or files that one will take the rows of. */
export interface RowTarget extends RejectedRecords {
  /** The file that is written. */
  readonly path: string
  /** A row's values for its table, checked. Throws RECORD_INVALID. */
  toValues(table: string, row: Row): Values
  /** Takes a row. Throws SQLite's constraint error where its key is already there and checked. */
  insert(table: string, values: Values): void
}

/** Where records go, for all inputs of a run. */
export interface LoadTarget {
  readonly rows: RowTarget
  readonly definition: PipelineDefinition
  readonly keys: RowKeys
  readonly runState: Record<string, unknown>
}

/** A target that nothing was loaded into yet. */
export const loadTarget = (rows: RowTarget, definition: PipelineDefinition): LoadTarget => ({
  rows,
  definition,
  keys: new RowKeys(rows, definition),
  runState: {},
})

export class RecordLoader {
  readonly #target: LoadTarget
  readonly #accounting: Accounting
  readonly #mapping: Mapping
  readonly #name: string
  readonly #mayReject: boolean
  readonly #warnings: string[] = []

  constructor(target: LoadTarget, input: Pick<DeliveredFile, 'name' | 'said'>) {
    const { definition, runState } = target
    this.#target = target
    this.#name = input.name
    this.#accounting = new Accounting(input.name, target.rows)
    this.#mapping = new Mapping(input, this.#accounting, runState)
    this.#mayReject = (definition.guards?.maxRejected ?? 0) > 0
  }

  /** Records read so far. */
  get read(): number {
    return this.#accounting.read
  }

  /** Lets the pipeline hear what the input says before its first record. */
  hear = (preamble: Preamble): void => this.#mapping.hear(preamble, this.#target.definition)

  /** Keeps a warning of the input's reader. */
  warn = (warning: string): void => void this.#warnings.push(warning)

  /** Loads records. Throws RECORD_INVALID naming file and line where one is bad and the pipeline allows none. */
  load(records: readonly ReadRecord[]): void {
    for (const each of records) {
      this.#accounting.read += 1
      if ('problem' in each) this.#reject(each.line, each.problem, each.raw)
      else {
        if (each.remark !== undefined) this.#accounting.remark(each.line, each.remark)
        this.#insert(each.line, each.record)
      }
    }
  }

  account(): InputAccount {
    const { read, mapped, rejected, rejectedByKey, unknownFields, remarks, examples } = this.#accounting
    const { expected, date } = this.#mapping
    const dates = { latest: date.latest, faults: date.faults, firstFault: date.firstFault }
    const counts = { read, mapped, rejected, rejectedByKey }
    return { ...counts, unknownFields, remarks, examples, expected, dates, warnings: this.#warnings }
  }

  #insert(line: number, record: unknown): void {
    const fault = insertRecord(this.#target, this.#mapping, line, record)
    if (fault === null || fault.kind === 'row') this.#accounting.mapped += 1
    if (fault === null) return
    const raw = JSON.stringify(record)
    if (fault.kind === 'record') this.#reject(line, fault.why, raw)
    else if (fault.kind === 'row') this.#accounting.keep(line, fault.why, raw)
    else {
      this.#accounting.rejectedByKey += 1
      this.#accounting.reject(line, fault.why, raw)
    }
  }

  #reject(line: number, reason: string, raw: string | null): void {
    const { id, sources } = this.#target.definition
    if (!this.#mayReject) {
      const isCsv = sources.some(({ format }) => format.type === 'csv')
      const hint = isCsv && reason === 'not valid UTF-8' ? encodingHint : ''
      throw new StichtagError('RECORD_INVALID', `${id}: ${this.#name} line ${line}: ${reason}${hint}`, {
        data: { dataset: id, file: this.#name, line },
      })
    }
    this.#accounting.reject(line, reason, raw)
  }
}

const encodingHint =
  ": where the publisher writes Latin-1, as many do, say encoding: 'windows-1252' in the source's format"

/** What is wrong with a record: all of it is rejected, by its main row's key or otherwise, or a further row left out. */
interface RecordFault {
  readonly kind: 'record' | 'main row' | 'row'
  readonly why: string
}

/** Maps and inserts one record; returns what is wrong with it, or null. Any other failure is a defect and is thrown. */
const insertRecord = (
  { keys, rows, definition }: LoadTarget,
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
    if (isUniqueViolation(error) && inserted === 0) {
      return { kind: 'record', why: `its key is already there (${error.message})` }
    }
    // A full disk is not the mapping's fault.
    const unwritable = storeError(error, rows.path)
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
