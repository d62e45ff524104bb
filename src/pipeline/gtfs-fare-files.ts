/** The files of the GTFS reference about fares, both versions, with the areas and networks that fares are about. */
import { all, type GtfsFile } from './gtfs-file.ts'

export const gtfsFareFiles: Readonly<Record<string, GtfsFile>> = {
  fare_attributes: {
    description: 'Fares (version 1): price and transfers.',
    columns: 'fare_id price currency_type payment_method transfers agency_id transfer_duration',
    kinds: { price: 'real', ...all('payment_method transfers transfer_duration', 'integer') },
    key: ['fare_id'],
    related: [{ name: 'rules', table: 'fare_rules', on: { fare_id: 'fare_id' }, orderBy: ['route_id'] }],
  },
  fare_rules: {
    description: 'Which routes and zones a fare is for (version 1).',
    columns: 'fare_id route_id origin_id destination_id contains_id',
    key: [],
    indexes: [['fare_id']],
  },
  timeframes: {
    description: 'Times of day and days that fares depend on.',
    columns: 'timeframe_group_id start_time end_time service_id',
    kinds: all('start_time end_time', 'time'),
    key: [],
  },
  rider_categories: {
    description: 'Groups of riders that fares are for.',
    columns: 'rider_category_id rider_category_name is_default_fare_category eligibility_url',
    kinds: all('is_default_fare_category', 'integer'),
    key: ['rider_category_id'],
    title: 'rider_category_name',
  },
  fare_media: {
    description: 'What fares are paid with or kept on: paper, card, app.',
    columns: 'fare_media_id fare_media_name fare_media_type',
    kinds: all('fare_media_type', 'integer'),
    key: ['fare_media_id'],
    title: 'fare_media_name',
  },
  fare_products: {
    description: 'Tickets and fares that can be bought. The amount is a decimal number, as written.',
    columns: 'fare_product_id fare_product_name rider_category_id fare_media_id amount currency',
    key: [],
    indexes: [['fare_product_id']],
  },
  fare_leg_rules: {
    description: 'Which fare product a leg needs.',
    columns:
      'leg_group_id network_id from_area_id to_area_id from_timeframe_group_id to_timeframe_group_id fare_product_id ' +
      'rule_priority',
    kinds: all('rule_priority', 'integer'),
    key: [],
  },
  fare_leg_join_rules: {
    description: 'Which legs count as one for fares.',
    columns: 'from_network_id to_network_id from_stop_id to_stop_id',
    key: [],
  },
  fare_transfer_rules: {
    description: 'What a transfer between legs costs.',
    columns:
      'from_leg_group_id to_leg_group_id transfer_count duration_limit duration_limit_type fare_transfer_type ' +
      'fare_product_id',
    kinds: all('transfer_count duration_limit duration_limit_type fare_transfer_type', 'integer'),
    key: [],
  },
  areas: {
    description: 'Areas that fares are about.',
    columns: 'area_id area_name',
    key: ['area_id'],
    title: 'area_name',
    related: [{ name: 'stops', table: 'stop_areas', on: { area_id: 'area_id' }, orderBy: ['stop_id'] }],
  },
  stop_areas: { description: 'Stops in areas.', columns: 'area_id stop_id', key: [], indexes: [['area_id']] },
  networks: {
    description: 'Groups of routes that fares are about.',
    columns: 'network_id network_name',
    key: ['network_id'],
    title: 'network_name',
    related: [{ name: 'routes', table: 'route_networks', on: { network_id: 'network_id' }, orderBy: ['route_id'] }],
  },
  route_networks: {
    description: 'Routes in networks.',
    columns: 'network_id route_id',
    key: ['route_id'],
    indexes: [['network_id']],
  },
}
