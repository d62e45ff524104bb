/** What belongs to a record of a delta, by the tables' relations, and what is wrong with what a pipeline says of it. Pure. */
import { fits } from '../formats/archive-members.ts'
import type { PipelineDefinition } from './types.ts'

/** Rows of a table that come with a record, by the table that they hang on. */
export interface Part {
  readonly table: string
  readonly of: string
  /** Column of `table` → column of `of`. */
  readonly on: Readonly<Record<string, string>>
}

/** The parts of one table's records, each after what it hangs on. One may hang on several. */
const partsOf = (tables: PipelineDefinition['tables'], record: string, parts: readonly string[]): Part[] => {
  const reached = [record]
  const found: Part[] = []
  for (const of of reached) {
    for (const { table, on } of tables[of]?.related ?? []) {
      if (!parts.includes(table)) continue
      found.push({ table, of, on })
      if (!reached.includes(table)) reached.push(table)
    }
  }
  return found
}

/** All parts of all records that a delta brings. */
export const deltaParts = ({ tables, delta }: Pick<PipelineDefinition, 'tables' | 'delta'>): Part[] =>
  Object.entries(delta?.records ?? {}).flatMap(([record, parts]) => partsOf(tables, record, parts))

/** What of `delta` cannot be: names that are not there, and rows that nobody could tell the record of. */
export const deltaProblems = (checked: PipelineDefinition): string[] => {
  const { delta, tables, shape, sources } = checked
  if (delta === undefined) return []
  const problems: string[] = []
  if (shape !== undefined) problems.push('delta: cannot be there beside shape, whose tables the delivery alone knows')
  for (const { name } of sources.filter((source) => isDeltaName(source.name, delta.files))) {
    problems.push(`delta.files: ${name} is a declared source, and those are whole`)
  }
  const records = Object.keys(delta.records)
  const named = new Set(Object.entries(delta.records).flat(2))
  for (const [name, { derivedBy }] of Object.entries(tables)) {
    if (derivedBy === undefined && !named.has(name)) problems.push(`delta.records: what becomes of ${name} is not said`)
    if (derivedBy !== undefined && named.has(name))
      problems.push(`delta.records: ${name} is derived, and comes in no file`)
  }
  for (const [table, column] of Object.entries(delta.changedOn ?? {})) {
    if (!records.includes(table)) problems.push(`delta.changedOn: ${table} does not come in records of its own`)
    else if (tables[table]?.columns[column] === undefined)
      problems.push(`delta.changedOn.${table}: no column ${column}`)
  }
  for (const name of named) if (tables[name] === undefined) problems.push(`delta.records: no table ${name}`)
  for (const [record, parts] of Object.entries(delta.records)) {
    const at = `delta.records.${record}`
    if (tables[record]?.key.length === 0) problems.push(`${at}: has no key, so that no record can be found again`)
    const found = partsOf(tables, record, parts)
    for (const part of parts.filter((each) => tables[each] !== undefined)) {
      if (records.includes(part)) problems.push(`${at}: ${part} comes in records of its own`)
      else if (found.every(({ table }) => table !== part)) problems.push(`${at}: ${part} is not related to it`)
    }
    for (const { table, of, on } of found) {
      const isNumbered = ([own, others]: readonly string[]): boolean =>
        own === tables[table]?.surrogate || others === tables[of]?.surrogate
      if (Object.entries(on).some(isNumbered))
        problems.push(`${at}: ${table} is related by a surrogate, which is another one in each snapshot`)
    }
  }
  return problems
}

/** An ending that says how a file is packed, which a pattern need not. */
const packed = /\.(?:bz2|gz|zst|br|xz|zip)$/i

/** Whether a file of this name, without its folder, holds only what changed. */
export const isDeltaName = (name: string, files: readonly string[]): boolean =>
  files.some((pattern) => fits(name, pattern) || fits(name.replace(packed, ''), pattern))
