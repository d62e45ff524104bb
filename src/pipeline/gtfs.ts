/** A pipeline for a timetable in GTFS, from the few things that tell one feed from another. */
import { gtfsFiles, locationsFile } from './gtfs-files.ts'
import { gtfsMap, gtfsPreamble } from './gtfs-map.ts'
import { gtfsReferences } from './gtfs-references.ts'
import { gtfsShape } from './gtfs-shape.ts'
import { gtfsTables } from './gtfs-tables.ts'
import { gtfsFullText, gtfsValidity, gtfsViews } from './gtfs-views.ts'
import { mostColumns } from './table-limits.ts'
import type { GuardDefinition, Kit, PipelineDefinition, SourceDefinition } from './types.ts'

/** What tells one feed from another. */
export interface GtfsOptions extends Pick<SourceDefinition, 'resolve'> {
  /** Dataset id. */
  readonly id: string
  readonly title: string
  /** What it is good for, and what not; without it a sentence that says that it is a timetable. */
  readonly description?: string
  /** Address of the zip archive that stays, or, with `resolve`, of what leads to it. */
  readonly url: string
  readonly publisher: string
  readonly homepage?: string
  readonly licence: PipelineDefinition['licence']
  /** Daily unless said: most feeds change once a week, and asking costs nothing where they do not. */
  readonly schedule?: PipelineDefinition['schedule']
  /** `<id>.db` unless said. */
  readonly database?: string
  readonly aliases?: readonly string[]
  /** Folder in the archive, where several hold a feed. */
  readonly folder?: string
  /** Beside those that hold for any feed; same names win. */
  readonly guards?: GuardDefinition
  readonly frozen?: string
  readonly keep?: number
}

/** Feeds break RFC 4180 with quotes that are not doubled, and with rows that end where the empty fields begin. */
const dialect = { type: 'csv', quotes: 'lenient', shortRecords: 'pad', maxColumns: mostColumns } as const

const isZipName = (name: string): boolean => /^[A-Za-z0-9_][^/\\]*\.zip$/i.test(name)

/** Usual name of the archive: that of its address, where it has one. */
const archiveName = ({ id, url }: GtfsOptions): string => {
  // Pipelines in JavaScript may leave it out; the check of the definition says so in better words.
  const [path = ''] = `${url}`.split(/[?#]/)
  const last = path.slice(path.lastIndexOf('/') + 1)
  return isZipName(last) ? last : `${id}.zip`
}

const guards: GuardDefinition = {
  // A hundredth: what is odd in a feed is told and lives on; a file that is broken half way is none.
  maxRejected: 0.01,
  // Lines and whole operators come and go; a feed that lost half of these lost it by accident. Other tables may shrink
  // to nothing: exceptions of the calendar do as their days go by.
  maxShrink: { stops: 0.5, routes: 0.5, trips: 0.5, stop_times: 0.5 },
  // Published feeds repeat keys: the first row stays, the others are counted and kept in _rejected.
  keys: Object.fromEntries(
    Object.entries(gtfsFiles)
      .filter(([, { key }]) => key.length > 0)
      .map(([table]) => [table, 'reject' as const]),
  ),
}

/** See `Kit.gtfs`. */
export const gtfsPipeline = (kit: Pick<Kit, 'definePipeline' | 'fields'>, options: GtfsOptions): PipelineDefinition => {
  const { id, title, url, publisher, licence, resolve, folder } = options
  const all = { ...guards, ...options.guards }
  return kit.definePipeline({
    id,
    title,
    description:
      options.description ??
      `${title}: a timetable with stops, routes, trips and the days on which they run. Not for delays, and not for journeys with changes.`,
    publisher,
    homepage: options.homepage ?? url,
    licence,
    database: options.database ?? `${id}.db`,
    ...(options.aliases === undefined ? {} : { aliases: options.aliases }),
    schedule: options.schedule ?? { cron: '40 4 * * *', timeZone: 'UTC' },
    quirks: [
      'Times past 24:00 belong to the day before; `*_seconds` beside each time counts from the beginning of that day.',
      'Ids are text, and mean something only within one feed; which of them stay from version to version is the publisher’s choice.',
      'It is the timetable as published, not live, and valid for its period only.',
    ],
    ...(options.frozen === undefined ? {} : { frozen: options.frozen }),
    sources: [
      {
        name: archiveName(options),
        url,
        ...(resolve === undefined ? {} : { resolve }),
        format: dialect,
        archive: {
          every: ['*.txt', locationsFile],
          formats: { [locationsFile]: { type: 'json', records: '$.features[*]' } },
          ...(folder === undefined ? {} : { folder }),
        },
      },
    ],
    tables: gtfsTables,
    views: gtfsViews,
    fullText: gtfsFullText,
    guards: all,
    shape: gtfsShape(id, all),
    references: gtfsReferences,
    validity: gtfsValidity,
    preamble: gtfsPreamble,
    independent: true,
    map: gtfsMap(kit.fields),
    // Text that packs ten to one, and as much again for indexes.
    space: 20,
    ...(options.keep === undefined ? {} : { keep: options.keep }),
  })
}
