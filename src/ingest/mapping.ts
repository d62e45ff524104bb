/** What a pipeline's `map` and `preamble` are called with, and what it says of the record in hand. */
import { StichtagError } from '../errors.ts'
import type { MapContext, PipelineDefinition, Preamble, Row } from '../pipeline/types.ts'
import type { Accounting } from './accounting.ts'
import type { DeliveredFile } from './delivery.ts'
import { PublisherDate } from './publisher-date.ts'

/** Collects what `map` says of one record. One is reused for all records: millions of them go through here. */
export class Mapping implements MapContext {
  readonly source: string
  readonly state: Record<string, unknown> = {}
  readonly runState: Record<string, unknown>
  line = 0
  rows: { readonly table: string; readonly row: Row }[] = []
  readonly date = new PublisherDate()
  /** Records that the file says it holds, if it does. */
  expected: number | undefined
  readonly #accounting: Accounting

  constructor(
    { name, said }: Pick<DeliveredFile, 'name' | 'said'>,
    accounting: Accounting,
    runState: Record<string, unknown>,
  ) {
    this.source = name
    this.runState = runState
    this.#accounting = accounting
    this.expected = said?.records
  }

  emit = (table: string, row: Row): void => void this.rows.push({ table, row })
  unknown = (field: string): void => this.#accounting.unknown(field)
  remark = (what: string): void => this.#accounting.remark(this.line, what)
  reject = (reason: string): never => {
    throw new StichtagError('RECORD_INVALID', reason)
  }
  publisherDate = (date: string): void => this.date.say(date)

  /** Lets the pipeline hear what the file says before its first record. */
  hear(preamble: Preamble, { id, preamble: listener }: PipelineDefinition): void {
    const { source, state, runState, publisherDate } = this
    const expectRecords = (count: number): void => {
      this.expected = count
    }
    try {
      listener?.(preamble, { source, state, runState, publisherDate, expectRecords })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new StichtagError('PIPELINE_INVALID', `${id}: ${this.source}: preamble failed: ${why}`, {
        data: { dataset: id, file: this.source },
        cause: error,
      })
    }
  }
}
