/**
 * gtfs.de: the timetables of German regional trains, a part of what gtfsde has. Not confirmed: it is 10 MB; the floors are far below what that holds.
 */
import type { PipelineFile } from '../../src/pipeline/types.ts'

const pipeline: PipelineFile = (kit) =>
  kit.gtfs({
    id: 'gtfsde-rv',
    title: 'German timetables (gtfs.de, regional trains)',
    description:
      'The timetables of German regional trains (RE, RB), for about the next 30 days. For stops, departures, lines and direct connections; not for delays, not for fares, and not for journeys with changes.',
    url: 'https://download.gtfs.de/germany/rv_free/latest.zip',
    publisher: 'gtfs.de, from data of DELFI e.V.',
    homepage: 'https://gtfs.de/en/feeds/de_rv/',
    licence: {
      name: 'CC BY 4.0',
      url: 'https://creativecommons.org/licenses/by/4.0/',
      attribution: 'DELFI e.V. and gtfs.de',
    },
    // Brought out every morning before six, German time.
    schedule: { cron: '15 8 * * *', timeZone: 'Europe/Berlin' },
    // A part of the country is missing below that.
    guards: { minRows: { stops: 3_000, routes: 300, trips: 15_000, stop_times: 150_000 } },
  })

export default pipeline
