/**
 * A GTFS feed by the `sqlite3` command line in our stead, in two ways. `types and indexes`: each file into a table of its own
 * columns with our types, keys and indexes. `same tables`: what our snapshot holds, with the seconds of each time, the routes of each
 * stop and full text.
 */
import { join } from 'node:path'
import { createTable, typeOf } from '../../src/ingest/tables.ts'
import { gtfsFiles } from '../../src/pipeline/gtfs-files.ts'
import { gtfsTables, kindsOf, secondsColumn } from '../../src/pipeline/gtfs-tables.ts'
import { gtfsFullText } from '../../src/pipeline/gtfs-views.ts'
import type { TableDefinition } from '../../src/pipeline/types.ts'
import type { Measured } from './measure.ts'
import type { Bench } from './row.ts'
import { fullText, quoted, runSqlite } from './sqlite-cli.ts'

/** Columns of each file of the feed, in the order of its header. */
export type Headers = ReadonlyMap<string, readonly string[]>

export type FeedWay = 'types and indexes' | 'same tables'

const definitionOf = (name: string): TableDefinition => {
  const definition = gtfsTables[name]
  if (definition === undefined) throw new Error(`the reference has no table ${name}`)
  return definition
}

const ownColumns = (name: string, header: readonly string[], prefix = ''): string => {
  const { columns } = definitionOf(name)
  return `CREATE TABLE ${prefix}${name}(${header.map((column) => `${column} ${typeOf(columns[column] ?? 'TEXT')}`).join(', ')});`
}

const importFile = (folder: string, name: string, prefix = ''): string =>
  `.import --csv --skip 1 ${join(folder, `${name}.txt`)} ${prefix}${name}`

const createIndexes = (name: string, indexes: readonly (readonly string[])[]): string[] => {
  const { key } = definitionOf(name)
  return [
    ...(key.length === 0 ? [] : [`CREATE UNIQUE INDEX ${name}_key ON ${name}(${key.join(', ')});`]),
    ...indexes.map((columns, index) => `CREATE INDEX ${name}_${index} ON ${name}(${columns.join(', ')});`),
  ]
}

/** Without the columns of seconds, theirs sorts by the time as it is written. */
const indexesOfFile = (name: string, header: readonly string[]): string[] =>
  createIndexes(
    name,
    (definitionOf(name).indexes ?? [])
      .map((columns) => columns.map((column) => column.replace(/_seconds$/, '')))
      .filter((columns) => columns.every((column) => header.includes(column))),
  )

/** `HH:MM:SS` as seconds. */
const secondsOf = (time: string): string =>
  `substr(${time}, 1, length(${time}) - 6) * 3600 + substr(${time}, -5, 2) * 60 + substr(${time}, -2)`

/** Moves the rows of an imported file into our table; what is empty is NULL there. */
const moveRows = (name: string, header: readonly string[]): string => {
  const file = gtfsFiles[name]
  const kinds = file === undefined ? new Map<string, string>() : kindsOf(file)
  const times = header.filter((column) => kinds.get(column) === 'time')
  const into = [...header, ...times.map(secondsColumn)].join(', ')
  const values = [...header, ...times.map(secondsOf)].map((value) => `nullif(${value}, '')`).join(', ')
  return `INSERT INTO ${name}(${into}) SELECT ${values} FROM raw_${name}; DROP TABLE raw_${name};`
}

const scripts: Readonly<Record<FeedWay, (folder: string, headers: Headers) => string[]>> = {
  'types and indexes': (folder, headers) => [
    ...[...headers].map(([name, header]) => ownColumns(name, header)),
    ...[...headers].map(([name]) => importFile(folder, name)),
    ...[...headers].flatMap(([name, header]) => indexesOfFile(name, header)),
  ],
  'same tables': (folder, headers) => [
    ...Object.entries(gtfsTables).map(([name, table]) => `${createTable(name, table, false)};`),
    ...[...headers].map(([name, header]) => ownColumns(name, header, 'raw_')),
    ...[...headers].map(([name]) => importFile(folder, name, 'raw_')),
    ...[...headers].map(([name, header]) => moveRows(name, header)),
    ...Object.keys(gtfsTables)
      .filter((name) => name !== 'stop_routes')
      .flatMap((name) => createIndexes(name, definitionOf(name).indexes ?? [])),
    `INSERT INTO stop_routes ${gtfsTables.stop_routes?.derivedBy};`,
    ...createIndexes('stop_routes', definitionOf('stop_routes').indexes ?? []),
    ...gtfsFullText.map(({ name, table, columns }) => fullText(name, table, columns.join(', '))),
  ],
}

/** Unpacks a feed and imports it. */
export const importFeed = (
  bench: Pick<Bench, 'signal' | 'work'>,
  {
    feed,
    path,
    headers,
    way,
  }: { readonly feed: string; readonly path: string; readonly headers: Headers; readonly way: FeedWay },
): Promise<Measured> => {
  const folder = join(bench.work, 'unzipped')
  const before = `rm -rf ${quoted(folder)}\nunzip -q ${quoted(feed)} -d ${quoted(folder)}`
  return runSqlite(bench, path, scripts[way](folder, headers), before)
}
