/**
 * The files of the GTFS reference (google/transit, gtfs/spec/en/reference.md) as data: columns with what they hold, and
 * keys. Fares v2, flex and `locations.geojson` are among them. Files and keys are those of the revision of 2026-04-27.
 * Its text was not at hand: columns are those of an older one, and of lists of what was added since (cemv_support,
 * cars_allowed, safe_duration_*, stop_access). A column that is missed here is kept as text, like any that the reference
 * does not have.
 *
 * A file whose reference key may be empty in part has none here: SQLite takes NULLs for different, so such a key would
 * identify nothing. Its rows are compared as a bag.
 */
import { gtfsFareFiles } from './gtfs-fare-files.ts'
import { all, type GtfsFile } from './gtfs-file.ts'

const days = 'monday tuesday wednesday thursday friday saturday sunday'

/** Table → file. `locations` comes from `locations.geojson`, everything else from `<table>.txt`. */
export const gtfsFiles: Readonly<Record<string, GtfsFile>> = {
  agency: {
    description: 'Agencies: whoever runs the routes.',
    columns:
      'agency_id agency_name agency_url agency_timezone agency_lang agency_phone agency_fare_url agency_email cemv_support',
    kinds: all('cemv_support', 'integer'),
    key: ['agency_id'],
    keyMayBeEmpty: true,
    title: 'agency_name',
    related: [{ name: 'routes', table: 'routes', on: { agency_id: 'agency_id' }, orderBy: ['route_id'] }],
  },
  stops: {
    description:
      'Stops, and the stations, entrances and further places that they belong to (location_type, parent_station).',
    columns:
      'stop_id stop_code stop_name tts_stop_name stop_desc stop_lat stop_lon zone_id stop_url location_type parent_station ' +
      'stop_timezone wheelchair_boarding level_id platform_code stop_access',
    kinds: {
      stop_lat: 'latitude',
      stop_lon: 'longitude',
      ...all('location_type wheelchair_boarding stop_access', 'integer'),
    },
    key: ['stop_id'],
    title: 'stop_name',
    indexes: [['parent_station'], ['stop_lat', 'stop_lon']],
    related: [
      { name: 'routes', table: 'stop_routes', on: { stop_id: 'stop_id' }, orderBy: ['route_id'] },
      { name: 'platforms', table: 'stops', on: { parent_station: 'stop_id' }, orderBy: ['stop_id'] },
    ],
  },
  routes: {
    description:
      'Routes: what is known to riders by one name or number. route_type also has the extended values (700: bus).',
    columns:
      'route_id agency_id route_short_name route_long_name route_desc route_type route_url route_color route_text_color ' +
      'route_sort_order continuous_pickup continuous_drop_off network_id cemv_support',
    kinds: all('route_type route_sort_order continuous_pickup continuous_drop_off cemv_support', 'integer'),
    key: ['route_id'],
    title: 'route_short_name',
    indexes: [['agency_id']],
    related: [{ name: 'stops', table: 'stop_routes', on: { route_id: 'route_id' }, orderBy: ['stop_id'] }],
  },
  trips: {
    description: 'Trips: one run of a vehicle along a route, on the days of its service.',
    columns:
      'route_id service_id trip_id trip_headsign trip_short_name direction_id block_id shape_id wheelchair_accessible ' +
      'bikes_allowed cars_allowed safe_duration_factor safe_duration_offset',
    kinds: {
      ...all('direction_id wheelchair_accessible bikes_allowed cars_allowed', 'integer'),
      ...all('safe_duration_factor safe_duration_offset', 'real'),
    },
    key: ['trip_id'],
    title: 'trip_headsign',
    indexes: [['route_id'], ['service_id'], ['shape_id']],
    related: [
      { name: 'stop_times', table: 'stop_times', on: { trip_id: 'trip_id' }, orderBy: ['stop_sequence'] },
      { name: 'frequencies', table: 'frequencies', on: { trip_id: 'trip_id' }, orderBy: ['start_time_seconds'] },
    ],
  },
  stop_times: {
    description:
      'When a trip is at each of its stops. Times are of the service day and may be past 24:00:00; *_seconds count from its beginning.',
    columns:
      'trip_id arrival_time departure_time stop_id location_group_id location_id stop_sequence stop_headsign ' +
      'start_pickup_drop_off_window end_pickup_drop_off_window pickup_type drop_off_type continuous_pickup ' +
      'continuous_drop_off shape_dist_traveled timepoint pickup_booking_rule_id drop_off_booking_rule_id',
    kinds: {
      ...all('arrival_time departure_time start_pickup_drop_off_window end_pickup_drop_off_window', 'time'),
      ...all('stop_sequence pickup_type drop_off_type continuous_pickup continuous_drop_off timepoint', 'integer'),
      shape_dist_traveled: 'real',
    },
    key: ['trip_id', 'stop_sequence'],
    indexes: [['stop_id', 'departure_time_seconds']],
  },
  calendar: {
    description: 'Services by days of the week, from start_date to end_date; calendar_dates has the exceptions.',
    columns: `service_id ${days} start_date end_date`,
    kinds: { ...all(days, 'integer'), ...all('start_date end_date', 'date') },
    key: ['service_id'],
    related: [{ name: 'exceptions', table: 'calendar_dates', on: { service_id: 'service_id' }, orderBy: ['date'] }],
  },
  calendar_dates: {
    description: 'Single days on which a service runs (exception_type 1) or does not run (2).',
    columns: 'service_id date exception_type',
    kinds: { date: 'date', exception_type: 'integer' },
    key: ['service_id', 'date'],
    indexes: [['date']],
  },
  ...gtfsFareFiles,
  shapes: {
    description: 'The path of a vehicle, point by point.',
    columns: 'shape_id shape_pt_lat shape_pt_lon shape_pt_sequence shape_dist_traveled',
    kinds: {
      shape_pt_lat: 'latitude',
      shape_pt_lon: 'longitude',
      shape_pt_sequence: 'integer',
      shape_dist_traveled: 'real',
    },
    key: ['shape_id', 'shape_pt_sequence'],
  },
  frequencies: {
    description: 'Trips that run every headway_secs between two times, with stop_times as offsets or as the first run.',
    columns: 'trip_id start_time end_time headway_secs exact_times',
    kinds: { ...all('start_time end_time', 'time'), ...all('headway_secs exact_times', 'integer') },
    key: ['trip_id', 'start_time'],
  },
  transfers: {
    description: 'Rules for changing between stops, routes or trips.',
    columns:
      'from_stop_id to_stop_id from_route_id to_route_id from_trip_id to_trip_id transfer_type min_transfer_time',
    kinds: all('transfer_type min_transfer_time', 'integer'),
    key: [],
    indexes: [['from_stop_id'], ['to_stop_id']],
  },
  pathways: {
    description: 'Ways within a station.',
    columns:
      'pathway_id from_stop_id to_stop_id pathway_mode is_bidirectional length traversal_time stair_count max_slope ' +
      'min_width signposted_as reversed_signposted_as',
    kinds: {
      ...all('pathway_mode is_bidirectional traversal_time stair_count', 'integer'),
      ...all('length max_slope min_width', 'real'),
    },
    key: ['pathway_id'],
    indexes: [['from_stop_id'], ['to_stop_id']],
  },
  levels: {
    description: 'Levels of stations.',
    columns: 'level_id level_index level_name',
    kinds: all('level_index', 'real'),
    key: ['level_id'],
    title: 'level_name',
  },
  location_groups: {
    description: 'Groups of stops at which riders may be picked up on demand.',
    columns: 'location_group_id location_group_name',
    key: ['location_group_id'],
    title: 'location_group_name',
    related: [
      {
        name: 'stops',
        table: 'location_group_stops',
        on: { location_group_id: 'location_group_id' },
        orderBy: ['stop_id'],
      },
    ],
  },
  location_group_stops: {
    description: 'Stops in location groups.',
    columns: 'location_group_id stop_id',
    key: [],
    indexes: [['location_group_id']],
  },
  locations: {
    description:
      'Zones for riding on demand, from locations.geojson: one row per feature, geometry and properties as JSON.',
    columns: 'id stop_name stop_desc geometry_type geometry properties',
    key: ['id'],
    title: 'stop_name',
  },
  booking_rules: {
    description: 'How a ride on demand is booked.',
    columns:
      'booking_rule_id booking_type prior_notice_duration_min prior_notice_duration_max prior_notice_last_day ' +
      'prior_notice_last_time prior_notice_start_day prior_notice_start_time prior_notice_service_id message ' +
      'pickup_message drop_off_message phone_number info_url booking_url',
    kinds: {
      ...all(
        'booking_type prior_notice_duration_min prior_notice_duration_max prior_notice_last_day prior_notice_start_day',
        'integer',
      ),
      ...all('prior_notice_last_time prior_notice_start_time', 'time'),
    },
    key: ['booking_rule_id'],
  },
  translations: {
    description: 'Names in other languages.',
    columns: 'table_name field_name language translation record_id record_sub_id field_value',
    key: [],
    indexes: [['table_name', 'record_id']],
  },
  feed_info: {
    description: 'The feed about itself: publisher, version, and from when to when it holds.',
    columns:
      'feed_publisher_name feed_publisher_url feed_lang default_lang feed_start_date feed_end_date feed_version ' +
      'feed_contact_email feed_contact_url',
    kinds: all('feed_start_date feed_end_date', 'date'),
    key: [],
  },
  attributions: {
    description: 'Whom the data are owed to.',
    columns:
      'attribution_id agency_id route_id trip_id organization_name is_producer is_operator is_authority ' +
      'attribution_url attribution_email attribution_phone',
    kinds: all('is_producer is_operator is_authority', 'integer'),
    key: [],
  },
}

/** The file that `locations` comes from; a source reads it as JSON. */
export const locationsFile = 'locations.geojson'
