/**
 * Names of one list that are worth comparing with a name, by its full-text index: first which spellings of each word
 * the index has, then the names that have enough of them. Both run in a reader process, as searches do.
 */
import { z } from 'zod'
import type { ReaderPool } from '../../query/types.ts'
import type { ServedDatabase } from '../served.ts'
import { candidateExpressions, type FoundSpelling, mostNamesOfRareWord } from './candidate-expressions.ts'
import { nameIndex } from './lists.ts'
import type { LookedUpName } from './looked-up-name.ts'
import { mostCompared } from './name-words.ts'

/** A name on a list. */
export interface ListedName {
  readonly entityId: string | number
  /** One character more than is compared at most: what is behind is not even fetched. */
  readonly name: string
  readonly kind: string | null
  readonly strength: string | null
}

export interface Candidates {
  readonly names: readonly ListedName[]
  /** Whether more names share words with the one looked up than were compared. */
  readonly cut: boolean
}

/** Names that one expression may find; of more, those first on the list are looked at. */
const mostFound = 20_000
/** Names compared for one expression: those nearest in length. */
const mostNearest = 250

const spellingRows = z.array(z.tuple([z.number(), z.number()]))
const nameRows = z.array(
  z.tuple([
    z.number(),
    z.union([z.string(), z.number()]),
    z.string().nullable(),
    z.string().nullable(),
    z.string().nullable(),
    z.number(),
  ]),
)

const spellingsSql = `WITH wanted AS MATERIALIZED (
    SELECT w.key AS place,
      (SELECT count(*) FROM (SELECT 1 FROM ${nameIndex} WHERE ${nameIndex} MATCH w.value LIMIT ${mostNamesOfRareWord})) AS names
    FROM json_each(?) AS w)
  SELECT place, names FROM wanted WHERE names > 0`

const namesSql = (place: number): string => `SELECT * FROM (
    SELECT n.name_id, n.entity_id, substr(n.name, 1, ${mostCompared.characters + 1}), n.kind, n.strength, ${place} AS expression
    FROM (SELECT rowid AS place FROM ${nameIndex} WHERE ${nameIndex} MATCH ? LIMIT ${mostFound}) AS hit
    CROSS JOIN entity_name AS n ON n.name_id = hit.place
    ORDER BY abs(length(n.name) - ?), n.name_id LIMIT ${place === 0 ? mostNearest + 1 : mostNearest})`

/** The names to compare. Throws what the pool throws. */
export const candidatesFor = async (
  pool: ReaderPool,
  { path }: ServedDatabase,
  wanted: LookedUpName,
  signal?: AbortSignal,
): Promise<Candidates> => {
  const words = await spellingsFound(pool, path, wanted, signal)
  const expressions = candidateExpressions(words)
  if (expressions.length === 0) return { names: [], cut: false }
  const { rows, truncated } = await pool.rows(
    {
      database: path,
      sql: expressions.map((_, place) => namesSql(place)).join(' UNION ALL '),
      parameters: expressions.flatMap((expression) => [expression, wanted.name.length]),
      lane: 'search',
      maxRows: mostNearest * expressions.length + 1,
      maxBytes: 4_000_000,
    },
    signal,
  )
  const fetched = nameRows.parse(rows)
  // One more than is compared of the first expression, whose rows come first: it tells whether there are more.
  const hasMore = fetched[mostNearest]?.[5] === 0
  const found = fetched.filter((_, place) => !hasMore || place !== mostNearest)
  const names = new Map(
    found.map(([id, entityId, text, kind, strength]) => [id, { entityId, name: text ?? '', kind, strength }]),
  )
  return { names: [...names.values()], cut: truncated || hasMore }
}

/** For each word of a name the spellings that the index has. */
const spellingsFound = async (
  pool: ReaderPool,
  database: string,
  { spellings, phrases }: LookedUpName,
  signal: AbortSignal | undefined,
): Promise<readonly (readonly FoundSpelling[])[]> => {
  if (spellings.length === 0) return []
  const { rows } = await pool.rows(
    {
      database,
      sql: spellingsSql,
      parameters: [phrases],
      lane: 'search',
      maxRows: spellings.length,
    },
    signal,
  )
  const found = spellingRows
    .parse(rows)
    .flatMap(([place, names]) => (spellings[place] === undefined ? [] : [{ ...spellings[place], names }]))
  return [...Map.groupBy(found, ({ word }) => word).values()]
}
