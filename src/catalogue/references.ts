/** Which columns of a table's rows name the record they belong to: an officer's `company_id` its company. */
import type { ServedTable } from './served.ts'

export interface Reference {
  readonly child: string
  readonly parent: ServedTable
  /** Columns of the child that together are the parent's key, in its order. */
  readonly columns: readonly string[]
}

/** All references among a database's tables, as their relations declare them. */
export const referencesIn = (tables: readonly ServedTable[]): readonly Reference[] =>
  tables.flatMap((parent) =>
    parent.related.flatMap(({ table: child, on }) => {
      const columns = parent.key.map((column) => Object.entries(on).find(([, own]) => own === column)?.[0])
      const isWhole = parent.key.length > 0 && columns.every((column) => column !== undefined)
      return isWhole ? [{ child, parent, columns }] : []
    }),
  )
