/**
 * gtfs.de: the timetables of German long-distance trains, a part of what gtfsde has. Not confirmed: its page says about 5,000 trips a day in 0.4 MB; the floors are far below that.
 */
import type { PipelineFile } from '../../src/pipeline/types.ts'

const pipeline: PipelineFile = (kit) =>
  kit.gtfs({
    id: 'gtfsde-fv',
    title: 'German timetables (gtfs.de, long-distance)',
    description:
      'The timetables of German long-distance trains (ICE, IC, night trains, those of other operators), for about the next 30 days. For stops, departures, lines and direct connections; not for delays, not for fares, and not for journeys with changes.',
    url: 'https://download.gtfs.de/germany/fv_free/latest.zip',
    publisher: 'gtfs.de, from data of DELFI e.V.',
    homepage: 'https://gtfs.de/en/feeds/de_fv/',
    licence: {
      name: 'CC BY 4.0',
      url: 'https://creativecommons.org/licenses/by/4.0/',
      attribution: 'DELFI e.V. and gtfs.de',
    },
    // Brought out every morning before six, German time.
    schedule: { cron: '15 8 * * *', timeZone: 'Europe/Berlin' },
    // A part of the country is missing below that.
    guards: { minRows: { stops: 300, routes: 40, trips: 2_000, stop_times: 20_000 } },
  })

export default pipeline
