/** Every real feed, whole: each fact of it that ORACLE.json has for programs, against what our own command line imports. */
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { RunResult } from '../../src/ingest/run.ts'
import { kit } from '../../src/pipeline/define.ts'
import type { Store } from '../../src/store/layout.ts'
import { currentSnapshot } from '../../src/store/snapshots.ts'
import { ingest, query } from '../ingest/ingesting.ts'
import { removeTree, scratchStore } from '../store/scratch-store.ts'
import { oracleOf } from './oracle.ts'
import { hasSharedData, sharedFile } from './shared-data.ts'

const tally = z.record(z.string(), z.number())
const feedSchema = z.object({
  calendar_range: z.array(z.string()).optional(),
  calendar_dates_range: z.array(z.string()).optional(),
  exception_type: tally.optional(),
  route_type: tally,
  active: z.record(z.string(), z.object({ services: z.number(), trips: z.number(), stop_times: z.number() })),
  sum_stop_sequence: z.number(),
  sum_departure_seconds: z.number(),
  departure_times_present: z.number(),
  first_stop_time: z.string(),
  last_stop_time: z.string(),
  max_departure: z.string().optional(),
  first_stop: z.string(),
  last_stop: z.string(),
  distinct_stop_name: z.number(),
  non_ascii_stop_names: z.number(),
  agency: z.array(z.array(z.string())),
  feed_info: z.record(z.string(), z.string()).optional(),
})
const tableSchema = z.looseObject({
  header: z.array(z.string()),
  rows: z.number(),
  distinct_keys: z.number().optional(),
  distinct_trip_id: z.number().optional(),
  max_dep_hour: z.number().optional(),
  rows_dep_ge24h: z.number().optional(),
  single_digit_hour: z.number().optional(),
  empty_departure_time: z.number().optional(),
})
const factsSchema = z.object({
  tables: z.record(z.string(), tableSchema),
  dangling: tally.optional(),
  feed: z.record(z.string(), feedSchema),
})

/** A feed, and the folder in its archive where there is a choice. */
const feeds: readonly (readonly [file: string, folder: string | undefined])[] = [
  ['gtfs/tl-caltrain.zip', undefined],
  ['gtfs/tl-caltrain-v2.zip', undefined],
  ['gtfs/nodegtfs-caltrain_20120824.zip', undefined],
  ['gtfs/tl-cdmx.zip', undefined],
  ['gtfs/gvp-amtrak-2021.zip', undefined],
  ['gtfs/otp-bydgoszcz.gtfs.zip', undefined],
  ['gtfs/tl-ctran-flex.zip', undefined],
  ['gtfs/tidytransit-ch-zug.zip', undefined],
  ['gtfs/partridge-amazon-2017.zip', undefined],
  ['gtfs/otp-hsl_gtfs_minimal.zip', undefined],
  ['gtfs/oba-island-transit-2009.zip', undefined],
  ['gtfs/tl-eg.zip', undefined],
  ['gtfs/otp-kcm_rt_gtfs.zip', undefined],
  ['gtfs-quirks/tl-example.zip', undefined],
  ['gtfs-quirks/tl-example-errors.zip', undefined],
  ['gtfs-quirks/tl-example-nested-dir.zip', 'example-nested-dir/example'],
  ['gtfs-quirks/tl-example-nested-dir-ambiguous.zip', 'example-nested-dir/example'],
  ['gtfs-quirks/tl-example-nested-two-feeds.zip', 'example1'],
  ['gtfs-quirks/tl-example-nested-two-feeds.zip', 'example2'],
  ['gtfs-quirks/transitfeed/good_feed.zip', undefined],
]

/**
 * What runs, where rows of a repeated key are left out: six calls, and the removal of a service that was added for the
 * same day a line before, which leaves its one trip.
 */
const runsWithoutRepeated: Readonly<Record<string, readonly number[]>> = {
  'gtfs/partridge-amazon-2017.zip 20170802': [2, 442, 1861 - 6],
  'gtfs/partridge-amazon-2017.zip 20170806': [1 + 1, 1, 2],
}

/** The value of a tally's row under its name, as ORACLE.json has it. */
const tallied = (rows: readonly unknown[]): unknown =>
  Object.fromEntries(z.array(z.tuple([z.number(), z.number()])).parse(rows))

/** `name='value' name='value'` as columns and values; numbers as numbers, what is empty as NULL. */
const valuesIn = (text: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Array.from(text.matchAll(/(\w+)='(.*?)'(?= \w+='|$)/g), ([, name = '', value = '']) => [
      name,
      value === '' ? null : ['stop_lat', 'stop_lon', 'stop_sequence'].includes(name) ? Number(value) : value,
    ]),
  )

const definition = (folder?: string) =>
  kit.gtfs({
    id: 'feed',
    title: 'A feed',
    url: 'http://127.0.0.1:9/feed.zip',
    publisher: 'Somebody',
    licence: { name: 'unknown', url: 'https://feed.example/', attribution: 'somebody' },
    ...(folder === undefined ? {} : { folder }),
  })

describe.skipIf(!hasSharedData).each(feeds)('%s, folder %s', (file, folder) => {
  const root = mkdtempSync(join(tmpdir(), 'stichtag-oracle-'))
  const store: Store = { root, origin: 'global' }
  afterAll(() => removeTree(root))
  const prefix = folder === undefined ? '' : `${folder}/`
  const facts = hasSharedData ? oracleOf(file, factsSchema) : { tables: {}, feed: {} }
  const said = facts.feed[prefix]
  /** Tables of the feed by name: not those of another in the archive, and no texts that are none. */
  const tables = Object.entries(facts.tables)
    .filter(([name]) => name.startsWith(prefix) && !/LICENSE|ignore/.test(name))
    .map(([name, of]) => ({ table: name.slice(prefix.length).replace(/\.txt$/, ''), ...of }))
  const stopTimes = tables.find(({ table }) => table === 'stop_times')
  const repeated = tables.map(({ rows, distinct_keys: keys = rows }) => rows - keys).reduce((sum, n) => sum + n, 0)
  let result: RunResult
  beforeAll(async () => {
    result = await ingest(store, sharedFile(...file.split('/')), { definition: definition(folder) })
  })
  const rowsOf = (sql: string): unknown[] => query(store, sql, 'feed.db')
  const rowOf = (sql: string): unknown => rowsOf(sql)[0]

  it('has every row of every file, but for those whose key was there before', () => {
    expect(result).toMatchObject({ outcome: 'published', rejected: repeated })
    const wanted = tables.map(({ table, rows, distinct_keys: keys }) => [table, keys ?? rows])
    expect(result.rows).toMatchObject(Object.fromEntries(wanted))
    expect(rowOf('SELECT count(*) FROM _rejected')).toEqual([repeated])
  })

  it('has every column of every file', () => {
    for (const { table, header } of tables) {
      const columns = rowsOf(`SELECT name FROM pragma_table_info('${table}')`).flat()
      expect(columns, table).toEqual(expect.arrayContaining(header.filter((name) => name !== '')))
    }
  })

  it('has the agencies that are named, its kinds of routes and its feed_info', () => {
    const agencies = rowsOf('SELECT agency_id, agency_name, agency_timezone FROM agency')
    expect(agencies).toEqual(expect.arrayContaining(said?.agency ?? []))
    expect(tallied(rowsOf('SELECT route_type, count(*) FROM routes GROUP BY 1'))).toEqual(said?.route_type)
    for (const [name, value] of Object.entries(said?.feed_info ?? {}))
      expect(rowsOf(`SELECT ${name} FROM feed_info`), name).toEqual([[value]])
  })

  it('has its days', () => {
    const range = (of: string): unknown => rowOf(of)
    expect(range('SELECT min(start_date), max(end_date) FROM calendar')).toEqual(said?.calendar_range ?? [null, null])
    expect(range('SELECT min(date), max(date) FROM calendar_dates')).toEqual(said?.calendar_dates_range ?? [null, null])
    if (repeated === 0) {
      const exceptions = tallied(rowsOf('SELECT exception_type, count(*) FROM calendar_dates GROUP BY 1'))
      expect(exceptions).toEqual(said?.exception_type ?? {})
    }
  })

  it.each(Object.entries(said?.active ?? {}))(
    'runs on %s what is listed',
    (day, { services, trips, stop_times: calls }) => {
      const running = `SELECT service_id FROM service_days WHERE date = '${day.slice(0, 8)}'`
      expect(
        rowOf(`SELECT (SELECT count(*) FROM (${running})), (SELECT count(*) FROM trips WHERE service_id IN (${running})),
        (SELECT count(*) FROM stop_times JOIN trips USING (trip_id) WHERE service_id IN (${running}))`),
      ).toEqual(runsWithoutRepeated[`${file} ${day.slice(0, 8)}`] ?? [services, trips, calls])
    },
  )

  it('has its first and last stop and stop time, and its latest departure', () => {
    const matches = (text: string | undefined, table: string, order: string): void => {
      if (text === undefined) return
      const values = valuesIn(text)
      const names = Object.keys(values)
      expect(rowOf(`SELECT ${names.join(', ')} FROM ${table} ORDER BY ${order} LIMIT 1`)).toEqual(Object.values(values))
    }
    matches(said?.first_stop, 'stops', 'rowid')
    matches(said?.last_stop, 'stops', 'rowid DESC')
    matches(said?.first_stop_time, 'stop_times', 'rowid')
    matches(said?.last_stop_time, 'stop_times', 'rowid DESC')
    matches(said?.max_departure, 'stop_times', 'departure_time_seconds DESC, rowid')
  })

  it('has its sums and counts', () => {
    const names = z.array(z.string()).parse(rowsOf('SELECT stop_name FROM stops').flat())
    expect(names.filter((name) => /[^\p{ASCII}]/u.test(name))).toHaveLength(said?.non_ascii_stop_names ?? 0)
    expect(new Set(names).size).toBe(said?.distinct_stop_name)
    expect(
      rowOf(`SELECT count(DISTINCT trip_id), max(departure_time_seconds) / 3600,
        count(*) FILTER (WHERE departure_time_seconds >= 86400), count(*) FILTER (WHERE departure_time GLOB '[0-9]:*') FROM stop_times`),
    ).toEqual([
      stopTimes?.distinct_trip_id,
      stopTimes?.max_dep_hour ?? null,
      stopTimes?.rows_dep_ge24h ?? 0,
      stopTimes?.single_digit_hour,
    ])
    if (repeated > 0) return
    expect(
      rowOf(
        `SELECT total(stop_sequence), total(departure_time_seconds), count(departure_time), count(*) - count(departure_time) FROM stop_times`,
      ),
    ).toEqual([
      said?.sum_stop_sequence,
      said?.sum_departure_seconds,
      said?.departure_times_present,
      stopTimes?.empty_departure_time,
    ])
  })

  it('counts what refers to nothing', () => {
    const found = (currentSnapshot(store, 'feed', 'feed.db')?.warnings ?? [])
      .filter((warning) => warning.includes('refer to what is not in'))
      .map((warning) => warning.replace(/ rows refer.*$/, ''))
    const wanted = Object.entries(facts.dangling ?? {})
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, count]) => `${name.slice(prefix.length)}: ${count}`)
    expect(found.sort()).toEqual(wanted.sort())
  })
})

describe.skipIf(!hasSharedData)('the folders of unpacked feeds', () => {
  const folders = hasSharedData
    ? readdirSync(sharedFile('gtfs-quirks', 'transitfeed'), { withFileTypes: true }).filter((each) =>
        each.isDirectory(),
      )
    : []
  it.each(folders.map(({ name }) => name))('%s has every row of every file', async (name) => {
    const path = ['gtfs-quirks', 'transitfeed', name]
    const store = scratchStore()
    const { rows, rejected, outcome } = await ingest(store, sharedFile(...path), { definition: definition() })
    expect({ outcome, rejected }).toEqual({ outcome: 'published', rejected: 0 })
    for (const file of readdirSync(sharedFile(...path))) {
      const facts = oracleOf([...path, file].join('/'), tableSchema)
      expect(rows[file.replace(/\.txt$/, '')], file).toBe(facts.rows)
    }
  })
})
