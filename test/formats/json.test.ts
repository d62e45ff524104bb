import { describe, expect, it } from 'vitest'
import { readJson } from '../../src/formats/json.ts'
import type { Preamble, ReadRecord } from '../../src/formats/types.ts'
import { seeded, textFrom } from './random.ts'
import { all, chunks } from './streams.ts'

interface Reading {
  readonly reads: readonly ReadRecord[]
  readonly preambles: readonly Preamble[]
}

const read = async (parts: string | Uint8Array | readonly Buffer[], records = '$[*]'): Promise<Reading> => {
  const preambles: Preamble[] = []
  const onPreamble = (preamble: Preamble): void => void preambles.push(preamble)
  const bytes = typeof parts === 'string' || parts instanceof Uint8Array ? chunks(parts) : chunks(...parts)
  const batches = readJson(bytes, { type: 'json', records }, { source: 'a.json', onPreamble })
  return { reads: (await all(batches)).flat(), preambles }
}

const recordsOf = async (text: string, path?: string): Promise<unknown[]> =>
  (await read(text, path)).reads.map((each) => ('record' in each ? each.record : each))

describe('an array of records in JSON', () => {
  it('gives its elements with the lines they start on', async () => {
    expect((await read('[\n  {\n    "a": 1\n  },\n\n  {"a": "x,]}\\"\\\\"}, 3, [4, [5]]\n]\n')).reads).toEqual([
      { line: 2, record: { a: 1 } },
      { line: 6, record: { a: 'x,]}"\\' } },
      { line: 6, record: 3 },
      { line: 6, record: [4, [5]] },
    ])
  })

  it('takes an element that is six thousand deep for a bad one, and reads the others', async () => {
    const deep = `${'['.repeat(6000)}${']'.repeat(6000)}`
    expect((await read(`[1,\n${deep},\n3]`)).reads).toEqual([
      { line: 1, record: 1 },
      { line: 2, problem: expect.stringContaining('more than 1000 deep'), raw: expect.stringMatching(/^\[{1000}$/) },
      { line: 3, record: 3 },
    ])
  })

  it('may be empty', async () => {
    expect(await recordsOf('[]')).toEqual([])
    expect(await recordsOf(' [\n] \n')).toEqual([])
  })

  it('is found by its keys, whatever stands beside it', async () => {
    const text =
      '{"a":[1,{"records":[2]}],"data":{"x":"records","records":[{"id":1},{"id":2}],"more":[3]},"records":[4]}'
    expect(await recordsOf(text, '$.data.records[*]')).toEqual([{ id: 1 }, { id: 2 }])
    expect(await recordsOf(text, '$.records[*]')).toEqual([4])
    expect(await recordsOf('{"\\u00fc b":[1]}', "$['ü b'][*]")).toEqual([1])
  })

  it('lets what stands before it be known before any record, with all that is open closed', async () => {
    const { preambles } = await read(
      '{"date":"2026-10-08","n":12345678901234567890,"d":{"records":[1],"later":2}}',
      '$.d.records[*]',
    )
    expect(preambles).toEqual([
      { type: 'json', document: { date: '2026-10-08', n: '12345678901234567890', d: { records: [] } } },
    ])
  })

  it('keeps the digits of long integers', async () => {
    expect(await recordsOf('[{"id":12345678901234567890}]')).toEqual([{ id: '12345678901234567890' }])
  })

  it('gives an element that is no JSON as a problem in its place, and reads on', async () => {
    expect((await read('[{"a":1},\n{"a":NaN},,\n{"a":2}{"a":3},\n4,]')).reads).toEqual([
      { line: 1, record: { a: 1 } },
      { line: 2, problem: expect.stringMatching(/^not valid JSON: .*(?<!\))$/), raw: '{"a":NaN}' },
      { line: 2, problem: expect.stringContaining('not valid JSON'), raw: '' },
      { line: 3, problem: expect.stringContaining('not valid JSON'), raw: '{"a":2}{"a":3}' },
      { line: 4, record: 4 },
      { line: 4, problem: expect.stringContaining('not valid JSON'), raw: '' },
    ])
  })

  it('gives an element that is not UTF-8 as a problem', async () => {
    expect((await read(Buffer.from('["Gr\xfcn",1]', 'latin1'))).reads).toEqual([
      { line: 1, problem: 'not valid UTF-8', raw: '"Gr\ufffdn"' },
      { line: 1, record: 1 },
    ])
  })

  it.each([
    ['with a byte order mark', Buffer.from('\ufeff["ü"]')],
    ['in UTF-16', Buffer.from('\ufeff["ü"]', 'utf16le')],
  ])('may be %s', async (_which, bytes) => {
    expect((await read(bytes)).reads).toEqual([{ line: 1, record: 'ü' }])
  })

  it('is the same however its bytes are cut into chunks', async () => {
    const text = '\ufeff{"ä":"\\"[","x":{"r":[{"a":"ü\\\\"},\n[1,"]"],"𝄞"]},"y":[]}'
    const bytes = Buffer.from(text)
    const whole = await read(bytes, '$.x.r[*]')
    expect(whole.reads).toHaveLength(3)
    for (let size = 1; size < bytes.length; size++) {
      const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      expect(await read(parts, '$.x.r[*]'), `chunks of ${size}`).toEqual(whole)
    }
  })

  it('gives what JSON.parse gives, on random values', async () => {
    const random = seeded(1)
    const value = (depth: number): unknown => {
      const kind = random(depth > 3 ? 3 : 5)
      if (kind === 0) return textFrom(['a', '"', '\\', '\n', ',', ']', '}', 'ü', '𝄞', '{', '['], 6, random)
      if (kind === 1) return random(1000) / 4
      if (kind === 2) return [true, false, null][random(3)]
      if (kind === 3) return Array.from({ length: random(4) }, () => value(depth + 1))
      return Object.fromEntries(
        Array.from({ length: random(4) }, () => [textFrom(['k', '"', ':'], 3, random), value(depth + 1)]),
      )
    }
    const values = Array.from({ length: 500 }, () => value(0))
    expect(await recordsOf(JSON.stringify(values))).toEqual(values)
    expect(await recordsOf(JSON.stringify({ a: values, b: values }, null, 2), '$.b[*]')).toEqual(values)
  })

  it('gives records before the rest was read', async () => {
    let given = 0
    async function* parts(): AsyncGenerator<Buffer, void, undefined> {
      yield Buffer.from('[0')
      for (; given < 100; given++) yield Buffer.from(',1'.repeat(100))
      yield Buffer.from(']')
    }
    for await (const batch of readJson(parts(), { type: 'json' }, { source: 'a.json' })) {
      expect(batch).toHaveLength(100)
      expect(given).toBeLessThan(3)
      return
    }
    expect.unreachable()
  })

  it('is given in batches of at most 500', async () => {
    const text = `[${'1,'.repeat(1000)}1]`
    const batches = await all(readJson(chunks(text), { type: 'json' }, { source: 'a.json' }))
    expect(batches.map((batch) => batch.length)).toEqual([500, 500, 1])
  })

  it('is not read when cancelled', async () => {
    const options = { source: 'a.json', signal: AbortSignal.abort() }
    await expect(all(readJson(chunks('[1]'), { type: 'json' }, options))).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})

describe('JSON that is refused', () => {
  it.each([
    ['has no such array', '{"data":[1]}', 'NOT_WHAT_IT_SAYS', 'has no array of records where one should be'],
    ['has something else there', '{"records":{"a":[1]}}', 'NOT_WHAT_IT_SAYS', 'has no array of records'],
    ['is cut in an element', '{"records":[{"a":1},\n{"a', 'DATA_CORRUPT', 'ends before its JSON does, in line 2'],
    ['is cut after an element', '{"records":[{"a":1},', 'DATA_CORRUPT', 'ends before its JSON does, in line 1'],
    ['is cut after the array', '{"records":[1]', 'DATA_CORRUPT', 'ends before its JSON does'],
    ['is cut before the array', '{"a":{', 'DATA_CORRUPT', 'ends before its JSON does'],
    ['is wrong beside the array', '{"records":[1],}', 'RECORD_INVALID', 'not valid JSON around its records'],
    ['is wrong before the array', '{"a":x,"records":[1]}', 'RECORD_INVALID', 'not valid JSON around its records'],
    [
      'goes on after its end',
      '{"records":[1]}\n{"records":[2]}',
      'RECORD_INVALID',
      'line 2: the array of records is there twice',
    ],
    [
      'has another document after its end',
      '{"records":[1]}\n{}',
      'RECORD_INVALID',
      'not valid JSON around its records',
    ],
    ['closes what is not open', '{"records":[{"a":[1}]}', 'RECORD_INVALID', 'line 1: its brackets do not match'],
    ['lacks a quote', '{"records":[{"a":"b},\n{"a":"c"}]}', 'RECORD_INVALID', 'line 1: a line break inside a text'],
  ])('%s', async (_what, text, code, message) => {
    await expect(read(text, '$.records[*]')).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    })
  })

  it('has a record that is too long', async () => {
    const format = { type: 'json', maxRecordBytes: 10 } as const
    await expect(all(readJson(chunks('["a",\n"', 'b'.repeat(20)), format, { source: 'a.json' }))).rejects.toMatchObject(
      {
        code: 'RECORD_INVALID',
        message: 'a.json: the record in line 2 is longer than 10 bytes',
      },
    )
  })

  it('holds very much beside its records', async () => {
    const long = '"'.padEnd(1_000_000, 'x')
    await expect(read(Array.from({ length: 20 }, () => Buffer.from(long)))).rejects.toThrow('bytes beside the records')
  })
})
