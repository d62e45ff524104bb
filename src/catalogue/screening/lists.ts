/** Which datasets are lists: those whose database has the shape that all such lists share; and of what kind they are. */
import { type ListKind, listKinds } from '../../store/list-kinds.ts'
import type { ServedDatabase, ServedDataset } from '../served.ts'

/** Tables or views with the same columns in every list (docs/screening.md). */
export const sharedShape = [
  'entity',
  'entity_name',
  'entity_address',
  'entity_birth',
  'entity_identifier',
  'entity_program',
] as const

/** Full text over names alone; its rowids are `entity_name.name_id`. */
export const nameIndex = 'name_fts'

/** A list that can be searched. */
export interface InstalledList {
  readonly dataset: ServedDataset
  readonly database: ServedDatabase
}

const hasShape = ({ tables, views, fullText }: ServedDatabase): boolean => {
  const names = new Set([...tables, ...views].map(({ name }) => name))
  return sharedShape.every((name) => names.has(name)) && fullText.some(({ name }) => name === nameIndex)
}

/** The list that a dataset is, if its database is here and has the shape. */
export const installedList = (dataset: ServedDataset): InstalledList | undefined => {
  const database = dataset.databases.find(hasShape)
  return database === undefined ? undefined : { dataset, database }
}

/** What a list is, as far as it says so. */
export type SaidListKind = ListKind | 'undeclared'
export const saidListKinds = [...listKinds, 'undeclared'] as const

export const kindOf = ({ database }: Pick<InstalledList, 'database'>): SaidListKind => database.listKind ?? 'undeclared'

/**
 * Whether a list is searched where none is named: one of sanctions, one in which they are among others, and one that does
 * not say what it is, since leaving that out would look like a clearance.
 */
export const isSearchedUnasked = (list: Pick<InstalledList, 'database'>): boolean =>
  ['sanctions', 'mixed', 'undeclared'].includes(kindOf(list))

/** Whether a dataset without a readable database would be a list: a query of its schema uses or describes the shape. */
export const isAbsentList = ({ databases, queries }: ServedDataset): boolean =>
  databases.length === 0 && queries.some(({ query }) => `${query.sql} ${query.description}`.includes('entity_name'))

/** Whether a dataset that is broken may be a list: with neither database nor schema nothing tells what it is. */
export const mayBeList = ({ databases, schemas, problems }: ServedDataset): boolean =>
  databases.length === 0 && schemas.length === 0 && problems.length > 0
