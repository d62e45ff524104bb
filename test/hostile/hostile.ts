/** Reading the hand-made bad files beside the checkout as a run of the ingest would. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FormatDefinition } from '../../src/formats/definition.ts'
import { type ReadFileOptions, readRecords } from '../../src/formats/read.ts'
import type { ReadRecord } from '../../src/formats/types.ts'
import { sharedFile } from '../real/shared-data.ts'

export interface Outcome {
  readonly records: readonly Readonly<Record<string, unknown>>[]
  readonly problems: readonly Extract<ReadRecord, { problem: string }>[]
  readonly warnings: readonly string[]
}

export const csv: FormatDefinition = { type: 'csv' }
export const jsonl: FormatDefinition = { type: 'jsonl' }
export const xml: FormatDefinition = { type: 'xml', records: 'record' }

const isObject = (record: unknown): record is Record<string, unknown> => typeof record === 'object' && record !== null

/** All that is read of a file, or its error. */
export const readHostile = async (
  name: string,
  format: FormatDefinition,
  options: Partial<ReadFileOptions> = {},
): Promise<Outcome> => {
  const warnings: string[] = []
  const records: Record<string, unknown>[] = []
  const problems: Extract<ReadRecord, { problem: string }>[] = []
  const onWarning = (warning: string): void => void warnings.push(warning)
  const workFile = join(tmpdir(), `stichtag-hostile-${process.pid}.zip`)
  const full = { source: name, onWarning, workFile, ...options }
  for await (const batch of readRecords(sharedFile('hostile', name), format, full)) {
    for (const each of batch) {
      if ('problem' in each) problems.push(each)
      else if (isObject(each.record)) records.push(each.record)
    }
  }
  return { records, problems, warnings }
}
