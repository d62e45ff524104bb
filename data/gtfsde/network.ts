/**
 * An invented network: three operators that do not exist run lines that do not run, between stations of which only two
 * have real names, which FlowMCP's own schema asks for. As big as a hand can hold, and odd where real feeds are.
 */

/** Which of the four feeds of gtfs.de something is in; the full one has all of it. */
export type Part = 'fv' | 'rv' | 'nv'

export interface Stop {
  readonly id: string
  readonly name: string
  readonly lat: string
  readonly lon: string
  /** The station that it is a platform of, and its number there. */
  readonly platform?: readonly [station: string, code: string]
  readonly isStation?: true
}

export interface Line {
  readonly id: string
  readonly part: Part
  readonly agency: string
  readonly shortName: string
  readonly longName: string
  readonly type: string
}

export interface Trip {
  readonly id: string
  readonly line: string
  readonly service: string
  readonly headsign: string
  readonly direction: string
  /** Stop with arrival and departure, which are the same where one is given. */
  readonly calls: readonly (readonly [stop: string, arrival: string, departure?: string])[]
}

export const agencies: Readonly<Record<string, { readonly part: Part; readonly name: string }>> = {
  '901': { part: 'fv', name: 'Musterbahn Fernverkehr' },
  '902': { part: 'rv', name: 'Regio Musterland' },
  '903': { part: 'nv', name: 'Verkehrsbetriebe Musterstadt' },
}

export const stops: readonly Stop[] = [
  { id: 'de:00000:100', name: 'Berlin Hauptbahnhof', lat: '52.525100', lon: '13.369400', isStation: true },
  platform('000000100101', 'Berlin Hauptbahnhof', '52.525200', '13.369300', 'de:00000:100', '1'),
  platform('000000100102', 'Berlin Hauptbahnhof', '52.525300', '13.369200', 'de:00000:100', '2'),
  { id: 'de:00000:200', name: 'München Hauptbahnhof', lat: '48.140200', lon: '11.558300', isStation: true },
  platform('000000200111', 'München Hauptbahnhof', '48.140300', '11.558400', 'de:00000:200', '11'),
  { id: 'de:00000:300', name: 'Berlin Musterplatz', lat: '52.519800', lon: '13.404600', isStation: true },
  platform('175272', 'Berlin Musterplatz', '52.519900', '13.404700', 'de:00000:300', '1'),
  platform('175273', 'Berlin Musterplatz (U)', '52.519700', '13.404500', 'de:00000:300', 'U'),
  { id: 'de:00000:400', name: 'Musterstadt Süd', lat: '51.700000', lon: '12.900000', isStation: true },
  platform('000000400101', 'Musterstadt Süd', '51.700100', '12.900100', 'de:00000:400', '1'),
  { id: '000000500001', name: 'Musterstadt, Fiktivstraße', lat: '51.705000', lon: '12.905000' },
  { id: '000000500002', name: 'Musterstadt, Größenwahnallee „Nord“', lat: '51.710000', lon: '12.910000' },
  { id: '000000500003', name: 'Berlin, Erfundener Weg', lat: '52.514000', lon: '13.399000' },
]

function platform(id: string, name: string, lat: string, lon: string, station: string, code: string): Stop {
  return { id, name, lat, lon, platform: [station, code] }
}

export const lines: readonly Line[] = [
  line('9001_101', 'fv', '901', 'IC 99', 'Berlin - Musterstadt - München', '101'),
  line('9002_106', 'rv', '902', 'RE 99', 'Musterstadt - Berlin', '106'),
  line('9003_109', 'nv', '903', 'S1', 'Berlin Musterplatz - Musterstadt Süd', '109'),
  line('9004_402', 'nv', '903', 'U99', 'Musterplatz - Erfundener Weg', '402'),
  line('9005_700', 'nv', '903', 'N1', 'Musterstädter Nachtbus', '700'),
]

function line(id: string, part: Part, agency: string, shortName: string, longName: string, type: string): Line {
  return { id, part, agency, shortName, longName, type }
}

/** Days of the week from Monday, and days on which it is otherwise. */
export const services: Readonly<
  Record<string, { readonly days: string; readonly exceptions: Readonly<Record<string, '1' | '2'>> }>
> = {
  '1': { days: '1111100', exceptions: { '20261225': '2', '20261231': '2' } },
  '2': { days: '0000011', exceptions: { '20261225': '1' } },
}

export const firstDay = '20261001'
export const lastDay = '20271211'

const berlin1 = '000000100101'
const berlin2 = '000000100102'
const munich = '000000200111'
const south = '000000400101'
const square = '175272'
const underground = '175273'
const [street, avenue, way] = ['000000500001', '000000500002', '000000500003'] as const

/** The trips of the first version. */
export const trips: readonly Trip[] = [
  trip('900101', '9001_101', '1', 'München Hauptbahnhof', '0', [
    [berlin1, '8:05:00'],
    [south, '8:55:00', '8:57:00'],
    [munich, '12:30:00'],
  ]),
  trip('900102', '9001_101', '1', 'Berlin Hauptbahnhof', '1', [
    [munich, '20:15:00'],
    [south, '23:50:00', '23:52:00'],
    [berlin2, '24:41:00'],
  ]),
  trip('900103', '9001_101', '2', 'München Hauptbahnhof', '0', [
    [berlin1, '10:05:00'],
    [munich, '14:29:00'],
  ]),
  trip('900201', '9002_106', '1', 'Berlin Hauptbahnhof', '0', [
    [south, '6:10:00'],
    [berlin2, '7:14:00'],
  ]),
  trip('900202', '9002_106', '1', 'Musterstadt Süd', '1', [
    [berlin2, '17:40:00'],
    [south, '18:44:00'],
  ]),
  trip('900203', '9002_106', '2', 'Berlin Hauptbahnhof', '0', [
    [south, '9:10:00'],
    [berlin2, '10:14:00'],
  ]),
  trip('900301', '9003_109', '1', 'Musterstadt Süd', '0', [
    [square, '07:03:00'],
    [south, '08:01:00'],
  ]),
  trip('900302', '9003_109', '1', 'Berlin Musterplatz', '1', [
    [south, '16:03:00'],
    [square, '17:01:00'],
  ]),
  trip('900401', '9004_402', '1', 'Erfundener Weg', '0', [
    [underground, '00:00:00'],
    [way, '00:04:30'],
  ]),
  trip('900501', '9005_700', '2', 'Größenwahnallee', '0', [
    [south, '24:30:00'],
    [street, '24:41:00'],
    [avenue, '25:02:00'],
  ]),
]

function trip(
  id: string,
  of: string,
  service: string,
  headsign: string,
  direction: string,
  calls: Trip['calls'],
): Trip {
  return { id, line: of, service, headsign, direction, calls }
}

/** Trips that run every so many seconds. */
export const frequencies: readonly (readonly [trip: string, from: string, to: string, seconds: string])[] = [
  ['900401', '5:00:00', '9:00:00', '300'],
  ['900401', '9:00:00', '25:00:00', '600'],
]

/** Trips of which frequencies are told only to show a record with everything that belongs to one. */
export const sampleFrequencies: readonly (readonly [trip: string, from: string, to: string, seconds: string])[] = [
  ['900101', '8:05:00', '8:06:00', '60'],
  ['900201', '6:10:00', '6:11:00', '60'],
]
