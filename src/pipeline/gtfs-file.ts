/** What is said of one file of the GTFS reference. */
import type { RelatedDefinition } from './types.ts'

/**
 * What a column holds. `time` and `date` are kept as text as they are; beside a time stand its seconds. `prose` is what people
 * wrote, and keeps the spaces around it; of all else they are dropped, or ids would not be found where one file has them.
 */
export type GtfsKind = 'text' | 'prose' | 'date' | 'time' | 'integer' | 'real' | 'latitude' | 'longitude'

/** A file of the reference, which becomes the table of its name. */
export interface GtfsFile {
  readonly description: string
  /** Columns that are not text, by name; the order is that of `columns`. */
  readonly columns: string
  readonly kinds?: Readonly<Record<string, GtfsKind>>
  readonly key: readonly string[]
  /** The key may be left out by a feed that has only one such record: then it is the empty text. */
  readonly keyMayBeEmpty?: boolean
  readonly title?: string
  readonly indexes?: readonly (readonly string[])[]
  readonly related?: readonly RelatedDefinition[]
}

/** The same kind for several columns. */
export const all = (names: string, kind: GtfsKind): Record<string, GtfsKind> =>
  Object.fromEntries(names.split(' ').map((name) => [name, kind]))
