/** What no field of a definition can say alone: which names must exist elsewhere, and which must not be there twice. */
import type { PipelineDefinition } from './types.ts'

type Reserved = (folded: string) => boolean

/**
 * Table-valued functions that statements use (`allowedTableFunctions` of src/query): a table of such a name would be read
 * in their place.
 */
const functionNames: ReadonlySet<string> = new Set([
  'json_each',
  'json_tree',
  'jsonb_each',
  'jsonb_tree',
  'generate_series',
])

/** Names that no table, view or full-text index of a pipeline's may have, in small letters. */
export const isReservedTable: Reserved = (name) =>
  name === 'meta' || name === '_rejected' || /^(?:sqlite|pragma)_/.test(name) || functionNames.has(name)
const isReservedColumn: Reserved = (name) => ['rowid', '_rowid_', 'oid'].includes(name)
const isReservedInFullText: Reserved = (name) => ['rank', 'rowid'].includes(name)
/** The ledger lies beside the pointers. */
const isReservedDatabase: Reserved = (name) => name === 'runs.db'
const none: Reserved = () => false

/** Tables that FTS5 makes beside an index. */
export const shadowTables = ['data', 'idx', 'content', 'docsize', 'config']

/** Names that must exist elsewhere in the definition, and do not. */
export const danglingNames = (checked: PipelineDefinition): string[] => {
  const columnsOf = (name: string): ReadonlySet<string> | undefined => {
    const found = checked.tables[name]
    return found === undefined
      ? undefined
      : new Set([...Object.keys(found.columns), ...(found.surrogate === undefined ? [] : [found.surrogate])])
  }
  const problems: string[] = []
  const expectColumns = (where: string, name: string, columns: readonly string[]): void => {
    const known = columnsOf(name)
    if (known === undefined) problems.push(`${where}: no table ${name}`)
    else
      for (const column of columns) if (!known.has(column)) problems.push(`${where}: ${name} has no column ${column}`)
  }
  for (const [name, each] of Object.entries(checked.tables)) {
    const at = `tables.${name}`
    expectColumns(`${at}.key`, name, each.key)
    if (each.surrogate !== undefined && each.key.includes(each.surrogate)) {
      problems.push(`${at}.key: the surrogate ${each.surrogate} identifies no record`)
    }
    if (each.title !== undefined) expectColumns(`${at}.title`, name, [each.title])
    for (const index of each.indexes ?? []) expectColumns(`${at}.indexes`, name, index)
    for (const one of each.related ?? []) {
      expectColumns(`${at}.related.${one.name}`, one.table, [...Object.keys(one.on), ...one.orderBy])
      expectColumns(`${at}.related.${one.name}.on`, name, Object.values(one.on))
    }
  }
  for (const each of checked.fullText ?? []) expectColumns(`fullText.${each.name}`, each.table, each.columns)
  for (const { table, column, to } of checked.references ?? []) {
    for (const each of [{ table, column }, ...to]) expectColumns('references', each.table, [each.column])
  }
  for (const name of Object.keys(checked.guards?.minRows ?? {})) expectColumns('guards.minRows', name, [])
  const maxShrink = checked.guards?.maxShrink
  if (typeof maxShrink === 'object') {
    for (const name of Object.keys(maxShrink)) expectColumns('guards.maxShrink', name, [])
  }
  for (const [name, columns] of Object.entries(checked.guards?.minFilled ?? {})) {
    expectColumns('guards.minFilled', name, Object.keys(columns))
  }
  for (const name of Object.keys(checked.guards?.keys ?? {})) {
    expectColumns('guards.keys', name, [])
    if (checked.tables[name]?.key.length === 0) problems.push(`guards.keys: ${name} has no key`)
  }
  return problems
}

/** Names that must not be there twice, or at all. SQLite does not tell capitals from small letters. */
export const clashingNames = (checked: PipelineDefinition): string[] => {
  const problems: string[] = []
  const expectUnique = (what: string, names: readonly string[], isReserved: (folded: string) => boolean): void => {
    const seen = new Set<string>()
    for (const name of names) {
      const folded = name.toLowerCase()
      if (isReserved(folded)) problems.push(`${what}: the name ${name} is reserved`)
      if (seen.has(folded)) problems.push(`${what}: ${name} is there twice`)
      seen.add(folded)
    }
  }
  const fullText = checked.fullText ?? []
  const shadows = fullText.flatMap(({ name }) => shadowTables.map((shadow) => `${name}_${shadow}`))
  const tables = [...Object.keys(checked.tables), ...Object.keys(checked.views ?? {})]
  expectUnique(
    'tables, views and fullText',
    [...tables, ...fullText.map(({ name }) => name), ...shadows],
    isReservedTable,
  )
  for (const [name, { columns, surrogate, key, indexes, related: parts }] of Object.entries(checked.tables)) {
    const all = [...(surrogate === undefined ? [] : [surrogate]), ...Object.keys(columns)]
    expectUnique(`tables.${name}.columns`, all, isReservedColumn)
    expectUnique(`tables.${name}.key`, key, none)
    expectUnique(
      `tables.${name}.indexes`,
      (indexes ?? []).map((index) => index.join(', ')),
      none,
    )
    expectUnique(
      `tables.${name}.related`,
      (parts ?? []).map((part) => part.name),
      none,
    )
  }
  for (const { name, columns } of fullText) {
    expectUnique(
      `fullText.${name}.columns`,
      columns,
      (column) => isReservedInFullText(column) || column === name.toLowerCase(),
    )
  }
  expectUnique(
    'sources',
    checked.sources.map((source) => source.name),
    none,
  )
  expectUnique('database and aliases', [checked.database, ...(checked.aliases ?? [])], isReservedDatabase)
  return problems
}
