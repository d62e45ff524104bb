import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { samples } from '../../data/gtfsde/samples.ts'
import { packageRoot } from '../../src/package-root.ts'
import { type DatasetFacts, describeDataset } from './dataset-contract.ts'
import type { DatasetStage } from './dataset-stage.ts'

const versions = ['2026-10-01', '2026-11-01'] as const

/** A Monday in the calendar of both versions. */
const date = '2026-11-02'

/** A call of each query that finds something. */
const queriesOf = (calls: {
  readonly words: string
  readonly at: string
  readonly to: string
  readonly agency: string
  readonly route: string
}): DatasetFacts['queries'] => ({
  searchStops: { query: calls.words },
  departuresAtStop: { stopId: calls.at, date },
  routesAtStop: { stopId: calls.at },
  routesOfAgency: { agency: calls.agency },
  tripsOfRoute: { routeId: calls.route, date },
  directConnections: { fromStopId: calls.at, toStopId: calls.to, date },
})

const berlin = 'de:00000:100'
const square = 'de:00000:300'
const south = 'de:00000:400'
const underground = '175273'
const way = '000000500003'

const departures = (stage: DatasetStage, on: string, from: string, to: string): Promise<unknown> =>
  stage.json('query', 'gtfsde', 'departuresAtStop', `stopId=${berlin}`, `date=${on}`, `from=${from}`, `to=${to}`)

const rowsSchema = z.looseObject({ rows: z.array(z.looseObject({ departure: z.string(), trip_id: z.string() })) })

const tripsAt = async (stage: DatasetStage, on: string, from = '00:00', to = '23:59'): Promise<string[]> =>
  rowsSchema
    .parse(await departures(stage, on, from, to))
    .rows.map(({ departure, trip_id: trip }) => `${departure} ${trip}`)

await describeDataset(
  {
    id: 'gtfsde',
    versions,
    table: 'trips',
    rows: [
      { agency: 3, stops: 13, routes: 5, trips: 10, stop_times: 23, calendar_dates: 3, transfers: 0, locations: 0 },
      { agency: 3, stops: 13, routes: 5, trips: 10, stop_times: 24, calendar_dates: 4, transfers: 0, locations: 0 },
    ],
    queries: queriesOf({ words: 'berlin haupt*', at: berlin, to: south, agency: 'Musterland', route: '9002_106' }),
    whole: '900101',
  },
  (stage) => {
    it('has departures of the days that a service runs, exceptions heeded', async () => {
      expect(await tripsAt(stage, '2026-11-02')).toEqual(['08:05 900101', '17:55 900202'])
      expect(await tripsAt(stage, '20261107')).toEqual(['11:05 900104'])
      // Christmas Day of 2026 is a Friday on which the trains of weekends run.
      expect(await tripsAt(stage, '2026-12-25')).toEqual(['11:05 900104'])
      expect(await tripsAt(stage, '2026-12-24')).toEqual([])
      expect(await tripsAt(stage, '2026-11-02', '9:00', '23:00')).toEqual(['17:55 900202'])
    })

    it('has what runs by frequency with its hours and its interval, never at the times its pattern is written with', async () => {
      const shown = (at: string, from: string, to: string): Promise<unknown> =>
        stage.json('query', 'gtfsde', 'departuresAtStop', `stopId=${at}`, `date=${date}`, `from=${from}`, `to=${to}`)
      const often = { departure: '05:00', until: '09:00', headway_secs: 300, trip_id: '900401' }
      const seldom = { departure: '09:00', until: '25:00', headway_secs: 600, trip_id: '900401' }
      expect(await shown(underground, '00:00', '04:59')).toMatchObject({ rows: [] })
      expect(await shown(underground, '06:00', '07:00')).toMatchObject({ rows: [often] })
      expect(await shown(underground, '00:00', '23:59')).toMatchObject({ rows: [often, seldom] })
      // The night after: the band of the day before goes on until one in the morning.
      expect(
        await stage.json('query', 'gtfsde', 'departuresAtStop', `stopId=${underground}`, 'date=2026-11-03', 'to=00:30'),
      ).toMatchObject({ rows: [{ departure: '00:00', until: '01:00', headway_secs: 600 }] })
      expect(await stage.json('query', 'gtfsde', 'tripsOfRoute', 'routeId=9004_402', `date=${date}`)).toMatchObject({
        rows: [
          { first_departure: '5:00:00', last_arrival: '05:04:30', until: '9:00:00', headway_secs: 300 },
          { first_departure: '9:00:00', last_arrival: '09:04:30', until: '25:00:00', headway_secs: 600 },
        ],
      })
      const ride = [
        'query',
        'gtfsde',
        'directConnections',
        `fromStopId=${underground}`,
        `toStopId=${way}`,
        `date=${date}`,
      ]
      expect(await stage.json(...ride, 'from=10:00')).toMatchObject({
        rows: [{ departure: '09:00', arrival: '09:04', until: '25:00', headway_secs: 600 }],
      })
    })

    it('has departures until after midnight, those of the next service day among them', async () => {
      const found = await departures(stage, '2026-11-06', '17:00', '11:30')
      expect(found).toMatchObject({ rows: [{ departure: '17:55' }, { departure: '35:05', trip_id: '900104' }] })
    })

    it('refuses a day that does not exist and a time that cannot be read', async () => {
      const refused = (message: RegExp) => ({
        error: { code: 'ARGUMENTS_INVALID', message: expect.stringMatching(message) },
      })
      expect(await departures(stage, '2026-11-31', '00:00', '23:59')).toMatchObject(refused(/date: must be a day/))
      expect(await departures(stage, '2026-11-02', '8:30pm', '23:59')).toMatchObject(refused(/from: must be a time/))
    })

    it('says of a stop that there is none', async () => {
      expect(await stage.json('query', 'gtfsde', 'departuresAtStop', 'stopId=nirvana', `date=${date}`)).toMatchObject({
        rows: [],
        note: 'stopId: no row of the table stops has the stop_id "nirvana".',
      })
    })

    it('says of a platform from which nothing leaves that it is one of several', async () => {
      expect(
        await stage.json('query', 'gtfsde', 'departuresAtStop', 'stopId=000000100101', `date=${date}`, 'from=22:00'),
      ).toMatchObject({ rows: [], note: expect.stringContaining(`"000000100101" is one of 2 stops of "${berlin}"`) })
    })

    it('takes a day as Germans write it, and says of a day that it says nothing of for which ones it holds', async () => {
      expect(await tripsAt(stage, '07.11.2026')).toEqual(await tripsAt(stage, '2026-11-07'))
      expect(await departures(stage, '03.10.2018', '00:00', '23:59')).toMatchObject({
        rows: [],
        validFrom: '2026-10-01',
        validUntil: '2027-12-11',
        validity: expect.stringContaining('no rows does not mean no service'),
      })
    })

    it('has among the departures of a day what left on the service day before', async () => {
      const found = await stage.json('query', 'gtfsde', 'departuresAtStop', 'stopId=000000500001', 'date=2026-11-09')
      expect(found).toMatchObject({ rows: [{ departure: '00:56', departure_time: '24:56:00', trip_id: '900501' }] })
    })

    it('has a direct connection from one platform to another, and none against its direction', async () => {
      const between = (from: string, to: string): Promise<unknown> =>
        stage.json('query', 'gtfsde', 'directConnections', `fromStopId=${from}`, `toStopId=${to}`, `date=${date}`)
      expect(await between(berlin, 'de:00000:200')).toMatchObject({
        rows: [{ departure: '08:05', arrival: '12:30', minutes: 265, route_short_name: 'IC 99', platform_code: '1' }],
      })
      expect(await between(square, 'de:00000:200')).toMatchObject({ rows: [] })
    })

    it('says from when to when it holds', async () => {
      expect(stage.column(`SELECT value FROM meta WHERE key IN ('validFrom', 'validUntil') ORDER BY key`)).toEqual([
        '2026-10-01',
        '2027-12-11',
      ])
      expect(await stage.json('read', 'gtfsde://dataset')).toMatchObject({
        validFrom: '2026-10-01',
        validUntil: '2027-12-11',
      })
    })

    it('gives a station with the lines of all its platforms', async () => {
      expect(await stage.json('read', `gtfsde://stops/de~3A00000~3A100`)).toMatchObject({
        record: { stop_name: 'Berlin Hauptbahnhof' },
        related: {
          routes: [{ route_short_name: 'IC 99' }, { route_short_name: 'RE 99' }],
          platforms: [{ stop_id: '000000100101' }, { stop_id: '000000100102' }],
        },
      })
    })
  },
)

await describeDataset(
  {
    id: 'gtfsde-fv',
    versions,
    table: 'trips',
    rows: [
      { trips: 3, stop_times: 8 },
      { trips: 3, stop_times: 9 },
    ],
    queries: queriesOf({ words: 'münchen', at: berlin, to: south, agency: 'Fernverkehr', route: '9001_101' }),
    whole: '900101',
  },
  () => undefined,
)

await describeDataset(
  {
    id: 'gtfsde-rv',
    versions,
    table: 'trips',
    rows: [
      { trips: 3, stop_times: 6 },
      { trips: 3, stop_times: 6 },
    ],
    queries: queriesOf({ words: 'berlin', at: berlin, to: south, agency: 'Regio', route: '9002_106' }),
    whole: '900201',
  },
  () => undefined,
)

await describeDataset(
  {
    id: 'gtfsde-nv',
    versions,
    table: 'trips',
    rows: [
      { trips: 4, stop_times: 9 },
      { trips: 4, stop_times: 9 },
    ],
    queries: queriesOf({ words: 'musterplatz', at: square, to: south, agency: 'Muster', route: '9003_109' }),
    whole: '900401',
  },
  () => undefined,
)

describe('the four datasets of gtfs.de', () => {
  it('have the samples that the generator writes', () => {
    for (const [path, bytes] of samples()) {
      expect(readFileSync(join(packageRoot, 'data', path)).equals(bytes), path).toBe(true)
    }
  })

  it('answer the same queries', async () => {
    const load = async (id: string): Promise<unknown> => {
      const loaded: unknown = await import(pathToFileURL(join(packageRoot, 'schemas', `${id}.mjs`)).href)
      const shape = z.looseObject({
        main: z.looseObject({
          resources: z.looseObject({
            timetableDb: z.looseObject({ queries: z.record(z.string(), z.looseObject({ sql: z.string() })) }),
          }),
        }),
      })
      const { queries } = shape.parse(loaded).main.resources.timetableDb
      return Object.entries(queries).map(([name, { sql }]) => [name, sql])
    }
    const full = await load('gtfsde')
    for (const part of ['fv', 'rv', 'nv']) expect(await load(`gtfsde-${part}`)).toEqual(full)
  })
})
