/** Real feeds through `kit.gtfs`, against the facts that their README alone lists; ORACLE.json has the others. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { RunResult } from '../../src/ingest/run.ts'
import { kit } from '../../src/pipeline/define.ts'
import type { GtfsOptions } from '../../src/pipeline/types.ts'
import type { Store } from '../../src/store/layout.ts'
import { currentSnapshot } from '../../src/store/snapshots.ts'
import { ingest, query } from '../ingest/ingesting.ts'
import { scratchStore } from '../store/scratch-store.ts'
import { hasSharedData, sharedFile } from './shared-data.ts'

const feed = (options: Partial<GtfsOptions> = {}) =>
  kit.gtfs({
    id: 'feed',
    title: 'A feed',
    url: 'http://127.0.0.1:9/feed.zip',
    publisher: 'Somebody',
    licence: { name: 'unknown', url: 'https://feed.example/', attribution: 'somebody' },
    ...options,
  })

const imported = async (store: Store, ...path: readonly string[]): Promise<RunResult> =>
  ingest(store, sharedFile(...path), { definition: feed() })

const rowsOf = (store: Store, sql: string): unknown[] => query(store, sql, 'feed.db')

const firstValue = (store: Store, sql: string): unknown => z.array(z.unknown()).parse(rowsOf(store, sql)[0])[0]

const warningsOf = (store: Store): readonly string[] => currentSnapshot(store, 'feed', 'feed.db')?.warnings ?? []

describe.skipIf(!hasSharedData)('real feeds', () => {
  it('amazon keeps the first row of a key, and the others in _rejected', async () => {
    const store = scratchStore()
    const { rows, rejected } = await imported(store, 'gtfs', 'partridge-amazon-2017.zip')
    expect(rows).toMatchObject({ calendar_dates: 1, stop_times: 1855, trips: 442, shapes: 12032 })
    expect(rejected).toBe(7)
    expect(rowsOf(store, `SELECT file, count(*) FROM _rejected GROUP BY file ORDER BY file`)).toEqual([
      ['feed.zip#calendar_dates.txt', 1],
      ['feed.zip#stop_times.txt', 6],
    ])
    expect(warningsOf(store).join('\n')).toMatch(/stop_times: 6 rows were left out.*/)
    const raw = z
      .array(z.string())
      .parse(rowsOf(store, `SELECT raw FROM _rejected WHERE file LIKE '%stop_times.txt'`).flat())
    const trips = ['608433', '608434', '608435', '608436', '608437', '608438']
    expect(raw.map((text) => /\b60\d{4}\b/.exec(text)?.[0]).sort()).toEqual(trips)
    expect(firstValue(store, 'SELECT exception_type FROM calendar_dates')).toBe(1)
  })

  it.each([
    ['tl-caltrain.zip', 50],
    ['tl-caltrain-v2.zip', 48],
  ])('%s runs %i trips on the day of a game, of services that are in calendar_dates alone', async (name, trips) => {
    const store = scratchStore()
    await imported(store, 'gtfs', name)
    const running = `SELECT service_id FROM service_days WHERE date = '20180624'`
    expect(firstValue(store, `SELECT count(*) FROM (${running})`)).toBe(3)
    expect(firstValue(store, `SELECT count(*) FROM trips WHERE service_id IN (${running})`)).toBe(trips)
  })

  it('have their spot values', async () => {
    const amtrak = scratchStore()
    await imported(amtrak, 'gtfs', 'gvp-amtrak-2021.zip')
    expect(rowsOf(amtrak, `SELECT agency_name FROM agency WHERE agency_id = '1207'`)).toEqual([['null']])
    expect(
      rowsOf(
        amtrak,
        `SELECT trip_id, arrival_time, departure_time, departure_time_seconds, stop_id, stop_sequence FROM stop_times
         ORDER BY departure_time_seconds DESC LIMIT 1`,
      ),
    ).toEqual([['4222819712', '86:52:00', '86:52:00', 86 * 3600 + 52 * 60, 'CHI', 43]])
    const asLate = 'SELECT count(*) FROM stop_times WHERE departure_time_seconds >= 3600 *'
    expect([firstValue(amtrak, `${asLate} 48`), firstValue(amtrak, `${asLate} 72`)]).toEqual([997, 98])
    expect(firstValue(amtrak, 'SELECT count(DISTINCT stop_timezone) FROM stops')).toBe(5)

    const mexico = scratchStore()
    await imported(mexico, 'gtfs', 'tl-cdmx.zip')
    expect(
      rowsOf(
        mexico,
        `SELECT count(*), sum(headway_secs), (SELECT count(*) FROM stop_times WHERE stop_sequence = 1
        AND departure_time_seconds = 0) FROM frequencies`,
      ),
    ).toEqual([[1741, 3261187, 1613]])
    expect(rowsOf(mexico, 'SELECT DISTINCT agency_lang FROM agency')).toEqual([['ES']])

    const bydgoszcz = scratchStore()
    await imported(bydgoszcz, 'gtfs', 'otp-bydgoszcz.gtfs.zip')
    expect(
      rowsOf(
        bydgoszcz,
        `SELECT (SELECT count(DISTINCT service_id) FROM calendar_dates), count(DISTINCT trip_headsign),
        (SELECT count(*) FROM calendar) FROM trips`,
      ),
    ).toEqual([[8, 84, 0]])

    const helsinki = scratchStore()
    await imported(helsinki, 'gtfs', 'otp-hsl_gtfs_minimal.zip')
    expect(
      rowsOf(helsinki, `SELECT stop_name, zone_id, parent_station, vehicle_type FROM stops WHERE stop_id = '1'`),
    ).toEqual([['Matinkylä (M)', '01', null, expect.any(String)]])
    expect(warningsOf(helsinki).join('\n')).not.toContain('parent_station')

    const flex = scratchStore()
    await imported(flex, 'gtfs', 'tl-ctran-flex.zip')
    expect(
      rowsOf(flex, `SELECT count(*), count(DISTINCT id), geometry_type FROM locations GROUP BY geometry_type`),
    ).toEqual([[8, 8, 'Polygon']])
    expect(
      rowsOf(
        flex,
        `SELECT count(location_group_id), count(start_pickup_drop_off_window_seconds), count(pickup_booking_rule_id),
         count(location_id), count(stop_id) FROM stop_times`,
      ),
    ).toEqual([[1598, 2778, 2778, 1180, 0]])
    expect(rowsOf(flex, 'SELECT max(length(trip_id)), max(length(service_id)) FROM trips')).toEqual([[265, 5]])
    expect(warningsOf(flex).filter((warning) => warning.includes('refer to'))).toEqual([])
  })

  it('zug counts what refers to nothing, as its README does', async () => {
    const store = scratchStore()
    await imported(store, 'gtfs', 'tidytransit-ch-zug.zip')
    expect(warningsOf(store)).toEqual([
      'stops.parent_station: 429 rows refer to what is not in stops.stop_id',
      'transfers.from_stop_id: 2958 rows refer to what is not in stops.stop_id',
      'transfers.to_stop_id: 2958 rows refer to what is not in stops.stop_id',
    ])
    const isThere = (column: string): string => `(${column} IN (SELECT stop_id FROM stops))`
    expect(
      rowsOf(
        store,
        `SELECT ${isThere('from_stop_id')} + ${isThere('to_stop_id')}, count(*) FROM transfers
        GROUP BY 1 ORDER BY 1`,
      ),
    ).toEqual([
      [1, 5916],
      [2, 2176],
    ])
    expect(firstValue(store, 'SELECT count(DISTINCT agency_id) FROM routes')).toBe(11)
    expect(firstValue(store, `SELECT count(*) FROM agency WHERE agency_phone GLOB '* '`)).toBe(0)
    expect(
      rowsOf(
        store,
        `SELECT stop_id FROM stops_fts JOIN stops ON stops.rowid = stops_fts.rowid
      WHERE stops_fts MATCH 'emmenbruecke' LIMIT 1`,
      ),
    ).toHaveLength(1)
  })

  it('kcm has no shapes for its trips, and a feed_info that was over before its calendar began', async () => {
    const store = scratchStore()
    const { rows } = await imported(store, 'gtfs', 'otp-kcm_rt_gtfs.zip')
    expect(rows).toMatchObject({ block: 2536, block_trip: 1016, shapes: 0 })
    expect(warningsOf(store)).toContain('trips.shape_id: 1016 rows refer to what is not in shapes.shape_id')
    expect(currentSnapshot(store, 'feed', 'feed.db')).toMatchObject({
      validFrom: '2021-07-26',
      validUntil: '2021-10-01',
    })
  })

  it('caltrain’s second version has exactly the changes that are listed', async () => {
    const store = scratchStore()
    await imported(store, 'gtfs', 'tl-caltrain.zip')
    const { changes, outcome } = await imported(store, 'gtfs', 'tl-caltrain-v2.zip')
    expect(outcome).toBe('published')
    const { stop_routes: derived, ...delivered } = Object.fromEntries(
      Object.entries(changes).filter(([, counts]) => Object.values(counts).some((count) => count > 0)),
    )
    expect(delivered).toEqual({
      directions: { added: 0, removed: 2, changed: 0 },
      fare_rules: { added: 0, removed: 36, changed: 0 },
      realtime_routes: { added: 0, removed: 1, changed: 0 },
      routes: { added: 0, removed: 1, changed: 0 },
      stop_times: { added: 0, removed: 20, changed: 24 },
      stops: { added: 0, removed: 0, changed: 1 },
      trips: { added: 0, removed: 2, changed: 0 },
    })
    // The stop that was renamed, by the lines that call there, and the ten stops of the line that is gone.
    expect(derived).toMatchObject({ added: 0, removed: 10 })
    expect(rowsOf(store, `SELECT DISTINCT stop_name FROM stop_routes WHERE stop_id = '70021'`)).toEqual([
      ['22nd Street Caltrain (North)'],
    ])
    expect(
      rowsOf(store, `SELECT min(departure_time), max(departure_time) FROM stop_times WHERE trip_id = '441'`),
    ).toEqual([['22:23:00', '24:07:00']])
  })
})

describe.skipIf(!hasSharedData)('odd feeds', () => {
  const demo = { agency: 1, stops: 9, routes: 5, trips: 11, stop_times: 28, frequencies: 11, shapes: 9, fare_rules: 4 }

  it.each(['tl-example.zip', 'tl-example-nested-dir.zip', 'tl-example-nested-zip.zip'])(
    '%s is read, with a table for the malformed file and none for the licence',
    async (name) => {
      const store = scratchStore()
      const { outcome, rows } = await imported(store, 'gtfs-quirks', name)
      expect({ outcome, rows }).toMatchObject({ outcome: 'published', rows: demo })
      expect(Object.keys(rows)).toContain('malformed')
      expect(Object.keys(rows).filter((table) => /^(?:license|ok)$/i.test(table))).toEqual([])
      expect(warningsOf(store).join('\n')).toContain('LICENSE.txt is not read')
    },
  )

  it('tl-example-errors.zip says what is nowhere, and what refers to nothing', async () => {
    const store = scratchStore()
    await imported(store, 'gtfs-quirks', 'tl-example-errors.zip')
    expect(rowsOf(store, `SELECT stop_lat, stop_lon FROM stops WHERE stop_id = 'NADAV'`)).toEqual([[-100, -200]])
    expect(warningsOf(store)).toEqual(
      expect.arrayContaining([
        'feed.zip: stops.txt: stop_lat is nowhere on earth (1 times, first in line 6)',
        'routes.agency_id: 1 rows refer to what is not in agency.agency_id',
      ]),
    )
  })

  it.each([
    ['tl-example-nested-dir-ambiguous.zip', 'example-nested-dir/example-duplicate/, example-nested-dir/example/'],
    ['tl-example-nested-two-feeds.zip', 'example1/, example2/'],
    ['tl-invalid.zip', 'not a zip archive'],
  ])('%s fails, and says why', async (name, why) => {
    const store = scratchStore()
    const { outcome, reason } = await imported(store, 'gtfs-quirks', name)
    expect({ outcome, reason }).toEqual({
      outcome: 'failed',
      reason: { code: 'NOT_WHAT_IT_SAYS', message: expect.stringContaining(why) },
    })
  })

  it('of two feeds in an archive the folder that is named is read', async () => {
    const store = scratchStore()
    const from = sharedFile('gtfs-quirks', 'tl-example-nested-two-feeds.zip')
    const { rows } = await ingest(store, from, { definition: feed({ folder: 'example2' }) })
    expect(rows).toMatchObject(demo)
  })

  it.each([
    ['good_feed.zip', { stops: 10, transfers: 2 }],
    ['good_feed', { stops: 10, transfers: 2 }],
    ['utf8bom', { stops: 9 }],
    ['utf16', { stops: 9, stop_times: 28 }],
    ['contains_null', { stops: 9 }],
    ['extra_row_cells', { routes: 5 }],
    ['missing_row_cells', { routes: 5 }],
    ['only_calendar_dates', { calendar: 0, calendar_dates: 2 }],
    ['unrecognized_columns', { transfers: 1, stops: 9 }],
    ['duplicate_stop', { stops: 10 }],
  ])('%s is read as it lies there', async (name, rows) => {
    const store = scratchStore()
    const result = await imported(store, 'gtfs-quirks', 'transitfeed', name)
    expect(result).toMatchObject({ outcome: 'published', rejected: 0, rows: { trips: 11, frequencies: 11, ...rows } })
    if (name === 'contains_null') {
      expect(firstValue(store, `SELECT stop_name FROM stops WHERE stop_id = 'EMSI'`)).toMatch(/NULL/)
      expect(warningsOf(store).join('\n')).toContain('NUL characters were removed')
    }
    if (name === 'unrecognized_columns') {
      expect(rowsOf(store, `SELECT agency_lange, agency_lang FROM agency`)).toEqual([[expect.anything(), null]])
    }
    expect(await imported(store, 'gtfs-quirks', 'transitfeed', name)).toMatchObject({ outcome: 'unchanged' })
  })
})
