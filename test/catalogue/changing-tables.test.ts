/** Datasets whose tables and columns only the delivery knows, as a gateway reads them and tells of them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SubscriptionBook } from '../../src/catalogue/subscription-book.ts'
import { kit } from '../../src/pipeline/define.ts'
import type { Store } from '../../src/store/layout.ts'
import { zipOf } from '../formats/zip-builder.ts'
import { ingest } from '../ingest/ingesting.ts'
import { scratchFolder, scratchStore } from '../store/scratch-store.ts'
import { afterTest, bodyOf, openStore } from './opened.ts'

const definition = kit.gtfs({
  id: 'feed',
  title: 'A feed',
  url: 'http://127.0.0.1:9/feed.zip',
  publisher: 'Somebody',
  licence: { name: 'CC0', url: 'https://feed.example/', attribution: 'somebody' },
})

const files: Readonly<Record<string, string>> = {
  'stops.txt': 'stop_id,stop_name\n1,Eins\n2,Zwei\n',
  'routes.txt': 'route_id,route_short_name,route_type\nr,R1,3\n',
  'trips.txt': 'route_id,service_id,trip_id\nr,s,t\n',
  'stop_times.txt': 'trip_id,departure_time,stop_id,stop_sequence\nt,8:00:00,1,1\n',
  'calendar_dates.txt': 'service_id,date,exception_type\ns,20991201,1\n',
}

const publish = async (store: Store, more: Readonly<Record<string, string>> = {}): Promise<string> => {
  const path = join(scratchFolder(), 'feed.zip')
  writeFileSync(path, zipOf(...Object.entries({ ...files, ...more }).map(([name, content]) => ({ name, content }))))
  const { outcome, version, reason } = await ingest(store, path, { definition })
  expect({ outcome, reason }).toEqual({ outcome: 'published', reason: undefined })
  return version ?? ''
}

it('are told of by record and by schema, and read as they were in each version', async () => {
  const store = scratchStore()
  const first = await publish(store)
  const source = await openStore(store, { watch: true })
  const book = new SubscriptionBook(source, (_, error) => expect.unreachable(String(error)))
  afterTest(() => book.close())
  const told: string[] = []
  const uris = ['feed://stops/1', 'feed://stops/2', 'feed://trips/t', 'feed://schema', 'feed://routes/r']
  await book.subscribe({ isOpen: () => true, tell: (uri) => void told.push(uri) }, uris)
  /** What is told of one publication. */
  const toldOf = async (more: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    told.length = 0
    const version = await publish(store, more)
    await expect.poll(() => source.current.versions.get('feed'), { timeout: 8_000 }).toBe(version)
    await book.settled()
    return told.toSorted()
  }

  // A line comes to the second stop; nothing of the first is another.
  const longer = { 'stop_times.txt': `${files['stop_times.txt']}t,9:00:00,2,2\n` }
  expect(await toldOf(longer)).toEqual(['feed://routes/r', 'feed://stops/2', 'feed://trips/t'])
  expect(await bodyOf(source, 'feed://stops/2')).toMatchObject({ related: { routes: [{ route_short_name: 'R1' }] } })

  // A file of the feed's own, and a column, are there now, and gone again.
  const own = { ...longer, 'notes.txt': 'stop_id,note\n1,hello\n' }
  expect(await toldOf(own)).toEqual(['feed://schema'])
  const notes = expect.objectContaining({ name: 'notes' })
  expect(await bodyOf(source, 'feed://schema')).toMatchObject({ tables: expect.arrayContaining([notes]) })
  const wider = { ...longer, 'stops.txt': 'stop_id,stop_name,height\n1,Eins,5\n2,Zwei,6\n' }
  expect(await toldOf(wider)).toEqual(['feed://schema', 'feed://stops/1', 'feed://stops/2'])
  const { tables } = await bodyOf(source, 'feed://schema')
  expect(tables).not.toEqual(expect.arrayContaining([notes]))
  const changed = await bodyOf(source, `feed://changes/${source.current.versions.get('feed')}`)
  expect(JSON.stringify(changed)).toContain('notes')

  expect(await bodyOf(source, 'feed://stops/1')).toMatchObject({ record: { height: '5' } })
  const { record } = await bodyOf(source, `feed://snapshots/${first}/stops/1`)
  expect(record).not.toHaveProperty('height')
})
