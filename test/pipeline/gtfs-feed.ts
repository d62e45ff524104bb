/** Feeds of a few lines, imported through `kit.gtfs` into a store of the test's own. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunResult } from '../../src/ingest/run.ts'
import { kit } from '../../src/pipeline/define.ts'
import type { GtfsOptions } from '../../src/pipeline/types.ts'
import type { Store } from '../../src/store/layout.ts'
import { currentSnapshot } from '../../src/store/snapshots.ts'
import { zipOf } from '../formats/zip-builder.ts'
import { ingest, query } from '../ingest/ingesting.ts'
import { scratchFolder, scratchStore } from '../store/scratch-store.ts'

export const definition = (options: Partial<GtfsOptions> = {}) =>
  kit.gtfs({
    id: 'feed',
    title: 'A feed',
    url: 'http://127.0.0.1:9/feed.zip',
    publisher: 'Somebody',
    licence: { name: 'CC0', url: 'https://feed.example/', attribution: 'somebody' },
    ...options,
  })

export type Files = Readonly<Record<string, string | Buffer>>

export const small: Files = {
  'stops.txt': 'stop_id,stop_name\n1,Eins\n2,Zwei\n',
  'routes.txt': 'route_id,route_short_name,route_type\nr,R1,3\n',
  'trips.txt': 'route_id,service_id,trip_id\nr,s,t\n',
  'stop_times.txt':
    'trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,8:00:00,8:00:00,1,1\nt,25:10:00,,2,2\n',
  'calendar_dates.txt': 'service_id,date,exception_type\ns,20261201,1\n',
}

/** A feed of these files, those of the small one where none is given. */
export const zipped = (files: Files, root = ''): string => {
  const path = join(scratchFolder(), 'feed.zip')
  const members = Object.entries({ ...small, ...files }).map(([name, content]) => ({ name: `${root}${name}`, content }))
  writeFileSync(path, zipOf(...members))
  return path
}

export const imported = async (files: Files, store: Store = scratchStore(), options?: Partial<GtfsOptions>) => {
  const result = await ingest(store, zipped(files), { definition: definition(options) })
  return { store, result, ...views(store) }
}

const views = (store: Store) => ({
  rows: (sql: string): unknown[] => query(store, sql, 'feed.db'),
  manifest: () => currentSnapshot(store, 'feed', 'feed.db'),
  warnings: (): string => (currentSnapshot(store, 'feed', 'feed.db')?.warnings ?? []).join('\n'),
})

export const failure = ({ outcome, reason }: RunResult) => ({ outcome, ...reason })
