/** The example of docs/gtfs.md, word for word but for its address: a feed of one’s own, in a project of one’s own. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { packageRoot } from '../../src/package-root.ts'
import { loadPipeline } from '../../src/pipeline/discover.ts'
import { currentSnapshot } from '../../src/store/snapshots.ts'
import { zipOf } from '../formats/zip-builder.ts'
import { ingest, query } from '../ingest/ingesting.ts'
import { scratchFolder, scratchStore } from '../store/scratch-store.ts'

const permalink = 'https://data.opentransportdata.swiss/dataset/timetable-2026-gtfs2020/permalink'

const feed = zipOf(
  {
    name: 'agency.txt',
    content: 'agency_name,agency_url,agency_timezone\nMuster,https://muster.example/,Europe/Zurich\n',
  },
  {
    name: 'stops.txt',
    content: 'stop_id,stop_name,stop_lat,stop_lon\n8500001,Musterwil,47.1,8.5\n8500002,Genève-Exemple,46.2,6.1\n',
  },
  { name: 'routes.txt', content: 'route_id,route_short_name,route_type\nr,IR 1,103\n' },
  { name: 'trips.txt', content: 'route_id,service_id,trip_id\nr,s,t\n' },
  {
    name: 'stop_times.txt',
    content:
      'trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,7:00:00,7:00:00,8500001,1\nt,9:00:00,9:00:00,8500002,2\n',
  },
  { name: 'calendar_dates.txt', content: 'service_id,date,exception_type\ns,20261205,1\n' },
)

const open: { close(): void }[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.close()
})

/** A publisher whose permalink leads to the feed of a day. */
const publisher = (): Promise<string> =>
  new Promise((resolve) => {
    const server = createServer(({ url }, response) => {
      if (url === '/gtfs_fp2026_20261202.zip') response.writeHead(200, { 'content-type': 'application/zip' }).end(feed)
      else response.writeHead(302, { location: '/gtfs_fp2026_20261202.zip' }).end()
    })
    open.push(server)
    server.listen(0, '127.0.0.1', () => {
      const { port } = z.object({ port: z.number() }).parse(server.address())
      resolve(`http://127.0.0.1:${port}/permalink`)
    })
  })

describe('a feed of one’s own, as docs/gtfs.md shows it', () => {
  it('is ingested from where its permalink leads today, and dated by it', async () => {
    const page = readFileSync(join(packageRoot, 'docs', 'gtfs.md'), 'utf8')
    const example = /```js\n(\/\/ pipelines\/swiss[\s\S]*?)```/.exec(page)?.[1] ?? ''
    expect(example).toContain(permalink)
    const folder = join(scratchFolder(), 'pipelines')
    mkdirSync(join(folder, 'swiss'), { recursive: true })
    // The number of trips of a whole country is not what a test has.
    const own = example.replace(permalink, await publisher()).replace(/guards: .*\n/, '')
    writeFileSync(join(folder, 'swiss', 'index.mjs'), own)

    const { definition } = await loadPipeline('swiss', [folder])
    const store = scratchStore()
    const result = await ingest(store, undefined, { definition })
    expect(result).toMatchObject({ outcome: 'published', rows: { stops: 2, stop_times: 2, stop_routes: 2, shapes: 0 } })
    expect(
      query(
        store,
        `SELECT stops.stop_name FROM stops_fts JOIN stops ON stops.rowid = stops_fts.rowid
      WHERE stops_fts MATCH 'geneve'`,
        'swiss.db',
      ),
    ).toEqual([['Genève-Exemple']])
    const manifest = currentSnapshot(store, 'swiss', 'swiss.db')
    expect(manifest).toMatchObject({
      publisherDate: '2026-12-02',
      validFrom: '2026-12-05',
      validUntil: '2026-12-05',
      warnings: [],
      sources: [{ name: 'swiss.zip', resolvedUrl: expect.stringMatching(/gtfs_fp2026_20261202\.zip$/) }],
    })
    expect(manifest?.sources[0]?.members?.map(({ name, records: { read } }) => [name, read])).toEqual([
      ['agency.txt', 1],
      ['calendar_dates.txt', 1],
      ['routes.txt', 1],
      ['stop_times.txt', 2],
      ['stops.txt', 2],
      ['trips.txt', 1],
    ])
  })
})
