/** What importing open data has failed of in public, each with the smallest input of our own: from its bytes to rows. */
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CsvDialect } from '../../src/formats/csv-dialect.ts'
import { kit } from '../../src/pipeline/define.ts'
import type { ArchiveDefinition, PipelineDefinition } from '../../src/pipeline/types.ts'
import { type Member, zipOf } from '../formats/zip-builder.ts'
import { fileServer, ok, serve, status } from '../ingest/download-server.ts'
import { current, delivery, ingest, query } from '../ingest/ingesting.ts'
import { places } from '../pipeline/places.ts'
import { scratchStore } from '../store/scratch-store.ts'

/** A dataset of rows with these columns, all text, the first one the key; a record may lack any but the key. */
const dataset = (
  columns: readonly string[],
  format: Partial<CsvDialect> = {},
  more: { readonly maxRejected?: number; readonly archive?: ArchiveDefinition; readonly url?: string } = {},
): PipelineDefinition => {
  const [key = ''] = columns
  const { maxRejected = 0, archive, url = 'http://127.0.0.1:9/feed' } = more
  return {
    ...places,
    sources: [
      { name: 'feed.csv', url, format: { type: 'csv', ...format }, ...(archive === undefined ? {} : { archive }) },
    ],
    tables: {
      line: {
        description: 'A line',
        columns: { ...Object.fromEntries(columns.map((column) => [column, 'TEXT' as const])), attributes: 'TEXT' },
        key: [key],
      },
    },
    views: {},
    fullText: [],
    guards: { maxRejected },
    map: (record, context) => {
      const fields = kit.fields(record, context)
      const id = fields.requiredText(key)
      const rest = columns.slice(1).map((column) => [column, fields.text(column)])
      const left = fields.rest()
      context.emit('line', {
        [key]: id,
        ...Object.fromEntries(rest),
        attributes: left === null ? null : JSON.stringify(left),
      })
    },
  }
}

const taking = async (content: string | Uint8Array, definition: PipelineDefinition) => {
  const store = scratchStore()
  const result = await ingest(store, delivery(content, 'feed.csv'), { definition })
  return {
    result,
    rows: (sql = 'SELECT * FROM line') => query(store, sql),
    rejected: () => query(store, 'SELECT line, reason FROM _rejected'),
    manifest: () => current(store),
  }
}

const tolerant = { maxRejected: 1 }
const failed = (code: string, words: string) => ({
  outcome: 'failed',
  reason: { code, message: expect.stringContaining(words) },
})

describe('rows of a feed', () => {
  const columns = ['trip_id', 'stop_id', 'arrival_time']

  it('without a mandatory value are rejected with their line, and the others are taken', async () => {
    const text = 'trip_id,stop_id,arrival_time\n1,a,0:59:00\n"",b,0:59:00\n3,"",0:59:00\n'
    const { result, rows, rejected } = await taking(text, dataset(columns, {}, tolerant))
    expect(result).toMatchObject({ outcome: 'published', rejected: 1, rows: { line: 2 } })
    expect(rows('SELECT trip_id, stop_id FROM line')).toEqual([
      ['1', 'a'],
      ['3', null],
    ])
    expect(rejected()).toEqual([[3, 'trip_id is missing']])
  })

  it('keep times as they are, whatever the hour and however many digits it has', async () => {
    const times = ['149:09:00', '24:02:00', '4:44:00', '04:44:00']
    const text = `trip_id,arrival_time\n${times.map((time, index) => `${index},${time}\n`).join('')}`
    const { rows } = await taking(text, dataset(columns))
    expect(rows('SELECT arrival_time FROM line ORDER BY trip_id').flat()).toEqual(times)
  })

  it('may have a column that is empty in each of them', async () => {
    const { result, rows } = await taking('trip_id,stop_id\n1,""\n2,\n', dataset(columns))
    expect(result.outcome).toBe('published')
    expect(rows('SELECT trip_id, stop_id FROM line')).toEqual([
      ['1', null],
      ['2', null],
    ])
  })

  it('with a field too many are rejected with their line, or fail the run by it', async () => {
    const text = 'trip_id,stop_id,arrival_time\n1,a,1:00:00\n2,b,2:00:00,x\n'
    const { result, rejected } = await taking(text, dataset(columns, {}, tolerant))
    expect(result).toMatchObject({ rows: { line: 1 }, rejected: 1 })
    expect(rejected()).toEqual([[3, expect.stringContaining('4 fields')]])
    expect((await taking(text, dataset(columns))).result).toMatchObject(failed('RECORD_INVALID', 'feed.csv line 3: '))
  })

  it('that are short are padded with nothing, and told', async () => {
    const { rows, manifest } = await taking(
      'trip_id,stop_id,arrival_time\n1\n',
      dataset(columns, { shortRecords: 'pad' }),
    )
    expect(rows()).toEqual([['1', null, null, null]])
    expect(manifest().warnings).toEqual([expect.stringContaining('line 2')])
  })

  it('with a quote in the middle are one rejected row, or taken where that is known of the source', async () => {
    const text = 'trip_id,stop_id\n1,"Gare "du Nord" x"\n2,b\n'
    const strict = await taking(text, dataset(columns, {}, tolerant))
    expect(strict.result).toMatchObject({ outcome: 'published', rejected: 1, rows: { line: 1 } })
    expect(strict.rejected()).toEqual([[2, expect.any(String)]])
    const lenient = await taking(text, dataset(columns, { quotes: 'lenient' }))
    expect(lenient.rows('SELECT stop_id FROM line').flat()).toEqual(['Gare "du Nord" x', 'b'])
  })

  it('may end in CR CR LF', async () => {
    const { rows } = await taking('trip_id,stop_id\r\r\n1,a\r\r\n2,b\r\r\n', dataset(columns))
    expect(rows('SELECT trip_id, stop_id FROM line')).toEqual([
      ['1', 'a'],
      ['2', 'b'],
    ])
  })

  it('are counted as they are where a header is quoted, behind a byte order mark', async () => {
    const { rows } = await taking('\ufeff"trip_id","stop_id"\n1,a\n', dataset(columns))
    expect(rows('SELECT trip_id, stop_id FROM line')).toEqual([['1', 'a']])
  })

  it('may have a NUL byte, which goes, and is told with its line', async () => {
    const { rows, manifest } = await taking('trip_id,stop_id\n1,Sta\0tion\n2,b\n', dataset(columns))
    expect(rows('SELECT stop_id FROM line').flat()).toEqual(['Station', 'b'])
    expect(manifest().warnings).toEqual([expect.stringContaining('(line 2)')])
  })
})

describe('columns of a feed', () => {
  it('that nobody knows are kept and told, and the one that was meant is empty', async () => {
    const { rows, manifest } = await taking('id,contact_mail\n1,a@b.example\n', dataset(['id', 'contact_email']))
    expect(rows()).toEqual([['1', null, '{"contact_mail":"a@b.example"}']])
    expect(manifest().warnings).toEqual([expect.stringContaining('field contact_mail is not known to the mapping')])
  })

  it('that the mapping needs and the header lacks fail the run, with all that it has', async () => {
    const format = { requires: ['id', 'Entity.RegistrationStatus'] }
    const { result } = await taking('id,Registration.RegistrationStatus\n1,ISSUED\n', dataset(['id'], format))
    expect(result).toMatchObject(failed('RECORD_INVALID', 'Entity.RegistrationStatus'))
    expect(result.reason?.message).toContain('Registration.RegistrationStatus')
  })

  it('that are others in each record become no column each', async () => {
    const lines = Array.from(
      { length: 3000 },
      (_, index) => `${JSON.stringify({ id: `${index}`, [`x${index}`]: index })}\n`,
    )
    const definition = dataset(['id'])
    const sources = [{ name: 'feed.csv', url: 'http://127.0.0.1:9/', format: { type: 'jsonl' as const } }]
    const { result, manifest } = await taking(lines.join(''), { ...definition, sources })
    expect(result).toMatchObject({ outcome: 'published', rows: { line: 3000 } })
    const { unknownFields } = manifest().sources[0] ?? { unknownFields: {} }
    expect(Object.keys(unknownFields)).toHaveLength(501)
    expect(Object.values<number>(unknownFields).reduce((sum, count) => sum + count, 0)).toBe(3000)
  })
})

describe('an archive', () => {
  const stops = 'id,name\n1,Sta\n'
  const archived = (archive: ArchiveDefinition = { member: 'stops.txt' }) => dataset(['id', 'name'], {}, { archive })

  it.each<[string, readonly Member[]]>([
    [
      'by a Mac, with a folder and its twins',
      [
        { name: 'feed/stops.txt', content: stops },
        { name: '__MACOSX/feed/._stops.txt', content: 'x' },
        { name: 'feed/.DS_Store', content: 'x' },
        { name: 'feed/desktop.ini', content: 'x' },
      ],
    ],
    ['of zip64', [{ name: 'stops.txt', content: stops, zip64: true }]],
    ['with sizes behind the bytes', [{ name: 'stops.txt', content: stops, dataDescriptor: true }]],
  ])('%s is read', async (_, members) => {
    const { rows } = await taking(zipOf(...members), archived())
    expect(rows('SELECT id, name FROM line')).toEqual([['1', 'Sta']])
  })

  it('with two folders that could be meant fails the run by naming them, and one can be declared', async () => {
    const members = ['a/stops.txt', 'b/stops.txt'].map((name) => ({ name, content: stops }))
    const { result } = await taking(zipOf(...members), archived())
    expect(result).toMatchObject(failed('NOT_WHAT_IT_SAYS', 'a/, b/'))
    const { rows } = await taking(zipOf(...members), archived({ member: 'stops.txt', folder: 'b' }))
    expect(rows('SELECT id FROM line')).toEqual([['1']])
  })

  it('that is none fails the run cleanly', async () => {
    const path = delivery('invalid data', 'feed.zip')
    const result = await ingest(scratchStore(), path, { definition: archived() })
    expect(result).toMatchObject(failed('NOT_WHAT_IT_SAYS', 'is not a zip archive'))
  })
})

describe('a compressed file', () => {
  /** `one\ntwo\n` and `three\n`, each as a stream of bzip2. */
  const oneTwo = Buffer.from('QlpoOTFBWSZTWacUK3cAAALBgAAQAgGEgCAAIYAMAjj1G4u5IpwoSFOKFbuA', 'base64')
  const three = Buffer.from('QlpoOTFBWSZTWQHHM2oAAALBgAAQAkAUACAAIYNBmgiwHF3JFOFCQAcczag=', 'base64')

  it('of many streams is read to the end, and what follows them is told', async () => {
    const bytes = Buffer.concat([oneTwo, three, oneTwo.subarray(0, 0), Buffer.from('garbage')])
    const { rows, manifest } = await taking(bytes, dataset(['id'], { columns: ['id'] }))
    expect(rows('SELECT id FROM line').flat().sort()).toEqual(['one', 'three', 'two'])
    expect(manifest().warnings).toEqual([expect.stringContaining('bytes after the end of the bzip2 data were ignored')])
  })
})

describe('a source on the web', () => {
  const good = 'id,name\n1,a\n'
  const format = { requires: ['id', 'name'] }

  it('that answers with a message of its database, as if that were the file, keeps what was there', async () => {
    const store = scratchStore()
    await using server = await serve(ok(good), ok('Database connection error: too many connections\n'))
    const definition = dataset(['id', 'name'], format, { url: server.url })
    expect((await ingest(store, undefined, { definition })).outcome).toBe('published')
    expect(await ingest(store, undefined, { definition })).toMatchObject(
      failed('RECORD_INVALID', 'Database connection'),
    )
    expect(query(store, 'SELECT id FROM line')).toEqual([['1']])
  })

  it.each([
    ['with a page', ok('<!doctype html><title>Log in</title>'), 'NOT_WHAT_IT_SAYS'],
    ['that it is gone', status(410), 'SOURCE_RETIRED'],
  ])('that answers %s, although it did well before, keeps what was there', async (_, behaviour, code) => {
    const store = scratchStore()
    await using server = await serve(ok(good), behaviour)
    const definition = dataset(['id', 'name'], format, { url: server.url })
    await ingest(store, undefined, { definition })
    expect(await ingest(store, undefined, { definition })).toMatchObject({ outcome: 'failed', reason: { code } })
    expect(query(store, 'SELECT id FROM line')).toEqual([['1']])
  })

  it('that has moved is followed, and goes by the address that was declared', async () => {
    const store = scratchStore()
    const target = await serve(fileServer(good, { etag: '"1"' }))
    onTestFinished(() => target[Symbol.asyncDispose]())
    await using server = await serve(status(302, { location: target.url }))
    const definition = dataset(['id', 'name'], format, { url: server.url })
    expect((await ingest(store, undefined, { definition })).outcome).toBe('published')
    expect(current(store).sources).toMatchObject([{ url: server.url }])
    expect(JSON.stringify(current(store))).not.toContain(target.url)
  })
})

describe('a list that breaks its own rules', () => {
  const columns = ['number', 'remarks']

  it('has quotes that are not doubled, lines of another length, and bytes that are no text: each costs its line', async () => {
    const lines = [
      Buffer.from('1,"he said "no" twice"\r\n2,"fine"\r\n3,"a","b","c"\r\n4,"'),
      Buffer.from([0xff]),
      Buffer.from('"\r\n5,"fine"\r\n'),
    ]
    const format: Partial<CsvDialect> = { columns, quotes: 'lenient' }
    const { result, rows, rejected } = await taking(Buffer.concat(lines), dataset(columns, format, tolerant))
    expect(result.outcome).toBe('published')
    expect(rows('SELECT number FROM line ORDER BY 1').flat()).toEqual(['1', '2', '5'])
    expect(rejected()).toEqual([
      [3, expect.any(String)],
      [4, 'not valid UTF-8'],
    ])
  })

  it('ends in the end-of-file character of DOS, and has a word for nothing', async () => {
    const format: Partial<CsvDialect> = { columns, nulls: ['-0-'], trim: true }
    const { result, rows } = await taking('1,-0- \r\n2,"x"\r\n\x1a', dataset(columns, format))
    expect(result).toMatchObject({ outcome: 'published', rejected: 0 })
    expect(rows('SELECT number, remarks FROM line ORDER BY 1')).toEqual([
      ['1', null],
      ['2', 'x'],
    ])
  })
})
