/** The two versions of the network: what came, went and changed from the first to the second. */
import { type Part, type Stop, services, stops, type Trip, trips } from './network.ts'

export interface Version {
  readonly stops: readonly Stop[]
  readonly trips: readonly Trip[]
  readonly services: typeof services
}

export const dates = ['2026-10-01', '2026-11-01'] as const

/** The first version: the network as it is. */
const before: Version = { stops, trips, services }

/** Trips that are gone, each of another part. */
const gone: Readonly<Record<Part, string>> = { fv: '900103', rv: '900203', nv: '900302' }

const added: readonly Trip[] = [
  {
    id: '900104',
    line: '9001_101',
    service: '2',
    headsign: 'München Hauptbahnhof',
    direction: '0',
    calls: [
      ['000000100101', '11:05:00'],
      ['000000400101', '11:55:00', '11:57:00'],
      ['000000200111', '15:30:00'],
    ],
  },
  {
    id: '900204',
    line: '9002_106',
    service: '2',
    headsign: 'Berlin Hauptbahnhof',
    direction: '0',
    calls: [
      ['000000400101', '10:10:00'],
      ['000000100102', '11:14:00'],
    ],
  },
  {
    id: '900303',
    line: '9003_109',
    service: '1',
    headsign: 'Berlin Musterplatz',
    direction: '1',
    calls: [
      ['000000400101', '16:33:00'],
      ['175272', '17:31:00'],
    ],
  },
]

/** Trips that run a quarter of an hour later; one of them is past midnight by then. */
const later: ReadonlySet<string> = new Set(['900102', '900202', '900501'])

const quarterLater = (time: string): string => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const total = hours * 60 + minutes + 15
  return `${Math.floor(total / 60)}:${String(total % 60).padStart(2, '0')}:00`
}

const shifted = (trip: Trip): Trip =>
  later.has(trip.id)
    ? {
        ...trip,
        calls: trip.calls.map(([stop, arrival, departure]) =>
          departure === undefined
            ? [stop, quarterLater(arrival)]
            : [stop, quarterLater(arrival), quarterLater(departure)],
        ),
      }
    : trip

const after: Version = {
  stops: stops.map((stop) =>
    stop.id === '000000500001' ? { ...stop, name: 'Musterstadt, Fiktivstraße (Markt)' } : stop,
  ),
  trips: [...trips.filter(({ id }) => !Object.values(gone).includes(id)).map(shifted), ...added],
  services: {
    ...services,
    '1': { days: '1111100', exceptions: { ...services['1']?.exceptions, '20261224': '2' } },
  },
}

export const versions: Readonly<Record<(typeof dates)[number], Version>> = {
  '2026-10-01': before,
  '2026-11-01': after,
}
