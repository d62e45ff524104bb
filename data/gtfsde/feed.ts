/** A version of the network as the files of a GTFS feed, with the oddities that real ones have. Pure. */
import { agencies, firstDay, frequencies, lastDay, lines, type Part, sampleFrequencies } from './network.ts'
import type { Version } from './versions.ts'

const csv = (lineEnd: string, rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(quoted).join(',')}${lineEnd}`).join('')

const quoted = (value: string): string => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

const byteOrderMark = '\ufeff'

/** The files of a feed: all of the network, or one part of it. */
export const feedOf = (version: Version, part?: Part): Readonly<Record<string, string>> => {
  const ownLines = lines.filter((each) => part === undefined || each.part === part)
  const lineIds = new Set(ownLines.map(({ id }) => id))
  const ownTrips = version.trips.filter(({ line }) => lineIds.has(line))
  const tripIds = new Set(ownTrips.map(({ id }) => id))
  const called = new Set(ownTrips.flatMap(({ calls }) => calls.map(([stop]) => stop)))
  const platforms = version.stops.filter(({ id }) => called.has(id))
  const stations = new Set(platforms.flatMap(({ platform }) => (platform === undefined ? [] : [platform[0]])))
  const ownStops = version.stops.filter(({ id }) => called.has(id) || stations.has(id))
  const ownAgencies = Object.entries(agencies).filter(([, each]) => part === undefined || each.part === part)
  const usedServices = Object.entries(version.services).filter(([id]) => ownTrips.some(({ service }) => service === id))
  return {
    'agency.txt': csv('\n', [
      ['agency_id', 'agency_name', 'agency_url', 'agency_timezone', 'agency_lang'],
      ...ownAgencies.map(([id, { name }]) => [id, name, 'https://muster.example/', 'Europe/Berlin', 'de']),
    ]),
    // Real feeds have the mark on one file of many.
    'stops.txt':
      byteOrderMark +
      csv('\r\n', [
        ['stop_name', 'parent_station', 'stop_id', 'stop_lat', 'stop_lon', 'location_type', 'platform_code'],
        ...ownStops.map(({ id, name, lat, lon, platform, isStation }) => [
          name,
          platform?.[0] ?? '',
          id,
          lat,
          lon,
          isStation ? '1' : '',
          platform?.[1] ?? '',
        ]),
      ]),
    'routes.txt': csv('\n', [
      ['route_long_name', 'route_short_name', 'agency_id', 'route_type', 'route_id'],
      ...ownLines.map(({ id, agency, shortName, longName, type }) => [longName, shortName, agency, type, id]),
    ]),
    'trips.txt': csv('\n', [
      ['route_id', 'service_id', 'trip_id', 'trip_headsign', 'direction_id'],
      ...ownTrips.map(({ id, line, service, headsign, direction }) => [line, service, id, headsign, direction]),
    ]),
    'stop_times.txt': csv('\n', [
      ['trip_id', 'arrival_time', 'departure_time', 'stop_id', 'stop_sequence', 'pickup_type', 'drop_off_type'],
      ...ownTrips.flatMap(({ id, calls }) =>
        calls.map(([stop, arrival, departure = arrival], index) => [
          id,
          arrival,
          departure,
          stop,
          String(index),
          index === calls.length - 1 ? '1' : '0',
          index === 0 ? '1' : '0',
        ]),
      ),
    ]),
    'calendar.txt': csv('\n', [
      [
        ...['service_id', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
        ...['start_date', 'end_date'],
      ],
      ...usedServices.map(([id, { days }]) => [id, ...days, firstDay, lastDay]),
    ]),
    'calendar_dates.txt': csv('\n', [
      ['service_id', 'date', 'exception_type'],
      ...usedServices.flatMap(([id, { exceptions }]) =>
        Object.entries(exceptions).map(([date, type]) => [id, date, type]),
      ),
    ]),
    'frequencies.txt': csv('\n', [
      ['trip_id', 'start_time', 'end_time', 'headway_secs'],
      ...[...frequencies, ...sampleFrequencies].filter(([trip]) => tripIds.has(trip)),
    ]),
    'feed_info.txt': csv('\n', [
      ['feed_publisher_name', 'feed_publisher_url', 'feed_lang', 'feed_start_date', 'feed_end_date'],
      ['Musterfeed (all of it is invented)', 'https://muster.example/', 'de', firstDay, lastDay],
    ]),
  }
}
