/**
 * Names of one list that are worth comparing with a name, by its full-text index: first which spellings of each word
 * the index has, then the names that have enough of them. Both run in a reader process, as queries do.
 */
import { z } from 'zod'
import type { ReaderPool } from '../../query/types.ts'
import type { ServedDatabase } from '../served.ts'
import { candidateExpressions, type FoundSpelling, mostNamesOfRareWord } from './candidate-expressions.ts'
import { nameIndex } from './lists.ts'
import { wordSpellings } from './word-spellings.ts'

/** A name on a list. */
export interface ListedName {
  readonly entityId: string | number
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
const mostCompared = 250

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
    SELECT n.name_id, n.entity_id, n.name, n.kind, n.strength, ${place} AS expression
    FROM (SELECT rowid AS place FROM ${nameIndex} WHERE ${nameIndex} MATCH ? LIMIT ${mostFound}) AS hit
    CROSS JOIN entity_name AS n ON n.name_id = hit.place
    ORDER BY abs(length(n.name) - ?), n.name_id LIMIT ${mostCompared})`

/** The names to compare. Throws what the pool throws. */
export const candidatesFor = async (
  pool: ReaderPool,
  { path }: ServedDatabase,
  name: string,
  signal?: AbortSignal,
): Promise<Candidates> => {
  const words = await spellingsFound(pool, path, name, signal)
  const expressions = candidateExpressions(words)
  if (expressions.length === 0) return { names: [], cut: false }
  const { rows } = await pool.rows(
    {
      database: path,
      sql: expressions.map((_, place) => namesSql(place)).join(' UNION ALL '),
      parameters: expressions.flatMap((expression) => [expression, name.length]),
      lane: 'query',
      maxRows: mostCompared * expressions.length,
      maxBytes: 4_000_000,
    },
    signal,
  )
  const found = nameRows.parse(rows)
  const names = new Map(
    found.map(([id, entityId, text, kind, strength]) => [id, { entityId, name: text ?? '', kind, strength }]),
  )
  const ofFirst = found.filter(([, , , , , expression]) => expression === 0)
  return { names: [...names.values()], cut: ofFirst.length === mostCompared }
}

/** For each word of a name the spellings that the index has. */
const spellingsFound = async (
  pool: ReaderPool,
  database: string,
  name: string,
  signal: AbortSignal | undefined,
): Promise<readonly (readonly FoundSpelling[])[]> => {
  const words = wordSpellings(name)
  const all = words.flatMap((spellings, word) => spellings.map((phrase) => ({ word, phrase })))
  if (all.length === 0) return []
  const { rows } = await pool.rows(
    {
      database,
      sql: spellingsSql,
      parameters: [JSON.stringify(all.map(({ phrase }) => `"${phrase}"`))],
      lane: 'query',
      maxRows: all.length,
    },
    signal,
  )
  const found = spellingRows
    .parse(rows)
    .flatMap(([place, names]) => (all[place] === undefined ? [] : [{ ...all[place], names }]))
  return words.map((_, index) => found.filter(({ word }) => word === index))
}
