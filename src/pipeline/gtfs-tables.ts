/** The tables of a GTFS snapshot that are there whatever the feed has, and what stands beside a feed's own columns. */
import type { GtfsFile, GtfsKind } from './gtfs-file.ts'
import { gtfsFiles } from './gtfs-files.ts'
import type { ColumnDefinition, ColumnType, TableDefinition } from './types.ts'

const types: Readonly<Record<GtfsKind, ColumnType>> = {
  text: 'TEXT',
  prose: 'TEXT',
  date: 'TEXT',
  time: 'TEXT',
  integer: 'INTEGER',
  real: 'REAL',
  latitude: 'REAL',
  longitude: 'REAL',
}

/** The column with the seconds of a time. */
export const secondsColumn = (column: string): string => `${column}_seconds`

/** Columns of the reference that people write, by how it names them. */
const isProse = /(?:^|_)(?:name|desc|headsign|message|as|translation)$/

/** The columns of a file with what they hold, in the order of the reference. */
export const kindsOf = ({ columns, kinds = {} }: GtfsFile): ReadonlyMap<string, GtfsKind> =>
  new Map(columns.split(' ').map((column) => [column, kinds[column] ?? (isProse.test(column) ? 'prose' : 'text')]))

const columnsOf = (file: GtfsFile): Record<string, ColumnDefinition> => {
  const columns: Record<string, ColumnDefinition> = {}
  for (const [column, kind] of kindsOf(file)) {
    columns[column] = kind === 'date' ? { type: 'TEXT', description: 'YYYYMMDD' } : types[kind]
    if (kind !== 'time') continue
    columns[secondsColumn(column)] = {
      type: 'INTEGER',
      description: `${column} in seconds since the service day began; NULL where it is no time`,
    }
  }
  return columns
}

const tableOf = (file: GtfsFile): TableDefinition => {
  const { description, key, title, indexes, related } = file
  return {
    description,
    columns: columnsOf(file),
    key,
    ...(title === undefined ? {} : { title }),
    ...(indexes === undefined ? {} : { indexes }),
    ...(related === undefined ? {} : { related }),
  }
}

/**
 * Which routes stop at a stop, and at a station by any of its platforms. Out of stop_times, whose rows it would take to
 * read a stop with its routes: tens of millions of them.
 */
const stopRoutes: TableDefinition = {
  description:
    'Which routes serve which stop: derived from stop_times, location groups and trips. A station has the routes of all its platforms.',
  columns: {
    stop_id: 'TEXT',
    route_id: 'TEXT',
    stop_name: 'TEXT',
    route_short_name: 'TEXT',
    route_long_name: 'TEXT',
    route_type: 'INTEGER',
  },
  key: ['stop_id', 'route_id'],
  indexes: [['route_id']],
  derivedBy: `WITH served(stop_id, route_id) AS MATERIALIZED (
      SELECT DISTINCT st.stop_id, t.route_id FROM stop_times AS st CROSS JOIN trips AS t
      WHERE t.trip_id = st.trip_id AND st.stop_id IS NOT NULL AND t.route_id IS NOT NULL
      UNION
      SELECT DISTINCT g.stop_id, t.route_id
      FROM location_group_stops AS g CROSS JOIN stop_times AS st CROSS JOIN trips AS t
      WHERE st.location_group_id = g.location_group_id AND t.trip_id = st.trip_id
        AND g.stop_id IS NOT NULL AND t.route_id IS NOT NULL
    ),
    reached(stop_id, route_id) AS (
      SELECT stop_id, route_id FROM served
      UNION
      SELECT s.parent_station, served.route_id FROM served JOIN stops AS s ON s.stop_id = served.stop_id
      WHERE s.parent_station IS NOT NULL
    )
    SELECT reached.stop_id, reached.route_id, s.stop_name, r.route_short_name, r.route_long_name, r.route_type
    FROM reached LEFT JOIN stops AS s ON s.stop_id = reached.stop_id LEFT JOIN routes AS r ON r.route_id = reached.route_id
    ORDER BY reached.stop_id, reached.route_id`,
}

/** Every table of the reference, there even where a feed has no such file, so that queries can count on it. */
export const gtfsTables: Readonly<Record<string, TableDefinition>> = {
  ...Object.fromEntries(Object.entries(gtfsFiles).map(([name, file]) => [name, tableOf(file)])),
  stop_routes: stopRoutes,
}
