/**
 * gtfs.de: the timetables of all German public transport, out of DELFI's national collection. Read on feeds of other
 * publishers, since the archive is too big to be kept for tests. Not confirmed: how many rows it has today (its page says
 * 1.6 million trips and over 630,000 stops).
 */
import type { PipelineFile } from '../../src/pipeline/types.ts'

const pipeline: PipelineFile = (kit) =>
  kit.gtfs({
    id: 'gtfsde',
    title: 'German timetables (gtfs.de, all)',
    description:
      'The timetables of public transport in all of Germany for about the next 30 days: long-distance and regional trains, ' +
      'trams, underground, buses, ferries. For stops, departures, lines and direct connections; not for delays, not for ' +
      'fares, and not for journeys with changes.',
    url: 'https://download.gtfs.de/germany/free/latest.zip',
    publisher: 'gtfs.de, from data of DELFI e.V.',
    homepage: 'https://gtfs.de/en/feeds/de_full/',
    licence: {
      name: 'CC BY 4.0',
      url: 'https://creativecommons.org/licenses/by/4.0/',
      attribution: 'DELFI e.V. and gtfs.de',
    },
    database: 'gtfs-de.db',
    aliases: ['gtfsde-transit.db'],
    // Brought out every morning before six, German time.
    schedule: { cron: '30 8 * * *', timeZone: 'Europe/Berlin' },
    guards: {
      // Half of what its page says: below that a part of the country is missing.
      minRows: { stops: 300_000, routes: 12_000, trips: 800_000, stop_times: 10_000_000 },
      // It covers a whole country: nothing that happens in one day takes a third of it.
      maxShrink: { stops: 0.3, routes: 0.3, trips: 0.3, stop_times: 0.3 },
    },
  })

export default pipeline
