/** What a hit says of the entity beside its name: type, programs, dates of birth, and the URI of its record. */
import { z } from 'zod'
import type { ReaderPool } from '../../query/types.ts'
import { findTable, type ServedDatabase } from '../served.ts'
import { datasetUri, recordUri } from '../uri.ts'

export interface ListedEntity {
  readonly uri: string
  /** There where the list has no record of it that can be read: what there is at `uri` instead. */
  readonly noRecord?: string
  readonly entity: string
  readonly type: string
  readonly listedOn?: string
  readonly programs: readonly string[]
  readonly birthDates: readonly string[]
}

/** Programs and dates shown of one entity; the record at its URI has all. */
const mostShown = 20
const mostRows = 5000
/** Characters shown of a name, program or date; the record has all. */
const mostCharacters = 400

const id = z.union([z.string(), z.number()])
const text = z.union([z.string(), z.number()]).nullable()
const rowsSchema = z.array(z.tuple([z.string(), id, text, text, text, text]))

/** Limits per entity lie in the reader, so that one with hundreds of rows hides nobody else's. */
const sql = `SELECT 'entity', entity_id, substr(name, 1, ${mostCharacters}), type, listed_on, record_table FROM entity
    WHERE entity_id IN (SELECT value FROM json_each(?))
  UNION ALL SELECT DISTINCT 'program', entity_id, substr(program, 1, ${mostCharacters}), NULL, NULL, NULL FROM entity_program
    WHERE entity_id IN (SELECT value FROM json_each(?)) AND program IS NOT NULL
  UNION ALL SELECT DISTINCT 'birth', entity_id, date, date_to, circa, NULL FROM entity_birth
    WHERE entity_id IN (SELECT value FROM json_each(?)) AND date IS NOT NULL`

/** The entities of these ids. Throws what the pool throws. */
export const entitiesOf = async (
  pool: ReaderPool,
  dataset: string,
  database: ServedDatabase,
  ids: readonly (string | number)[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string | number, ListedEntity>> => {
  if (ids.length === 0) return new Map()
  const wanted = JSON.stringify(ids)
  const { rows } = await pool.rows(
    { database: database.path, sql, parameters: [wanted, wanted, wanted], lane: 'search', maxRows: mostRows },
    signal,
  )
  const found = rowsSchema.parse(rows)
  const of = (kind: string, entityId: string | number): z.infer<typeof rowsSchema> =>
    found.filter(([what, each]) => what === kind && each === entityId)
  return new Map(
    ids.map((entityId) => {
      const [entity] = of('entity', entityId)
      const [, , name, type, listedOn, recordTable] = entity ?? []
      return [
        entityId,
        {
          ...placeOf(dataset, database, entityId, recordTable),
          entity: String(name ?? entityId),
          type: String(type ?? 'other'),
          ...(listedOn === null || listedOn === undefined ? {} : { listedOn: String(listedOn) }),
          programs: of('program', entityId)
            .map(([, , program]) => String(program))
            .slice(0, mostShown),
          birthDates: of('birth', entityId)
            .map(([, , from, to, circa]) => birthDate(String(from), to, circa))
            .slice(0, mostShown),
        },
      ]
    }),
  )
}

/** Where an entity's record can be read; what a host can read in its place where there is none. */
const placeOf = (
  dataset: string,
  database: ServedDatabase,
  entityId: string | number,
  recordTable: z.infer<typeof text> | undefined,
): Pick<ListedEntity, 'uri' | 'noRecord'> => {
  const table = findTable([database], String(recordTable ?? 'entity'))?.table
  if (recordTable !== undefined && table?.key.length === 1) return { uri: recordUri(dataset, table.name, [entityId]) }
  const noRecord =
    recordTable === undefined
      ? `The list has this name for ${entityId}, and no entry of that number: who is meant, it does not say.`
      : 'The entry cannot be read whole.'
  return { uri: datasetUri(dataset), noRecord: `${noRecord} At uri is what the list is.` }
}

const birthDate = (from: string, to: z.infer<typeof text>, circa: z.infer<typeof text>): string =>
  `${circa === null || Number(circa) === 0 ? '' : 'circa '}${from}${to === null || to === '' ? '' : ` to ${to}`}`
