/**
 * Writes a GTFS feed with about so many stop_times, zipped by the system's `zip`:
 *
 *     node bench/generate-gtfs.ts 500000 --out /tmp/feed.zip
 *
 * Deterministic. In the shape of the feeds of a region: lines with trips in both directions on the days of a service,
 * twenty-five stops a trip, platforms in stations, times past midnight. No name in it is that of a real place.
 */
import { execFileSync } from 'node:child_process'
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'

const stopsPerTrip = 25
const tripsPerRoute = 80
const services = 40
const routesPerAgency = 25

const clock = (seconds: number): string =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')

const day = (offset: number): string =>
  new Date(Date.UTC(2026, 0, 1 + offset)).toISOString().slice(0, 10).replaceAll('-', '')

const line = (...fields: readonly (string | number)[]): string => `${fields.join(',')}\n`

/** Files of the feed, line by line. */
export const feedFiles = (stopTimes: number): Readonly<Record<string, Iterable<string>>> => {
  const trips = Math.max(1, Math.round(stopTimes / stopsPerTrip))
  const routes = Math.max(1, Math.ceil(trips / tripsPerRoute))
  // A line's stops are shared with the lines beside it.
  const stations = routes * 10 + stopsPerTrip
  const stopAt = (route: number, place: number, direction: number): string => `S${route * 10 + place}:${1 + direction}`
  return {
    'agency.txt': (function* () {
      yield line('agency_id', 'agency_name', 'agency_url', 'agency_timezone', 'agency_lang')
      for (let each = 0; each <= Math.floor(routes / routesPerAgency); each += 1)
        yield line(`A${each}`, `Verkehrsbetrieb ${each}`, 'https://muster.example/', 'Europe/Berlin', 'de')
    })(),
    'stops.txt': (function* () {
      yield line('stop_id', 'stop_name', 'stop_lat', 'stop_lon', 'location_type', 'parent_station', 'platform_code')
      for (let each = 0; each < stations; each += 1) {
        const [lat, lon] = [(48 + (each % 4000) / 1000).toFixed(6), (8 + (each % 5000) / 1000).toFixed(6)]
        yield line(`S${each}`, `"Musterort, Halt ${each}"`, lat, lon, 1, '', '')
        for (const platform of [1, 2])
          yield line(`S${each}:${platform}`, `"Musterort, Halt ${each}"`, lat, lon, 0, `S${each}`, platform)
      }
    })(),
    'routes.txt': (function* () {
      yield line('route_id', 'agency_id', 'route_short_name', 'route_long_name', 'route_type', 'route_color')
      for (let each = 0; each < routes; each += 1)
        yield line(
          `L${each}`,
          `A${Math.floor(each / routesPerAgency)}`,
          each,
          `Halt ${each * 10} – Halt ${each * 10 + 24}`,
          3,
          'c40028',
        )
    })(),
    'trips.txt': (function* () {
      yield line('route_id', 'service_id', 'trip_id', 'trip_headsign', 'direction_id', 'wheelchair_accessible')
      for (let each = 0; each < trips; each += 1)
        yield line(
          `L${Math.floor(each / tripsPerRoute)}`,
          `D${each % services}`,
          `T${each}`,
          `Halt ${each % 900}`,
          each % 2,
          1,
        )
    })(),
    'stop_times.txt': (function* () {
      yield line(
        'trip_id',
        'arrival_time',
        'departure_time',
        'stop_id',
        'stop_sequence',
        'pickup_type',
        'drop_off_type',
      )
      for (let trip = 0; trip < trips; trip += 1) {
        const begin = 4 * 3600 + ((trip * 900) % (21 * 3600))
        const rows: string[] = []
        for (let place = 0; place < stopsPerTrip; place += 1) {
          const arrival = begin + place * 120 + ((trip * 7 + place * 13) % 60)
          const stop = stopAt(
            Math.floor(trip / tripsPerRoute),
            trip % 2 === 0 ? place : stopsPerTrip - 1 - place,
            trip % 2,
          )
          rows.push(
            line(
              `T${trip}`,
              clock(arrival),
              clock(arrival + 20),
              stop,
              place,
              place === stopsPerTrip - 1 ? 1 : 0,
              place === 0 ? 1 : 0,
            ),
          )
        }
        yield rows.join('')
      }
    })(),
    'calendar.txt': (function* () {
      yield line(
        'service_id',
        'monday',
        'tuesday',
        'wednesday',
        'thursday',
        'friday',
        'saturday',
        'sunday',
        'start_date',
        'end_date',
      )
      for (let each = 0; each < services; each += 1)
        yield line(`D${each}`, 1, 1, 1, 1, 1, each % 2, each % 3 === 0 ? 1 : 0, day(0), day(3650))
    })(),
    'calendar_dates.txt': (function* () {
      yield line('service_id', 'date', 'exception_type')
      for (let each = 0; each < services; each += 1)
        for (let offset = each % 7; offset < 365; offset += 30) yield line(`D${each}`, day(offset), 1 + (offset % 2))
    })(),
  }
}

const writeFeed = async (stopTimes: number, out: string): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'stichtag-feed-'))
  try {
    mkdirSync(folder, { recursive: true })
    const files = feedFiles(stopTimes)
    for (const [name, lines] of Object.entries(files))
      await pipeline(Readable.from(lines), createWriteStream(join(folder, name)))
    execFileSync('zip', ['-q', '-X', '-j', resolve(out), ...Object.keys(files).map((name) => join(folder, name))])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { out: { type: 'string' } } })
  if (values.out === undefined) throw new Error('usage: generate-gtfs.ts STOP_TIMES --out FILE.zip')
  await writeFeed(Number(positionals[0]), values.out)
}
