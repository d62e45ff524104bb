/** What `kit.gtfs` makes of feeds of a few lines each: one oddity per test. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { kit } from '../../src/pipeline/define.ts'
import { allowedTableFunctions } from '../../src/query/statement.ts'
import { currentSnapshot } from '../../src/store/snapshots.ts'
import { zipOf } from '../formats/zip-builder.ts'
import { ingest } from '../ingest/ingesting.ts'
import { scratchFolder, scratchStore } from '../store/scratch-store.ts'
import { definition, failure, imported, small, zipped } from './gtfs-feed.ts'

describe('the options of a feed', () => {
  it('that are left out are named', () => {
    // As a pipeline in JavaScript may call it.
    const call = kit.gtfs as (options: object) => unknown
    expect(() => call({ id: 'feed' })).toThrow(/pipeline feed: .*title.*publisher.*licence.*sources\.0\.url/s)
  })

  it('name the archive as its address does, where that is a name', () => {
    const nameOf = (url: string) => definition({ url }).sources[0]?.name
    expect(nameOf('https://feed.example/a/gtfs-nl.zip?x=1')).toBe('gtfs-nl.zip')
    expect(nameOf('https://feed.example/permalink')).toBe('feed.zip')
  })
})

describe('a feed', () => {
  it('has all tables of the reference, whatever files it has', async () => {
    const { result, rows } = await imported({})
    expect(result).toMatchObject({
      outcome: 'published',
      rows: { stops: 2, pathways: 0, booking_rules: 0, locations: 0 },
    })
    expect(rows('SELECT rider_category_id, amount FROM fare_products')).toEqual([])
  })

  it('keeps times as they are written, with their seconds beside them', async () => {
    const { rows } = await imported({})
    expect(
      rows(
        'SELECT arrival_time, arrival_time_seconds, departure_time, departure_time_seconds FROM stop_times ORDER BY 2',
      ),
    ).toEqual([
      ['8:00:00', 28_800, '8:00:00', 28_800],
      ['25:10:00', 90_600, null, null],
    ])
  })

  it('tells what should be a time, a number or a place and is none', async () => {
    const { rows, warnings } = await imported({
      'stops.txt': 'stop_id,stop_name,stop_lat,stop_lon,location_type\n1,Eins,abc,200,x\n2,Zwei,1.5,2.5,1\n',
      'stop_times.txt':
        'trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,noon,8:00:00,1,1\nt,late,9:00:00,2,2\n',
    })
    expect(rows('SELECT stop_lat, stop_lon, location_type FROM stops ORDER BY stop_id')).toEqual([
      [null, 200, null],
      [1.5, 2.5, 1],
    ])
    expect(rows('SELECT arrival_time, arrival_time_seconds FROM stop_times')).toEqual([
      ['noon', null],
      ['late', null],
    ])
    expect(warnings()).toContain('arrival_time is no time, and has no seconds (2 times, first in line 2)')
    expect(warnings()).toContain('stop_lat is no number, and left out (1 times, first in line 2)')
    expect(warnings()).toContain('stop_lon is nowhere on earth (1 times, first in line 2)')
    expect(warnings()).toContain('location_type is no number, and left out')
  })

  it('keeps ids as text, and drops spaces around names of columns and all values but what people wrote', async () => {
    const { rows } = await imported({
      'stops.txt': ' stop_id , stop_name,parent_station\n 0001 ,Eins, \n2,  Zwei  ,\n',
    })
    expect(rows('SELECT stop_id, stop_name, parent_station FROM stops ORDER BY 1')).toEqual([
      ['0001', 'Eins', null],
      ['2', '  Zwei  ', null],
    ])
  })

  it('keeps columns that the reference does not have, under names that are fit for SQL', async () => {
    const { rows, warnings } = await imported({
      'stops.txt': 'stop_id,stop_name,Größe (m),stop_name,select,__proto__\n1,Eins,5,I,a,b\n2,Zwei,,,,\n',
    })
    expect(
      rows(`SELECT Grosse_m, stop_name_2, select_, proto FROM (SELECT *, Gro_e_m AS Grosse_m FROM stops) LIMIT 1`),
    ).toEqual([['5', 'I', 'a', 'b']])
    expect(warnings()).toContain('kept as text: Größe (m) as Gro_e_m')
  })

  it('takes names of columns in other capitals for the same', async () => {
    const { rows } = await imported({ 'stops.txt': 'STOP_ID,Stop_Name\n1,Eins\n2,Zwei\n' })
    expect(rows('SELECT stop_id, stop_name FROM stops ORDER BY 1')[0]).toEqual(['1', 'Eins'])
  })

  it('has a table for each file that the reference does not have, and none for what is no table', async () => {
    const { result, rows, warnings } = await imported({
      'route-notes.txt': 'route_id,note\nr,hello\n',
      'stops_fts.txt': 'a,b\n1,2\n',
      'README.txt': 'This feed is brought to you by Somebody, who is not liable.\nSecond line.\n',
      'LICENSE.txt': 'Test\n',
      'terms.pdf': '%PDF-1.4 nothing',
      'page.txt': '<!DOCTYPE html><html><body>gone</body></html>',
      'empty.txt': '',
      '__MACOSX/._stops.txt': 'junk',
    })
    expect(Object.keys(result.rows)).toEqual(expect.arrayContaining(['route_notes', 'stops_fts_2']))
    expect(Object.keys(result.rows).filter((name) => /readme|licen|terms|page|empty|mac/i.test(name))).toEqual([])
    expect(rows('SELECT * FROM route_notes')).toEqual([['r', 'hello']])
    for (const name of ['README.txt', 'LICENSE.txt', 'terms.pdf', 'page.txt', 'empty.txt'])
      expect(warnings()).toContain(name)
  })

  it('says that it has no agency or no days, and reads one of two files whose names differ in capitals', async () => {
    const { result, warnings } = await imported({ 'calendar_dates.txt': '', 'STOPS.txt': 'stop_id,more\n7,x\n' })
    expect(result).toMatchObject({ outcome: 'published' })
    expect(warnings()).toContain('the feed has no agency.txt')
    expect(warnings()).toContain('the feed has no calendar.txt and no calendar_dates.txt')
    expect(warnings()).toMatch(/stops.txt is not read: another file has the same name but for capitals/i)
  })

  it.each<[string, string]>([
    ['sqlite_x.txt', 'file_sqlite_x'],
    ['sqlite_master.txt', 'file_sqlite_master'],
    ['SQLITE_Sequence.txt', 'file_SQLITE_Sequence'],
    ['-sqlite-x.txt', 'file_sqlite_x'],
    ['meta.txt', 'meta_2'],
    ['_rejected.txt', 'rejected_2'],
    ...[...allowedTableFunctions].map((name): [string, string] => [`${name}.txt`, `file_${name}`]),
  ])('gives %s, whose name means something else in SQL, the table %s', async (file, table) => {
    const { result, rows, warnings } = await imported({ [file]: 'own_id,note\n1,hello\n' })
    expect(result).toMatchObject({ outcome: 'published', rows: { [table]: 1 } })
    expect(rows(`SELECT note FROM ${table}`)).toEqual([['hello']])
    expect(rows(`SELECT value FROM json_each('[7]')`)).toEqual([[7]])
    expect(rows(`SELECT name FROM pragma_table_info('agency') LIMIT 1`)).toEqual([['agency_id']])
    expect(warnings()).toContain(`${file}: the reference does not have this file; kept as the table ${table}`)
  })

  it.each(['STOPS.txt', 'stops.TXT'])(
    'takes the file that is spelt as in the reference, whatever %s holds',
    async (other) => {
      const { result, rows } = await imported({ [other]: 'stop_name,more\nNeun,x\n' })
      expect(result).toMatchObject({ outcome: 'published', rows: { stops: 2 } })
      expect(rows('SELECT stop_name FROM stops ORDER BY 1')).toEqual([['Eins'], ['Zwei']])
    },
  )

  it('passes a file of its own over that has too many columns for a table, and fails for one of the reference', async () => {
    const header = (count: number) => Array.from({ length: count }, (_, index) => `c_${index}`).join()
    const { result, warnings } = await imported({
      'wide.txt': `${header(2000)}\n1\n`,
      'most.txt': `${header(1999)}\n1\n`,
    })
    expect(result).toMatchObject({ outcome: 'published', rows: { most: 1 } })
    expect(warnings()).toContain('wide.txt: 2000 columns, but a table has at most 1999')
    for (const count of [1999, 1990]) {
      const { result: failed } = await imported({ 'stops.txt': `stop_id,${header(count)}\n1\n` })
      expect(failure(failed)).toMatchObject({ outcome: 'failed', code: 'RECORD_INVALID' })
      expect(failed.reason?.message).toMatch(/stops\.txt: \d+ columns, but a table has at most 1999/)
    }
  })

  it('lives on where a file of its own cannot be read through', async () => {
    const { result, rows, warnings } = await imported({ 'own.txt': `a,b\n1,2\n1,2,3\n` }, undefined, {
      guards: { maxRejected: 0.0001 },
    })
    expect(result).toMatchObject({ outcome: 'published', rejected: 1, rows: { own: 1 } })
    expect(rows('SELECT file, line FROM _rejected')).toEqual([['feed.zip#own.txt', 3]])
    expect(warnings()).toContain('feed.zip#own.txt: 1 records cannot be read, and are in _rejected')
  })

  it('keeps the first row of a key, and tells of the others', async () => {
    const { result, rows, warnings } = await imported({
      'stops.txt': 'stop_id,stop_name\n1,Eins\n2,Zwei\n1,Uno\n,Leer\n',
    })
    expect(result).toMatchObject({ outcome: 'published', rejected: 2, rows: { stops: 2 } })
    expect(rows(`SELECT stop_name FROM stops WHERE stop_id = '1'`)).toEqual([['Eins']])
    expect(warnings()).toContain('stops: 2 rows were left out')
  })

  it('may leave out the id of its only agency', async () => {
    const { rows } = await imported({
      'agency.txt': 'agency_name,agency_url,agency_timezone\nMuster,https://m.example/,UTC\n',
    })
    expect(rows('SELECT agency_id, agency_name FROM agency')).toEqual([['', 'Muster']])
  })

  it('has zones for riding on demand out of locations.geojson', async () => {
    const zone = {
      type: 'Feature',
      id: 'z1',
      properties: { stop_name: 'Zone' },
      geometry: { type: 'Point', coordinates: [8, 47] },
    }
    const { rows } = await imported({
      'locations.geojson': JSON.stringify({ type: 'FeatureCollection', features: [zone] }),
      'stop_times.txt':
        'trip_id,stop_id,location_id,stop_sequence,start_pickup_drop_off_window\nt,1,,1,\nt,,z1,2,06:00:00\nt,,z2,3,\n',
    })
    expect(rows('SELECT id, stop_name, geometry_type, geometry, properties FROM locations')).toEqual([
      ['z1', 'Zone', 'Point', '{"type":"Point","coordinates":[8,47]}', '{"stop_name":"Zone"}'],
    ])
    expect(rows(`SELECT start_pickup_drop_off_window_seconds FROM stop_times WHERE location_id = 'z1'`)).toEqual([
      [21_600],
    ])
  })

  it('counts what refers to nothing, once for each column', async () => {
    const { warnings } = await imported({
      'trips.txt': 'route_id,service_id,trip_id\nr,s,t\nnone,s,u\nnone,never,v\n',
      'transfers.txt': 'from_stop_id,to_stop_id\n1,2\n1,99\n98,99\n',
    })
    expect(warnings()).toContain('trips.route_id: 2 rows refer to what is not in routes.route_id')
    expect(warnings()).toContain(
      'trips.service_id: 1 rows refer to what is not in calendar.service_id or calendar_dates.service_id',
    )
    expect(warnings()).toContain('transfers.from_stop_id: 1 rows')
    expect(warnings()).toContain('transfers.to_stop_id: 2 rows')
  })

  it('gives stations the lines of their platforms, and stops of a group those that are called on demand', async () => {
    const { rows } = await imported({
      'stops.txt': 'stop_id,stop_name,location_type,parent_station\n1,Gleis,,S\n2,Zwei,,\n3,Drei,,\nS,Bahnhof,1,\n',
      'location_groups.txt': 'location_group_id,location_group_name\ng,Gruppe\n',
      'location_group_stops.txt': 'location_group_id,stop_id\ng,3\n',
      'stop_times.txt': 'trip_id,stop_id,location_group_id,stop_sequence\nt,1,,1\nt,,g,2\n',
    })
    expect(rows('SELECT stop_id, route_id, stop_name, route_short_name FROM stop_routes ORDER BY 1')).toEqual([
      ['1', 'r', 'Gleis', 'R1'],
      ['3', 'r', 'Drei', 'R1'],
      ['S', 'r', 'Bahnhof', 'R1'],
    ])
  })

  it('runs on the days of its calendar, without those that are taken out and with those that are put in', async () => {
    const { rows } = await imported({
      'calendar.txt':
        'service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\ns,1,0,0,0,0,0,1,20261128,20261207\n',
      'calendar_dates.txt':
        'service_id,date,exception_type\ns,20261130,2\ns,20261202,1\ns,20261206,1\nextra,20261225,1\n',
    })
    expect(rows('SELECT service_id, date FROM service_days ORDER BY 2')).toEqual([
      ['s', '20261129'],
      ['s', '20261202'],
      ['s', '20261206'],
      ['s', '20261207'],
      ['extra', '20261225'],
    ])
  })

  it.each([
    ['its feed_info', 'feed_start_date,feed_end_date\n20261101,20261231\n', ['2026-11-01', '2026-12-31']],
    ['its calendar, where feed_info says nothing', 'feed_lang\nde\n', ['2026-12-01', '2026-12-01']],
    [
      'its calendar, where feed_info was over before',
      'feed_start_date,feed_end_date\n20200101,20200630\n',
      ['2026-12-01', '2026-12-01'],
    ],
    ['nothing, where that is no date', 'feed_start_date,feed_end_date\n20261101,soon\n', ['2026-11-01', undefined]],
  ])('holds until when %s says', async (_, info, [from, until]) => {
    const { manifest } = await imported({ 'feed_info.txt': info })
    expect([manifest()?.validFrom, manifest()?.validUntil]).toEqual([from, until])
  })

  it('may lie in one folder, or unpacked in one on this machine, packed one by one', async () => {
    const store = scratchStore()
    const nested = await ingest(store, zipped({}, 'some/feed/'), { definition: definition() })
    expect(nested).toMatchObject({ outcome: 'published', rows: { stops: 2 } })
    const folder = scratchFolder()
    for (const [name, text] of Object.entries(small)) writeFileSync(join(folder, name), text)
    expect(await ingest(store, folder, { definition: definition() })).toMatchObject({ outcome: 'unchanged' })
    writeFileSync(join(folder, 'stops.txt'), 'stop_id,stop_name\n1,Eins\n2,Zwei\n3,Drei\n')
    expect(await ingest(store, folder, { definition: definition() })).toMatchObject({
      outcome: 'published',
      changes: { stops: { added: 1, removed: 0, changed: 0 } },
    })
    expect(currentSnapshot(store, 'feed', 'feed.db')?.sources[0]?.url).toMatch(/^file:/)
  })

  it('is not in a folder that holds nothing like it', async () => {
    const { outcome, reason } = await ingest(scratchStore(), scratchFolder(), { definition: definition() })
    expect({ outcome, code: reason?.code }).toEqual({ outcome: 'failed', code: 'FILE_NOT_FOUND' })
    expect(reason?.message).toMatch(/holds none of feed.zip, .*\*\.txt, locations.geojson/)
  })

  it('is known for a bundled sample though it comes unpacked, and then never takes the place of real data', async () => {
    const folder = scratchFolder()
    const dated = join(folder, 'data', '2026-10-01')
    mkdirSync(dated, { recursive: true })
    const members = Object.entries(small).map(([name, content]) => ({ name, content, stored: true }))
    writeFileSync(join(dated, 'feed.zip'), zipOf(...members))
    const unpacked = scratchFolder()
    for (const [name, text] of Object.entries(small)) writeFileSync(join(unpacked, name), text)

    const store = scratchStore()
    await ingest(store, unpacked, { definition: definition(), folder })
    expect(currentSnapshot(store, 'feed', 'feed.db')?.sample).toBe(true)
    const real = await ingest(store, zipped({ 'agency.txt': 'agency_name\nA\n' }), { definition: definition(), folder })
    expect(real.outcome).toBe('published')
    expect(currentSnapshot(store, 'feed', 'feed.db')?.sample).toBe(false)
    expect(failure(await ingest(store, unpacked, { definition: definition(), folder }))).toMatchObject({
      outcome: 'refused',
      code: 'SAMPLE_OVER_REAL',
    })
  })

  it.each([
    [
      'without trips',
      { 'trips.txt': '' },
      'NOT_WHAT_IT_SAYS',
      /no GTFS feed: it lacks trips.txt \(it has: .*stops.txt/,
    ],
    [
      'without a key in a header',
      { 'stops.txt': 'id;name\n1;Eins\n' },
      'RECORD_INVALID',
      /feed.zip#stops.txt: the header lacks stop_id \(it has: id;name\)/,
    ],
    [
      'with a page in place of a file',
      { 'stops.txt': '<!DOCTYPE html><html></html>' },
      'NOT_WHAT_IT_SAYS',
      /feed.zip#stops.txt: HTML received/,
    ],
  ])('%s fails, and says what it has', async (_, files, code, message) => {
    const { result } = await imported(files)
    expect(failure(result)).toEqual({ outcome: 'failed', code, message: expect.stringMatching(message) })
  })
})
