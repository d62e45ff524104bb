/**
 * gtfs.de: the timetables of German local transport, a part of what gtfsde has. Not confirmed: it is nearly as big as the full timetable; the floors are about half of that one.
 */
import type { PipelineFile } from '../../src/pipeline/types.ts'

const pipeline: PipelineFile = (kit) =>
  kit.gtfs({
    id: 'gtfsde-nv',
    title: 'German timetables (gtfs.de, local)',
    description:
      'The timetables of German local transport: suburban trains, underground, trams, buses, for about the next 30 days. For stops, departures, lines and direct connections; not for delays, not for fares, and not for journeys with changes.',
    url: 'https://download.gtfs.de/germany/nv_free/latest.zip',
    publisher: 'gtfs.de, from data of DELFI e.V.',
    homepage: 'https://gtfs.de/en/feeds/de_nv/',
    licence: {
      name: 'CC BY 4.0',
      url: 'https://creativecommons.org/licenses/by/4.0/',
      attribution: 'DELFI e.V. and gtfs.de',
    },
    // Brought out every morning before six, German time.
    schedule: { cron: '15 8 * * *', timeZone: 'Europe/Berlin' },
    // A part of the country is missing below that.
    guards: { minRows: { stops: 250_000, routes: 10_000, trips: 700_000, stop_times: 8_000_000 } },
  })

export default pipeline
