/**
 * Shape: what tables a snapshot will have where only the delivery can say so. The first lines of every input are read,
 * and the pipeline answers; nothing is loaded yet.
 */

import { join } from 'node:path'
import { StichtagError } from '../errors.ts'
import { type Input, openInputs } from '../formats/inputs.ts'
import { clashingNames, danglingNames } from '../pipeline/names.ts'
import { tooManyColumns } from '../pipeline/table-limits.ts'
import type { InputHeader, PipelineDefinition } from '../pipeline/types.ts'
import { makeFolder } from '../store/durable.ts'
import type { DeliveredFile } from './delivery.ts'

/** A definition that fits one delivery. */
export interface Shaped {
  readonly definition: PipelineDefinition
  /** Inputs that are passed over, by name, with the reason. */
  readonly ignored: ReadonlyMap<string, string>
  /** Inputs that the dataset can do without, by name. */
  readonly further: ReadonlySet<string>
  readonly warnings: readonly string[]
}

const nothingSaid: Omit<Shaped, 'definition'> = { ignored: new Map(), further: new Set(), warnings: [] }

/**
 * The definition for these files. Without `shape` it is the declared one.
 *
 * @throws what opening them throws, and PIPELINE_INVALID where the pipeline answers with what cannot be
 */
export const shapeDelivery = async (
  declared: PipelineDefinition,
  files: readonly DeliveredFile[],
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<Shaped> => {
  if (declared.shape === undefined) return { definition: declared, ...nothingSaid }
  makeFolder(folder)
  const headers: InputHeader[] = []
  for (const file of files) {
    const source = declared.sources.find(({ name }) => name === file.name)
    const opened = await openInputs(file.path, source?.format ?? { type: 'jsonl' }, {
      source: file.name,
      signal,
      archive: source?.archive,
      workFile: join(folder, 'inner.zip'),
    })
    try {
      for (const input of opened.inputs) headers.push(await headerOf(input, signal))
    } finally {
      await opened.close()
    }
  }
  const { tables, guards = declared.guards, ignored = {}, further = [], warnings = [] } = declared.shape(headers)
  const definition = { ...declared, tables, ...(guards === undefined ? {} : { guards }) }
  const problems = [...danglingNames(definition), ...clashingNames(definition), ...tooManyColumns(definition)]
  if (problems.length > 0) {
    throw new StichtagError('PIPELINE_INVALID', `${declared.id}: the delivery's tables: ${problems.join('; ')}`, {
      data: { dataset: declared.id, problems },
    })
  }
  return { definition, ignored: new Map(Object.entries(ignored)), further: new Set(further), warnings }
}

const headerOf = async (input: Input, signal: AbortSignal): Promise<InputHeader> => {
  const about = { source: input.name, ...(input.member === undefined ? {} : { member: input.member }) }
  let columns: readonly string[] = []
  try {
    const records = input.records({
      signal,
      onPreamble: (preamble) => {
        if (preamble.type === 'csv') columns = preamble.columns
      },
    })
    for await (const _ of records) break
    return { ...about, columns }
  } catch (error) {
    // What is damaged, or cancelled, is no question of shape.
    const isForeign = error instanceof StichtagError && ['NOT_WHAT_IT_SAYS', 'RECORD_INVALID'].includes(error.code)
    if (!isForeign) throw error
    return { ...about, columns: [], problem: error.message }
  }
}
