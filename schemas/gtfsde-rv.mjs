export const main = {
  namespace: 'gtfsde-rv',
  name: 'German timetables, regional trains',
  description:
    'Timetables of regional trains in Germany (gtfs.de) for about the next 30 days. Good for stations, departures, lines and direct connections of such trains; not for long-distance trains, trams and buses, delays, fares, or journeys with changes.',
  version: '3.0.0',
  docs: ['https://gtfs.de/en/feeds/'],
  tags: ['open-data', 'transit', 'timetable', 'germany'],
  root: '',
  tools: {},
  resources: {
    timetableDb: {
      source: 'sqlite',
      database: 'gtfsde-rv.db',
      origin: 'global',
      description:
        'The timetable of German regional trains, brought out daily. Good for what goes from town to town; not for trams and buses, which gtfsde-nv has, and not for long-distance trains.',
      queries: {
        getSchema: {
          sql: `SELECT sql FROM sqlite_master WHERE type IN ('table', 'view')`,
          description:
            'The SQL of every table and view. Use it before writing SQL of your own; not to look anything up. Times past 24:00:00 belong to the night after the service day; columns ending in _seconds count from its beginning.',
          parameters: {},
          output: { columns: ['sql'] },
        },
        searchStops: {
          // Every word in quotes, so that plain words can never be read as full-text syntax; a * at its end stays one.
          sql: `WITH RECURSIVE words AS (
              SELECT '' AS word, trim(?) || ' ' AS rest
              UNION ALL
              SELECT substr(rest, 1, instr(rest, ' ') - 1), ltrim(substr(rest, instr(rest, ' ') + 1)) FROM words WHERE rest <> ''
            ),
            expression AS (
              SELECT group_concat(printf('"%w"', rtrim(word, '*')) || CASE WHEN word LIKE '%*' THEN '*' ELSE '' END, ' ') AS plain
              FROM words WHERE word <> ''
            )
            SELECT s.stop_id, s.stop_name, s.location_type, s.parent_station, s.platform_code, s.stop_lat, s.stop_lon
            FROM stops_fts JOIN stops s ON s.rowid = stops_fts.rowid
            WHERE stops_fts MATCH (SELECT coalesce(plain, '""') FROM expression)
            ORDER BY coalesce(s.location_type, 0) = 1 DESC, stops_fts.rank, s.stop_id LIMIT ?`,
          description:
            'Stops and stations by words of their name, in any order, stations (location_type 1) first; umlauts may be written ae, oe, ue. Use it to get the stop_id that the other queries ask for. Not for addresses or places that are no stops.',
          parameters: {
            query: {
              type: 'string',
              required: true,
              description:
                'Plain words of the name, e.g. Berlin Hauptbahnhof. A word that ends in * finds all that begin so.',
            },
            limit: { type: 'number', required: false, default: 20, description: 'Most stops to return.' },
          },
          output: {
            columns: [
              'stop_id',
              'stop_name',
              'location_type',
              'parent_station',
              'platform_code',
              'stop_lat',
              'stop_lon',
            ],
          },
        },
        departuresAtStop: {
          sql: `WITH asked AS (SELECT ? AS stop, ? AS day, ? AS time_from, ? AS time_to),
            wanted AS (
              SELECT CASE WHEN day LIKE '__.__.____' THEN substr(day, 7) || '-' || substr(day, 4, 2) || '-' || substr(day, 1, 2)
                WHEN day LIKE '%-%' THEN day ELSE substr(day, 1, 4) || '-' || substr(day, 5, 2) || '-' || substr(day, 7, 2) END AS iso FROM asked
            ),
            span AS (
              SELECT early, CASE WHEN late < early THEN late + 86459 ELSE late + 59 END AS late
              FROM (SELECT 60 * (60 * substr(time_from, 1, instr(time_from, ':') - 1) + substr(time_from, instr(time_from, ':') + 1, 2)) AS early, 60 * (60 * substr(time_to, 1, instr(time_to, ':') - 1) + substr(time_to, instr(time_to, ':') + 1, 2)) AS late FROM asked)
            ),
            service_day AS (
              SELECT strftime('%Y%m%d', iso, printf('%+d days', -shift)) AS date,
                strftime('%w', iso, printf('%+d days', -shift)) AS weekday, shift * 86400 AS shift
              FROM wanted, (SELECT 0 AS shift UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT -1) WHERE date(iso) = iso
            ),
            place AS (SELECT stop_id, stop_name, platform_code FROM stops, asked WHERE stop_id = stop OR parent_station = stop),
            timed AS (
              SELECT y.date, y.weekday, y.shift, st.trip_id, place.stop_name, place.platform_code, st.stop_headsign,
                st.departure_time_seconds AS leaves, st.departure_time, NULL AS ends, NULL AS headway_secs, NULL AS exact_times
              FROM span CROSS JOIN service_day y CROSS JOIN place
              CROSS JOIN stop_times st ON st.stop_id = place.stop_id
                AND st.departure_time_seconds BETWEEN y.shift + early AND y.shift + late
              WHERE coalesce(st.pickup_type, 0) <> 1 AND NOT EXISTS (SELECT 1 FROM frequencies f WHERE f.trip_id = st.trip_id)
            ),
            at_intervals AS (
              SELECT f.trip_id, place.stop_name, place.platform_code, st.stop_headsign, f.headway_secs, f.exact_times,
                max(coalesce(f.headway_secs, 1), 1) AS every, st.departure_time_seconds - (SELECT z.departure_time_seconds FROM stop_times z WHERE z.trip_id = f.trip_id ORDER BY z.stop_sequence LIMIT 1) AS way,
                f.start_time_seconds, f.end_time_seconds
              FROM frequencies f CROSS JOIN stop_times st ON st.trip_id = f.trip_id CROSS JOIN place ON place.stop_id = st.stop_id
              WHERE coalesce(st.pickup_type, 0) <> 1
            ),
            bands AS (
              SELECT y.date, y.weekday, y.shift, i.*, i.start_time_seconds + way AS leaves, i.end_time_seconds + way AS ends
              FROM at_intervals i CROSS JOIN service_day y CROSS JOIN span
              WHERE i.start_time_seconds + way <= y.shift + late AND i.end_time_seconds + way > y.shift + early
            ),
            calls AS (
              SELECT * FROM timed
              UNION ALL
              SELECT date, weekday, shift, trip_id, stop_name, platform_code, stop_headsign, CASE WHEN leaves < shift THEN shift + (every - (shift - leaves) % every) % every ELSE leaves END,
                printf('%02d:%02d:%02d', (leaves) / 3600, (leaves) / 60 % 60, (leaves) % 60), ends, headway_secs, exact_times FROM bands
            )
            SELECT printf('%02d:%02d', (k.leaves - k.shift) / 3600, (k.leaves - k.shift) / 60 % 60) AS departure, r.route_short_name,
              coalesce(k.stop_headsign, t.trip_headsign) AS headsign, k.stop_name, k.platform_code, a.agency_name,
              r.route_type, t.trip_id, t.route_id, k.departure_time,
              CASE WHEN k.ends IS NOT NULL THEN printf('%02d:%02d', (k.ends - k.shift) / 3600, (k.ends - k.shift) / 60 % 60) END AS until, k.headway_secs, k.exact_times
            FROM calls k CROSS JOIN trips t ON t.trip_id = k.trip_id JOIN routes r ON r.route_id = t.route_id
            LEFT JOIN agency a ON a.agency_id = coalesce(r.agency_id, '')
            WHERE (
                EXISTS (SELECT 1 FROM calendar_dates x WHERE x.service_id = t.service_id AND x.date = k.date AND x.exception_type = 1)
                OR EXISTS (SELECT 1 FROM calendar c WHERE c.service_id = t.service_id AND k.date BETWEEN c.start_date AND c.end_date
                  AND CASE k.weekday WHEN '0' THEN c.sunday WHEN '1' THEN c.monday WHEN '2' THEN c.tuesday WHEN '3' THEN c.wednesday
                    WHEN '4' THEN c.thursday WHEN '5' THEN c.friday ELSE c.saturday END = 1
                  AND NOT EXISTS (SELECT 1 FROM calendar_dates x WHERE x.service_id = c.service_id AND x.date = k.date AND x.exception_type = 2))
              )
            ORDER BY k.leaves - k.shift, r.route_short_name, t.trip_id LIMIT ?`,
          description:
            'Planned departures at a stop, or at all platforms of a station, on one day between two times, with line, direction and platform; what runs past midnight of the day before is among them. A row with headway_secs is a trip that runs by frequency: from the time given until `until`, every so many seconds (exactly then where exact_times is 1). Not for delays or cancellations.',
          parameters: {
            stopId: {
              type: 'string',
              required: true,
              column: 'stops.stop_id',
              description: 'stop_id of a stop or station, from searchStops.',
            },
            date: {
              type: 'string',
              required: true,
              format: 'date',
              description: 'The day, local time: YYYY-MM-DD, YYYYMMDD or DD.MM.YYYY.',
            },
            from: {
              type: 'string',
              required: false,
              default: '00:00',
              format: 'time',
              description: 'Earliest departure, HH:MM, of 24 hours.',
            },
            to: {
              type: 'string',
              required: false,
              default: '23:59',
              format: 'time',
              description: 'Latest departure, HH:MM; one before `from` is of the next day.',
            },
            limit: { type: 'number', required: false, default: 50, description: 'Most departures to return.' },
          },
          output: {
            columns: [
              'departure',
              'route_short_name',
              'headsign',
              'stop_name',
              'platform_code',
              'agency_name',
              'route_type',
              'trip_id',
              'route_id',
              'departure_time',
              'until',
              'headway_secs',
              'exact_times',
            ],
          },
        },
        routesAtStop: {
          sql: `SELECT sr.route_id, sr.route_short_name, sr.route_long_name, sr.route_type, a.agency_name FROM stop_routes sr
            LEFT JOIN routes r ON r.route_id = sr.route_id LEFT JOIN agency a ON a.agency_id = coalesce(r.agency_id, '')
            WHERE sr.stop_id = ? ORDER BY sr.route_short_name, sr.route_id LIMIT ?`,
          description:
            'Lines that call at a stop or at any platform of a station, on whatever day. Use it for what goes from somewhere; not for times.',
          parameters: {
            stopId: {
              type: 'string',
              required: true,
              column: 'stops.stop_id',
              description: 'stop_id of a stop or station, from searchStops.',
            },
            limit: { type: 'number', required: false, default: 100, description: 'Most lines to return.' },
          },
          output: { columns: ['route_id', 'route_short_name', 'route_long_name', 'route_type', 'agency_name'] },
        },
        routesOfAgency: {
          sql: `SELECT a.agency_name, r.route_id, r.route_short_name, r.route_long_name, r.route_type FROM agency a
            JOIN routes r ON r.agency_id = a.agency_id WHERE a.agency_name LIKE '%' || ? || '%'
            ORDER BY a.agency_name, r.route_short_name, r.route_id LIMIT ?`,
          description:
            'Lines of an operator by a part of its name. Use it to see what somebody runs; not for where a line goes: read its record or tripsOfRoute.',
          parameters: {
            agency: { type: 'string', required: true, description: 'A part of the operator’s name, e.g. Regio.' },
            limit: { type: 'number', required: false, default: 100, description: 'Most lines to return.' },
          },
          output: { columns: ['agency_name', 'route_id', 'route_short_name', 'route_long_name', 'route_type'] },
        },
        tripsOfRoute: {
          sql: `WITH asked AS (SELECT ? AS route, ? AS day),
            wanted AS (
              SELECT CASE WHEN day LIKE '__.__.____' THEN substr(day, 7) || '-' || substr(day, 4, 2) || '-' || substr(day, 1, 2)
                WHEN day LIKE '%-%' THEN day ELSE substr(day, 1, 4) || '-' || substr(day, 5, 2) || '-' || substr(day, 7, 2) END AS iso FROM asked
            ),
            service_day AS (
              SELECT strftime('%Y%m%d', iso) AS date,
                strftime('%w', iso) AS weekday
              FROM wanted WHERE date(iso) = iso
            ),
            running AS (
              SELECT t.trip_id, t.trip_headsign, t.direction_id,
                (SELECT min(stop_sequence) FROM stop_times WHERE trip_id = t.trip_id) AS first_call,
                (SELECT max(stop_sequence) FROM stop_times WHERE trip_id = t.trip_id) AS last_call
              FROM asked CROSS JOIN service_day y CROSS JOIN trips t ON t.route_id = route
              WHERE (
                EXISTS (SELECT 1 FROM calendar_dates x WHERE x.service_id = t.service_id AND x.date = y.date AND x.exception_type = 1)
                OR EXISTS (SELECT 1 FROM calendar c WHERE c.service_id = t.service_id AND y.date BETWEEN c.start_date AND c.end_date
                  AND CASE y.weekday WHEN '0' THEN c.sunday WHEN '1' THEN c.monday WHEN '2' THEN c.tuesday WHEN '3' THEN c.wednesday
                    WHEN '4' THEN c.thursday WHEN '5' THEN c.friday ELSE c.saturday END = 1
                  AND NOT EXISTS (SELECT 1 FROM calendar_dates x WHERE x.service_id = c.service_id AND x.date = y.date AND x.exception_type = 2))
              )
            )
            SELECT running.trip_id, trip_headsign, direction_id, coalesce(f.start_time, b.departure_time) AS first_departure,
              bs.stop_name AS first_stop,
              CASE WHEN f.trip_id IS NULL THEN e.arrival_time
                ELSE printf('%02d:%02d:%02d', (f.start_time_seconds + e.arrival_time_seconds - b.departure_time_seconds) / 3600, (f.start_time_seconds + e.arrival_time_seconds - b.departure_time_seconds) / 60 % 60, (f.start_time_seconds + e.arrival_time_seconds - b.departure_time_seconds) % 60) END AS last_arrival,
              es.stop_name AS last_stop, f.end_time AS until, f.headway_secs, f.exact_times
            FROM running
            LEFT JOIN frequencies f ON f.trip_id = running.trip_id
            LEFT JOIN stop_times b ON b.trip_id = running.trip_id AND b.stop_sequence = first_call
            LEFT JOIN stops bs ON bs.stop_id = b.stop_id
            LEFT JOIN stop_times e ON e.trip_id = running.trip_id AND e.stop_sequence = last_call
            LEFT JOIN stops es ON es.stop_id = e.stop_id
            ORDER BY coalesce(f.start_time_seconds, b.departure_time_seconds), running.trip_id LIMIT ?`,
          description:
            'Trips of a line on one service day, each with where and when it begins and ends. A row with headway_secs is a trip that runs by frequency: from the time given until `until`, every so many seconds (exactly then where exact_times is 1). Use it for how often and from when to when a line runs; the record of a trip has all its stops. Not for the line in general: its days differ.',
          parameters: {
            routeId: {
              type: 'string',
              required: true,
              column: 'routes.route_id',
              description: 'route_id, from routesAtStop or routesOfAgency.',
            },
            date: {
              type: 'string',
              required: true,
              format: 'date',
              description: 'The service day: YYYY-MM-DD, YYYYMMDD or DD.MM.YYYY.',
            },
            limit: { type: 'number', required: false, default: 100, description: 'Most trips to return.' },
          },
          output: {
            columns: [
              'trip_id',
              'trip_headsign',
              'direction_id',
              'first_departure',
              'first_stop',
              'last_arrival',
              'last_stop',
              'until',
              'headway_secs',
              'exact_times',
            ],
          },
        },
        directConnections: {
          sql: `WITH asked AS (SELECT ? AS origin, ? AS target, ? AS day, ? AS time_from),
            wanted AS (
              SELECT CASE WHEN day LIKE '__.__.____' THEN substr(day, 7) || '-' || substr(day, 4, 2) || '-' || substr(day, 1, 2)
                WHEN day LIKE '%-%' THEN day ELSE substr(day, 1, 4) || '-' || substr(day, 5, 2) || '-' || substr(day, 7, 2) END AS iso FROM asked
            ),
            span AS (SELECT 60 * (60 * substr(time_from, 1, instr(time_from, ':') - 1) + substr(time_from, instr(time_from, ':') + 1, 2)) AS early FROM asked),
            service_day AS (
              SELECT strftime('%Y%m%d', iso, printf('%+d days', -shift)) AS date,
                strftime('%w', iso, printf('%+d days', -shift)) AS weekday, shift * 86400 AS shift
              FROM wanted, (SELECT 0 AS shift UNION ALL SELECT 1 UNION ALL SELECT 2) WHERE date(iso) = iso
            ),
            starts AS (SELECT stop_id, platform_code FROM stops, asked WHERE stop_id = origin OR parent_station = origin),
            ends AS MATERIALIZED (SELECT stop_id FROM stops, asked WHERE stop_id = target OR parent_station = target),
            timed AS (
              SELECT y.date, y.weekday, y.shift, b.trip_id, starts.platform_code, b.departure_time_seconds AS leaves,
                e.arrival_time_seconds - b.departure_time_seconds AS takes, NULL AS until, NULL AS headway_secs, NULL AS exact_times
              FROM span CROSS JOIN service_day y CROSS JOIN starts
              CROSS JOIN stop_times b ON b.stop_id = starts.stop_id
                AND b.departure_time_seconds BETWEEN y.shift + early AND y.shift + 86399
              CROSS JOIN stop_times e ON e.trip_id = b.trip_id AND e.stop_sequence > b.stop_sequence
              WHERE e.stop_id IN (SELECT stop_id FROM ends) AND coalesce(b.pickup_type, 0) <> 1
                AND NOT EXISTS (SELECT 1 FROM frequencies f WHERE f.trip_id = b.trip_id)
            ),
            at_intervals AS (
              SELECT f.trip_id, starts.platform_code, f.headway_secs, f.exact_times, max(coalesce(f.headway_secs, 1), 1) AS every,
                b.departure_time_seconds - (SELECT z.departure_time_seconds FROM stop_times z WHERE z.trip_id = f.trip_id ORDER BY z.stop_sequence LIMIT 1) AS way,
                e.arrival_time_seconds - b.departure_time_seconds AS takes, f.start_time_seconds, f.end_time_seconds
              FROM frequencies f CROSS JOIN stop_times b ON b.trip_id = f.trip_id CROSS JOIN starts ON starts.stop_id = b.stop_id
              CROSS JOIN stop_times e ON e.trip_id = b.trip_id AND e.stop_sequence > b.stop_sequence
              WHERE e.stop_id IN (SELECT stop_id FROM ends) AND coalesce(b.pickup_type, 0) <> 1
            ),
            bands AS (
              SELECT y.date, y.weekday, y.shift, i.*, i.start_time_seconds + way AS leaves, i.end_time_seconds + way AS stops_at
              FROM at_intervals i CROSS JOIN service_day y CROSS JOIN span
              WHERE i.start_time_seconds + way < y.shift + 86400 AND i.end_time_seconds + way > y.shift + early
            ),
            rides AS (
              SELECT * FROM timed
              UNION ALL
              SELECT date, weekday, shift, trip_id, platform_code, CASE WHEN leaves < shift THEN shift + (every - (shift - leaves) % every) % every ELSE leaves END, takes, printf('%02d:%02d', (stops_at - shift) / 3600, (stops_at - shift) / 60 % 60),
                headway_secs, exact_times FROM bands
            )
            SELECT printf('%02d:%02d', (k.leaves - k.shift) / 3600, (k.leaves - k.shift) / 60 % 60) AS departure, printf('%02d:%02d', (k.leaves + k.takes - k.shift) / 3600, (k.leaves + k.takes - k.shift) / 60 % 60) AS arrival,
              k.takes / 60 AS minutes, r.route_short_name, t.trip_headsign, k.platform_code, t.trip_id,
              k.until, k.headway_secs, k.exact_times
            FROM rides k CROSS JOIN trips t ON t.trip_id = k.trip_id JOIN routes r ON r.route_id = t.route_id
            WHERE (
                EXISTS (SELECT 1 FROM calendar_dates x WHERE x.service_id = t.service_id AND x.date = k.date AND x.exception_type = 1)
                OR EXISTS (SELECT 1 FROM calendar c WHERE c.service_id = t.service_id AND k.date BETWEEN c.start_date AND c.end_date
                  AND CASE k.weekday WHEN '0' THEN c.sunday WHEN '1' THEN c.monday WHEN '2' THEN c.tuesday WHEN '3' THEN c.wednesday
                    WHEN '4' THEN c.thursday WHEN '5' THEN c.friday ELSE c.saturday END = 1
                  AND NOT EXISTS (SELECT 1 FROM calendar_dates x WHERE x.service_id = c.service_id AND x.date = k.date AND x.exception_type = 2))
              )
            ORDER BY k.leaves - k.shift, k.leaves + k.takes, t.trip_id LIMIT ?`,
          description:
            'Connections without a change between two stops or stations on one day, from a time on. A row with headway_secs is a trip that runs by frequency: from the time given until `until`, every so many seconds (exactly then where exact_times is 1). Use it for whether and when something goes straight there. Not for journeys with changes: nothing found does not mean that there is no way.',
          parameters: {
            fromStopId: {
              type: 'string',
              required: true,
              column: 'stops.stop_id',
              description: 'stop_id where it begins, from searchStops.',
            },
            toStopId: {
              type: 'string',
              required: true,
              column: 'stops.stop_id',
              description: 'stop_id where it ends, from searchStops.',
            },
            date: {
              type: 'string',
              required: true,
              format: 'date',
              description: 'The day, local time: YYYY-MM-DD, YYYYMMDD or DD.MM.YYYY.',
            },
            from: {
              type: 'string',
              required: false,
              default: '00:00',
              format: 'time',
              description: 'Earliest departure, HH:MM, of 24 hours.',
            },
            limit: { type: 'number', required: false, default: 20, description: 'Most connections to return.' },
          },
          output: {
            columns: [
              'departure',
              'arrival',
              'minutes',
              'route_short_name',
              'trip_headsign',
              'platform_code',
              'trip_id',
              'until',
              'headway_secs',
              'exact_times',
            ],
          },
        },
      },
    },
  },
}
