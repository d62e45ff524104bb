/**
 * How well `screen_name` finds what is on the lists, and how often it finds what is not: on the sanctions lists that are
 * installed in the global store. `node bench/screening.ts [names per list, all without it]` prints the figures of
 * docs/screening.md as JSON.
 */

import { discover } from '../src/catalogue/discovery/discover.ts'
import { type Match, mostPairsPerCall } from '../src/catalogue/screening/best-matches.ts'
import { installedList } from '../src/catalogue/screening/lists.ts'
import { lookedUpName } from '../src/catalogue/screening/looked-up-name.ts'
import { screenList } from '../src/catalogue/screening/screen-list.ts'
import { Turns } from '../src/catalogue/screening/turns.ts'
import { createReaderPool } from '../src/query/pool.ts'
import { globalRoot } from '../src/settings.ts'
import { commonNames } from './common-names.ts'
import { askedNames } from './screened-names.ts'

const thresholds = [0.75, 0.8, 0.85, 0.9, 0.95]
const namesPerList = Number(process.argv[2] ?? Number.POSITIVE_INFINITY)

/** The place of an entity among the matches, 0 for the first; those with the same score share the best place. */
const placeOf = (matches: readonly Match[], entityId: string | number): number => {
  const own = matches.find((match) => match.entityId === entityId)
  return own === undefined ? Number.POSITIVE_INFINITY : matches.filter(({ score }) => score > own.score).length
}

const effort = { turns: new Turns(), mostPairs: mostPairsPerCall }

const pool = createReaderPool()
pool.warm()
const { datasets } = await discover(
  { stores: [{ origin: 'global', root: globalRoot() }], schemaFolders: [], pool },
  new Map(),
)
const lists = [...datasets.values()].flatMap((dataset) => installedList(dataset) ?? [])
const slowest = (times: readonly number[]): object => {
  const sorted = [...times].sort((one, other) => one - other)
  const at = (share: number): number => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
  return { medianMs: at(0.5), p95Ms: at(0.95), maxMs: Math.round(sorted.at(-1) ?? 0) }
}

for (const list of lists) {
  const { rows } = await pool.rows({
    database: list.database.path,
    sql: 'SELECT entity_id, name FROM entity_name ORDER BY name_id',
    parameters: [],
    lane: 'query',
    maxRows: 2_000_000,
    maxBytes: 200_000_000,
    timeoutMs: 60_000,
  })
  const names = askedNames(rows, namesPerList)
  const counts = { names: 0, ownFirst: 0, reorderedInFive: 0, mistypedInFive: 0 }
  const mistypedFrom = new Map(thresholds.map((threshold) => [threshold, 0]))
  const missed: string[] = []
  const times: number[] = []
  for (const { entityId, name, reordered, mistyped } of names) {
    const screened = async (asked: string): Promise<readonly Match[]> => {
      const start = performance.now()
      const { matches } = await screenList(pool, list, lookedUpName(asked), 0.5, effort)
      times.push(performance.now() - start)
      return matches
    }
    counts.names += 1
    const own = await screened(name)
    if (placeOf(own, entityId) === 0) counts.ownFirst += 1
    else missed.push(`${name} (as it is)`)
    if (placeOf(await screened(reordered), entityId) < 5) counts.reorderedInFive += 1
    else missed.push(`${reordered} (order of ${name})`)
    const matches = await screened(mistyped)
    if (placeOf(matches, entityId) < 5) counts.mistypedInFive += 1
    else missed.push(`${mistyped} (typing error in ${name})`)
    const score = matches.find((match) => match.entityId === entityId)?.score ?? 0
    for (const [threshold, count] of mistypedFrom) if (score >= threshold) mistypedFrom.set(threshold, count + 1)
  }
  process.stdout.write(
    `${JSON.stringify({ dataset: list.dataset.id, ...counts, mistypedFrom: [...mistypedFrom], ...slowest(times), missed: missed.slice(0, 40) }, null, 1)}\n`,
  )
}

const hits = new Map(thresholds.map((threshold) => [threshold, commonNames.map(() => 0)]))
const times: number[] = []
for (const [language, names] of commonNames.entries()) {
  for (const name of names) {
    const start = performance.now()
    const wanted = lookedUpName(name)
    const found = await Promise.all(
      lists.map((list) => screenList(pool, list, wanted, Math.min(...thresholds), effort)),
    )
    times.push(performance.now() - start)
    const best = Math.max(0, ...found.flatMap(({ matches }) => matches.map(({ score }) => score)))
    for (const [threshold, counted] of hits) if (best >= threshold) counted[language] = (counted[language] ?? 0) + 1
  }
}
process.stdout.write(
  `${JSON.stringify({ commonNames: commonNames.flat().length, ...slowest(times), hits: [...hits].map(([threshold, counted]) => ({ threshold, all: counted.reduce((sum, each) => sum + each, 0), counted })) })}\n`,
)
await pool.close()
