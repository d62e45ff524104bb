/** Differences as a host needs them: which URIs read differently. */
import type { Change } from '../store/changes.ts'
import { keyValue } from './record-plan.ts'
import { referencesIn } from './references.ts'
import type { ServedTable } from './served.ts'
import { recordUri } from './uri.ts'

/** A difference, with the record's own URI and those of the records it belongs to. */
export interface ChangedRecord extends Change {
  readonly uri?: string
  /** A company whose officer changed reads differently too. */
  readonly belongsTo?: readonly string[]
}

/** A change with the URIs it touches; rows without a key have none of their own. */
export const changedRecord = (dataset: string, tables: readonly ServedTable[], change: Change): ChangedRecord => {
  const table = tables.find(({ name }) => name === change.table)
  if (table === undefined || table.key.length === 0 || table.key.length !== change.key.length) return change
  const belongsTo = parentsOf(dataset, tables, table, change.key)
  return {
    ...change,
    uri: recordUri(dataset, table.name, change.key.map(keyValue)),
    ...(belongsTo.length === 0 ? {} : { belongsTo }),
  }
}

const parentsOf = (
  dataset: string,
  tables: readonly ServedTable[],
  child: ServedTable,
  key: Change['key'],
): readonly string[] =>
  referencesIn(tables)
    .filter((reference) => reference.child === child.name)
    .flatMap(({ parent, columns }) => {
      const values = columns.map((column) => key[child.key.indexOf(column)])
      return values.every((value) => value !== undefined) ? [recordUri(dataset, parent.name, values.map(keyValue))] : []
    })
