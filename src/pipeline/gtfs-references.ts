/** Which column of which table of a GTFS feed refers to which: what is dangling is counted when a snapshot is sealed. */
import type { ReferenceDefinition } from './types.ts'

const services = 'calendar.service_id|calendar_dates.service_id'

/** Column → columns of which one must have its value. */
const references: readonly (readonly [from: string, to: string])[] = [
  ['routes.agency_id', 'agency.agency_id'],
  ['trips.route_id', 'routes.route_id'],
  ['trips.service_id', services],
  ['trips.shape_id', 'shapes.shape_id'],
  ['stop_times.trip_id', 'trips.trip_id'],
  ['stop_times.stop_id', 'stops.stop_id'],
  ['stop_times.location_group_id', 'location_groups.location_group_id'],
  ['stop_times.location_id', 'locations.id'],
  ['stop_times.pickup_booking_rule_id', 'booking_rules.booking_rule_id'],
  ['stop_times.drop_off_booking_rule_id', 'booking_rules.booking_rule_id'],
  ['stops.parent_station', 'stops.stop_id'],
  ['stops.level_id', 'levels.level_id'],
  ['frequencies.trip_id', 'trips.trip_id'],
  ['transfers.from_stop_id', 'stops.stop_id'],
  ['transfers.to_stop_id', 'stops.stop_id'],
  ['transfers.from_route_id', 'routes.route_id'],
  ['transfers.to_route_id', 'routes.route_id'],
  ['transfers.from_trip_id', 'trips.trip_id'],
  ['transfers.to_trip_id', 'trips.trip_id'],
  ['pathways.from_stop_id', 'stops.stop_id'],
  ['pathways.to_stop_id', 'stops.stop_id'],
  ['fare_attributes.agency_id', 'agency.agency_id'],
  ['fare_rules.fare_id', 'fare_attributes.fare_id'],
  ['fare_rules.route_id', 'routes.route_id'],
  ['fare_leg_rules.fare_product_id', 'fare_products.fare_product_id'],
  ['fare_products.rider_category_id', 'rider_categories.rider_category_id'],
  ['fare_products.fare_media_id', 'fare_media.fare_media_id'],
  ['stop_areas.area_id', 'areas.area_id'],
  ['stop_areas.stop_id', 'stops.stop_id'],
  ['route_networks.network_id', 'networks.network_id'],
  ['route_networks.route_id', 'routes.route_id'],
  ['location_group_stops.location_group_id', 'location_groups.location_group_id'],
  ['location_group_stops.stop_id', 'stops.stop_id'],
  ['timeframes.service_id', services],
  ['booking_rules.prior_notice_service_id', services],
  ['attributions.agency_id', 'agency.agency_id'],
  ['attributions.route_id', 'routes.route_id'],
  ['attributions.trip_id', 'trips.trip_id'],
]

const placeOf = (name: string): { readonly table: string; readonly column: string } => {
  const [table = '', column = ''] = name.split('.')
  return { table, column }
}

export const gtfsReferences: readonly ReferenceDefinition[] = references.map(([from, to]) => ({
  ...placeOf(from),
  to: to.split('|').map(placeOf),
}))
