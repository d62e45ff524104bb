/** screen_name: one name looked up in every sanctions list that is installed, and in lists of other kinds that are named. */
import type { z } from 'zod'
import { StichtagError } from '../../errors.ts'
import { originOf, termsOf } from '../answer-origin.ts'
import { type CatalogueContext, stateOf } from '../context.ts'
import { inOrder, type Match, mostPairsPerCall } from '../screening/best-matches.ts'
import { chosenLists, type ListProblem } from '../screening/chosen-lists.ts'
import { entitiesOf, type ListedEntity } from '../screening/entities.ts'
import { listDoubts } from '../screening/list-doubts.ts'
import { ListFigures } from '../screening/list-figures.ts'
import { type InstalledList, installedList, isAbsentList, kindOf } from '../screening/lists.ts'
import { lookedUpName } from '../screening/looked-up-name.ts'
import { beginningShown, isPartlyCompared, mostCompared } from '../screening/name-words.ts'
import { Patience } from '../screening/patience.ts'
import { type ScreenedList, screenList } from '../screening/screen-list.ts'
import { scriptProblem } from '../screening/script-problem.ts'
import { otherScripts } from '../screening/scripts.ts'
import { Turns } from '../screening/turns.ts'
import type { ServedDataset } from '../served.ts'
import type { ResourceLink } from '../types.ts'
import { input, output } from './screen-name-schema.ts'
import { answering, checkedArguments, objectSchemaOf, type Tool } from './tool.ts'

/** Said in every answer. */
const note =
  'A hit is a lead and no verdict: many people share a name; compare dates of birth, nationalities and identifiers in ' +
  'the record at its URI. No hit is no clearance: only these lists were searched, as of their dates, by name alone.'

const sampleWarning = 'Invented sample records were searched: hits in them are nobody real.'

/** Said where a name is longer than what is compared of it. */
const partly =
  `Only its beginning was compared: ${mostCompared.characters} characters, ${mostCompared.words} words, ` +
  `${mostCompared.lettersOfWord} letters of each.`

/** Undefined where nothing served is a sanctions list, so that the tool is offered where there is something to search. */
export const screenNameTool = (context: CatalogueContext): Tool | undefined => {
  const isList = (dataset: ServedDataset): boolean => installedList(dataset) !== undefined || isAbsentList(dataset)
  if (![...context.datasets.values()].some(isList)) return undefined
  const turns = new Turns()
  const patience = new Patience(context.pool, context.now)
  const figures = new ListFigures(patience)
  return {
    name: 'screen_name',
    entry: () => ({
      name: 'screen_name',
      title: 'Look a name up in the sanctions lists',
      description:
        'Looks one name up in every sanctions list installed here, by all names and aliases, whatever the order of words, ' +
        'diacritics or one typing error. Use it to learn whether somebody may be listed, and where; then fetch the ' +
        'record, and say what `problems` has of the lists (incomplete, old, given by hand). Names are found in the ' +
        'letters that a list has them in, which is Latin in most: transliterate a name in other letters before you ask. ' +
        'Lists of other kinds, such as politically exposed people, are searched where `datasets` names them. Not a ' +
        'verdict and not a clearance, and not for words in remarks or addresses: use search or the query tools of a ' +
        'list for those.',
      inputSchema: objectSchemaOf(input),
      outputSchema: objectSchemaOf(output),
    }),
    call: (args, signal) =>
      answering(async () => screened({ context, turns, figures, patience }, checkedArguments(input, args), signal)),
  }
}

/** What searches of one catalogue share. */
interface Screening {
  readonly context: CatalogueContext
  readonly turns: Turns
  readonly figures: ListFigures
  readonly patience: Patience
}

const screened = async (
  { context, turns, figures, patience }: Screening,
  { name, datasets, limit, threshold }: z.output<typeof input>,
  signal: AbortSignal | undefined,
) => {
  const wanted = lookedUpName(name)
  if (wanted.words.length === 0) {
    throw new StichtagError('ARGUMENTS_INVALID', 'name: it holds no word to look for.')
  }
  const { lists, leftOut, absent } = chosenLists(context, datasets)
  if (lists.length === 0 && absent.length === 0) throw nothingToSearch(leftOut)
  const effort = { turns, mostPairs: mostPairsPerCall / lists.length }
  const results = await Promise.all(
    lists.map((list) =>
      attempted(list, () =>
        patience.with(list.database, (pool) => screenList(pool, list, wanted, threshold, effort, signal)),
      ),
    ),
  )
  const found = results.flatMap((result) => ('failure' in result ? [] : [result.value]))
  const all = found
    .flatMap((list) => list.matches.map((match) => ({ list, match })))
    .sort((one, other) => inOrder(one.match, other.match))
  const shown = all.slice(0, limit)
  const detailed = await Promise.all(
    found.map((list) => attempted(list, () => entitiesIn(patience, list, shown, signal))),
  )
  const counted = await Promise.all(found.map((list) => attempted(list, () => countedIn(figures, list, name, signal))))
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
    lists: found.map((list, place) => ({
      ...originOf(list.dataset.id, list.database),
      title: list.dataset.title,
      listKind: kindOf(list),
      state: stateOf(list.dataset, context),
      ...entriesIn(counted[place]),
      ...provenanceOf(list.dataset),
      hits: list.matches.length,
      ...termsOf(list.database),
    })),
    leftOut,
    problems: [
      ...absent,
      ...[...results, ...detailed, ...counted].flatMap((result) => ('failure' in result ? [result.failure] : [])),
      ...found.flatMap((list) => notAllCompared(list, found.length > 1)),
      ...counted.flatMap((result) => ('failure' in result ? [] : result.value.problems)),
      ...found.flatMap(({ dataset, database }) =>
        listDoubts(dataset, database, stateOf(dataset, context), context.now()),
      ),
    ],
  }
  return { ok: true as const, structured, links: hits.slice(0, mostLinks).map(linkOf) }
}

const nothingToSearch = (leftOut: ReturnType<typeof chosenLists>['leftOut']): StichtagError => {
  const named = leftOut.map(({ dataset, why }) => `${dataset}: ${why}`)
  return new StichtagError(
    'ARGUMENTS_INVALID',
    `datasets: no list to search, so nothing was looked for. ${named.join(' ')}`,
  )
}

interface Counted {
  readonly entries: number
  readonly problems: readonly ListProblem[]
}

/** How many entries a list has, and whether it has its names in the letters of the one that is looked up. */
const countedIn = async (
  figures: ListFigures,
  { dataset, database }: ScreenedList,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Counted> => {
  const entries = await figures.entries(database, signal)
  const problems = await Promise.all(
    otherScripts(name).map(async (script) =>
      scriptProblem(dataset.id, script, { entries, inScript: await figures.entriesIn(database, script, signal) }),
    ),
  )
  return { entries, problems: problems.filter((each) => each !== undefined) }
}

const entriesIn = (counted: Attempt<Counted> | undefined): { readonly entries?: number } =>
  counted === undefined || 'failure' in counted ? {} : { entries: counted.value.entries }

/** Whence a list is, where it is a snapshot of ours. */
const provenanceOf = ({ snapshot }: ServedDataset) =>
  snapshot === undefined
    ? {}
    : {
        ...(snapshot.manifest.expectedRows === undefined ? {} : { expectedRows: snapshot.manifest.expectedRows }),
        from: [...new Set(snapshot.manifest.sources.map(({ url }) => url))],
        confirmedAt: snapshot.state.confirmedAt,
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
  patience: Patience,
  list: ScreenedList,
  shown: readonly { readonly list: ScreenedList; readonly match: Match }[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string | number, ListedEntity>> => {
  const ids = shown.filter((each) => each.list === list).map(({ match }) => match.entityId)
  return patience.with(list.database, (pool) => entitiesOf(pool, list.dataset.id, list.database, ids, signal))
}

const hitOf = ({ dataset, database }: ScreenedList, { score, name, kind, strength }: Match, entity: ListedEntity) => ({
  score,
  ...originOf(dataset.id, database),
  list: dataset.title,
  listKind: kindOf({ database }),
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
