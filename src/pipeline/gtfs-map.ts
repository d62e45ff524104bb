/** A record of a GTFS file → its row, by the plan of the file. Keeps nothing between records but the plan. */
import type { Preamble } from '../formats/types.ts'
import { isDay } from './gtfs-date.ts'
import { type GtfsPlan, planOf } from './gtfs-plan.ts'
import { secondsOf } from './gtfs-time.ts'
import type { ColumnValue, FieldReader, MapContext, PreambleContext } from './types.ts'

/** The member that an input is, by its name. */
const memberOf = (source: string): string => source.slice(source.indexOf('#') + 1)

/** Makes the plan of a file when its header is read. */
export const gtfsPreamble = (preamble: Preamble, { source, state }: PreambleContext): void => {
  if (preamble.type === 'csv') state.plan = planOf(memberOf(source), preamble.columns)
}

/** Largest latitude and longitude. */
const most = { latitude: 90, longitude: 180 } as const

const integerText = /^[+-]?\d{1,15}$/

const numberOf = (column: string, text: string, context: MapContext): number | null => {
  const number = Number(text)
  if (Number.isFinite(number)) return number
  context.remark(`${column} is no number, and left out`)
  return null
}

const integerOf = (column: string, text: string, context: MapContext): number | null => {
  // Most are one digit.
  if (text.length === 1) {
    const value = text.charCodeAt(0) - 0x30
    if (value >= 0 && value <= 9) return value
  }
  if (integerText.test(text)) return Number(text)
  const number = numberOf(column, text, context)
  if (number === null || Number.isSafeInteger(number)) return number
  context.remark(`${column} is no whole number, and left out`)
  return null
}

/** Emits the row of one record of a file with a header. */
const mapRow = (record: Readonly<Record<string, string | null>>, plan: GtfsPlan, context: MapContext): void => {
  const row: Record<string, ColumnValue> = {}
  for (const { field, column, kind, seconds } of plan.columns) {
    const whole = record[field]
    const text = whole?.trim()
    if (text === undefined || text === '') continue
    switch (kind) {
      case 'prose':
        row[column] = whole ?? null
        break
      case 'text':
        row[column] = text
        break
      case 'integer':
        row[column] = integerOf(column, text, context)
        break
      case 'time': {
        row[column] = text
        const count = secondsOf(text)
        if (count === undefined) context.remark(`${column} is no time, and has no seconds`)
        else row[seconds] = count
        break
      }
      case 'date':
        row[column] = text
        if (!isDay(text)) context.remark(`${column} is no date, and kept as it is`)
        break
      case 'real':
        row[column] = numberOf(column, text, context)
        break
      case 'latitude':
      case 'longitude': {
        const degrees = numberOf(column, text, context)
        row[column] = degrees
        if (degrees !== null && Math.abs(degrees) > most[kind]) context.remark(`${column} is nowhere on earth`)
      }
    }
  }
  if (plan.file?.keyMayBeEmpty === true) for (const column of plan.file.key) row[column] ??= ''
  context.emit(plan.table, row)
}

/** Emits the row of a zone of `locations.geojson`. */
const mapLocation = (feature: FieldReader, context: MapContext): void => {
  const properties = feature.json('properties')
  const geometry = feature.object('geometry')
  const inside = feature.object('properties')
  feature.text('type')
  context.emit('locations', {
    id: feature.text('id') ?? inside?.text('id') ?? null,
    stop_name: inside?.text('stop_name') ?? null,
    stop_desc: inside?.text('stop_desc') ?? null,
    geometry_type: geometry?.text('type') ?? null,
    geometry: feature.json('geometry'),
    properties,
  })
  feature.rest()
}

/** `map` of any GTFS feed. `fields` is the kit's. */
export const gtfsMap =
  (fields: (record: unknown, context: MapContext) => FieldReader) =>
  (record: unknown, context: MapContext): void => {
    const { plan } = context.state
    if (plan === undefined) mapLocation(fields(record, context), context)
    // Set by the preamble, which comes before a CSV file's first record; such records are texts by column.
    else mapRow(record as Readonly<Record<string, string | null>>, plan as GtfsPlan, context)
  }
