/** Views and full text over a GTFS snapshot's tables, and how its validity is told. SQL only. */
import type { FullTextDefinition, PipelineDefinition } from './types.ts'

const iso = (date: string): string =>
  `substr(${date}, 1, 4) || '-' || substr(${date}, 5, 2) || '-' || substr(${date}, 7, 2)`

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
  .map((day, number) => `WHEN '${number}' THEN c.${day}`)
  .join(' ')

export const gtfsViews: NonNullable<PipelineDefinition['views']> = {
  service_days: {
    description:
      'Which service runs on which day (YYYYMMDD): calendar without its removed days, and the added ones. Ask it with a date.',
    // Days come first, so that a question for one of them goes through the services once.
    sql: `WITH RECURSIVE day(iso, date, weekday) AS (
        SELECT iso, strftime('%Y%m%d', iso), strftime('%w', iso)
        FROM (SELECT date(${iso('min(start_date)')}) AS iso FROM calendar) WHERE iso IS NOT NULL
        UNION ALL
        SELECT date(iso, '+1 day'), strftime('%Y%m%d', iso, '+1 day'), strftime('%w', iso, '+1 day')
        FROM day WHERE date < (SELECT max(end_date) FROM calendar)
      )
      SELECT c.service_id, day.date FROM day CROSS JOIN calendar AS c
      WHERE day.date BETWEEN c.start_date AND c.end_date AND CASE day.weekday ${weekdays} END = 1
        AND NOT EXISTS (SELECT 1 FROM calendar_dates AS x
          WHERE x.service_id = c.service_id AND x.date = day.date AND x.exception_type = 2)
      UNION
      SELECT service_id, date FROM calendar_dates WHERE exception_type = 1`,
  },
  departures: {
    description:
      'Stop times with their stop, trip and route. Ask it with a stop_id; the days are those of service_id in service_days. ' +
      'Of a trip in frequencies they are offsets, no times of day.',
    sql: `SELECT st.stop_id, s.stop_name, s.platform_code, st.departure_time, st.departure_time_seconds, st.arrival_time,
        r.route_id, r.route_short_name, r.route_long_name, r.route_type,
        coalesce(st.stop_headsign, t.trip_headsign) AS headsign,
        t.trip_id, st.stop_sequence, t.service_id, t.direction_id, st.pickup_type
      FROM stop_times AS st JOIN trips AS t ON t.trip_id = st.trip_id JOIN routes AS r ON r.route_id = t.route_id
        LEFT JOIN stops AS s ON s.stop_id = st.stop_id`,
  },
}

/** FlowMCP's own schema looks for stops by the rowids of this index. */
export const gtfsFullText: readonly FullTextDefinition[] = [
  { name: 'stops_fts', table: 'stops', columns: ['stop_name'], german: true },
  { name: 'routes_fts', table: 'routes', columns: ['route_short_name', 'route_long_name', 'route_desc'], german: true },
]

/**
 * From feed_info where it says so, else from the first to the last day of service. A feed_info that ends before the first
 * of these days is one that nobody kept up: such feeds are published.
 */
export const gtfsValidity = `WITH service(first, last) AS (
    SELECT min(first), max(last) FROM (
      SELECT min(start_date) AS first, max(end_date) AS last FROM calendar
      UNION ALL SELECT min(date), max(date) FROM calendar_dates WHERE exception_type = 1
    )
  ),
  said(first, last) AS (SELECT max(feed_start_date), max(feed_end_date) FROM feed_info),
  chosen(first, last) AS (
    SELECT CASE WHEN said.last < service.first THEN service.first ELSE coalesce(said.first, service.first) END,
      CASE WHEN said.last < service.first THEN service.last ELSE coalesce(said.last, service.last) END
    FROM service, said
  )
  SELECT ${iso('first')}, ${iso('last')} FROM chosen`
