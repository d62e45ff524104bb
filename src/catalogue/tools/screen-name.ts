/** screen_name: one name looked up in every sanctions list that is installed. */
import { z } from 'zod'
import { StichtagError } from '../../errors.ts'
import { originOf, termsOf } from '../answer-origin.ts'
import { type CatalogueContext, stateOf } from '../context.ts'
import { inOrder, type Match, mostPairsPerCall } from '../screening/best-matches.ts'
import { chosenLists, type ListProblem, outOfDate } from '../screening/chosen-lists.ts'
import { entitiesOf, type ListedEntity } from '../screening/entities.ts'
import { type InstalledList, installedList, isAbsentList } from '../screening/lists.ts'
import { lookedUpName } from '../screening/looked-up-name.ts'
import { beginningShown, isPartlyCompared, mostCompared } from '../screening/name-words.ts'
import { type ScreenedList, screenList } from '../screening/screen-list.ts'
import { Turns } from '../screening/turns.ts'
import type { ServedDataset } from '../served.ts'
import type { ResourceLink } from '../types.ts'
import { answering, checkedArguments, objectSchemaOf, originFields, type Tool, truncatedField } from './tool.ts'

/** Score from which a hit is shown unless said; docs/screening.md says how it was found. */
export const defaultThreshold = 0.85

/** Said in every answer. */
const note =
  'A hit is a lead and no verdict: many people share a name; compare dates of birth, nationalities and identifiers in ' +
  'the record at its URI. No hit is no clearance: only these lists were searched, as of their dates, by name alone.'

const sampleWarning = 'Invented sample records were searched: hits in them are nobody real.'

/** Said where a name is longer than what is compared of it. */
const partly =
  `Only its beginning was compared: ${mostCompared.characters} characters, ${mostCompared.words} words, ` +
  `${mostCompared.lettersOfWord} letters of each.`

const input = z.object({
  name: z.string().min(2).max(300).describe('Name of a person, organisation, ship or aircraft, words in any order.'),
  datasets: z
    .array(z.string())
    .optional()
    .describe(
      'Ids of the lists to search. Without it: all that are installed, invented samples only where no other is.',
    ),
  limit: z.int().min(1).max(50).default(20).describe('Most hits, 1 to 50; 20 without it.'),
  threshold: z
    .number()
    .min(0.5)
    .max(1)
    .default(defaultThreshold)
    .describe(
      `Least score, 0.5 to 1; ${defaultThreshold} without it. Lower it where a name may be transcribed otherwise.`,
    ),
})

const problem = z.object({ dataset: z.string(), code: z.string(), message: z.string() })

const output = z.object({
  name: z.string(),
  partly: z.string().optional().describe('There where only the beginning of the name was compared.'),
  note: z.string().describe('What a hit means, and what none means: say it with the answer.'),
  sample: z.string().optional().describe('There where invented records were searched.'),
  threshold: z.number(),
  hits: z.array(
    z.looseObject({
      score: z.number().describe('0 to 1: how much of the two names agrees; 1 is the same words in any order.'),
      dataset: z.string(),
      list: z.string(),
      version: z.string(),
      asOf: z.string(),
      uri: z.string().describe('The record, whole: give it to fetch.'),
      entity: z.string().describe('Name under which the list leads the entity.'),
      matchedName: z.string().describe('The name of it that is most like the one looked up.'),
      partly: z.string().optional().describe('There where only the beginning of that name was compared.'),
      kind: z.string().nullable().describe('primary, alias, former, …'),
      strength: z.string().nullable().describe('weak: an alias that the list itself calls of low quality.'),
      type: z.string().describe('person, organisation, vessel, aircraft, other.'),
      listedOn: z.string().optional(),
      programs: z.array(z.string()),
      birthDates: z.array(z.string()),
      sample: z.string().optional(),
    }),
  ),
  truncated: truncatedField,
  lists: z
    .array(z.object({ ...originFields, title: z.string(), state: z.string(), hits: z.number() }))
    .describe(
      'The lists that were searched, in which version, under which licence, and how many entities scored enough.',
    ),
  leftOut: z
    .array(z.object({ dataset: z.string(), why: z.string() }))
    .describe('Lists that are here and not searched.'),
  problems: z
    .array(problem)
    .describe('Lists that are missing or could not be searched whole, and those whose data are out of date.'),
})

/** Undefined where nothing served is a sanctions list, so that the tool is offered where there is something to search. */
export const screenNameTool = (context: CatalogueContext): Tool | undefined => {
  const isList = (dataset: ServedDataset): boolean => installedList(dataset) !== undefined || isAbsentList(dataset)
  if (![...context.datasets.values()].some(isList)) return undefined
  const turns = new Turns()
  return {
    name: 'screen_name',
    entry: () => ({
      name: 'screen_name',
      title: 'Look a name up in the sanctions lists',
      description:
        'Looks one name up in every sanctions list installed here, by all names and aliases, whatever the order of words, ' +
        'diacritics or one typing error. Use it to learn whether somebody may be listed, and where; then fetch the ' +
        'record. Not a verdict and not a clearance, and not for words in remarks or addresses: use search or the query ' +
        'tools of a list for those.',
      inputSchema: objectSchemaOf(input),
      outputSchema: objectSchemaOf(output),
    }),
    call: (args, signal) => answering(async () => screened(context, turns, checkedArguments(input, args), signal)),
  }
}

const screened = async (
  context: CatalogueContext,
  turns: Turns,
  { name, datasets, limit, threshold }: z.output<typeof input>,
  signal: AbortSignal | undefined,
) => {
  const wanted = lookedUpName(name)
  if (wanted.words.length === 0) {
    throw new StichtagError('ARGUMENTS_INVALID', 'name: it holds no word to look for.')
  }
  const { lists, leftOut, absent } = chosenLists(context, datasets)
  const effort = { turns, mostPairs: mostPairsPerCall / lists.length }
  const results = await Promise.all(
    lists.map((list) => attempted(list, () => screenList(context.pool, list, wanted, threshold, effort, signal))),
  )
  const found = results.flatMap((result) => ('failure' in result ? [] : [result.value]))
  const all = found
    .flatMap((list) => list.matches.map((match) => ({ list, match })))
    .sort((one, other) => inOrder(one.match, other.match))
  const shown = all.slice(0, limit)
  const detailed = await Promise.all(
    found.map((list) => attempted(list, () => entitiesIn(context, list, shown, signal))),
  )
  const entities = new Map(found.map((list, place) => [list, detailed[place]]))
  const hits = shown.flatMap(({ list, match }) => {
    const details = entities.get(list)
    const entity = details === undefined || 'failure' in details ? undefined : details.value.get(match.entityId)
    return entity === undefined ? [] : [hitOf(list, match, entity)]
  })
  const structured = {
    name,
    ...(isPartlyCompared(name) ? { partly } : {}),
    note,
    ...(found.some(({ database }) => database.terms.sample) ? { sample: sampleWarning } : {}),
    threshold,
    hits,
    truncated: all.length > hits.length || found.some(({ cut }) => cut),
    lists: found.map((list) => ({
      ...originOf(list.dataset.id, list.database),
      title: list.dataset.title,
      state: stateOf(list.dataset, context),
      hits: list.matches.length,
      ...termsOf(list.database),
    })),
    leftOut,
    problems: [
      ...absent,
      ...[...results, ...detailed].flatMap((result) => ('failure' in result ? [result.failure] : [])),
      ...found.flatMap((list) => notAllCompared(list, found.length > 1)),
      ...found.flatMap(({ dataset }) => outOfDate(context, dataset)),
    ],
  }
  return { ok: true as const, structured, links: hits.slice(0, mostLinks).map(linkOf) }
}

const mostLinks = 25

type Attempt<Value> = { readonly value: Value } | { readonly failure: ListProblem }

/** One list that cannot be read takes nothing from the others: the answer says that it is missing. */
const attempted = async <Value>({ dataset }: InstalledList, run: () => Promise<Value>): Promise<Attempt<Value>> => {
  try {
    return { value: await run() }
  } catch (error) {
    if (!(error instanceof StichtagError) || error.code === 'CANCELLED') throw error
    return { failure: { dataset: dataset.id, code: error.code, message: error.message } }
  }
}

/** A search that was cut because comparing all names takes too long: other words, not a higher limit, get further. */
const notAllCompared = (
  { dataset, names: { fetched, notCompared } }: ScreenedList,
  isOneOfMany: boolean,
): readonly ListProblem[] => {
  if (notCompared === 0) return []
  const message =
    `${notCompared} of its ${fetched} names that share words with this one were not compared, since that takes too ` +
    `long. Ask with fewer words${isOneOfMany ? `, or for this list alone: {"datasets": ["${dataset.id}"]}` : ''}.`
  return [{ dataset: dataset.id, code: 'PARTLY_COMPARED', message }]
}

const entitiesIn = (
  { pool }: CatalogueContext,
  list: ScreenedList,
  shown: readonly { readonly list: ScreenedList; readonly match: Match }[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string | number, ListedEntity>> => {
  const ids = shown.filter((each) => each.list === list).map(({ match }) => match.entityId)
  return entitiesOf(pool, list.dataset.id, list.database, ids, signal)
}

const hitOf = ({ dataset, database }: ScreenedList, { score, name, kind, strength }: Match, entity: ListedEntity) => ({
  score,
  ...originOf(dataset.id, database),
  list: dataset.title,
  ...entity,
  matchedName: beginningShown(name),
  ...(isPartlyCompared(name) ? { partly } : {}),
  kind,
  strength,
  ...(termsOf(database).sample === undefined ? {} : { sample: termsOf(database).sample }),
})

const linkOf = ({ uri, entity }: ReturnType<typeof hitOf>): ResourceLink => ({
  uri,
  name: uri,
  title: entity,
  mimeType: 'application/json',
})
