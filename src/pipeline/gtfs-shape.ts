/** The tables of a snapshot from the headers of a feed's files: columns and files that nobody foresaw are kept. */
import { StichtagError } from '../errors.ts'
import { type GtfsPlan, knownTable, notATable, planOf } from './gtfs-plan.ts'
import { gtfsTables } from './gtfs-tables.ts'
import type { DeliveryShape, GuardDefinition, InputHeader, TableDefinition } from './types.ts'

/** Files without which there is no timetable; of the last two, one. */
const needed = [['routes'], ['trips'], ['stop_times'], ['stops', 'locations']] as const

/** Files that the reference wants, and without which a timetable is still one; of the last two, one. */
const wanted = [['agency'], ['calendar', 'calendar_dates']] as const

type Alternatives = readonly (readonly string[])[]

/** Those of which there is no file. */
const missingOf = (inputs: readonly InputHeader[], files: Alternatives): Alternatives => {
  const there = new Set(inputs.map(({ member = '' }) => knownTable(member)))
  return files.filter((tables) => !tables.some((table) => there.has(table)))
}

/** The file of each table of the reference: the one that is spelt as the reference has it, otherwise the first. */
const chosenFiles = (inputs: readonly InputHeader[]): ReadonlyMap<string, InputHeader> => {
  const chosen = new Map<string, InputHeader>()
  for (const input of inputs) {
    const { member = '' } = input
    const known = knownTable(member)
    if (known === undefined) continue
    if (!chosen.has(known) || member === member.toLowerCase()) chosen.set(known, input)
  }
  return chosen
}

const refuseIncomplete = (inputs: readonly InputHeader[], dataset: string): void => {
  const missing = missingOf(inputs, needed)
  if (missing.length === 0) return
  const names = missing.map(([table]) => `${table}.txt`).join(', ')
  const has = inputs.map(({ member }) => member).join(', ')
  throw new StichtagError('NOT_WHAT_IT_SAYS', `${dataset}: this is no GTFS feed: it lacks ${names} (it has: ${has})`, {
    data: { dataset, missing: names },
  })
}

/** Columns without which no row of a file can be told from another. */
const refuseKeyless = (
  { source, columns }: InputHeader,
  { file, columns: planned }: GtfsPlan,
  dataset: string,
): void => {
  const missing = file?.key.filter((key) => !planned.some(({ column }) => column === key)) ?? []
  if (missing.length === 0 || file?.keyMayBeEmpty === true) return
  const has = columns.slice(0, 50).join(', ')
  throw new StichtagError(
    'RECORD_INVALID',
    `${dataset}: ${source}: the header lacks ${missing.join(', ')} (it has: ${has})`,
    { data: { dataset, file: source, missing } },
  )
}

const textColumns = (columns: readonly { readonly column: string; readonly header: string }[]) =>
  Object.fromEntries(
    columns.map(({ column, header }) => [
      column,
      column === header ? ('TEXT' as const) : { type: 'TEXT' as const, description: `In the file: ${header}` },
    ]),
  )

const ownTable = (member: string, plan: GtfsPlan): TableDefinition => ({
  description: `${member}, a file of this feed's own that the GTFS reference does not have; all of it as text.`,
  columns: textColumns(plan.further),
  key: [],
})

/** A feed's own tables have no one who knows how much they may shrink. */
const guardsFor = (tables: readonly string[], guards: GuardDefinition): GuardDefinition => {
  const { maxShrink } = guards
  if (typeof maxShrink !== 'object') return guards
  return { ...guards, maxShrink: { ...Object.fromEntries(tables.map((table) => [table, 1])), ...maxShrink } }
}

/**
 * The tables for a feed: those of the reference with the feed's further columns, and one for each further file.
 *
 * @throws NOT_WHAT_IT_SAYS where the files make no feed, RECORD_INVALID where a header lacks the key
 */
export const gtfsShape =
  (dataset: string, guards: GuardDefinition) =>
  (inputs: readonly InputHeader[]): DeliveryShape => {
    refuseIncomplete(inputs, dataset)
    const tables: Record<string, TableDefinition> = { ...gtfsTables }
    const ignored: Record<string, string> = {}
    const further: string[] = []
    const warnings = missingOf(inputs, wanted).map((files) => `the feed has no ${files.join('.txt and no ')}.txt`)
    const chosen = chosenFiles(inputs)
    for (const input of inputs) {
      const { source, member = source, columns, problem } = input
      const known = knownTable(member)
      if (known !== undefined && chosen.get(known) !== input) {
        ignored[source] = 'another file has the same name but for capitals'
        continue
      }
      // What is wrong with a file of the reference is told when it is loaded, with its line.
      if (known === 'locations' || (known !== undefined && problem !== undefined)) continue
      const why = known === undefined ? (problem ?? notATable(columns)) : undefined
      const plan = why === undefined ? planOf(member, columns) : undefined
      if (plan === undefined) ignored[source] = why ?? ''
      else if (known !== undefined) {
        refuseKeyless(input, plan, dataset)
        const table = gtfsTables[known]
        if (table === undefined || plan.further.length === 0) continue
        tables[known] = { ...table, columns: { ...table.columns, ...textColumns(plan.further) } }
        warnings.push(`${source}: columns that the reference does not have are kept as text: ${told(plan)}`)
      } else if (plan.table in tables) ignored[source] = `another file has the name ${plan.table} already`
      else {
        tables[plan.table] = ownTable(member, plan)
        further.push(source)
        warnings.push(`${source}: the reference does not have this file; kept as the table ${plan.table}`)
      }
    }
    return { tables, guards: guardsFor(Object.keys(tables), guards), ignored, further, warnings }
  }

const told = ({ further }: GtfsPlan): string =>
  further.map(({ column, header }) => (column === header ? column : `${header} as ${column}`)).join(', ')
