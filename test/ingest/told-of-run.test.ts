import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { StichtagError } from '../../src/errors.ts'
import { givenFiles, naming } from '../../src/ingest/given-names.ts'
import { toldOfRun } from '../../src/ingest/told-of-run.ts'
import { places } from '../pipeline/places.ts'
import { scratchFolder, scratchStore } from '../store/scratch-store.ts'
import { delivery, ingest, quarantined } from './ingesting.ts'

const told = (message: string, isAnyCurrent = true): string =>
  toldOfRun(new StichtagError('DATA_CORRUPT', message), {
    dataset: 'places',
    given: [{ name: 'places.csv', path: '/home/me/old.csv' }],
    isAnyCurrent,
  }).message

describe('what a run failed of', () => {
  it('names the dataset, once', () => {
    expect(told('x.zip: is no zip archive')).toBe('places: x.zip: is no zip archive')
    expect(told('places: x.zip: is no zip archive')).toBe('places: x.zip: is no zip archive')
    expect(told('placeshift.zip: is no zip archive')).toBe('places: placeshift.zip: is no zip archive')
  })

  it('says that the current snapshot stays only where there is one', () => {
    expect(told('it broke. The current snapshot stays. Look.', true)).toContain('The current snapshot stays.')
    expect(told('it broke. The current snapshot stays. Look.', false)).toBe(
      'places: it broke. There is no snapshot yet. Look.',
    )
    expect(told('cannot write. The current snapshot is unchanged.', false)).toMatch(/There is no snapshot yet\.$/)
  })

  it('names the file that was given for the one that it is about', () => {
    expect(told('places.csv line 3: not valid UTF-8')).toBe(
      'places: places.csv line 3: not valid UTF-8 (--from gave /home/me/old.csv for places.csv).',
    )
    expect(told('places.csv.gz: ends early')).not.toContain('old.csv')
    expect(told('/data/places.csv: ends early')).not.toContain('old.csv')
    expect(told('/home/me/old.csv lacks places.csv')).not.toContain('--from')
  })

  it('keeps its code and its data', () => {
    const error = new StichtagError('DATA_CORRUPT', 'x', { data: { file: 'x' } })
    expect(toldOfRun(error, { dataset: 'places', given: [], isAnyCurrent: true })).toMatchObject({
      code: 'DATA_CORRUPT',
      data: { file: 'x' },
    })
  })
})

describe('the files that were given', () => {
  it('are those of another name than the usual one', () => {
    const path = delivery([], 'mine.jsonl')
    const usual = places.sources[0]?.name ?? ''
    expect(givenFiles(path, places)).toEqual([{ name: usual, path }])
    expect(givenFiles(delivery([], usual), places)).toEqual([])
    expect(givenFiles('https://u:secret@e.example/x.jsonl', places)[0]?.path).not.toContain('secret')
    expect(givenFiles(join(scratchFolder(), 'gone'), places)).toEqual([])
    expect(givenFiles(undefined, places)).toEqual([])
  })

  it('are named without their folders where hosts may read it', () => {
    const given = [{ name: 'places.csv', path: '/home/me/old.csv' }]
    expect(naming('places.csv line 3: no', given, { isShort: true })).toBe(
      'places.csv line 3: no (--from gave old.csv for places.csv).',
    )
  })
})

describe('a run of a file by hand', () => {
  it('that fails names dataset and file', async () => {
    const path = delivery('<html></html>', 'mine.jsonl')
    const { reason } = await ingest(scratchStore(), path)
    expect(reason?.message).toMatch(/^places: /)
    expect(reason?.message).toContain(path)
  })

  it('that is refused names the file without its folder, what was rejected, and how to release it', async () => {
    const store = scratchStore()
    const path = delivery('{"id": "a"}\n{"id":\n{"id":\n', 'mine.jsonl')
    const definition = { ...places, guards: { maxRejected: 0.1 } }
    const refused = await ingest(store, path, { definition })
    const [version = ''] = quarantined(store)
    const inQuarantine = { version, rows: { place: 1 }, rejected: 2 }
    const expected = { outcome: 'refused', version: null, rows: { place: 1 }, rejected: 2, quarantined: inQuarantine }
    expect(refused).toMatchObject(expected)
    expect(refused.reason?.message).not.toContain(path)
    expect(refused.reason?.message).toContain('(--from gave mine.jsonl for places.jsonl.gz)')
    expect(refused.reason?.message).toContain(`There is no snapshot yet.`)
    expect(refused.reason?.message).toContain(`stichtag release places ${version}`)
    // Refused again without being built, it is told by what lies in quarantine.
    expect(await ingest(store, path, { definition })).toMatchObject(expected)
  })
})
