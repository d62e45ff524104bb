/** A GTFS feed: ours against the sqlite3 command line, and against node-gtfs, with its memory. */
import { join } from 'node:path'
import { feedFiles } from '../generate-gtfs.ts'
import { type FeedWay, type Headers, importFeed } from '../harness/feed-by-sqlite.ts'
import { gtfsFeed } from '../harness/inputs.ts'
import { interleave } from '../harness/interleave.ts'
import { type Compared, figuresLine, type Line, skippedLine, timesLine } from '../harness/lines.ts'
import { measure } from '../harness/measure.ts'
import { missingPeer, peerEntry, peers } from '../harness/peers.ts'
import { missingPrograms } from '../harness/programs.ts'
import { type Bench, type BenchRow, sized } from '../harness/row.ts'
import { feedPipeline, scratchStore, writePipeline } from '../harness/scratch-store.ts'

const sizes = { tiny: 1_000, reduced: 200_000, full: 500_000 } as const

/** Ingests the feed into an empty store. */
const ours = (bench: Bench, feed: string) => async () => {
  const store = scratchStore(bench, 'feed-store')
  try {
    writePipeline(store, 'feed', feedPipeline)
    return await store.ingest('feed', ['--from', feed])
  } finally {
    store.remove()
  }
}

const headersOf = (): Headers =>
  new Map(
    Object.entries(feedFiles(1)).map(([name, lines]) => {
      const [header = ''] = lines
      return [name.replace('.txt', ''), header.trim().split(',')]
    }),
  )

const againstSqlite = async (bench: Bench, feed: string, what: string): Promise<Line[]> => {
  const own: Compared = { what, against: 'sqlite3: unzip, .import, CREATE INDEX', goal: { atMost: 1 } }
  const whole: Compared = { what, against: 'sqlite3: the same tables, with seconds, stop_routes and full text' }
  const missing = missingPrograms('sqlite3', 'unzip')
  if (missing !== undefined) return [own, whole].map((each) => skippedLine(each, missing))
  const headers = headersOf()
  const theirs = (way: FeedWay) => () => importFeed(bench, { feed, path: join(bench.work, 'feed.db'), headers, way })
  const runs = await interleave(bench.rounds, {
    ours: ours(bench, feed),
    own: theirs('types and indexes'),
    whole: theirs('same tables'),
  })
  return [timesLine(own, runs.ours, runs.own), timesLine(whole, runs.ours, runs.whole)]
}

const againstNodeGtfs = async (bench: Bench, feed: string, what: string): Promise<Line[]> => {
  const time: Compared = { what, against: 'node-gtfs importGtfs', goal: { atMost: 1 / 6 } }
  const memory: Compared = { what: `${what}, memory`, against: 'node-gtfs importGtfs', goal: { atMost: 0.5 } }
  const entry = peerEntry(bench, peers.nodeGtfs)
  if (entry === undefined) return [time, memory].map((each) => skippedLine(each, missingPeer(peers.nodeGtfs)))
  const script = join(import.meta.dirname, '..', 'import-by-node-gtfs.ts')
  const runs = await interleave(sized(bench, { tiny: 1, reduced: 1, full: bench.rounds }), {
    ours: ours(bench, feed),
    theirs: () =>
      measure(process.execPath, [script, entry, feed, join(bench.work, 'node-gtfs.db')], { signal: bench.signal }),
  })
  const peaks = (side: 'ours' | 'theirs'): number[] => runs[side].map(({ peakMiB }) => peakMiB)
  return [timesLine(time, runs.ours, runs.theirs), figuresLine(memory, 'MiB', peaks('ours'), peaks('theirs'))]
}

export const gtfs: BenchRow = {
  name: 'gtfs',
  title: 'A GTFS feed, zipped',
  run: async (bench) => {
    const stopTimes = sized(bench, sizes)
    const what = `GTFS feed, ${stopTimes.toLocaleString('en')} stop_times`
    const missing = missingPrograms('zip')
    if (missing !== undefined) return [skippedLine({ what, against: 'sqlite3 and node-gtfs' }, missing)]
    const feed = await gtfsFeed(bench, stopTimes)
    return [...(await againstSqlite(bench, feed, what)), ...(await againstNodeGtfs(bench, feed, what))]
  },
}
